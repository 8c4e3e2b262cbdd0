// Package records keeps what terminals recorded, a second time: each line of a ledger's history and each log entry exactly
// once, whatever dies in between, and what the terminals had already forgotten as a gap.
//
// Invariants: rows and the cursor behind them are committed together; a line is known by terminal, epoch and number; lines
// of two epochs never mix, and a payment that two of them have, as they do after a restoring, counts once; what an epoch has
// in common with one that was read is not read again; a gap is shown, never closed over.
package records

import (
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

var (
	// ErrNotFound is also what is somebody else's.
	ErrNotFound = errors.New("no such record")
	// ErrBadBatch is one that no honest terminal sends: numbers out of order or out of bounds, an amount that is none.
	ErrBadBatch = errors.New("the records contradict themselves")
	// ErrBehind is a batch of an epoch of which more was read under another id: the terminal left and joined again, or it has other data.
	ErrBehind = errors.New("more was read under another id of the terminal")
	// ErrBadMark is a mark that no page ended with.
	ErrBadMark = errors.New("not where a page ended")
)

// Kind is which of a terminal's records.
type Kind string

// The kinds.
const (
	Ledger Kind = "ledger"
	Log    Kind = "log"
)

// Cursor is how far a kind of record was read.
type Cursor struct {
	Terminal string
	Epoch    string
	Kind     Kind
	Number   int64
	At       time.Time // when it was committed; zero: nothing was yet
	Recorded time.Time // when the terminal made the record of that number; zero: it is not here
}

// Origin is an earlier epoch that another one is a copy of: up to those numbers the records of both are the same.
type Origin struct {
	Epoch  string
	Ledger int64
	Log    int64
}

// Upto is the number of a kind up to which both are the same.
func (o Origin) Upto(k Kind) int64 {
	if k == Ledger {
		return o.Ledger
	}
	return o.Log
}

// Step is a line of a ledger's history.
type Step struct {
	Number    int64
	Attempt   int64
	At        time.Time
	Operation string
	State     string
	Note      string
}

// Transaction is an attempt as the newest step that was read left it.
type Transaction struct {
	fleet.Place
	Terminal  string
	Epoch     string
	Attempt   int64
	Reference string
	Method    string
	Amount    string
	Status    string
	NSU       string
	CreatedAt time.Time // of its first step
	UpdatedAt time.Time // of its newest
	Answer    []byte    // as the terminal's own GET /transaction/{ref} answers
	Returns   []Return  // what was given back, whole or in parts, oldest first, in any of its lives; lists leave it out
}

// Return is money that was given back.
type Return struct {
	At     time.Time
	Amount string
	NSU    string // the acquirer's number of it, if it has one
}

// Entry is a log entry.
type Entry struct {
	fleet.Place
	Terminal string
	Epoch    string
	ID       int64
	At       time.Time
	Level    string
	Source   string
	Message  string
	Details  string
}

// Gap are entries that the terminal had forgotten before they were read: First to Last, both gone.
type Gap struct {
	fleet.Place
	Terminal string
	Epoch    string
	Kind     Kind
	First    int64
	Last     int64
	FoundAt  time.Time
}

// Batch is what one page of a terminal's feed brings, to be committed in one transaction with its cursor: all of it, or
// nothing. A batch whose cursor does not follow on the one that is kept was read twice, and changes nothing. Numbers that it lacks
// up to the new cursor are a gap.
type Batch struct {
	fleet.Place                // where the terminal belongs now
	Before       Cursor        // what it was read after
	After        int64         // the new number of the cursor
	ClockOff     time.Duration // how far the terminal's clock is ahead of the hub's
	Origins      []Origin      // of its epoch, in the first batch of it: what comes before is there
	Resumed      bool          // it is the first batch, and begins where Resume said
	Steps        []Step
	Transactions []Transaction
	Entries      []Entry
	Notices      []Notice // of its transactions
}

// Notice is what others are told of something that was recorded.
type Notice struct {
	ID string
	fleet.Place
	Terminal string
	Type     string
	At       time.Time
	Data     []byte
}
