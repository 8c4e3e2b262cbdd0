package payment

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/maquininha/maquininha/internal/operation"
)

// attempt is a transaction that is worked on, as the ledger has it.
type attempt struct {
	desk *Desk
	Transaction
}

// keep takes the attempt to its next step, on disk first.
func (a *attempt) keep(next Transaction, note string) error { return a.step(next, "", note) }

// heard is keep for a step that the acquirer's word brings.
func (a *attempt) heard(next Transaction, o Outcome) error { return a.step(next, o.Verdict, o.Message) }

func (a *attempt) step(next Transaction, v Verdict, note string) error {
	if err := a.desk.ledger.Append(next, note); err != nil {
		return errors.Join(operation.ErrNotSaved, &unkept{err})
	}
	before := a.Transaction
	a.Transaction = next
	if a.desk.moved != nil {
		a.desk.moved(before, next, v)
	}
	return nil
}

// unkept is a step that the disk would not have.
type unkept struct{ err error }

func (u *unkept) Error() string { return u.err.Error() }
func (u *unkept) Unwrap() error { return u.err }

// charge is the attempt as its acquirer gets it.
func (a *attempt) charge(g *dialogue) Charge {
	return Charge{Transaction: a.Transaction, Sending: a.sending, Show: g.show, Ask: g.ask}
}

func (a *attempt) sending() error {
	if a.State == StateSent {
		return nil
	}
	return a.keep(a.to(StateSent), "")
}

// sent sees to it that what was accepted is in the history as sent: an acquirer that accepts has been asked, whatever
// its driver said.
func (a *attempt) sent(o Outcome) error {
	if o.Verdict != Accepted {
		return nil
	}
	return a.sending()
}

// drop ends an operation that never left the terminal. If the disk will not have it, the recovery does it.
func (a *attempt) drop(end State, cause error) error {
	if err := a.keep(a.to(end), cause.Error()); err != nil {
		a.desk.wakeRecovery()
	}
	if a.desk.ctx.Err() != nil {
		return operation.ErrStopping
	}
	return cause
}

// lose notes that an operation ended without an answer. It is settled whether or not that could be noted.
func (a *attempt) lose(cause error) {
	_ = a.keep(a.to(StateUnknown), cause.Error())
}

// unsaved is for an outcome that the disk will not have: nobody may be told, and the recovery undoes it.
func (a *attempt) unsaved(err error) error {
	a.desk.wakeRecovery()
	return fmt.Errorf("%w: saving the outcome: %w", ErrUnknown, err)
}

// confirm tells the acquirer that the operation counts; what it does not acknowledge it is told again by the recovery.
func (a *attempt) confirm(way Way) error {
	err := a.desk.guarded(func(ctx context.Context) error { return way.Acquirer.Confirm(ctx, a.Transaction) })
	if err == nil {
		err = a.keep(a.acknowledged(), "confirmada ao adquirente")
	}
	if err != nil {
		a.desk.wakeRecovery()
	}
	return err
}

// guarded asks an acquirer without a person being there. A driver's panic becomes an error: it must take neither the
// recovery nor the terminal with it.
func (d *Desk) guarded(ask func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	ctx, cancel := context.WithTimeout(d.ctx, settleWait)
	defer cancel()
	return ask(ctx)
}
