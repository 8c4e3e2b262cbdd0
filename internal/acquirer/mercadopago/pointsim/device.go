package pointsim

import (
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
)

// The calls of the API, and the customer.
const (
	OnCreate httpsim.Call = "create"
	OnSee    httpsim.Call = "see"
	OnSearch httpsim.Call = "search"
	OnCancel httpsim.Call = "cancel"
	OnRefund httpsim.Call = "refund"
	OnList   httpsim.Call = "devices"
	OnPay    httpsim.Call = "pay" // no call of the API: a customer
)

// What only this simulator does wrong.
const (
	Queued         httpsim.Misdeed = "queued"
	DeviceKeeps    httpsim.Misdeed = "device-keeps"
	PaidBefore     httpsim.Misdeed = "paid-before"
	RefundSlowly   httpsim.Misdeed = "refund-slowly"
	RefundRefused  httpsim.Misdeed = "refund-refused"
	RefundInVain   httpsim.Misdeed = "refund-slowly-refused"
	CardRefused    httpsim.Misdeed = "card-refused"
	CanceledThere  httpsim.Misdeed = "canceled-at-device"
	LostTouch      httpsim.Misdeed = "lost-touch"
	LostTouchNoPay httpsim.Misdeed = "lost-touch-refused"
	NeverPaid      httpsim.Misdeed = "never-paid"
)

// Repertoire is all that can go wrong.
var Repertoire = httpsim.Repertoire{
	Calls: []httpsim.Call{OnCreate, OnSee, OnSearch, OnCancel, OnRefund, OnList, OnPay}, Spared: OnList, People: OnPay,
	Own: []httpsim.Own{
		{Kind: Queued, Only: OnCreate, Meaning: "409: a maquininha já tem uma cobrança"},
		{Kind: DeviceKeeps, Only: OnCancel, Meaning: "409: a maquininha não solta a cobrança, que só termina nela"},
		{Kind: PaidBefore, Only: OnCancel, Meaning: "o cliente paga logo antes do cancelamento"},
		{Kind: RefundSlowly, Only: OnRefund, Meaning: "estorno em processamento por ms milissegundos, depois feito"},
		{Kind: RefundRefused, Only: OnRefund, Meaning: "estorno não realizado"},
		{Kind: RefundInVain, Only: OnRefund, Meaning: "estorno em processamento por ms milissegundos, depois não realizado"},
		{Kind: CardRefused, Only: OnPay, Meaning: "o emissor recusa o cartão"},
		{Kind: CanceledThere, Only: OnPay, Meaning: "o cliente cancela na maquininha"},
		{Kind: LostTouch, Only: OnPay, Meaning: "a maquininha perde o contato (action_required) por ms milissegundos, e foi pago"},
		{Kind: LostTouchNoPay, Only: OnPay, Meaning: "a maquininha perde o contato (action_required) por ms milissegundos, e não foi pago"},
		{Kind: NeverPaid, Only: OnPay, Meaning: "o cliente vai embora"},
	},
}

var (
	refundsOnly = []httpsim.Misdeed{RefundSlowly, RefundRefused, RefundInVain}
	payersOnly  = []httpsim.Misdeed{CardRefused, CanceledThere, LostTouch, LostTouchNoPay, NeverPaid}
	callsOnly   = append([]httpsim.Misdeed{Queued, DeviceKeeps, PaidBefore}, httpsim.Everywhere...)
)

// Pay is the customer at the device, who pays as the next misbehaviour of customers says. No id means the oldest order that waits.
func (a *Account) Pay(id string) error {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	o, err := a.waiting(id)
	if err != nil {
		return err
	}
	m, _ := a.Whims.Take(OnPay, payersOnly)
	switch m.Kind {
	case NeverPaid:
		return ErrNotPaid
	case CardRefused:
		return a.end(o, ending{Status: failed})
	case CanceledThere:
		return a.end(o, ending{Status: canceled})
	case LostTouch, LostTouchNoPay:
		end := map[httpsim.Misdeed]string{LostTouch: processed, LostTouchNoPay: failed}[m.Kind]
		return a.happen(Event{
			Kind: Moved, Order: o.made.Order, Status: actionRequired, Detail: "check_on_terminal", Until: time.Now().Add(m.Delay), End: end,
		})
	}
	return a.end(o, ending{Status: processed})
}

// End has the device end an order: processed, failed, canceled or action_required.
func (a *Account) End(id, status string) error {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	o, err := a.waiting(id)
	if err != nil {
		return err
	}
	return a.end(o, ending{Status: status})
}

// Play ends an order as the published simulation of events does, by its body.
func (a *Account) Play(id, body string) error {
	var how ending
	if err := httpsim.Decode([]byte(body), &how); err != nil {
		return err
	}
	a.Mu.Lock()
	defer a.Mu.Unlock()
	o, err := a.waiting(id)
	if err != nil {
		return err
	}
	return a.end(o, how)
}

// waiting is an order that the device has and that can be paid.
func (a *Account) waiting(id string) (*order, error) {
	for _, o := range a.inTurn {
		if err := a.mature(o); err != nil {
			return nil, err
		}
		if o.open() && (id == "" || o.made.Order == id) {
			return o, nil
		}
	}
	if a.orders[id] != nil {
		return nil, ErrOver
	}
	return nil, ErrNoOrder
}

// Waiting are the ids of the orders that can be paid now, oldest first.
func (a *Account) Waiting() (ids []string) {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	for _, o := range a.inTurn {
		if a.mature(o) == nil && o.open() {
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
