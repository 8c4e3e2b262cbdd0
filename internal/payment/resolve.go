package payment

import (
	"context"
	"errors"
)

// ErrResolved means that nothing is left to be decided about an attempt.
var ErrResolved = errors.New("already resolved")

// Resolve ends an attempt by a person's word, where its acquirer can't be asked any more: whether the payment, or the
// reversal that is under way, was made. The note says who knows it, and from where.
func Resolve(l Ledger, id int64, made bool, note string) (Transaction, error) {
	t, err := l.Get(id)
	switch {
	case err != nil:
		return Transaction{}, err
	case t.Resolved():
		return t, ErrResolved
	}
	a := &attempt{recorder{ledger: l}, t, context.Background()}
	steps := a.byHand(made)
	for i, next := range steps {
		t := next(a.Transaction)
		t.InDoubt = t.InDoubt && i < len(steps)-1 // or the recovery could take it from here
		if err := a.record(t, note); err != nil {
			return Transaction{}, err
		}
	}
	return a.Transaction, nil
}

// byHand are the steps to the end a person says.
func (a *attempt) byHand(made bool) []func(Transaction) Transaction {
	to := func(s State) func(Transaction) Transaction {
		return func(t Transaction) Transaction { return t.to(s) }
	}
	stands := []func(Transaction) Transaction{to(StateApproved), Transaction.confirmed, Transaction.acknowledged}
	switch {
	case !a.State.Open():
		return []func(Transaction) Transaction{Transaction.acknowledged}
	case a.State == StateReversing:
		return []func(Transaction) Transaction{to(StateConfirmed)}
	case len(a.Reversals) > 0 && made:
		return []func(Transaction) Transaction{func(t Transaction) Transaction { return t.reversed(Outcome{Verdict: Accepted}) }, Transaction.acknowledged}
	case len(a.Reversals) > 0:
		return []func(Transaction) Transaction{to(StateConfirmed)}
	case a.State == StateBegun:
		return []func(Transaction) Transaction{to(StateCancelled)}
	case a.State == StateApproved && made:
		return stands[1:]
	case a.State == StateUndoing && made:
		return stands
	case made:
		return append([]func(Transaction) Transaction{to(StateUndoing)}, stands...)
	case a.State == StateUndoing:
		return []func(Transaction) Transaction{to(StateUndone)}
	}
	return []func(Transaction) Transaction{to(StateUndoing), to(StateUndone)}
}
