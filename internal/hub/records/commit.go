package records

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/money"
)

// Desk is where records come in and are looked up. Its methods may be called from anywhere.
type Desk struct {
	book Book
	// Notice, if set before the desk is used, makes what others are told of a transaction as it stands; false: nobody is. It is kept in the
	// same transaction as the record.
	Notice func(ctx context.Context, t Transaction) (Notice, bool)
}

// NewDesk is the desk of a book.
func NewDesk(b Book) *Desk { return &Desk{book: b} }

// Cursor is how far a kind of record was read; its number is 0 where nothing was.
func (d *Desk) Cursor(ctx context.Context, terminal, epoch string, kind Kind) (Cursor, error) {
	all, err := d.book.Cursors(ctx, terminal)
	if err != nil {
		return Cursor{}, err
	}
	for _, c := range all {
		if c.Epoch == epoch && c.Kind == kind {
			return c, nil
		}
	}
	return Cursor{Terminal: terminal, Epoch: epoch, Kind: kind}, nil
}

// mostOrigins is how many restorings of a terminal's data are looked back to. Beyond that, records are read again.
const mostOrigins = 50

// Resume is where a terminal's records of an epoch are read on from: behind what was read of it under any id, which the terminal had
// before it left and joined again, and of those that it is a copy of.
func (d *Desk) Resume(ctx context.Context, account, terminal, epoch string, origins []Origin) (map[Kind]Cursor, error) {
	origins = origins[:min(len(origins), mostOrigins)]
	epochs := []string{epoch}
	for _, o := range origins {
		epochs = append(epochs, o.Epoch)
	}
	all, err := d.book.Read(ctx, account, epochs)
	if err != nil {
		return nil, err
	}
	resumed := map[Kind]Cursor{}
	for _, kind := range []Kind{Ledger, Log} {
		own, furthest := Cursor{Terminal: terminal, Epoch: epoch, Kind: kind}, map[string]Cursor{}
		for _, c := range all {
			switch {
			case c.Kind != kind:
			case c.Terminal == terminal && c.Epoch == epoch:
				own = c
			case c.Number > furthest[c.Epoch].Number:
				furthest[c.Epoch] = c
			}
		}
		fresh := own.At.IsZero()
		if f := furthest[epoch]; f.Number > own.Number {
			own.Number, own.Recorded, own.At = f.Number, f.Recorded, time.Time{}
		}
		if fresh {
			for _, o := range origins {
				if common := min(furthest[o.Epoch].Number, o.Upto(kind)); common > own.Number {
					own.Number, own.Recorded = common, time.Time{}
				}
			}
		}
		resumed[kind] = own
	}
	return resumed, nil
}

// Claim is a line that is kept of an epoch. Who says that it is one of its own must have it. One without a number nobody can show: the
// lines are forgotten.
type Claim struct {
	Epoch string
	Step
}

// Claims are the lines that a terminal must show, by epoch, before it is read on behind what was read under another id, or of origins.
func (d *Desk) Claims(ctx context.Context, account, terminal, epoch string, origins []Origin) ([]Claim, error) {
	at, err := d.Resume(ctx, account, terminal, epoch, nil)
	if err != nil {
		return nil, err
	}
	if !at[Ledger].At.IsZero() {
		return nil, nil // it was read under this id last
	}
	var all []Claim
	for _, o := range append([]Origin{{Epoch: epoch, Ledger: at[Ledger].Number}}, origins[:min(len(origins), mostOrigins)]...) {
		line, err := d.book.Line(ctx, account, o.Epoch, o.Ledger)
		switch {
		case errors.Is(err, ErrNotFound):
			forgotten, err := d.forgotten(ctx, account, o)
			if err != nil {
				return nil, err
			}
			if forgotten && o.Epoch != epoch {
				all = append(all, Claim{Epoch: o.Epoch})
			}
		case err != nil:
			return nil, err
		default:
			all = append(all, Claim{o.Epoch, line})
		}
	}
	return all, nil
}

// forgotten tells of an epoch whose lines were read, up to where it is an origin, and are kept no more. Otherwise nothing can be taken for common.
func (d *Desk) forgotten(ctx context.Context, account string, o Origin) (bool, error) {
	read, err := d.book.Read(ctx, account, []string{o.Epoch})
	return o.Ledger > 0 && slices.ContainsFunc(read, func(c Cursor) bool { return c.Kind == Ledger && c.Number > 0 }), err
}

// Recorded is when the record was made that the batch ends with; zero: it ends with none.
func (b Batch) Recorded() time.Time {
	if n := len(b.Steps); n > 0 && b.Steps[n-1].Number == b.After {
		return b.Steps[n-1].At.UTC().Truncate(time.Microsecond)
	}
	if n := len(b.Entries); n > 0 && b.Entries[n-1].ID == b.After {
		return b.Entries[n-1].At.UTC().Truncate(time.Microsecond)
	}
	return time.Time{}
}

// Cursors are those of a terminal, all epochs.
func (d *Desk) Cursors(ctx context.Context, terminal string) ([]Cursor, error) {
	return d.book.Cursors(ctx, terminal)
}

// Commit keeps a batch and its cursor, all or nothing, and tells where the cursor is then. A batch that was read after another
// place than where the cursor is changes nothing: read on from the cursor that is told. ErrBadBatch: it can't be kept, now or
// ever. ErrBehind: ask Resume again.
func (d *Desk) Commit(ctx context.Context, b Batch) (Cursor, error) {
	all := slices.Clone(b.Transactions)
	b.Transactions = newest(all)
	b.Origins = b.Origins[:min(len(b.Origins), mostOrigins)]
	if err := check(b); err != nil {
		return Cursor{}, fmt.Errorf("%w: %w", ErrBadBatch, err)
	}
	if err := d.settle(ctx, &b, all); err != nil {
		return Cursor{}, err
	}
	b.Notices = d.notices(ctx, all)
	at := time.Now().UTC().Truncate(time.Microsecond)
	return d.book.Commit(ctx, b, gaps(b, at), at)
}

// notices are of all states that transactions went through.
func (d *Desk) notices(ctx context.Context, all []Transaction) (found []Notice) {
	if d.Notice == nil {
		return nil
	}
	for _, t := range all {
		if n, is := d.Notice(ctx, t); is {
			found = append(found, n)
		}
	}
	return found
}

// newest leaves one of each attempt: a page has it with each of its steps.
func newest(all []Transaction) []Transaction {
	at := map[int64]int{}
	var kept []Transaction
	for _, t := range all {
		i, known := at[t.Attempt]
		if !known {
			at[t.Attempt] = len(kept)
			kept = append(kept, t)
			continue
		}
		if first := kept[i].CreatedAt; first.Before(t.CreatedAt) {
			t.CreatedAt = first
		}
		kept[i] = t
	}
	return kept
}

// numbers are those of the batch's records, in their order.
func numbers(b Batch) []int64 {
	var all []int64
	for _, s := range b.Steps {
		all = append(all, s.Number)
	}
	for _, e := range b.Entries {
		all = append(all, e.ID)
	}
	return all
}

// highestNumber is more than a terminal writes in its life, and what JSON holds exactly.
const highestNumber = 1 << 53

// check refuses what would not be kept as it was sent, or in a place of its own: a stolen terminal may send anything.
func check(b Batch) error {
	switch c := b.Before; {
	case c.Terminal == "" || b.Account == "" || b.Tenant == "" || b.Shop == "":
		return fmt.Errorf("a batch of nobody")
	case !isUUID(c.Epoch):
		return fmt.Errorf("the epoch is no UUID")
	case c.Kind != Ledger && c.Kind != Log:
		return fmt.Errorf("records of no kind")
	case c.Kind == Ledger && len(b.Entries) > 0, c.Kind == Log && len(b.Steps)+len(b.Transactions) > 0:
		return fmt.Errorf("records of two kinds")
	case c.Number < 0 || b.After < c.Number:
		return fmt.Errorf("the cursor goes back")
	case b.After > highestNumber:
		return fmt.Errorf("no terminal has that many records")
	}
	for _, o := range b.Origins {
		if !isUUID(o.Epoch) || o.Epoch == b.Before.Epoch {
			return fmt.Errorf("an epoch is a copy of none")
		}
	}
	last := b.Before.Number
	for _, n := range numbers(b) {
		if n <= last || n > b.After {
			return fmt.Errorf("number %d is out of order", n)
		}
		last = n
	}
	for _, t := range b.Transactions {
		if err := checkTransaction(b, t); err != nil {
			return err
		}
	}
	return nil
}

func checkTransaction(b Batch, t Transaction) error {
	if t.Terminal != b.Before.Terminal || t.Epoch != b.Before.Epoch || t.Place != b.Place {
		return fmt.Errorf("a transaction of another terminal")
	}
	if t.Attempt <= 0 || !slices.ContainsFunc(b.Steps, func(s Step) bool { return s.Attempt == t.Attempt }) {
		return fmt.Errorf("a transaction without a step")
	}
	amounts := []string{t.Amount}
	for _, r := range t.Returns {
		amounts = append(amounts, r.Amount)
	}
	for _, a := range amounts {
		if _, err := money.Parse(a); err != nil {
			return err
		}
	}
	return nil
}

func isUUID(s string) bool {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return false
	}
	_, err := hex.DecodeString(strings.ReplaceAll(s, "-", ""))
	return err == nil && strings.ToLower(s) == s
}

// gaps are the numbers between both ends of the cursor that the batch lacks. Each belongs where the record behind it does.
func gaps(b Batch, at time.Time) []Gap {
	var all []Gap
	next := b.Before.Number + 1
	lacks := func(before int64, place fleet.Place) {
		if next < before {
			all = append(all, Gap{Place: place, Terminal: b.Before.Terminal, Epoch: b.Before.Epoch, Kind: b.Before.Kind, First: next, Last: before - 1, FoundAt: at})
		}
		next = before + 1
	}
	places := b.Places()
	for _, s := range b.Steps {
		lacks(s.Number, cmp.Or(places[s.Attempt], b.Place))
	}
	for _, e := range b.Entries {
		lacks(e.ID, e.Place)
	}
	lacks(b.After+1, b.Place)
	return all
}
