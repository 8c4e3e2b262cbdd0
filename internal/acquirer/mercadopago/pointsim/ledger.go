package pointsim

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
	Refunded EventKind = "refund"    // once for each state that it comes to
	Violated EventKind = "violation" // a request that broke a rule of the API
)

// Event is one line of the ledger.
type Event struct {
	At        time.Time `json:"at"`
	Kind      EventKind `json:"event"`
	Order     string    `json:"order,omitempty"`
	Reference string    `json:"reference,omitempty"`
	Payment   string    `json:"payment,omitempty"`
	Key       string    `json:"key,omitempty"` // of the request that it came of …
	Sum       string    `json:"sum,omitempty"` // … and of its bytes
	Amount    string    `json:"amount,omitempty"`
	Expiry    int       `json:"expiry,omitempty"` // of an order, in seconds
	Status    string    `json:"status,omitempty"`
	Detail    string    `json:"detail,omitempty"`
	Type      string    `json:"type,omitempty"`   // like credit_card: asked for, then used
	Method    string    `json:"method,omitempty"` // like visa
	Times     int       `json:"installments,omitempty"`
	ID        string    `json:"id,omitempty"`     // of a refund
	Until     time.Time `json:"until,omitzero"`   // what is on its way ends then …
	End       string    `json:"end,omitempty"`    // … like this
	Note      string    `json:"note,omitempty"`   // of a violation
	Number    string    `json:"number,omitempty"` // of a payment or refund
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
	Order, Reference, Amount, Status string
	Refunds                          []Refund
	ends                             time.Time // of an order that nobody ends
}

// Refund is money that went back, if its status says so.
type Refund struct{ ID, Amount, Status string }

// Standing is what the customer has paid and not been given back.
func (s Sum) Standing() money.Decimal {
	if s.Status != processed && s.Status != refunded {
		return money.Zero
	}
	left := money.MustParse(s.Amount)
	for _, r := range s.Refunds {
		if r.Status == processed {
			left = left.Sub(money.MustParse(r.Amount))
		}
	}
	return left
}

// Open tells whether the customer can still pay, or a refund is still in the making.
func (s Sum) Open() bool {
	for _, r := range s.Refunds {
		if r.Status == processing {
			return true
		}
	}
	return s.Status == actionRequired || (s.Status == created || s.Status == atTerminal) && time.Now().Before(s.ends)
}

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
		s := Sum{Order: o.made.Order, Reference: o.made.Reference, Amount: o.made.Amount, Status: o.now.Status, ends: o.expiry()}
		for _, r := range o.refunds {
			status := r.Status
			if status == processing && !time.Now().Before(r.Until) {
				status = r.End // it is written when somebody asks next
			}
			s.Refunds = append(s.Refunds, Refund{r.ID, r.Amount, status})
		}
		b.Sums = append(b.Sums, s)
	}
	return b, nil
}
