package payment

import "context"

// ReversalOutcome is how a reversal ended: the transaction as it stands now and the acquirer's word on the reversal.
type ReversalOutcome struct {
	Transaction Transaction
	Outcome     Outcome
}

// Reverse gives back the payment of a reference. A refused reversal leaves the transaction approved.
func (d *Desk) Reverse(ctx context.Context, reference string) (ReversalOutcome, error) {
	if len(d.ways) == 0 {
		return ReversalOutcome{}, ErrNoAcquirer
	}
	leave, err := d.gate.Enter()
	if err != nil {
		return ReversalOutcome{}, err
	}
	t, err := d.reversible(reference)
	if err != nil {
		leave()
		return ReversalOutcome{}, err
	}
	way, ok := d.wayNamed(t.Acquirer)
	if !ok {
		leave()
		return ReversalOutcome{}, ErrElsewhere
	}
	shown := Shown{Kind: Refund, Request: t.Request, Method: t.Method(), Installments: t.Installments()}
	return operate(ctx, d, leave, shown, func(g *dialogue) (ReversalOutcome, error) {
		if _, err := d.free(ctx, []Way{way}, g); err != nil {
			return ReversalOutcome{}, err
		}
		return d.reverse(t.ID, way, g)
	})
}

func (d *Desk) reversible(reference string) (Transaction, error) {
	t, err := d.newest(reference)
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

func (d *Desk) reverse(id int64, way Way, g *dialogue) (ReversalOutcome, error) {
	t, err := d.ledger.Get(id) // it may have been acknowledged meanwhile
	if err != nil {
		return ReversalOutcome{}, err
	}
	a := &attempt{desk: d, Transaction: t}
	if err := d.live.enter(func() (int64, error) { return t.ID, a.keep(a.reversing(), "") }); err != nil {
		return ReversalOutcome{}, err
	}
	defer d.live.leave()
	outcome, err := way.Acquirer.Reverse(d.ctx, a.charge(g))
	if err != nil {
		return a.withdrawReversal(err)
	}
	if err := a.sent(outcome); err != nil {
		return ReversalOutcome{}, a.unsaved(err)
	}
	if err := a.heard(a.reversed(outcome), outcome); err != nil {
		return ReversalOutcome{}, a.unsaved(err)
	}
	if outcome.Verdict == Accepted {
		a.confirm(way)
	}
	return ReversalOutcome{a.Transaction, outcome}, nil
}

// withdrawReversal is withdraw for a reversal.
func (a *attempt) withdrawReversal(cause error) (ReversalOutcome, error) {
	if a.State == StateReversing {
		return ReversalOutcome{}, a.drop(StateConfirmed, cause)
	}
	a.lose(cause)
	var outcome Outcome
	t, err := a.desk.settle(a.Transaction)
	if t.Status() == Reversed {
		outcome = Outcome{Verdict: Accepted}
	}
	return ReversalOutcome{t, outcome}, err
}
