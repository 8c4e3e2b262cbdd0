package tefsim

import (
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/journal"
)

// Event is what happened to an operation.
type Event string

// An operation is charged (or, cancelling another, cancelled; or, in the menu, reported) and then confirmed or undone. A protest is
// something that no well-behaved program asks for.
const (
	Charged   Event = "charged"
	Cancelled Event = "cancelled"
	Reported  Event = "reported"
	Confirmed Event = "confirmed"
	Undone    Event = "undone"
	Protest   Event = "protest"
)

// Entry is one line of the ledger.
type Entry struct {
	At     time.Time `json:"at"`
	Event  Event     `json:"event"`
	ID     string    `json:"id"`               // field 001 of the operation
	Amount string    `json:"amount,omitempty"` // in cents
	NSU    int64     `json:"nsu,omitempty"`
	Key    string    `json:"key,omitempty"`
	Of     string    `json:"of,omitempty"` // the key of the sale that this one cancels
	Note   string    `json:"note,omitempty"`
	// Document is field 002, by which some clients name the operation; Pix says how it was paid.
	Document string `json:"document,omitempty"`
	Pix      bool   `json:"pix,omitempty"`
}

// Account is what became of one sale.
type Account struct {
	ID        string
	Amount    string
	Key       string
	Confirmed bool
	Undone    bool
	Cancelled bool   // by a cancellation that was not undone …
	By        string // … whose field 001 this is
	Open      bool   // it, or its cancellation, is neither confirmed nor undone
}

// Standing tells whether the customer has paid.
func (a Account) Standing() bool { return !a.Undone && !a.Cancelled }

// Balance is a whole ledger.
type Balance struct {
	Accounts []Account // in the order they were charged
	Waiting  []string  // reports, by their field 001, that are neither confirmed nor undone
	Protests []Entry
}

// Stranger is field 001 of the sales that the Pending case makes for somebody else.
const Stranger = "7777777777"

// Double are the ids, other than the stranger's, under which customers have paid more than once.
func (b Balance) Double() []string {
	paid := map[string]int{}
	var double []string
	for _, a := range b.Accounts {
		if !a.Standing() || a.ID == Stranger {
			continue
		}
		if paid[a.ID]++; paid[a.ID] == 2 {
			double = append(double, a.ID)
		}
	}
	return double
}

// ReadBalance adds a ledger up, also while a simulator writes it; one that does not exist is empty.
func ReadBalance(path string) (Balance, error) {
	entries, err := journal.Read[Entry](path)
	if err != nil {
		return Balance{}, err
	}
	m := newMemory()
	var b Balance
	for _, e := range entries {
		m.take(e)
		if e.Event == Protest {
			b.Protests = append(b.Protests, e)
		}
	}
	for _, o := range m.order {
		switch {
		case o.report && o.open():
			b.Waiting = append(b.Waiting, o.id)
			continue
		case o.report, o.of != "":
			continue
		}
		a := Account{ID: o.id, Amount: o.amount, Key: o.key, Confirmed: o.state == Confirmed, Undone: o.state == Undone, Open: o.open()}
		if c := m.cancelledBy(o.key); c != nil {
			a.Cancelled, a.By, a.Open = true, c.id, a.Open || c.open()
		}
		b.Accounts = append(b.Accounts, a)
	}
	return b, nil
}
