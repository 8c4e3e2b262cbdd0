// Package retention forgets what the hub has kept for as long as it was told to.
//
// Invariants: nothing goes without a rule for it; what is deleted at once is little, and between two deletions the database is left to others
// for as long; a payment nobody knows the end of stays, and so does what the reading of a terminal's records goes on from.
package retention

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Kind is what is forgotten by a rule of its own.
type Kind string

// The kinds. Transactions are so with their history and what was given back of them.
const (
	Transactions Kind = "transactions"
	Logs         Kind = "logs"
	Operations   Kind = "operations"
	Audit        Kind = "audit"
)

// Kinds are all of them.
var Kinds = []Kind{Transactions, Logs, Operations, Audit}

// Rules are for how long each kind is kept; one that is missing, or zero, for ever.
type Rules map[Kind]time.Duration

// Mark is where a book stopped. Zero is the beginning, and the end.
type Mark struct {
	Account  string
	At       time.Time
	Terminal string
	Epoch    string
	Number   int64
}

// Book deletes.
type Book interface {
	// Forget looks at some of a kind, about limit, behind a mark. It deletes those from before a moment that nothing needs, and tells how many,
	// and where to go on.
	Forget(ctx context.Context, k Kind, before time.Time, after Mark, limit int) (n int, next Mark, err error)
}

// How many are looked at in one transaction: some milliseconds of it. Operations may have large bodies.
var atOnce = map[Kind]int{Transactions: 100, Logs: 1000, Operations: 50, Audit: 1000}

// Desk forgets by rules.
type Desk struct {
	book      Book
	rules     Rules
	forgotten func(Kind, int)

	mu   sync.Mutex
	last time.Time
}

// NewDesk is the desk of a book. forgotten is told how many of a kind were deleted.
func NewDesk(b Book, r Rules, forgotten func(Kind, int)) *Desk {
	return &Desk{book: b, rules: r, forgotten: forgotten}
}

// Kept is for how long a kind is; zero: for ever.
func (d *Desk) Kept(k Kind) time.Duration { return d.rules[k] }

// Last is when everything was last gone through; zero: not since the start.
func (d *Desk) Last() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.last
}

// Sweep goes through everything once. What can't be done of one kind does not keep it from the others.
func (d *Desk) Sweep(ctx context.Context) (err error) {
	for _, k := range Kinds {
		if d.rules[k] > 0 {
			err = errors.Join(err, d.sweep(ctx, k, time.Now().Add(-d.rules[k])))
		}
	}
	if err == nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.last = time.Now()
	}
	return err
}

func (d *Desk) sweep(ctx context.Context, k Kind, before time.Time) error {
	for at := (Mark{}); ; {
		began := time.Now()
		n, next, err := d.book.Forget(ctx, k, before, at, atOnce[k])
		if n > 0 {
			d.forgotten(k, n)
		}
		if err != nil || next == (Mark{}) {
			return err
		}
		at = next
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Since(began)): // others have as much of the database as this
		}
	}
}
