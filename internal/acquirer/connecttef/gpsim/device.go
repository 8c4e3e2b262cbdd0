package gpsim

import (
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/money"
)

// The calls of the API, and the customer.
const (
	OnSale   httpsim.Call = "sale"
	OnRefund httpsim.Call = "refund"
	OnSee    httpsim.Call = "see"
	OnPay    httpsim.Call = "pay" // no call of the API: a customer
)

// What only this simulator does wrong.
const (
	RefundSlowly  httpsim.Misdeed = "refund-slowly"
	RefundRefused httpsim.Misdeed = "refund-refused"
	RefundInVain  httpsim.Misdeed = "refund-slowly-refused"
	CardRefused   httpsim.Misdeed = "card-refused"
	CanceledThere httpsim.Misdeed = "canceled-at-device"
	NeverPaid     httpsim.Misdeed = "never-paid"
	OtherAmount   httpsim.Misdeed = "other-amount"
	Careless      httpsim.Misdeed = "careless"
)

// Repertoire is all that can go wrong.
var Repertoire = httpsim.Repertoire{
	Calls: []httpsim.Call{OnSale, OnRefund, OnSee, OnPay}, People: OnPay,
	Own: []httpsim.Own{
		{Kind: RefundSlowly, Only: OnRefund, Meaning: "estorno em andamento por ms milissegundos, depois feito"},
		{Kind: RefundRefused, Only: OnRefund, Meaning: "estorno não realizado"},
		{Kind: RefundInVain, Only: OnRefund, Meaning: "estorno em andamento por ms milissegundos, depois não realizado"},
		{Kind: CardRefused, Only: OnPay, Meaning: "o emissor recusa o cartão"},
		{Kind: CanceledThere, Only: OnPay, Meaning: "o cliente cancela na maquininha"},
		{Kind: NeverPaid, Only: OnPay, Meaning: "o cliente vai embora"},
		{Kind: OtherAmount, Only: OnPay, Rare: true, Meaning: "a maquininha cobra um real a mais"},
		{Kind: Careless, Only: OnPay, Meaning: "o comprovante traz o número inteiro do cartão"},
	},
}

var (
	payersOnly = []httpsim.Misdeed{CardRefused, CanceledThere, NeverPaid, OtherAmount, Careless}
	callsOnly  = append([]httpsim.Misdeed{RefundSlowly, RefundRefused, RefundInVain}, httpsim.Everywhere...)
)

// How operations end that are not Approved.
const (
	statusCanceled = "1"
	statusRefused  = "1001"
	statusTimeout  = "1002"
)

var texts = map[string]string{
	Approved: "OPERAÇÃO APROVADA", statusCanceled: "OPERAÇÃO CANCELADA", statusRefused: "Cartão inválido", statusTimeout: "TEMPO ESGOTADO",
}

// What somebody at the device can be told.
var (
	ErrNone    = errors.New("não há operação com esta identificação")
	ErrOver    = errors.New("a operação já terminou")
	ErrNotPaid = errors.New("o cliente não pagou")
)

// Pay is the customer at the device, who pays as the next misbehaviour of customers says. No id means the oldest sale that waits.
func (m *Manager) Pay(id string) error {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	o, err := m.waiting(id)
	if err != nil {
		return err
	}
	next, _ := m.Whims.Take(OnPay, payersOnly)
	how := ending{status: Approved}
	switch next.Kind {
	case NeverPaid:
		return ErrNotPaid
	case CardRefused:
		how.status = statusRefused
	case CanceledThere:
		how.status = statusCanceled
	case OtherAmount:
		how.amount = money.MustParse(o.made.Amount).Add(money.MustParse("1.00")).Cents()
	case Careless:
		how.loose = true
	}
	return m.end(o, how)
}

// Refuse and Cancel have the issuer, or the customer, say no.
func (m *Manager) Refuse(id string) error { return m.endAs(id, statusRefused) }

// Cancel: see Refuse.
func (m *Manager) Cancel(id string) error { return m.endAs(id, statusCanceled) }

// Use has the customer pay otherwise than asked: by a code of the table.
func (m *Manager) Use(id, kind string) error {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	o, err := m.waiting(id)
	if err != nil {
		return err
	}
	return m.end(o, ending{status: Approved, kind: kind})
}

func (m *Manager) endAs(id, status string) error {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	o, err := m.waiting(id)
	if err != nil {
		return err
	}
	return m.end(o, ending{status: status})
}

// waiting is a sale that the customer can pay.
func (m *Manager) waiting(id string) (*operation, error) {
	for _, o := range m.inTurn {
		if err := m.mature(o); err != nil {
			return nil, err
		}
		if o.open() && !o.made.Refund && (id == "" || o.made.ID == id) {
			return o, nil
		}
	}
	if m.operations[id] != nil {
		return nil, ErrOver
	}
	return nil, ErrNone
}

// Waiting are the sales that can be paid now, oldest first.
func (m *Manager) Waiting() (ids []string) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	for _, o := range m.inTurn {
		if m.mature(o) == nil && o.open() && !o.made.Refund {
			ids = append(ids, o.made.ID)
		}
	}
	return ids
}

// Forget has the manager lose an operation, as one might that keeps them in memory.
func (m *Manager) Forget(id string) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	delete(m.operations, id)
}

// attend has the customer pay when the time has come.
func (m *Manager) attend(o *operation) {
	if m.config.AutoPay <= 0 || !o.open() || o.made.Refund {
		return
	}
	id := o.made.ID
	m.Door.Later(time.Until(o.made.At.Add(m.config.AutoPay)), func() { _ = m.Pay(id) }) // ended by hand meanwhile: never mind
}

// control has the customer at the device, besides what every simulator has.
//
//	POST /sim/pay[/{id}]                    the customer pays, by default the oldest sale
//	POST /sim/refuse, /sim/cancel [/{id}]   the card is refused, somebody cancels at the device
//	GET  /sim/sales                         those that can be paid now
func (m *Manager) control() httpsim.Control {
	by := httpsim.By
	return httpsim.Control{
		Missing: []error{ErrNone}, Conflicts: []error{ErrOver, ErrNotPaid},
		Commands: map[string]httpsim.Command{
			"POST pay": by(m.Pay), "POST refuse": by(m.Refuse), "POST cancel": by(m.Cancel),
			"GET sales": func(string, []byte) (any, error) {
				return map[string][]string{"sales": append([]string{}, m.Waiting()...)}, nil
			},
		},
		Manual: map[string]string{
			"POST /sim/pay":    "o cliente paga a venda mais antiga; com /{id}, esta",
			"POST /sim/refuse": "o emissor recusa o cartão",
			"POST /sim/cancel": "alguém cancela na maquininha",
			"GET /sim/sales":   "as vendas que podem ser pagas agora",
		},
	}
}
