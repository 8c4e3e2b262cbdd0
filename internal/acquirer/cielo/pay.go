package cielo

import (
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
)

// Pay puts an order on the shop's devices and waits until it is paid, called off or too old.
func (a *Acquirer) Pay(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	if c.Request.Method == payment.Pix {
		return remote.Declined("A maquininha da Cielo recebe aqui somente cartões"), nil
	}
	c.Show(payment.Prompt{Step: payment.StepProcessing, Preparing: true, Method: c.Request.Method, Agreed: c.Request.Installments})
	q := a.creation(c.Transaction)
	if err := a.requests.Begin(q); err != nil {
		return payment.Outcome{}, errors.Join(operation.ErrNotSaved, err)
	}
	id, err := a.create(ctx, q)
	switch {
	case ctx.Err() != nil:
		return payment.Outcome{}, ctx.Err()
	case err != nil:
		return remote.Declined(refusals.Of(err).Message), nil // no device can show what was never placed
	}
	q.ID = id
	if err := a.requests.Keep(q); err != nil {
		return payment.Outcome{}, errors.Join(operation.ErrNotSaved, err)
	}
	if err := c.Sending(); err != nil {
		_, _, _ = a.discard(ctx, q) // a draft that stays bothers nobody
		return payment.Outcome{}, err
	}
	lives := time.Now().Add(a.config.Expiry)
	_, err = a.place(ctx, q)
	var no *remote.Refusal
	switch {
	case errors.As(err, &no):
		return named(order{id: q.ID}, remote.Declined(no.Message)), nil // named, so that it is looked at again: not only Cielo may have answered the deletion
	case err != nil:
		return payment.Outcome{}, err
	}
	o, err := a.await(ctx, c, q, lives)
	if err != nil {
		return payment.Outcome{}, err
	}
	out, err := a.verdict(c.Transaction, o)
	if err == nil && out.Verdict == payment.Abandoned && !time.Now().Before(lives) {
		out.Message = "A cobrança expirou na maquininha"
	}
	return out, err
}

// await watches the order until it is over. Who calls it off has it closed, unless somebody is paying.
func (a *Acquirer) await(ctx context.Context, c payment.Charge, q remote.Request, lives time.Time) (order, error) {
	card := payment.Prompt{Step: payment.StepCard, Method: c.Request.Method, Agreed: c.Request.Installments, Cancellable: true, Device: a.device()}
	seen, over, err := remote.Watch(ctx, c, card, lives, func(ctx context.Context) (order, bool) {
		return a.watch(ctx, func(ctx context.Context) (order, error) { return a.see(ctx, q.ID, 1) })
	})
	switch {
	case err != nil:
		return order{}, err
	case over:
		return seen, nil
	}
	c.Show(payment.Prompt{Step: payment.StepProcessing, Method: c.Request.Method, Agreed: c.Request.Installments})
	seen, err = a.withdraw(ctx, q)
	if err == nil {
		return seen, nil
	}
	// The device has it, and part may be paid: it is closed once nothing stands, or paid to its end.
	card.Cancellable, card.Committed = false, true
	c.Show(card)
	waiting, stop := context.WithDeadline(ctx, time.Now().Add(a.config.Pace.Grace))
	defer stop()
	if seen, over = a.watch(waiting, func(ctx context.Context) (order, error) { return a.withdraw(ctx, q) }); over {
		return seen, nil
	}
	return order{}, errors.Join(err, ctx.Err())
}

// watch looks until the order is over or the context ends.
func (a *Acquirer) watch(ctx context.Context, look func(context.Context) (order, error)) (order, bool) {
	return remote.Until(ctx, a.config.Pace.Polling(), func(ctx context.Context) (order, bool, error) {
		o, err := look(ctx)
		return o, err == nil && o.over(), err
	})
}

var (
	errStillOpen = errors.New("the order is still open at the device")
	errPartly    = errors.New("part of the order is paid: somebody has to end it at the device")
)

// withdraw takes the order off the devices and returns what became of it: it may have been paid in that very moment. One that
// somebody is paying is left alone. An error means that it may still be paid.
func (a *Acquirer) withdraw(ctx context.Context, q remote.Request) (order, error) {
	id := q.ID
	o, err := a.see(ctx, id, remote.MaxTries)
	switch {
	case isGone(err):
		return order{id: id, state: canceled}, a.denied(ctx, q)
	case err != nil || o.over():
		return o, err
	case o.state == draft:
		now, gone, err := a.discard(ctx, q)
		if gone {
			now = order{id: id, state: canceled}
		} else if err == nil {
			err = errStillOpen
		}
		return now, err
	case o.standing().Sign() != 0:
		return o, errPartly
	}
	asked := a.change(ctx, id, "CLOSE")
	o, err = a.see(ctx, id, remote.MaxTries)
	if err == nil && !o.over() {
		err = errStillOpen
	}
	if err != nil {
		err = errors.Join(err, asked)
	}
	return o, err
}

// verdict is what the end of an order means for its payment.
func (a *Acquirer) verdict(t payment.Transaction, o order) (payment.Outcome, error) {
	switch sum := o.standing(); {
	case sum.Cmp(t.Request.Amount) == 0:
		return a.approval(t, o), nil
	case sum.Sign() == 0:
		return named(o, remote.Abandoned()), nil
	}
	return payment.Outcome{}, errPartly
}
