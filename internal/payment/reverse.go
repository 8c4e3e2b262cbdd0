package payment

import (
	"context"
	"errors"

	"github.com/maquininha/maquininha/internal/money"
)

// ReversalOutcome is the payment as it stands now and the acquirer's word on the reversal.
type ReversalOutcome struct {
	Transaction Transaction
	Outcome     Outcome
}

// Reverse gives back the payment of a reference, or part of it. A refused reversal leaves the transaction approved. One of an
// id that was made before is answered from the ledger, and no money moves.
func (d *Desk) Reverse(ctx context.Context, r RefundRequest) (ReversalOutcome, error) {
	if err := r.Check(); err != nil {
		return ReversalOutcome{}, err
	}
	if len(d.ways) == 0 {
		return ReversalOutcome{}, ErrNoAcquirer
	}
	g, leave, err := d.enter(ctx, Shown{Kind: Refund, Request: Request{Reference: r.Reference}})
	if err != nil {
		return ReversalOutcome{}, err
	}
	t, before, err := d.forReversal(r, g)
	if err != nil {
		leave()
		return ReversalOutcome{}, err
	}
	if before > 0 {
		leave()
		return d.returnedBefore(ctx, t, before, r)
	}
	way, amount, err := d.reversible(t, r)
	if err != nil {
		leave()
		return ReversalOutcome{}, err
	}
	g.pageless = ways{way}.elsewhere(Refund)
	g.tell(func(s *Shown) {
		s.Request, s.Amount, s.Method, s.Installments = t.Request, amount, t.Method(), t.Installments()
	})
	return operate(ctx, d, g, leave, func() (ReversalOutcome, error) {
		_, err := d.awaitResolved(ctx, ways{way}, g)
		switch {
		case errors.Is(err, errCalledOff):
			return ReversalOutcome{t, Outcome{Verdict: Abandoned}}, nil // nothing has begun
		case err != nil:
			return ReversalOutcome{}, err
		}
		return d.reverse(t.ID, way, Reversal{ID: r.ID, Amount: amount}, g)
	})
}

// forReversal is the payment to be given back, and which of its reversals was made under this id before; 0: none. One that was
// made is known without asking the acquirer, though a later one of the payment is still without an answer.
func (d *Desk) forReversal(r RefundRequest, g *dialogue) (t Transaction, before int, err error) {
	if t, err = d.ledger.Newest(r.Reference); err == nil {
		if before = t.made(r.ID); before > 0 {
			return t, before, nil
		}
	}
	if t, err = d.newest(r.Reference, g); err != nil {
		return t, 0, err
	}
	return t, t.made(r.ID), nil
}

// returnedBefore answers for a reversal that was made.
func (d *Desk) returnedBefore(ctx context.Context, t Transaction, before int, r RefundRequest) (ReversalOutcome, error) {
	made := t.Reversals[before-1]
	if r.Amount != nil && r.Amount.Cmp(made.Amount) != 0 {
		return ReversalOutcome{}, ErrReversalUsed
	}
	then := t
	then.Reversals = t.Reversals[:before]
	d.repeated(ctx, Refund, then)
	return ReversalOutcome{t, Outcome{Verdict: Accepted, NSU: made.NSU}}, nil
}

// reversible is the way that a reversal goes, and how much it gives back.
func (d *Desk) reversible(t Transaction, r RefundRequest) (Way, money.Decimal, error) {
	switch t.Status() {
	case Approved:
	case Reversed:
		return Way{}, money.Zero, ErrReversed
	default:
		return Way{}, money.Zero, ErrNotReversible
	}
	amount, err := t.part(r)
	if err != nil {
		return Way{}, money.Zero, err
	}
	way, ok := d.ways.named(t.Acquirer)
	switch {
	case !ok:
		return Way{}, money.Zero, ErrElsewhere
	case amount.Cmp(t.Request.Amount) != 0 && !way.Acquirer.ReversesParts(t):
		return Way{}, money.Zero, ErrWholeOnly
	}
	return way, amount, nil
}

// reverse takes a reversal to its end.
func (d *Desk) reverse(id int64, way Way, r Reversal, g *dialogue) (ReversalOutcome, error) {
	a, err := d.recovery.resume(g.caller, id)
	if err != nil {
		return ReversalOutcome{}, err
	}
	defer d.recovery.release()
	if r.Number, err = d.recovery.numbers.next(); err != nil {
		return ReversalOutcome{}, err
	}
	if err := a.record(a.reversing(r), ""); err != nil {
		return ReversalOutcome{}, err
	}
	g.attempt = a.Operation()
	o, err := way.Acquirer.Reverse(d.tasks.ctx, a.charge(g))
	g.commit()
	if errors.Is(err, errCalledOff) && a.State == StateReversing {
		o, err = Outcome{Verdict: Abandoned}, nil
	}
	if !errors.Is(err, ErrAtDevice) { // which says nothing about whether it could be asked
		d.recovery.heard(way.Name, err)
	}
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
	if last := t.LastReversal(); last.Made() {
		o = Outcome{Verdict: Accepted, NSU: last.NSU}
	}
	return ReversalOutcome{t, o}, err
}
