package pixsim

import (
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/journal"
)

// EventKind is what can happen at the PSP.
type EventKind string

// The events of the ledger.
const (
	Charged  EventKind = "charge"
	Paid     EventKind = "payment"
	Removed  EventKind = "removal"
	Refunded EventKind = "refund"    // once for each status that it comes to
	Violated EventKind = "violation" // a request that broke a rule of the API
)

// Event is one line of the ledger.
type Event struct {
	At     time.Time `json:"at"`
	Kind   EventKind `json:"event"`
	TxID   string    `json:"txid,omitempty"`
	E2EID  string    `json:"e2eid,omitempty"`
	ID     string    `json:"id,omitempty"` // of a refund
	Amount string    `json:"amount,omitempty"`
	Status string    `json:"status,omitempty"`
	Expiry int       `json:"expiry,omitempty"` // of a charge, in seconds
	Until  time.Time `json:"until,omitzero"`   // a refund in the making ends then …
	End    string    `json:"end,omitempty"`    // … like this
	BRCode string    `json:"brcode,omitempty"`
	Note   string    `json:"note,omitempty"` // of a violation
}

// notAfter is the event as if it had happened now if the ledger has it later.
func (e Event) notAfter(now time.Time) Event {
	e.At, e.Until = httpsim.NotAfter(now, e.At, e.Until)
	return e
}

// ReadLedger returns every event of a ledger file, for whoever compares it with another.
func ReadLedger(path string) ([]Event, error) { return journal.Read[Event](path) }
