package payment

import (
	"context"
	"errors"

	"github.com/maquininha/maquininha/internal/operation"
)

// Pay charges the customer. A refusal or a cancellation is a Transaction too. A reference that was approved
// before is answered from the ledger, and no money moves.
func (d *Desk) Pay(ctx context.Context, r Request) (Transaction, error) {
	if err := r.Check(); err != nil {
		return Transaction{}, err
	}
	ways := d.waysOf(r.Method)
	switch {
	case len(d.ways) == 0:
		return Transaction{}, ErrNoAcquirer
	case len(ways) == 0:
		return Transaction{}, ErrMethod
	}
	leave, err := d.gate.Enter()
	if err != nil {
		return Transaction{}, err
	}
	if r.Reference != "" {
		known, found, err := d.known(r)
		if found || err != nil {
			leave()
			return known, err
		}
	}
	shown := Shown{Kind: Payment, Request: r, Method: r.Method, Installments: r.Installments}
	return operate(ctx, d, leave, shown, func(g *dialogue) (Transaction, error) {
		free, err := d.free(ctx, ways, g)
		if err != nil {
			return Transaction{}, err
		}
		return d.pay(r, free, g)
	})
}

// known answers for a reference that was used before; not found means a new attempt may be made.
func (d *Desk) known(r Request) (t Transaction, found bool, err error) {
	t, err = d.newest(r.Reference)
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
func (d *Desk) newest(reference string) (Transaction, error) {
	t, err := d.ledger.Newest(reference)
	switch {
	case err != nil && !errors.Is(err, ErrNotFound):
		return t, errors.Join(operation.ErrNotSaved, err) // a disk that can't be read will keep no attempt either
	case err != nil || !t.State.Open():
		return t, err
	}
	return d.settle(t)
}

func (d *Desk) pay(r Request, ways []Way, g *dialogue) (Transaction, error) {
	a := &attempt{desk: d, Transaction: begin(r)}
	err := d.live.enter(func() (id int64, err error) {
		a.ID, err = d.ledger.Begin(a.Transaction)
		return a.ID, err
	})
	if err != nil {
		return Transaction{}, errors.Join(operation.ErrNotSaved, err)
	}
	defer d.live.leave()
	way, method, err := d.choose(ways, r.Method, g)
	if err != nil {
		return a.withdraw(err)
	}
	if method == "" {
		return a.finish(way, Outcome{Verdict: Abandoned})
	}
	a.Acquirer = way.Name
	charge := a.charge(g)
	charge.Request.Method = method
	outcome, err := way.Acquirer.Pay(d.ctx, charge)
	if err != nil {
		return a.withdraw(err)
	}
	if method != AnyMethod && r.Method == AnyMethod && outcome.PaidWith == "" {
		outcome.PaidWith = method
	}
	return a.finish(way, outcome)
}

// withdraw ends a payment whose acquirer has no word on it: one that never left did not happen, any other is settled.
func (a *attempt) withdraw(cause error) (Transaction, error) {
	if a.State == StateBegun {
		return Transaction{}, a.drop(StateCancelled, cause)
	}
	a.lose(cause)
	return a.desk.settle(a.Transaction)
}

// finish keeps the acquirer's word on a payment.
func (a *attempt) finish(way Way, o Outcome) (Transaction, error) {
	if err := a.sent(o); err != nil {
		return Transaction{}, a.unsaved(err)
	}
	if err := a.heard(a.answered(o), o); err != nil {
		return Transaction{}, a.unsaved(err)
	}
	if o.Verdict == Accepted {
		if err := a.keep(a.confirmed(), ""); err != nil {
			return Transaction{}, a.unsaved(err)
		}
		a.confirm(way)
	}
	return a.Transaction, nil
}
