package pix

import (
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

var errForgotten = errors.New("the charge whose code was shown is denied: it may have been paid")

// Settle finds out what became of an operation that nobody was told the end of. A charge is withdrawn, and what was
// paid on it given back; a reversal stands if it was made.
func (a *Acquirer) Settle(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	if t.Reversing() {
		return a.settleReversal(ctx, t)
	}
	o, err := a.settlePayment(ctx, t)
	return a.named(t, o, err)
}

func (a *Acquirer) settlePayment(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	c, err := a.see(ctx, t)
	if isNotFound(err) {
		if _, shown, found := a.shown.Find(a.TxID(t)); shown || found != nil {
			return payment.Outcome{}, errors.Join(errForgotten, err, found)
		}
		// A request still on its way may yet make the charge, but nobody has seen the code to pay it with.
		return abandoned(), nil
	}
	if err == nil && !c.final() {
		// It was created before the attempt came to the step it is at now, or hardly later.
		c, err = a.withdraw(ctx, t, t.UpdatedAt.Add(max(a.config.Expiry, c.life)+time.Minute))
	}
	switch {
	case err != nil:
		return payment.Outcome{}, err
	case len(c.received) > 0:
		if err := a.giveBack(ctx, t, c); err != nil {
			return payment.Outcome{}, err
		}
		return c.givenUp(t), nil
	case c.status == removedByPSP:
		return declined("Cobrança removida pelo PSP"), nil
	}
	return abandoned(), nil
}

func (a *Acquirer) settleReversal(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	e2eid, err := a.paymentOf(ctx, t)
	if err != nil {
		return payment.Outcome{}, err
	}
	id := a.reversalID(t)
	r, found, err := a.findRefund(ctx, t, e2eid, id)
	switch {
	case err != nil:
		return payment.Outcome{}, err
	case found:
		return a.reversal(t, r)
	case a.refunds.Ordered(id):
		// A person confirmed it, and a try without an answer may still arrive: only making it is final.
		r, err := a.makeRefund(ctx, t, e2eid, id, t.Moving())
		var no *remote.Refusal
		switch {
		case errors.As(err, &no) && no.Said:
			a.refunds.Forget(id)
			return declined(no.Message), nil
		case err != nil:
			return payment.Outcome{}, err
		}
		return a.reversal(t, r)
	case time.Since(a.started) < a.config.Pace.Landing:
		return payment.Outcome{}, errors.New("the reversal may still be on its way")
	}
	return abandoned(), nil
}
