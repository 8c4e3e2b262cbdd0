package ordersim

import (
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/journal"
	"github.com/maquininha/maquininha/internal/money"
)

// EventKind is what can happen.
type EventKind string

// The events of the ledger.
const (
	Made     EventKind = "order"
	Moved    EventKind = "state"
	Deleted  EventKind = "deleted"
	Paid     EventKind = "payment" // once for each state that it comes to
	Voided   EventKind = "cancellation"
	Violated EventKind = "violation" // a request that broke a rule of the API
)

// Event is one line of the ledger.
type Event struct {
	At     time.Time `json:"at"`
	Kind   EventKind `json:"event"`
	Order  string    `json:"order,omitempty"`
	Number string    `json:"number,omitempty"` // of the order
	Ref    string    `json:"reference,omitempty"`
	Code   string    `json:"payment_code,omitempty"`
	Cents  int64     `json:"cents,omitempty"`
	Status string    `json:"status,omitempty"`
	ID     string    `json:"id,omitempty"`  // of a payment
	NSU    string    `json:"nsu,omitempty"` // of a payment or cancellation
	Auth   string    `json:"auth,omitempty"`
	Until  time.Time `json:"until,omitzero"` // a pending payment is confirmed then
	Note   string    `json:"note,omitempty"` // of a violation
}

// notAfter is the event as if it had happened now if the ledger has it later.
func (e Event) notAfter(now time.Time) Event {
	e.At, e.Until = httpsim.NotAfter(now, e.At, e.Until)
	return e
}

// ReadLedger returns every event of a ledger file, for whoever compares it with another.
func ReadLedger(path string) ([]Event, error) { return journal.Read[Event](path) }

// Sum is what became of one order.
type Sum struct {
	Order, Number, Status string
	Placed                bool  // the devices have shown it
	Cents, Paid, Back     int64 // its price, what was paid, and what of that was cancelled
	pending               bool
}

// Standing is what the customer has paid and not been given back.
func (s Sum) Standing() money.Decimal { return reais(s.Paid - s.Back) }

// Open tells whether the customer can still pay, or a payment is under way.
func (s Sum) Open() bool { return s.pending || s.Status == entered || s.Status == reEntered }

// Balance is a whole ledger.
type Balance struct {
	Sums       []Sum // in the order they were asked for
	Violations []string
}

// ReadBalance adds a ledger up, also while a simulator writes it; one that does not exist is empty.
func ReadBalance(path string) (Balance, error) {
	a := empty(Config{})
	if err := a.Replay(path); err != nil {
		return Balance{}, err
	}
	b := Balance{Violations: a.Violations()}
	for _, o := range a.inTurn {
		s := Sum{Order: o.made.Order, Number: o.made.Number, Status: o.status, Placed: o.placed, Cents: o.made.Cents, Paid: o.paid(), Back: o.back()}
		for _, p := range o.payments {
			s.pending = s.pending || p.Status == pending && time.Now().Before(p.Until)
		}
		b.Sums = append(b.Sums, s)
	}
	return b, nil
}
