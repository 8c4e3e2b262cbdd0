package pointsim

import "github.com/maquininha/maquininha/internal/acquirer/httpsim"

// control has the customer at the device, besides what every simulator has.
//
//	POST /sim/pay[/{id}]                              the customer pays, by default the oldest order
//	POST /sim/refuse, /sim/cancel, /sim/lose [/{id}]  the card is refused, the device cancels, it loses touch
//	GET  /sim/orders                                  the ids that can be paid now
func (a *Account) control() httpsim.Control {
	ends := func(status string) httpsim.Command {
		return httpsim.By(func(id string) error { return a.End(id, status) })
	}
	return httpsim.Control{
		Missing: []error{ErrNoOrder}, Conflicts: []error{ErrOver, ErrNotPaid},
		Commands: map[string]httpsim.Command{
			"POST pay":    httpsim.By(a.Pay),
			"POST refuse": ends(failed), "POST cancel": ends(canceled), "POST lose": ends(actionRequired),
			"GET orders": func(string, []byte) (any, error) {
				return map[string][]string{"orders": append([]string{}, a.Waiting()...)}, nil
			},
		},
		Manual: map[string]string{
			"POST /sim/pay":    "o cliente paga a cobrança mais antiga; com /{id}, esta",
			"POST /sim/refuse": "o emissor recusa o cartão",
			"POST /sim/cancel": "alguém cancela na maquininha",
			"POST /sim/lose":   "a maquininha perde o contato (action_required), até que pay, refuse ou cancel diga como terminou",
			"GET /sim/orders":  "as cobranças que podem ser pagas agora",
		},
	}
}
