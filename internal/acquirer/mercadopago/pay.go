package mercadopago

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
)

// Pay puts an order on the device and waits until it is paid, refused, called off or too old.
func (a *Acquirer) Pay(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	if m := c.Request.Method; m == payment.Pix {
		return remote.Declined("A maquininha do Mercado Pago recebe aqui somente cartões"), nil
	}
	agreed := payment.Prompt{Step: payment.StepProcessing, Preparing: true, Method: c.Request.Method, Agreed: c.Request.Installments}
	c.Show(agreed)
	q := a.creation(c.Transaction)
	if err := a.requests.Begin(q); err != nil {
		return payment.Outcome{}, errors.Join(operation.ErrNotSaved, err)
	}
	if err := c.Sending(); err != nil {
		return payment.Outcome{}, err
	}
	lives := time.Now().Add(a.config.Expiry) // Mercado Pago counts from later on
	o, err := a.create(ctx, c.Transaction, q)
	switch {
	case err == nil:
	case remote.NoEffect(err):
		return remote.Declined(refusalOf(err).Message), nil
	case ctx.Err() != nil:
		return payment.Outcome{}, err
	default: // it may have been made, and the customer be at the device
		if o, err = a.find(ctx, c.Transaction); err != nil {
			return payment.Outcome{}, err
		}
	}
	if !o.final() {
		if o, err = a.await(ctx, c, o, lives); err != nil {
			return payment.Outcome{}, err
		}
	}
	return a.verdict(ctx, c.Transaction, o)
}

// await watches the order until it is over. A person or caller who calls it off has it cancelled, if the device lets go of it.
func (a *Acquirer) await(ctx context.Context, c payment.Charge, o order, lives time.Time) (order, error) {
	card := payment.Prompt{Step: payment.StepCard, Method: c.Request.Method, Agreed: c.Request.Installments, Cancellable: true, Device: "Mercado Pago " + a.config.Device}
	seen, over, err := remote.Watch(ctx, c, card, lives.Add(a.config.Pace.Grace), func(ctx context.Context) (order, bool) { return a.watch(ctx, o.id) })
	switch {
	case err != nil:
		return order{}, err
	case over:
		return seen, nil
	}
	c.Show(payment.Prompt{Step: payment.StepProcessing, Method: c.Request.Method, Agreed: c.Request.Installments})
	if o, err = a.withdraw(ctx, o.id); err == nil {
		return o, nil
	}
	// The device has it, and only the device ends it: the customer may be paying right now.
	card.Cancellable, card.Committed = false, true
	c.Show(card)
	waiting, stop := context.WithDeadline(ctx, lives.Add(a.config.Pace.Grace))
	defer stop()
	if seen, over = a.watch(waiting, o.id); over {
		return seen, nil
	}
	return order{}, errors.Join(err, ctx.Err())
}

// watch looks until the order is over or the context ends.
func (a *Acquirer) watch(ctx context.Context, id string) (order, bool) {
	return remote.Until(ctx, a.config.Pace.Polling(), func(ctx context.Context) (order, bool, error) {
		o, err := a.see(ctx, id, 1)
		return o, err == nil && o.final(), err
	})
}

var errStillOpen = errors.New("the order is still open at the device")

// withdraw asks for the order's end and returns what became of it: it may have been paid in that very moment. An error means
// that it may still be paid; the order has its id all the same.
func (a *Acquirer) withdraw(ctx context.Context, id string) (order, error) {
	asked := a.client.cancel(ctx, orderPath(id)+"/cancel")
	o, err := a.see(ctx, id, remote.MaxTries)
	switch {
	case err == nil && o.final():
		return o, nil
	case err == nil:
		err = errStillOpen
	}
	return order{id: id}, errors.Join(err, asked)
}

// verdict is what the end of an order means for a payment whose caller waits.
func (a *Acquirer) verdict(ctx context.Context, t payment.Transaction, o order) (payment.Outcome, error) {
	switch {
	case o.state == processed && len(o.refunds) == 0 && o.payment.amount.Cmp(t.Request.Amount) == 0:
		return a.approval(t, o), nil
	case o.wasPaid():
		// Any other sum is nothing the caller asked for, and what somebody gives back elsewhere can't be counted on.
		if err := a.giveBack(ctx, t, o); err != nil {
			return payment.Outcome{}, err
		}
		return a.givenUp(t, o), nil
	}
	return a.unpaid(o), nil
}

// givenUp is the outcome of an order that was paid and given back.
func (a *Acquirer) givenUp(t payment.Transaction, o order) payment.Outcome {
	if o.payment.amount.Cmp(t.Request.Amount) == 0 {
		return a.named(o, remote.Abandoned())
	}
	other := &payment.OtherAmountError{Asked: t.Request.Amount, Paid: o.payment.amount, NSU: cmp.Or(o.payment.number, o.payment.id)}
	return a.named(o, other.Returned())
}

// unpaid is the outcome of an order that ended without money.
func (a *Acquirer) unpaid(o order) payment.Outcome {
	switch o.state {
	case failed:
		return a.named(o, remote.Declined(whyFailed(o)))
	case expired:
		gone := remote.Abandoned()
		gone.Message = "A cobrança expirou na maquininha"
		return a.named(o, gone)
	}
	return a.named(o, remote.Abandoned())
}
