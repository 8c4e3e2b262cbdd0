package controlpay

import (
	"context"
	"errors"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// Settle finds out what became of an operation that nobody was told the end of. A sale that was paid is given back or, where the terminal will
// not, stands; a reversal stands if it was made.
func (a *Acquirer) Settle(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	if t.Reversing() {
		return a.settleReversal(ctx, t)
	}
	s, err := a.find(ctx, t)
	switch {
	case errors.Is(err, errNoSale):
		return remote.Abandoned(), nil
	case err != nil:
		return payment.Outcome{}, err
	case s.state.open():
		return payment.Outcome{}, errStillOpen
	case s.state != credited:
		return unpaid(s), nil
	}
	back, err := a.cancel(ctx, t, s.id)
	var no *remote.Refusal
	switch stands := errors.As(err, &no) || err == nil && back.state == credited; {
	case stands && s.amount.Cmp(t.Request.Amount) != 0:
		return payment.Outcome{}, another(t, s) // nobody asked for that sum: a person has to look
	case stands:
		return a.approval(t, s), nil
	case err != nil:
		return payment.Outcome{}, err
	case s.amount.Cmp(t.Request.Amount) != 0:
		return named(back, another(t, s).Returned()), nil
	}
	return named(back, remote.Abandoned()), nil
}

func (a *Acquirer) settleReversal(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	s, err := a.paid(ctx, t)
	switch {
	case err != nil:
		return payment.Outcome{}, err
	case s.state == cancelled:
		return a.givenBack(t, s), nil
	case s.state.open():
		return payment.Outcome{}, errStillOpen
	case a.refunds.Ordered(t.Operation()):
		// A person confirmed it, and a try without an answer may still arrive: only making it is final.
		s, err = a.cancel(ctx, t, s.id)
		return a.reversal(t, s, err)
	case a.mayLand():
		return payment.Outcome{}, errMayLand
	}
	return remote.Abandoned(), nil
}
