package paysim

import (
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/money"
)

// control has the customer at the terminal, besides what every simulator has.
//
//	POST /sim/pay[/{id}]      the customer pays, by default the oldest sale
//	POST /sim/refuse[/{id}]   the issuer refuses
//	POST /sim/cancel[/{id}]   the customer calls it off
func (a *Account) control() httpsim.Control {
	people := func(do func(int64) error) httpsim.Command {
		return func(argument string, _ []byte) (any, error) {
			id, err := strconv.ParseInt(argument, 10, 64)
			if err != nil && argument != "" {
				return nil, ErrNoSale
			}
			return httpsim.Done, do(id)
		}
	}
	return httpsim.Control{
		Missing: []error{ErrNoSale}, Conflicts: []error{ErrOver},
		Commands: map[string]httpsim.Command{
			"POST pay":    people(a.Pay),
			"POST refuse": people(func(id int64) error { return a.End(id, CardRefused) }),
			"POST cancel": people(func(id int64) error { return a.End(id, CalledOff) }),
		},
		Manual: map[string]string{
			"POST /sim/pay/{id}":    "o cliente paga; sem id, a venda mais antiga que espera",
			"POST /sim/refuse/{id}": "o emissor recusa",
			"POST /sim/cancel/{id}": "o cliente cancela no terminal",
		},
	}
}

// Pay is the customer at the terminal, who pays as the next misbehaviour of customers says. No id means the oldest sale that waits.
func (a *Account) Pay(id int64) error {
	m, _ := a.Whims.Take(OnPay, payersOnly)
	return a.End(id, m.Kind)
}

// End has the customer end a sale: with money unless the misdeed says otherwise.
func (a *Account) End(id int64, how httpsim.Misdeed) error {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	s, err := a.waiting(id)
	if err != nil {
		return err
	}
	switch how {
	case CardRefused:
		return a.move(s, refused, a.paper(s, "CRT", "NEGADA 51 SALDO INSUFICIENTE", false))
	case CalledOff:
		return a.move(s, refused, a.paper(s, "CRT", "OPERACAO CANCELADA", false))
	case NeverPaid:
		return nil
	case OtherAmount:
		charged := *s
		charged.made.Amount = money.MustParse(s.made.Amount).Add(money.MustParse("1")).Cents()
		s = &charged
	}
	return a.move(s, credited, a.paper(s, "CRT", "TRANSACAO AUTORIZADA", true))
}

// waiting is a sale that can be paid.
func (a *Account) waiting(id int64) (*sale, error) {
	for _, s := range a.inTurn {
		if err := a.mature(s); err != nil {
			return nil, err
		}
		if s.now.State == inPayment && (id == 0 || s.made.Sale == id) {
			return s, nil
		}
	}
	if a.sales[id] != nil {
		return nil, ErrOver
	}
	return nil, ErrNoSale
}

// attend has the customer pay when the time has come.
func (a *Account) attend(s *sale) {
	if a.config.AutoPay <= 0 || s.now.State != inPayment {
		return
	}
	id := s.made.Sale
	a.Door.Later(time.Until(s.made.At.Add(a.config.AutoPay)), func() { _ = a.Pay(id) }) // ended by hand meanwhile: never mind
}
