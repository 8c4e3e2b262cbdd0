package tef

import (
	"context"
	"errors"
	"slices"
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
			return decidedInMenu(ledger, o)
		case err != nil:
			return false, err
		case reversal != nil:
			return reversal.Made() && !o.IsNot(reversal.Token), nil
		}
		// Its number may be that of another, from before the terminal was installed anew.
		return counts(t) && !o.IsNot(t.Outcome.Token), nil
	}
}

// AwaitedBy is Config.Awaited by a ledger.
func AwaitedBy(ledger payment.Ledger) func(Operation) (bool, error) {
	return func(o Operation) (bool, error) {
		t, _, err := numbered(ledger, o.Number)
		if err == nil {
			return t.State.Open() && !t.InDoubt, nil
		}
		if !errors.Is(err, payment.ErrNotFound) {
			return false, err
		}
		menu, err := ledger.Administration(o.Number)
		if errors.Is(err, payment.ErrNotFound) {
			return false, nil
		}
		return err == nil && menu.State != payment.AdministrationDone, err
	}
}

// numbered finds the attempt of a number, and the reversal of it that is meant; nil: the payment is.
func numbered(ledger payment.Ledger, number int64) (payment.Transaction, *payment.Reversal, error) {
	t, err := ledger.Numbered(number)
	if errors.Is(err, payment.ErrNotFound) {
		return formerlyNumbered(ledger, number)
	}
	for i, r := range t.Reversals {
		if r.Number == number {
			return t, &t.Reversals[i], err
		}
	}
	return t, nil, err
}

// formerlyNumbered is numbered for what was kept without a number.
func formerlyNumbered(ledger payment.Ledger, number int64) (payment.Transaction, *payment.Reversal, error) {
	t, err := ledger.Get(number / formerScale)
	if err != nil {
		return t, nil, err
	}
	switch reversal := int(number % formerScale); {
	case reversal == 0 && t.Number == 0:
		return t, nil, nil
	case 0 < reversal && reversal <= len(t.Reversals) && t.Reversals[reversal-1].Number == 0:
		return t, &t.Reversals[reversal-1], nil
	}
	return payment.Transaction{}, nil, payment.ErrNotFound
}

func decidedByKey(ledger payment.Ledger, name string, o Operation) (decided bool, err error) {
	found := errors.New("found")
	err = ledger.List(context.Background(), payment.Filter{Since: time.Now().Add(-memory)}, func(t payment.Transaction) error {
		switch {
		case t.Acquirer != name:
			return nil
		case t.Late.Came():
			return nil // nobody decides on it any more, and its numbers may be those of another by now
		case o.Is(t.Outcome.Token):
			decided = counts(t)
			return found
		case t.LastReversal().Made() && o.Is(t.LastReversal().Token):
			decided = true
			return found
		}
		return nil
	})
	if errors.Is(err, found) {
		return decided, nil
	}
	if err != nil {
		return false, err
	}
	menus, err := ledger.Administrations(time.Now().Add(-memory))
	return slices.ContainsFunc(menus, func(a payment.Administration) bool { return a.Acquirer == name && a.Token != "" && o.Is(a.Token) }), err
}

// decidedInMenu is for an operation that was made in the manager's own menu.
func decidedInMenu(ledger payment.Ledger, o Operation) (bool, error) {
	a, err := ledger.Administration(o.Number)
	if errors.Is(err, payment.ErrNotFound) {
		return false, nil
	}
	return err == nil && a.Token != "" && !o.IsNot(a.Token), err
}

// counts tells that the payment was decided on, whatever is under way with it now.
func counts(t payment.Transaction) bool {
	return t.State == payment.StateConfirmed || len(t.Reversals) > 0
}
