package pointsim

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/money"
)

// The states of the API.
const (
	created        = "created"
	atTerminal     = "at_terminal"
	actionRequired = "action_required"
	processed      = "processed"
	failed         = "failed"
	canceled       = "canceled"
	expired        = "expired"
	refunded       = "refunded"
	processing     = "processing" // of a refund
)

// What somebody at the device can be told.
var (
	ErrNoOrder = errors.New("não há cobrança com este id")
	ErrOver    = errors.New("a cobrança já terminou")
	ErrNotPaid = errors.New("o cliente não pagou")
)

type order struct {
	made    Event
	now     Event // its newest state
	paid    Event // how it was paid; zero: it was not
	refunds []*Event
}

// apply is an event that is in the ledger.
func (a *Account) apply(e Event) {
	switch e.Kind {
	case Made:
		o := &order{made: e, now: e}
		a.orders[e.Order], a.inTurn = o, append(a.inTurn, o)
		a.keys[e.Key] = e
	case Moved:
		o := a.orders[e.Order]
		if o.now = e; e.Status == processed && o.paid.Order == "" {
			o.paid = e
		}
	case Refunded:
		o := a.orders[e.Order]
		if e.Key != "" {
			a.keys[e.Key] = e
		}
		if r := o.refund(e.ID); r != nil {
			*r = e
			return
		}
		o.refunds = append(o.refunds, &e)
	case Violated:
		a.Violated(e.Note)
	}
}

func (a *Account) happen(e Event) error {
	e.At = time.Now()
	if err := a.Record(e); err != nil {
		return err
	}
	if e.Kind == Made {
		a.attend(a.orders[e.Order])
	}
	return nil
}

func (o *order) refund(id string) *Event {
	i := slices.IndexFunc(o.refunds, func(r *Event) bool { return r.ID == id })
	if i < 0 {
		return nil
	}
	return o.refunds[i]
}

func (o *order) expiry() time.Time { return o.made.At.Add(time.Duration(o.made.Expiry) * time.Second) }

// open tells that the customer can pay.
func (o *order) open() bool {
	return slices.Contains([]string{created, atTerminal, actionRequired}, o.now.Status)
}

// left is what could still be given back.
func (o *order) left() money.Decimal {
	left := money.MustParse(o.made.Amount)
	for _, r := range o.refunds {
		if r.Status != failed {
			left = left.Sub(money.MustParse(r.Amount))
		}
	}
	return left
}

// move takes an order to a state.
func (a *Account) move(o *order, status, detail string) error {
	return a.happen(Event{Kind: Moved, Order: o.made.Order, Status: status, Detail: detail})
}

// mature brings an order to where time has taken it.
func (a *Account) mature(o *order) error {
	if o.now.Status == created && a.config.Mode == "PDV" && !time.Now().Before(o.made.At.Add(a.config.PickUp)) {
		if err := a.move(o, atTerminal, atTerminal); err != nil {
			return err
		}
	}
	if o.now.Status == actionRequired && !o.now.Until.IsZero() && !time.Now().Before(o.now.Until) {
		if err := a.end(o, ending{Status: o.now.End}); err != nil {
			return err
		}
	}
	if (o.now.Status == created || o.now.Status == atTerminal) && !time.Now().Before(o.expiry()) {
		return a.move(o, expired, expired)
	}
	for _, r := range o.refunds {
		if r.Status == processing && !time.Now().Before(r.Until) {
			e := *r
			e.Status, e.Until, e.End = r.End, time.Time{}, ""
			if err := a.happen(e); err != nil {
				return err
			}
		}
	}
	return a.wholly(o)
}

// wholly is the state of an order of which everything went back.
func (a *Account) wholly(o *order) error {
	back := money.Zero
	for _, r := range o.refunds {
		if r.Status == processed {
			back = back.Add(money.MustParse(r.Amount))
		}
	}
	if o.now.Status == processed && back.Cmp(money.MustParse(o.made.Amount)) >= 0 {
		return a.move(o, refunded, refunded)
	}
	return nil
}

// ending is how an order is to end, as the published simulation of events has it.
type ending struct {
	Status       string `json:"status"`
	Type         string `json:"payment_method_type"`
	Method       string `json:"payment_method_id"`
	Installments int    `json:"installments"`
	Detail       string `json:"status_detail"`
}

// end ends an order that can still be paid.
func (a *Account) end(o *order, how ending) error {
	if !o.open() {
		return ErrOver
	}
	e := Event{Kind: Moved, Order: o.made.Order, Status: how.Status, Detail: how.Detail}
	switch how.Status {
	case processed:
		e.Type, e.Method, e.Times, e.Number = o.made.Type, how.Method, max(how.Installments, o.made.Times, 1), newNumber()
		if how.Type != "" {
			e.Type = how.Type
		}
		if e.Type == "" {
			e.Type = "credit_card"
		}
		if e.Method == "" {
			e.Method = map[bool]string{true: "debmaster", false: "master"}[e.Type == "debit_card"]
		}
		e.Detail = "accredited"
	case failed:
		if e.Detail == "" {
			e.Detail = "rejected_by_issuer"
		}
	case canceled:
		e.Detail = "canceled_on_terminal"
	case actionRequired:
		e.Detail = "check_on_terminal"
	case expired:
		e.Detail = expired
	default:
		return fmt.Errorf("status %q não é um fim", how.Status)
	}
	return a.happen(e)
}

func newID(kind string) string { return kind + rand.Text() }

// newNumber is of the form that payments have at Mercado Pago.
func newNumber() string { return "1" + httpsim.Digits(11) }
