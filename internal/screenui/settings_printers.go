package screenui

import (
	"context"
	"errors"
	"net/http"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/printing"
)

// Printers are those that this terminal could print on.
type Printers interface {
	// Found takes some seconds: the network is looked through.
	Found(context.Context) []FoundPrinter
	// TestPage is what shows on paper whether the printer in use is set as it is.
	TestPage() printing.Job
}

// FoundPrinter is one of them.
type FoundPrinter struct {
	ID    string `json:"id"`    // as a change has it
	Way   string `json:"way"`   // queue, usb, serial or network
	Name  string `json:"name"`  // of the place
	Said  string `json:"said"`  // what it says that it is; may be empty
	State string `json:"state"` // as a printer's on the page; of most nothing is known before they print
}

// tester prints on the printer in use.
type tester interface {
	Try(context.Context, printing.Job) error
}

// mountPrinters serves what the printer is chosen by.
func (d *settingsDesk) mountPrinters(mux *http.ServeMux, printers Printers, desk tester) {
	mux.HandleFunc("GET /settings/printers", d.answer(func(_ http.ResponseWriter, r *http.Request) (any, error) {
		if err := d.allowed(r); err != nil {
			return nil, err
		}
		return struct {
			Printers []FoundPrinter `json:"printers"`
		}{orEmpty(printers.Found(r.Context()))}, nil
	}))
	mux.HandleFunc("POST /settings/printers/test", d.answer(func(_ http.ResponseWriter, r *http.Request) (any, error) {
		if !d.lock.isOpen(r) {
			return nil, errSettingsLocked
		}
		return nil, testFailure(desk.Try(r.Context(), printers.TestPage()))
	}))
}

// testFailure says why no test page came out; the reason is the printer's state, for pages of other languages.
func testFailure(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, operation.ErrBusy):
		return Refusal{Message: "Há uma operação em andamento; tente de novo em instantes"}
	case errors.Is(err, operation.ErrStopping):
		return failure{status: http.StatusServiceUnavailable, Message: "O terminal está sendo encerrado"}
	}
	for state, words := range map[printing.State]string{
		printing.PaperOut: "A impressora está sem papel", printing.CoverOpen: "A tampa da impressora está aberta", printing.Offline: "A impressora não responde",
	} {
		if errors.Is(err, state.Err()) {
			return Refusal{Field: "printer", Message: words, Reason: string(state)}
		}
	}
	if errors.Is(err, printing.ErrNoPrinter) {
		return Refusal{Field: "printer", Message: "O terminal não tem impressora", Reason: string(printing.NoPrinter)}
	}
	return Refusal{Field: "printer", Message: "A página não pôde ser impressa; os logs dizem por quê", Reason: "failed"}
}
