package ordersim

import (
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
)

// The calls of the API, and the customer.
const (
	OnCreate       httpsim.Call = "create"
	OnSearch       httpsim.Call = "search"
	OnSee          httpsim.Call = "see"
	OnTransactions httpsim.Call = "transactions"
	OnPlace        httpsim.Call = "place"
	OnClose        httpsim.Call = "close"
	OnDelete       httpsim.Call = "delete"
	OnPay          httpsim.Call = "pay" // no call of the API: a customer
)

// What only this simulator does wrong.
const (
	DeviceKeeps   httpsim.Misdeed = "device-keeps"
	PaidBefore    httpsim.Misdeed = "paid-before"
	PaidAfter     httpsim.Misdeed = "paid-after"
	CardRefused   httpsim.Misdeed = "card-refused"
	CanceledThere httpsim.Misdeed = "canceled-at-device"
	NeverPaid     httpsim.Misdeed = "never-paid"
	InParts       httpsim.Misdeed = "in-parts"
	Slowly        httpsim.Misdeed = "pending"
)

// Repertoire is all that can go wrong.
var Repertoire = httpsim.Repertoire{
	Calls:  []httpsim.Call{OnCreate, OnSearch, OnSee, OnTransactions, OnPlace, OnClose, OnDelete, OnPay},
	People: OnPay,
	Own: []httpsim.Own{
		{Kind: DeviceKeeps, Only: OnClose, Meaning: "400: o pedido está em uso na maquininha e não se fecha"},
		{Kind: PaidBefore, Only: OnClose, Meaning: "o cliente paga logo antes de o pedido ser fechado"},
		{Kind: PaidAfter, Only: OnClose, Rare: true, Meaning: "o pedido é fechado, e o cliente paga ms milissegundos depois"},
		{Kind: CardRefused, Only: OnPay, Meaning: "o emissor recusa o cartão: o pedido continua à espera de outro"},
		{Kind: CanceledThere, Only: OnPay, Meaning: "alguém cancela o pedido na maquininha"},
		{Kind: NeverPaid, Only: OnPay, Meaning: "o cliente vai embora"},
		{Kind: InParts, Only: OnPay, Rare: true, Meaning: "o cliente paga com dois cartões, o segundo ms milissegundos depois"},
		{Kind: Slowly, Only: OnPay, Meaning: "o pagamento fica PENDING por ms milissegundos, depois é confirmado"},
	},
}

var (
	payersOnly = []httpsim.Misdeed{CardRefused, CanceledThere, NeverPaid, InParts, Slowly}
	callsOnly  = append([]httpsim.Misdeed{DeviceKeeps, PaidBefore, PaidAfter}, httpsim.Everywhere...)
)

// What somebody at the device can be told.
var (
	ErrNoOrder = errors.New("não há pedido com este id")
	ErrOver    = errors.New("o pedido já terminou, ou não foi liberado")
	ErrNotPaid = errors.New("o cliente não pagou")
)

// Pay is the customer at the device, who pays as the next misbehaviour of customers says. No id means the oldest order that is shown.
func (a *Account) Pay(id string) error {
	return a.at(id, func(o *order) error {
		m, _ := a.Whims.Take(OnPay, payersOnly)
		rest := o.remaining()
		switch m.Kind {
		case NeverPaid, CardRefused:
			return ErrNotPaid
		case CanceledThere:
			return a.move(o, canceled)
		case InParts:
			if rest > 1 {
				a.Later(m.Delay, func() {
					if o.open() && o.remaining() > 0 {
						_ = a.pay(o, o.remaining(), time.Time{}) // the disk: then it was not paid
					}
				})
				return a.pay(o, rest/2, time.Time{})
			}
		case Slowly:
			return a.pay(o, rest, time.Now().Add(m.Delay))
		}
		return a.pay(o, rest, time.Time{})
	})
}

// PayPart is the customer with a card for part of the order.
func (a *Account) PayPart(id string, cents int64) error {
	return a.at(id, func(o *order) error { return a.pay(o, min(cents, o.remaining()), time.Time{}) })
}

// Refuse has a card be refused: the order waits for another.
func (a *Account) Refuse(id string) error { return a.at(id, func(*order) error { return nil }) }

// Cancel has somebody cancel the order at the device.
func (a *Account) Cancel(id string) error {
	return a.at(id, func(o *order) error {
		if o.paid() > o.back() {
			return ErrOver // the payments have to be cancelled first
		}
		return a.move(o, canceled)
	})
}

// Void has the supervisor cancel the payments of an order at the device. No id means the newest that has some.
func (a *Account) Void(id string) error {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	for i := len(a.inTurn) - 1; i >= 0; i-- {
		o := a.inTurn[i]
		if id == o.made.Order || id == "" && o.paid() > o.back() {
			return a.void(o)
		}
	}
	return ErrNoOrder
}

// at does something with an order that the device shows.
func (a *Account) at(id string, do func(*order) error) error {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	for _, o := range a.inTurn {
		if err := a.mature(o); err != nil {
			return err
		}
		if o.open() && o.remaining() > 0 && (id == "" || o.made.Order == id) {
			return do(o)
		}
	}
	if a.orders[id] != nil {
		return ErrOver
	}
	return ErrNoOrder
}

// Waiting are the ids of the orders that can be paid now, oldest first.
func (a *Account) Waiting() (ids []string) {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	for _, o := range a.inTurn {
		if a.mature(o) == nil && o.open() && o.remaining() > 0 {
			ids = append(ids, o.made.Order)
		}
	}
	return ids
}

// attend has the customer pay when the time has come.
func (a *Account) attend(o *order) {
	if a.config.AutoPay <= 0 || !o.open() {
		return
	}
	id := o.made.Order
	a.Door.Later(time.Until(o.made.At.Add(a.config.AutoPay)), func() { _ = a.Pay(id) }) // called off or ended by hand meanwhile: never mind
}

// control has the people at the device, besides what every simulator has.
//
//	POST /sim/pay[/{id}]                              the customer pays, by default the oldest order
//	POST /sim/refuse, /sim/cancel, /sim/void [/{id}]  a card is refused, the order or its payments are cancelled at the device
//	GET  /sim/orders                                  the ids that can be paid now
func (a *Account) control() httpsim.Control {
	by := httpsim.By
	return httpsim.Control{
		Missing: []error{ErrNoOrder}, Conflicts: []error{ErrOver, ErrNotPaid},
		Commands: map[string]httpsim.Command{
			"POST pay": by(a.Pay), "POST refuse": by(a.Refuse), "POST cancel": by(a.Cancel), "POST void": by(a.Void),
			"GET orders": func(string, []byte) (any, error) {
				return map[string][]string{"orders": append([]string{}, a.Waiting()...)}, nil
			},
		},
		Manual: map[string]string{
			"POST /sim/pay":    "o cliente paga o pedido mais antigo; com /{id}, este",
			"POST /sim/refuse": "o emissor recusa o cartão, e o pedido continua à espera",
			"POST /sim/cancel": "alguém cancela o pedido na maquininha",
			"POST /sim/void":   "o supervisor cancela na maquininha os pagamentos do pedido pago por último; com /{id}, deste",
			"GET /sim/orders":  "os pedidos que podem ser pagos agora",
		},
	}
}
