package screenui

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
)

// Menu is the acquirer's own: reprints, reports, cancellations.
type Menu interface {
	HasMenu() bool
	OpenMenu(context.Context) (<-chan payment.MenuEnd, error)
}

// openMenu is the operator opening the acquirer's menu. The page follows it as it does a payment.
func (d *settingsDesk) openMenu(_ http.ResponseWriter, r *http.Request) (any, error) {
	if !d.lock.isOpen(r) {
		return nil, errSettingsLocked
	}
	_, err := d.menu.OpenMenu(r.Context())
	return nil, menuFailure(err)
}

func menuFailure(err error) error {
	switch {
	case errors.Is(err, payment.ErrNoMenu):
		return failure{status: http.StatusNotFound, Message: "Nenhum adquirente deste terminal tem um menu próprio"}
	case errors.Is(err, operation.ErrBusy):
		return Refusal{Message: "Há uma operação em andamento"}
	case errors.Is(err, operation.ErrStopping):
		return failure{status: http.StatusServiceUnavailable, Message: "O terminal está sendo encerrado"}
	case errors.Is(err, payment.ErrUnresolved):
		return failure{status: http.StatusServiceUnavailable, Message: "Uma operação anterior ainda está sem desfecho"}
	}
	return err
}

// LocalMenu is where a command of this machine asks for the menu.
const LocalMenu = "/local/menu"

// LocalEnd is how the menu was left, for the command that opened it.
type LocalEnd struct {
	Verdict  string   `json:"verdict"` // as a payment's on the page
	Message  string   `json:"message"`
	Receipts []string `json:"receipts"`
}

// ServeLocal lets a command of this machine open the menu, and answers when it was left; known is told when it is one. Whoever has the key
// may read the terminal's data: no PIN would keep them from anything.
func (ui *UI) ServeLocal(w http.ResponseWriter, r *http.Request, known func()) {
	given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if r.Method != http.MethodPost || subtle.ConstantTimeCompare([]byte(given), []byte(ui.LocalKey)) != 1 {
		refuse(w, http.StatusForbidden, "Só para comandos desta máquina")
		return
	}
	known()
	end, err := ui.Payments.OpenMenu(r.Context())
	if err != nil {
		respond(w, nil, settingsFailure(menuFailure(err)))
		return
	}
	w.WriteHeader(http.StatusProcessing) // the terminal is held: whoever waits may be told
	select {
	case e := <-end:
		body, err := localEnd(e)
		respond(w, body, settingsFailure(err))
	case <-r.Context().Done(): // the screen goes on with it
	}
}

func localEnd(e payment.MenuEnd) (any, error) {
	if e.Err != nil && !errors.Is(e.Err, payment.ErrUnknown) {
		return nil, menuFailure(e.Err)
	}
	receipts := []string{}
	for _, text := range []string{e.Outcome.Receipt.Customer, e.Outcome.Receipt.Merchant} {
		if text != "" {
			receipts = append(receipts, text)
		}
	}
	return LocalEnd{verdictWord(e.Outcome.Verdict, e.Err != nil), e.Outcome.Message, receipts}, nil
}
