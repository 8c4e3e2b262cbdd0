package payment

import (
	"context"
	"errors"
	"fmt"

	"github.com/maquininha/maquininha/internal/operation"
)

// Pay charges the customer. A refusal or a cancellation is a Transaction too. A reference that was approved
// before is answered from the ledger, and no money moves.
func (d *Desk) Pay(ctx context.Context, r Request) (Transaction, error) {
	if err := r.Check(); err != nil {
		return Transaction{}, err
	}
	ways := d.ways.taking(r.Method)
	switch {
	case len(d.ways) == 0:
		return Transaction{}, ErrNoAcquirer
	case len(ways) == 0:
		return Transaction{}, ErrMethod
	}
	g, leave, err := d.enter(ctx, Shown{Kind: Payment, Request: r, Amount: r.Amount, Method: r.Method, Installments: r.Installments})
	if err != nil {
		return Transaction{}, err
	}
	g.pageless = r.Method != AnyMethod && ways.elsewhere(Payment)
	if r.Reference != "" {
		t, found, err := d.paidBefore(r, g)
		if found || err != nil {
			leave()
			if found && err == nil {
				d.repeated(ctx, Payment, t)
			}
			return t, err
		}
	}
	return operate(ctx, d, g, leave, func() (Transaction, error) {
		ways, err := d.awaitResolved(ctx, ways, g)
		if err != nil && !errors.Is(err, errCalledOff) {
			return Transaction{}, err
		}
		return d.pay(r, ways, g)
	})
}

// paidBefore answers for a reference that was used before; not found means a new attempt may be made.
func (d *Desk) paidBefore(r Request, g *dialogue) (t Transaction, found bool, err error) {
	t, err = d.newest(r.Reference, g)
	switch {
	case errors.Is(err, ErrNotFound):
		return Transaction{}, false, nil
	case err != nil:
		return Transaction{}, false, err
	case t.Status() == Refused || t.Status() == Cancelled:
		return Transaction{}, false, nil
	case !r.Same(t.Request) || t.Status() == Reversed:
		return Transaction{}, false, ErrReferenceUsed
	}
	return t, true, nil
}

// newest is the reference's newest attempt, settled first if it is pending.
func (d *Desk) newest(reference string, g *dialogue) (Transaction, error) {
	t, err := d.ledger.Newest(reference)
	switch {
	case err != nil && !errors.Is(err, ErrNotFound):
		return t, errors.Join(operation.ErrNotSaved, err) // a disk that can't be read will keep no attempt either
	case err != nil || !t.State.Open():
		return t, err
	}
	g.tell(func(s *Shown) { s.Prompt = Prompt{Step: StepResolving} })
	return d.settle(t.ID)
}

// pay takes a new attempt to its end.
func (d *Desk) pay(r Request, ways ways, g *dialogue) (Transaction, error) {
	a, err := d.recovery.begin(g.caller, r)
	if err != nil {
		return Transaction{}, err
	}
	defer d.recovery.release()
	g.attempt = a.Operation()
	if g.off() {
		return d.finish(a, Way{}, Outcome{Verdict: Abandoned}, g)
	}
	way, method, err := d.choose(ways, r.Method, g)
	if err != nil {
		return d.withdraw(a, err)
	}
	if method == "" {
		return d.finish(a, way, Outcome{Verdict: Abandoned}, g)
	}
	a.Acquirer = way.Name
	charge := a.charge(g)
	charge.Request.Method = method
	o, err := way.Acquirer.Pay(d.tasks.ctx, charge)
	g.commit()
	if errors.Is(err, errCalledOff) && a.State == StateBegun {
		return d.finish(a, way, Outcome{Verdict: Abandoned}, g)
	}
	d.recovery.heard(way.Name, err)
	if err != nil {
		return d.withdraw(a, err)
	}
	if method != AnyMethod && r.Method == AnyMethod && o.PaidWith == "" {
		o.PaidWith = method
	}
	return d.finish(a, way, o, g)
}

// finish keeps the acquirer's word on a payment.
func (d *Desk) finish(a *attempt, way Way, o Outcome, g *dialogue) (Transaction, error) {
	if o.Verdict == Accepted {
		if err := a.recordSent(); err != nil {
			return Transaction{}, d.outcomeNotSaved(err)
		}
	}
	if err := a.recordAnswer(a.answered(o), o, g.note(o)); err != nil {
		return Transaction{}, d.outcomeNotSaved(err)
	}
	if o.Verdict == Accepted {
		if err := a.record(a.confirmed(), ""); err != nil {
			return Transaction{}, d.outcomeNotSaved(err)
		}
		_ = d.recovery.confirm(a, way) // the recovery tells it again
	}
	return a.Transaction, nil
}

// withdraw ends a payment whose acquirer has no word on it: one that never left did not happen, any other is settled.
func (d *Desk) withdraw(a *attempt, cause error) (Transaction, error) {
	if a.State == StateBegun {
		return Transaction{}, d.endUnsent(a, StateCancelled, cause)
	}
	a.markUnknown(cause)
	return d.settle(a.ID)
}

// endUnsent ends an operation that never left the terminal. If the disk will not have it, the recovery does it.
func (d *Desk) endUnsent(a *attempt, end State, cause error) error {
	if err := a.record(a.to(end), cause.Error()); err != nil {
		d.recovery.wake()
	}
	if d.tasks.ctx.Err() != nil {
		return operation.ErrStopping
	}
	return cause
}

// outcomeNotSaved is for an outcome that the disk will not have: nobody may be told, and the recovery undoes it.
func (d *Desk) outcomeNotSaved(err error) error {
	d.recovery.wake()
	return fmt.Errorf("%w: saving the outcome: %w", ErrUnknown, err)
}

// settle resolves an attempt for a caller who waits. ErrUnknown: that can't be done now; the recovery goes on trying.
func (d *Desk) settle(id int64) (Transaction, error) {
	t, err := d.recovery.settle(id)
	if err != nil {
		return Transaction{}, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	return t, nil
}
