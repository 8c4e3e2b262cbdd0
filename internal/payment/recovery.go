package payment

import (
	"context"
	"fmt"
	"time"
)

const (
	// recoveryPause is how long an acquirer that can't settle yet is left alone.
	recoveryPause = 5 * time.Second
	// sweepPause is how long one that may hear of earlier operations is.
	sweepPause = 30 * time.Second
)

// noteUnsent is in the history of an operation that the end of the process cut off before it left.
const noteUnsent = "interrompida antes do envio"

// settle resolves a transaction with its acquirer and keeps the answer. ErrUnknown: that can't be done now; the recovery
// goes on trying.
func (d *Desk) settle(t Transaction) (Transaction, error) {
	return d.settleUnless(t, func() bool { return false })
}

// settleIdle is settle for a transaction that no operation works on; one that is live is left alone.
func (d *Desk) settleIdle(t Transaction) (Transaction, error) {
	return d.settleUnless(t, func() bool { return d.live.id == t.ID })
}

func (d *Desk) settleUnless(t Transaction, live func() bool) (Transaction, error) {
	select {
	case d.settling <- struct{}{}:
		defer func() { <-d.settling }()
	case <-d.ctx.Done():
	}
	if d.ctx.Err() != nil {
		return Transaction{}, ErrUnknown // the next start settles it
	}
	// Another may have settled it, or begun to work on it, while this one waited.
	d.live.mu.Lock()
	skip := live()
	t, err := d.ledger.Get(t.ID)
	d.live.mu.Unlock()
	if skip {
		return Transaction{}, ErrUnknown
	}
	if err == nil {
		a := &attempt{desk: d, Transaction: t}
		err = a.resolve()
		t = a.Transaction
	}
	if err != nil {
		d.wakeRecovery()
		return Transaction{}, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	return t, nil
}

// resolve does what is left to be done about an attempt. Nil: nothing is.
func (a *attempt) resolve() error {
	way, configured := a.desk.wayNamed(a.Acquirer)
	switch {
	case a.Resolved():
		return nil
	case a.State == StateBegun:
		return a.keep(a.to(StateCancelled), noteUnsent)
	case a.State == StateReversing:
		return a.keep(a.to(StateConfirmed), noteUnsent)
	case !configured:
		return fmt.Errorf("%w: %q", ErrNoAcquirer, a.Acquirer)
	case !a.State.Open():
		return a.confirm(way)
	case a.Reversals > 0:
		return a.settleReversal(way)
	}
	return a.undo(way)
}

// undo takes back a payment that nobody was told of. Where its acquirer can't, it stands.
func (a *attempt) undo(way Way) error {
	if a.State != StateUndoing {
		if err := a.keep(a.to(StateUndoing), ""); err != nil {
			return err
		}
	}
	o, err := a.ask(way)
	if err != nil {
		return err
	}
	if err := a.heard(a.undone(o), o); err != nil || o.Verdict != Accepted {
		return err
	}
	if err := a.keep(a.confirmed(), "não pôde ser desfeita"); err != nil {
		return err
	}
	return a.confirm(way)
}

func (a *attempt) settleReversal(way Way) error {
	o, err := a.ask(way)
	if err != nil {
		return err
	}
	if err := a.heard(a.reversed(o), o); err != nil || o.Verdict != Accepted {
		return err
	}
	return a.confirm(way)
}

// ask has the acquirer settle the attempt.
func (a *attempt) ask(way Way) (o Outcome, err error) {
	err = a.desk.guarded(func(ctx context.Context) (err error) {
		o, err = way.Acquirer.Settle(ctx, a.Transaction)
		return err
	})
	return o, err
}

func (d *Desk) wakeRecovery() {
	select {
	case d.recover <- struct{}{}:
	default:
	}
}

// recovery settles what is unresolved, at start and whenever an operation ended without an answer.
func (d *Desk) recovery() {
	for {
		select {
		case <-d.ctx.Done():
			return
		case <-d.recover:
		case <-d.sweepTime():
		}
		for !d.settlePending() {
			select {
			case <-d.ctx.Done():
				return
			case <-time.After(recoveryPause):
			}
		}
	}
}

// settlePending tries everything unresolved once; false means some of it is left, if only the live one.
func (d *Desk) settlePending() bool {
	pending, err := d.ledger.Unresolved()
	if err != nil {
		return false
	}
	clean := true
	for _, t := range pending {
		settled, err := d.settleIdle(t)
		if err != nil {
			clean = false
			continue
		}
		d.tell(t, settled)
	}
	d.sweep()
	d.count()
	return clean
}

// tell reports an attempt that was open and has come to its end.
func (d *Desk) tell(before, after Transaction) {
	if d.recovered != nil && before.State.Open() {
		d.recovered(after)
	}
}

// sweepTime comes when a sweep is due; never, where no acquirer wants one.
func (d *Desk) sweepTime() <-chan time.Time {
	for _, w := range d.ways {
		if _, ok := w.Acquirer.(Sweeper); ok {
			return time.After(sweepPause)
		}
	}
	return nil
}

// sweep has the acquirers look for what they were not asked for. While one works on an operation it looks itself.
func (d *Desk) sweep() {
	for _, w := range d.ways {
		if s, ok := w.Acquirer.(Sweeper); ok && !d.live.any() {
			_ = d.guarded(s.Sweep) // it is tried again in a while
		}
	}
}

// Unresolved is how many attempts are left of earlier operations, for the screen.
func (d *Desk) Unresolved() int { return int(d.unresolved.Load()) }

// count finds out how many are; what can't be read now is counted after the next try.
func (d *Desk) count() {
	left, err := d.ledger.Unresolved()
	if err != nil {
		return
	}
	n := 0
	for _, t := range left {
		if !d.live.is(t.ID) {
			n++
		}
	}
	if d.unresolved.Swap(int32(n)) != int32(n) {
		d.changed()
	}
}
