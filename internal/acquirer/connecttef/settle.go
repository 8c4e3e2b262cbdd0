package connecttef

import (
	"context"
	"errors"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

var (
	errForgotten = errors.New("the manager has forgotten an operation that it knew")
	errOnItsWay  = errors.New("the request may still be on its way")
)

// Settle finds out what became of an operation that nobody was told the end of, by our name for it. A payment that was made is given
// back, or stands where the manager refuses that; a reversal stands if it was made.
func (a *Acquirer) Settle(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	if t.Reversing() {
		return a.settleReversal(ctx, t)
	}
	o, known, err := a.see(ctx, a.Identification(t), remote.MaxTries)
	switch {
	case err != nil:
		return payment.Outcome{}, err
	case !known:
		return a.absent(t, a.Identification(t))
	case !o.executed:
		return payment.Outcome{}, errAtDevice // only the device ends it
	case !o.approved:
		return a.refused(t, o), nil
	}
	following, stop := a.patient(ctx)
	defer stop()
	back, err := a.takeBack(following, t, o)
	switch {
	case back && !o.of(t.Request.Amount):
		return a.named(t, o.another(t.Request.Amount).Returned()), nil
	case back:
		return a.named(t, remote.Abandoned()), nil
	case !o.of(t.Request.Amount):
		return payment.Outcome{}, errors.Join(o.another(t.Request.Amount), err) // nobody asked for that sum: a person has to look
	case err != nil:
		return payment.Outcome{}, err
	}
	return a.approval(t, o), nil
}

// absent is the end of an operation that the manager denies: none, unless it was known there or may still come.
func (a *Acquirer) absent(t payment.Transaction, id string) (payment.Outcome, error) {
	q, kept, err := a.requests.Find(id)
	switch {
	case err != nil:
		return payment.Outcome{}, err
	case kept && q.ID != "":
		return payment.Outcome{}, errForgotten
	case !a.landed():
		return payment.Outcome{}, errOnItsWay
	case t.Reversing():
		return remote.Abandoned(), nil
	}
	return a.named(t, remote.Abandoned()), nil
}

func (a *Acquirer) settleReversal(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	id := a.Reversal(t)
	o, known, err := a.see(ctx, id, remote.MaxTries)
	switch {
	case err != nil:
		return payment.Outcome{}, err
	case known && !o.executed:
		return payment.Outcome{}, errRefunding
	case known:
		return a.reversal(t, id, o, nil)
	case !a.refunds.Ordered(id):
		return a.absent(t, id)
	}
	// A person confirmed it, and a try without an answer may still arrive: only making it is final.
	sale, err := parseToken(t.Outcome.Token)
	if err != nil {
		return payment.Outcome{}, err
	}
	following, stop := a.patient(ctx)
	defer stop()
	o, err = a.refund(following, refundOf(id, t, sale), 1, false)
	return a.reversal(t, id, o, err)
}
