package mercadopago

import (
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// Settle finds out what became of an operation that nobody was told the end of. An order is called off, and what was paid on it
// given back; a reversal stands if it was made.
func (a *Acquirer) Settle(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	if t.Reversing() {
		return a.settleReversal(ctx, t)
	}
	o, err := a.find(ctx, t)
	if errors.Is(err, errNoOrder) {
		return remote.Abandoned(), nil
	}
	if err == nil && !o.final() {
		o, err = a.withdraw(ctx, o.id)
	}
	switch {
	case err != nil:
		return payment.Outcome{}, err
	case o.wasPaid():
		if err := a.giveBack(ctx, t, o); err != nil {
			return payment.Outcome{}, err
		}
		return a.givenUp(t, o), nil
	}
	return a.unpaid(o), nil
}

func (a *Acquirer) settleReversal(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	o, err := a.paidOrder(ctx, t)
	if err != nil {
		return payment.Outcome{}, err
	}
	key := a.reversalKey(t)
	q, kept, err := a.requests.Find(key)
	switch {
	case err != nil:
		return payment.Outcome{}, err
	case !kept:
		return payment.Outcome{}, errors.New("the request of the reversal is lost: what came of it can't be told from the order's other refunds")
	}
	r, made := o.cameOf(q, t.Moving())
	switch {
	case made:
		return a.reversal(t, key, r)
	case a.refunds.Ordered(key) && time.Since(q.At) < keyLife:
		// A person confirmed it, and a try without an answer may still arrive: only making it is final.
		r, err := a.makeRefund(ctx, o, q, t.Moving())
		var no *remote.Refusal
		switch {
		case errors.As(err, &no) && no.Said:
			a.refunds.Forget(key)
			return remote.Declined(no.Message), nil
		case err != nil:
			return payment.Outcome{}, err
		}
		return a.reversal(t, key, r)
	case time.Since(a.started) < a.config.Pace.Landing:
		return payment.Outcome{}, errors.New("the reversal may still be on its way")
	}
	return remote.Abandoned(), nil
}
