package cielo

import (
	"context"
	"errors"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// Reverse records what was given back at the device: the Order Manager can't do it. Until then it is refused as payment.ErrAtDevice.
func (a *Acquirer) Reverse(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	c.Show(payment.Prompt{Step: payment.StepProcessing, Method: c.Method()})
	out, err := a.settleReversal(ctx, c.Transaction)
	switch {
	case ctx.Err() != nil:
		return payment.Outcome{}, ctx.Err()
	case err != nil:
		return remote.Declined(refusals.Of(err).Message), nil
	case out.Verdict != payment.Accepted:
		return payment.Outcome{}, payment.ErrAtDevice
	}
	return out, nil
}

var errNoOrder = errors.New("no order is known")

func (a *Acquirer) settleReversal(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	id := OrderOf(t.Outcome)
	if id == "" {
		return payment.Outcome{}, errNoOrder
	}
	o, err := a.see(ctx, id, remote.MaxTries)
	switch {
	case err != nil:
		return payment.Outcome{}, err
	case o.standing().Sign() != 0:
		return remote.Abandoned(), nil
	}
	return a.givenBack(t, o), nil
}

// Settle finds out what became of an operation that nobody was told the end of. An order is taken off the devices. What was paid on
// it stands, for nobody but a person at the device can give it back; part of it waits for that person.
func (a *Acquirer) Settle(ctx context.Context, t payment.Transaction) (payment.Outcome, error) {
	if t.Reversing() {
		return a.settleReversal(ctx, t)
	}
	q, err := a.find(ctx, t)
	switch {
	case err != nil:
		return payment.Outcome{}, err
	case q.ID == "":
		return remote.Abandoned(), nil
	}
	o, err := a.withdraw(ctx, q)
	if err != nil {
		return payment.Outcome{}, err
	}
	return a.verdict(t, o)
}

// find is the order of an attempt: the one whose id is kept, for only that can have been placed; with the book lost, the one of our
// number that is no draft, or any. Without an id: none.
func (a *Acquirer) find(ctx context.Context, t payment.Transaction) (q remote.Request, err error) {
	q, _, err = a.requests.Find(a.Number(t))
	if err != nil || q.ID != "" {
		return q, err
	}
	q.Key = a.Number(t)
	all, err := a.search(ctx, q.Key, remote.MaxTries)
	for _, o := range all {
		if q.ID == "" || o.state != draft {
			q.ID = o.id
		}
	}
	return q, err
}

// LateMoney looks for what was paid on an order after its end: the device may have been at it when it was closed. An order that is
// denied, as a deleted draft is, has none to be seen now.
func (a *Acquirer) LateMoney(ctx context.Context, t payment.Transaction) (payment.Late, error) {
	late, err := a.standsLate(ctx, t)
	if isGone(err) {
		err = nil
	}
	return late, err
}

func (a *Acquirer) standsLate(ctx context.Context, t payment.Transaction) (payment.Late, error) {
	id := OrderOf(t.Outcome)
	if id == "" {
		return payment.Late{}, nil
	}
	o, err := a.see(ctx, id, 1)
	switch sum := o.standing(); {
	case err != nil || sum.Sign() == 0:
		return payment.Late{}, err
	default:
		return payment.Late{Amount: sum, ByHand: true}, nil
	}
}

// ReturnLate is nil once somebody has given it back at the device, as the order itself tells: who denies it proves nothing.
func (a *Acquirer) ReturnLate(ctx context.Context, t payment.Transaction) error {
	late, err := a.standsLate(ctx, t)
	if err == nil && late.Came() {
		err = payment.ErrAtDevice
	}
	return err
}
