package app

import (
	"log/slog"
	"net"
	"net/http"

	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/screen"
	"github.com/maquininha/maquininha/internal/screenui"
	"github.com/maquininha/maquininha/internal/store"
)

const settingToken = "screen_token"

// newScreen is the terminal's page and what it works on.
func (s *service) newScreen(h hardware, at place, log *slog.Logger) *screenui.UI {
	config := screenui.Config{APIURL: at.apiURL, LocalKey: s.local, Hub: at.hub, Acquirer: func() string { return acquirerState(h.ways) }, Printer: h.printer, Printers: printers{s.settings, log}, Settings: s.settings, Pictures: findPictures(s.settings.config.Look.Pictures, log)}
	if s.api.Emulator != nil {
		config.Panel, config.Drawers = s.api.Panel(), h.emulated.Drawers
	}
	desks := screenui.Desks{Sales: s.Sales, Questions: s.Questions, Payments: s.Payments, Printing: s.Printing, Screen: s.Screen, Device: s.Device}
	return screenui.New(desks, config)
}

// screenURL is where who sits at this machine finds the page; "" where a device needs its token, which no link may carry.
func screenURL(address net.Addr) string {
	if screenui.Exposed(address) {
		return ""
	}
	return "http://" + connection.Reachable(address)
}

// acquirerState is how the acquirers are, as far as they can tell.
func acquirerState(ways []payment.Way) string {
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
	connection.MarkKnown(r.Context()) // the guard has let it through
	a.service.screen.ServeHTTP(w, r)
}

// tellOfLate has the screen say that money came when its payment was over, or that it went back: nobody waits for either.
func (s *service) tellOfLate(m payment.Move) {
	late := m.After.Late
	if late == m.Before.Late {
		return
	}
	own := screen.Own{Kind: "late", Amount: late.Amount.Cents(), Reference: m.After.Request.Reference}
	amount := "R$ " + late.Amount.Reais()
	switch {
	case late.Kept() && late.InMenu:
		own.Kind = "lateInMenu"
		s.Screen.Tell(own, "Pago depois do fim", amount+" de um pagamento já encerrado; cancele a venda no menu do TEF (ADM), que só ele a devolve.")
		return
	case late.Kept() && late.ByHand:
		own.Kind = "lateByHand"
		s.Screen.Tell(own, "Pago depois do fim", amount+" de um pagamento já encerrado; estorne na maquininha, que só ela o devolve.")
		return
	case late.Kept():
		s.Screen.Tell(own, "Pago depois do fim", amount+" de um pagamento já encerrado; será devolvido ao pagador.")
		return
	}
	own.Kind = "lateReturned"
	s.Screen.Tell(own, "Pagamento tardio devolvido", amount+" voltou ao pagador.")
}

// tellOfStray has people look for what stands at an acquirer and that the ledger has no place for.
func (s *service) tellOfStray(way string, b payment.Belated) {
	s.Story.Strayed(way, b)
	s.Screen.Tell(screen.Own{Kind: "stray", Amount: b.Amount.Cents()}, "Resposta tardia do adquirente", "Uma operação de R$ "+b.Amount.Reais()+" vale no adquirente e não combina com nenhuma daqui. Confira.")
}

// tellOfUnmatched has people find out which sale was cancelled in the acquirer's menu. A single candidate is that sale, and had been
// given back before.
func (s *service) tellOfUnmatched(a payment.Administration, w payment.Administered, candidates []payment.Transaction) {
	s.Story.MenuUnmatched(a, w, candidates)
	if len(candidates) == 1 {
		own := screen.Own{Kind: "menuAgain", Amount: candidates[0].Request.Amount.Cents(), Reference: candidates[0].Request.Reference}
		s.Screen.Tell(own, "Cancelado no menu do TEF", "A venda de R$ "+candidates[0].Request.Amount.Reais()+" já constava como estornada, e nada mudou. Confira se não voltou duas vezes.")
		return
	}
	amount := "valor não informado"
	if w.Amount.Sign() > 0 {
		amount = "R$ " + w.Amount.Reais()
	}
	s.Screen.Tell(screen.Own{Kind: "menuUnmatched", Amount: w.Amount.Cents()}, "Cancelado no menu do TEF", "Não se sabe qual venda foi cancelada ("+amount+"). Confira o comprovante e as vendas.")
}
