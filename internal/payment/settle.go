package payment

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// settleWait is how long a caller is kept waiting while a lost answer is looked into, or an acquirer told that a payment
// counts.
const settleWait = 10 * time.Second

// noteUnsent is in the history of an operation that the end of the process cut off before it left.
const noteUnsent = "interrompida antes do envio"

// settle resolves an attempt with its acquirer and keeps the answer, for the operation that works on it or when none does.
// After an error the recovery goes on trying.
func (r *recovery) settle(id int64) (Transaction, error) { return r.settleInTurn(id, false) }

// settleInTurn settles when no other settlement is under way. An attempt that an operation works on may be left to it.
func (r *recovery) settleInTurn(id int64, leaveInWork bool) (Transaction, error) {
	select {
	case r.settling <- struct{}{}:
		defer func() { <-r.settling }()
	case <-r.ctx.Done():
	}
	if r.ctx.Err() != nil {
		return Transaction{}, ErrUnknown // the next start settles it
	}
	a, err := r.read(id, leaveInWork)
	if errors.Is(err, errInWork) {
		return Transaction{}, err
	}
	if err == nil {
		err = r.resolve(a)
	}
	if err != nil {
		r.wake()
		return Transaction{}, err
	}
	return a.Transaction, nil
}

// read is the attempt as it is now: another may have settled it, or begun to work on it, while this one waited.
func (r *recovery) read(id int64, leaveInWork bool) (*attempt, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if leaveInWork && r.inWork == id {
		return nil, errInWork
	}
	t, err := r.ledger.Get(id)
	return &attempt{r.recorder, t, context.Background()}, err
}

// resolve does what is left to be done about an attempt. Nil: nothing is.
func (r *recovery) resolve(a *attempt) error {
	way, configured := r.ways.named(a.Acquirer)
	if a.State == StateReversing && !a.InDoubt {
		unsent, err := r.reversalUnsent(a)
		switch {
		case err != nil:
			return err
		case unsent:
			return a.record(a.to(StateConfirmed), noteUnsent)
		}
		if err := a.recordSent(); err != nil {
			return err
		}
	}
	switch {
	case a.Resolved():
		return nil
	case a.InDoubt:
		return ErrUnknown // a person says
	case a.State == StateBegun:
		return a.record(a.to(StateCancelled), noteUnsent)
	case !configured:
		return fmt.Errorf("%w: %q", ErrNoAcquirer, a.Acquirer)
	case !a.State.Open():
		return r.confirm(a, way)
	case len(a.Reversals) > 0:
		return r.settleReversal(a, way)
	}
	return r.undo(a, way)
}

// undo takes back a payment that nobody was told of. Where its acquirer can't, it stands.
func (r *recovery) undo(a *attempt, way Way) error {
	if a.State != StateUndoing {
		if err := a.record(a.to(StateUndoing), ""); err != nil {
			return err
		}
	}
	o, err := r.ask(a, way)
	if err != nil {
		return err
	}
	if err := a.recordAnswer(a.undone(o), o, o.Message); err != nil || o.Verdict != Accepted {
		return err
	}
	if err := a.record(a.confirmed(), "não pôde ser desfeita"); err != nil {
		return err
	}
	return r.confirm(a, way)
}

func (r *recovery) settleReversal(a *attempt, way Way) error {
	o, err := r.ask(a, way)
	if err != nil {
		return err
	}
	if err := a.recordAnswer(a.reversed(o), o, o.Message); err != nil || o.Verdict != Accepted {
		return err
	}
	return r.confirm(a, way)
}

// ask has the acquirer settle the attempt.
func (r *recovery) ask(a *attempt, way Way) (o Outcome, err error) {
	err = r.guarded(func(ctx context.Context) (err error) {
		o, err = way.Acquirer.Settle(ctx, a.Transaction)
		return err
	})
	r.heard(way.Name, err)
	return o, err
}

// confirm tells the acquirer that the operation counts; what it does not acknowledge it is told again by the recovery.
func (r *recovery) confirm(a *attempt, way Way) error {
	err := r.guarded(func(ctx context.Context) error { return way.Acquirer.Confirm(ctx, a.Transaction) })
	r.heard(way.Name, err)
	if err == nil {
		err = a.record(a.acknowledged(), "confirmada ao adquirente")
	}
	if err != nil {
		r.wake()
	}
	return err
}

// guarded asks an acquirer without a person being there. A driver's panic becomes an error: it must take neither the
// recovery nor the terminal with it.
func (r *recovery) guarded(ask func(context.Context) error) (err error) {
	defer recoverAs(&err)
	ctx, cancel := context.WithTimeout(r.ctx, settleWait)
	defer cancel()
	return ask(ctx)
}

// recoverAs turns a panic into an error, deferred around what a driver does.
func recoverAs(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}
