package records

import (
	"context"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// settle puts each record of a batch where its terminal belonged when it was made, however late it is read. A payment stays where it was
// begun, with all that becomes of it. all are its transactions, each with every step.
func (d *Desk) settle(ctx context.Context, b *Batch, all []Transaction) error {
	stays, err := d.book.Stays(ctx, b.Before.Terminal)
	if err != nil || len(stays) == 0 || len(stays) == 1 && stays[0].Place == b.Place {
		return err
	}
	b.Place = stays[len(stays)-1].Place
	way := newWay(*b, stays)
	first := map[int64]Transaction{} // when and where an attempt's first step of the batch was made
	var attempts []int64
	for _, s := range b.Steps {
		place := way.next(s.At)
		if _, known := first[s.Attempt]; !known {
			first[s.Attempt] = Transaction{Place: place, CreatedAt: s.At}
			attempts = append(attempts, s.Attempt)
		}
	}
	begun, err := d.book.Begun(ctx, b.Before.Terminal, b.Before.Epoch, attempts)
	if err != nil {
		return err
	}
	for i := range b.Transactions {
		t := &b.Transactions[i]
		place, known := begun[t.Attempt]
		switch f := first[t.Attempt]; {
		case known:
			t.Place = place
		case t.CreatedAt.Before(f.CreatedAt):
			t.Place = stays[way.at(t.CreatedAt)].Place
		default:
			t.Place = f.Place
		}
	}
	places := b.Places()
	for i := range all {
		all[i].Place = places[all[i].Attempt]
	}
	b.Entries = slices.Clone(b.Entries)
	for i := range b.Entries {
		b.Entries[i].Place = way.next(b.Entries[i].At)
	}
	return nil
}

// way is that of a terminal through the shops that it belonged to. Times of records are those of its clock, which is taken to have been as
// far off when they were made as it is now.
type way struct {
	stays   []fleet.Stay
	off     time.Duration
	reached int
}

// newWay begins where the record before the batch was made: numbers follow each other in time, so that a clock that is set back takes nothing
// to a shop that the terminal had left. What was read by a moment was made before it, whatever the clock said.
func newWay(b Batch, stays []fleet.Stay) *way {
	w := &way{stays: stays, off: b.ClockOff}
	if last := b.Before; !last.At.IsZero() && !last.Recorded.IsZero() {
		w.reached = min(w.at(last.Recorded), w.at(last.At.Add(w.off)))
	}
	return w
}

// at is which stay a moment of the terminal's clock lies in.
func (w *way) at(recorded time.Time) int {
	moment := recorded.Add(-w.off)
	return slices.IndexFunc(w.stays, func(s fleet.Stay) bool { return s.Until.IsZero() || moment.Before(s.Until) })
}

// next is where the record was made that follows.
func (w *way) next(recorded time.Time) fleet.Place {
	w.reached = max(w.reached, w.at(recorded))
	return w.stays[w.reached].Place
}

// Places are where the attempts of a batch belong.
func (b Batch) Places() map[int64]fleet.Place {
	all := make(map[int64]fleet.Place, len(b.Transactions))
	for _, t := range b.Transactions {
		all[t.Attempt] = t.Place
	}
	return all
}
