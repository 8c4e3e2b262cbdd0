package gpsim

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
	Made     EventKind = "operation"
	Ended    EventKind = "end"
	Violated EventKind = "violation" // a request that broke a rule of the API
)

// Event is one line of the ledger.
type Event struct {
	At     time.Time `json:"at"`
	Kind   EventKind `json:"event"`
	ID     string    `json:"id,omitempty"`
	Refund bool      `json:"refund,omitempty"` // the operation gives a sale back
	Of     string    `json:"of,omitempty"`     // the identification of that sale
	Amount string    `json:"amount,omitempty"` // asked for, then moved
	Type   string    `json:"type,omitempty"`   // by the table of codes: asked for, then used
	Times  string    `json:"installments,omitempty"`
	Until  time.Time `json:"until,omitzero"` // it ends then by itself …
	End    string    `json:"end,omitempty"`  // … with this status
	Status string    `json:"status,omitempty"`
	Text   string    `json:"text,omitempty"`
	Number string    `json:"number,omitempty"`
	Code   string    `json:"code,omitempty"`
	Loose  bool      `json:"loose,omitempty"` // its receipt has the whole card number
	Note   string    `json:"note,omitempty"`  // of a violation
}

// notAfter is the event as if it had happened now if the ledger has it later.
func (e Event) notAfter(now time.Time) Event {
	e.At, e.Until = httpsim.NotAfter(now, e.At, e.Until)
	return e
}

// ReadLedger returns every event of a ledger file, for whoever compares it with another.
func ReadLedger(path string) ([]Event, error) { return journal.Read[Event](path) }

// Sum is what became of one sale.
type Sum struct {
	ID, Amount, Status string
	Refunds            []Refund
	ends               time.Time // when the device gives up
}

// Refund is money that went back, if its status is Approved.
type Refund struct{ ID, Amount, Status string }

// Approved is the status of what was done.
const Approved = "0"

// Standing is what the customer has paid and not been given back.
func (s Sum) Standing() money.Decimal {
	if s.Status != Approved {
		return money.Zero
	}
	left := money.MustParse(s.Amount)
	for _, r := range s.Refunds {
		if r.Status == Approved {
			left = left.Sub(money.MustParse(r.Amount))
		}
	}
	return left
}

// Open tells whether the customer can still pay, or a refund is still in the making.
func (s Sum) Open() bool {
	for _, r := range s.Refunds {
		if r.Status == "" {
			return true
		}
	}
	return s.Status == "" && time.Now().Before(s.ends)
}

// Balance is a whole ledger.
type Balance struct {
	Sums       []Sum // in the order they were asked for
	Violations []string
}

// ReadBalance adds a ledger up, also while a simulator writes it; one that does not exist is empty.
func ReadBalance(path string) (Balance, error) {
	m := empty(Config{})
	if err := m.Replay(path); err != nil {
		return Balance{}, err
	}
	b := Balance{Violations: m.Violations()}
	at := map[string]int{}
	for _, o := range m.inTurn {
		status := o.now().Status
		if status == "" && !time.Now().Before(o.made.Until) {
			status = o.made.End // it is written when somebody asks next
		}
		i, sold := at[o.made.Of]
		switch {
		case !o.made.Refund:
			at[o.made.ID] = len(b.Sums)
			b.Sums = append(b.Sums, Sum{ID: o.made.ID, Amount: o.amount(), Status: status, ends: o.made.Until})
		case sold:
			b.Sums[i].Refunds = append(b.Sums[i].Refunds, Refund{o.made.ID, o.amount(), status})
		}
	}
	return b, nil
}
