package tef

import (
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// memory is how far back an operation is looked for that the manager names by its own key only.
const memory = 90 * 24 * time.Hour

// DecidedBy is Config.Decided by a ledger that knows the manager under the name.
func DecidedBy(ledger payment.Ledger, name string) func(Operation) (bool, error) {
	return func(o Operation) (bool, error) {
		if o.Number == 0 {
			return decidedByKey(ledger, name, o)
		}
		t, reversal, err := numbered(ledger, o.Number)
		switch {
		case errors.Is(err, payment.ErrNotFound):
			return false, nil
		case err != nil:
			return false, err
		case reversal:
			return t.Reversal != nil && !o.IsNot(t.Reversal.Token), nil
		}
		// Its number may be that of another, from before the terminal was installed anew.
		return counts(t) && !o.IsNot(t.Outcome.Token), nil
	}
}

// numbered finds the attempt of a number, and tells whether it is the newest reversal's.
func numbered(ledger payment.Ledger, number int64) (t payment.Transaction, reversal bool, err error) {
	t, err = ledger.Numbered(number)
	if !errors.Is(err, payment.ErrNotFound) {
		return t, number == t.ReversalNumber, err
	}
	if t, err = ledger.Get(number / formerScale); err != nil {
		return t, false, err
	}
	switch reversals := number % formerScale; {
	case reversals == 0 && t.Number == 0:
		return t, false, nil
	case reversals > 0 && t.ReversalNumber == 0 && int64(t.Reversals) == reversals:
		return t, true, nil
	}
	return payment.Transaction{}, false, payment.ErrNotFound
}

func decidedByKey(ledger payment.Ledger, name string, o Operation) (decided bool, err error) {
	found := errors.New("found")
	err = ledger.List(context.Background(), payment.Filter{Since: time.Now().Add(-memory)}, func(t payment.Transaction) error {
		switch {
		case t.Acquirer != name:
			return nil
		case o.Is(t.Outcome.Token):
			decided = counts(t)
			return found
		case t.Reversal != nil && o.Is(t.Reversal.Token):
			decided = true
			return found
		}
		return nil
	})
	if errors.Is(err, found) {
		err = nil
	}
	return decided, err
}

// counts tells that the payment was decided on, whatever is under way with it now.
func counts(t payment.Transaction) bool { return t.State == payment.StateConfirmed || t.Reversals > 0 }
