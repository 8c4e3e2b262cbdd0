package app

import (
	"context"
	"net"
	"net/http"

	"github.com/maquininha/maquininha/internal/door"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/screenui"
	"github.com/maquininha/maquininha/internal/store"
)

const settingToken = "screen_token"

// newScreen is the terminal's page and what it works on.
func (s *service) newScreen(h hardware, apiURL string) *screenui.UI {
	config := screenui.Config{APIURL: apiURL, Acquirer: func() string { return condition(h.ways) }, Printer: slot{}, Settings: s.settings}
	switch p := h.printer.(type) {
	case *printer.Virtual:
		config.Printer = slot{paper: p}
	case watched:
		config.Printer = slot{real: p.Thermal}
	}
	if s.api.Emulator != nil {
		config.Panel = s.api.Panel()
	}
	desks := screenui.Desks{Sales: s.Sales, Questions: s.Questions, Payments: s.Payments, Screen: s.Screen, Device: s.Device}
	return screenui.New(desks, config)
}

// condition is how the acquirers are, as far as they can tell.
func condition(ways []payment.Way) string {
	state := none
	for _, w := range ways {
		if len(w.Methods) == 0 {
			continue
		}
		if a, ok := w.Acquirer.(interface{ Condition() string }); ok {
			return a.Condition()
		}
		state = "ready"
	}
	return state
}

// slot fills screenui.Printer with a virtual printer, a real one, or none.
type slot struct {
	paper *printer.Virtual
	real  *printer.Thermal
}

// unknown is the state of a printer that nobody has printed on, or that does not report.
const unknown printing.State = "unknown"

func (s slot) State() (printing.State, bool) {
	switch {
	case s.paper != nil:
		return s.paper.State(), true
	case s.real == nil:
		return "", false
	}
	if state, known := s.real.State(); known {
		return state, true
	}
	return unknown, true
}

// watched is a real printer that tells the screen when it is otherwise than before.
type watched struct {
	*printer.Thermal
	changed func()
}

func (w watched) Print(ctx context.Context, job printing.Job) error {
	before, _ := w.State()
	err := w.Thermal.Print(ctx, job)
	if after, _ := w.State(); after != before {
		w.changed()
	}
	return err
}

func (s slot) Jobs() []printing.Printed {
	if s.paper == nil {
		return nil
	}
	return s.paper.Jobs()
}

func (s slot) Picture(n int) ([]byte, error) {
	if s.paper == nil {
		return nil, printing.ErrNoJob
	}
	return s.paper.Picture(n)
}

// openToken is the device token of the screen, made when the first other device may come in.
func openToken(address net.Addr, s *store.Store) (string, error) {
	if !screenui.Exposed(address) {
		return "", nil
	}
	token, err := s.Setting(settingToken)
	if token != "" || err != nil {
		return token, err
	}
	token = screenui.NewToken()
	return token, s.SetSettings(map[string]string{settingToken: token})
}

// serveScreen hands the request to the service of the moment. While a restart is under way it waits for the new one.
func (a *App) serveScreen(w http.ResponseWriter, r *http.Request) {
	a.current.RLock()
	defer a.current.RUnlock()
	door.Introduce(r.Context()) // the guard has let it through
	a.service.screen.ServeHTTP(w, r)
}
