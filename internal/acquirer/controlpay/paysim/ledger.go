package paysim

import (
	"cmp"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/money"
)

// EventKind is what can happen.
type EventKind string

// The events of the ledger.
const (
	Made     EventKind = "sale"
	Moved    EventKind = "state"
	Violated EventKind = "violation" // a request that broke a rule of the API
)

// Event is one line of the ledger.
type Event struct {
	At           time.Time `json:"at"`
	Kind         EventKind `json:"event"`
	Sale         int64     `json:"sale,omitempty"`
	Reference    string    `json:"reference,omitempty"`
	Amount       string    `json:"amount,omitempty"`
	Method       int       `json:"method,omitempty"`
	Installments int       `json:"installments,omitempty"`
	State        int       `json:"state,omitempty"`
	Until        time.Time `json:"until,omitzero"` // what is on its way ends then
	NSU          string    `json:"nsu,omitempty"`
	Paper        string    `json:"paper,omitempty"` // the terminal's answer
	Note         string    `json:"note,omitempty"`  // of a violation
}

// Name is the state that it leads to, in words.
func (e Event) Name() string { return stateNames[e.State] }

func (e Event) notAfter(now time.Time) Event {
	e.At, e.Until = httpsim.NotAfter(now, e.At, e.Until)
	return e
}

// apply is an event that is in the ledger.
func (a *Account) apply(e Event) {
	switch e.Kind {
	case Made:
		s := &sale{made: e, now: e}
		a.sales[e.Sale], a.inTurn = s, append(a.inTurn, s)
	case Moved:
		s := a.sales[e.Sale]
		s.made.Amount = cmp.Or(e.Amount, s.made.Amount) // a terminal may have charged another
		if s.now = e; e.Paper != "" {
			s.papers = append(s.papers, e)
		}
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
		a.attend(a.sales[e.Sale])
	}
	return nil
}

// Sum is what became of one sale.
type Sum struct {
	Sale              int64
	Reference, Amount string
	State             int
	ends              time.Time // of a sale that nobody pays
}

// Standing is what the customer has paid and not been given back.
func (s Sum) Standing() money.Decimal {
	if s.State != credited {
		return money.Zero
	}
	return money.MustParse(s.Amount)
}

// Open tells whether something can still happen by itself.
func (s Sum) Open() bool {
	return s.State == cancelling || s.State == inPayment && time.Now().Before(s.ends)
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
	for _, s := range a.inTurn {
		b.Sums = append(b.Sums, Sum{s.made.Sale, s.made.Reference, s.made.Amount, s.now.State, s.made.Until})
	}
	return b, nil
}
