package payment

import (
	"context"
	"errors"
)

// ReversalOutcome is the payment as it stands now and the acquirer's word on the reversal.
type ReversalOutcome struct {
	Transaction Transaction
	Outcome     Outcome
}

// Reverse gives back the payment of a reference. A refused reversal leaves the transaction approved.
func (d *Desk) Reverse(ctx context.Context, reference string) (ReversalOutcome, error) {
	if len(d.ways) == 0 {
		return ReversalOutcome{}, ErrNoAcquirer
	}
	g, leave, err := d.enter(ctx, Shown{Kind: Refund, Request: Request{Reference: reference}})
	if err != nil {
		return ReversalOutcome{}, err
	}
	t, err := d.reversible(reference, g)
	if err != nil {
		leave()
		return ReversalOutcome{}, err
	}
	way, ok := d.ways.named(t.Acquirer)
	if !ok {
		leave()
		return ReversalOutcome{}, ErrElsewhere
	}
	g.tell(func(s *Shown) { s.Request, s.Method, s.Installments = t.Request, t.Method(), t.Installments() })
	return operate(ctx, d, g, leave, func() (ReversalOutcome, error) {
		_, err := d.awaitResolved(ctx, ways{way}, g)
		switch {
		case errors.Is(err, errCalledOff):
			return ReversalOutcome{t, Outcome{Verdict: Abandoned}}, nil // nothing has begun
		case err != nil:
			return ReversalOutcome{}, err
		}
		return d.reverse(t.ID, way, g)
	})
}

func (d *Desk) reversible(reference string, g *dialogue) (Transaction, error) {
	t, err := d.newest(reference, g)
	switch {
	case err != nil:
		return Transaction{}, err
	case t.Status() == Reversed:
		return Transaction{}, ErrReversed
	case t.Status() != Approved:
		return Transaction{}, ErrNotReversible
	}
	return t, nil
}

// reverse takes a reversal to its end.
func (d *Desk) reverse(id int64, way Way, g *dialogue) (ReversalOutcome, error) {
	a, err := d.recovery.resume(g.caller, id)
	if err != nil {
		return ReversalOutcome{}, err
	}
	defer d.recovery.release()
	number, err := d.recovery.numbers.next()
	if err != nil {
		return ReversalOutcome{}, err
	}
	if err := a.record(a.reversing(number), ""); err != nil {
		return ReversalOutcome{}, err
	}
	o, err := way.Acquirer.Reverse(d.tasks.ctx, a.charge(g))
	g.commit()
	if errors.Is(err, errCalledOff) && a.State == StateReversing {
		o, err = Outcome{Verdict: Abandoned}, nil
	}
	d.recovery.heard(way.Name, err)
	if err != nil {
		return d.withdrawReversal(a, err)
	}
	if o.Verdict == Accepted {
		if err := a.recordSent(); err != nil {
			return ReversalOutcome{}, d.outcomeNotSaved(err)
		}
	}
	if err := a.recordAnswer(a.reversed(o), o, g.note(o)); err != nil {
		return ReversalOutcome{}, d.outcomeNotSaved(err)
	}
	if o.Verdict == Accepted {
		_ = d.recovery.confirm(a, way) // the recovery tells it again
	}
	return ReversalOutcome{a.Transaction, o}, nil
}

// withdrawReversal is withdraw for a reversal.
func (d *Desk) withdrawReversal(a *attempt, cause error) (ReversalOutcome, error) {
	if a.State == StateReversing {
		return ReversalOutcome{}, d.endUnsent(a, StateConfirmed, cause)
	}
	a.markUnknown(cause)
	var o Outcome
	t, err := d.settle(a.ID)
	if t.Status() == Reversed {
		o = Outcome{Verdict: Accepted}
	}
	return ReversalOutcome{t, o}, err
}
