package mercadopago

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
)

var errRefunding = errors.New("the refund is still being made")

// refundOf is the request that gives an amount of the order back, under a key.
func refundOf(o order, key string, amount money.Decimal) remote.Request {
	q := remote.Request{Key: key, Path: orderPath(o.id) + "/refund", At: time.Now()}
	for _, r := range o.refunds {
		q.Before = append(q.Before, r.id)
	}
	if amount.Cmp(o.payment.amount) == 0 && len(o.refunds) == 0 {
		return q // all of it is asked for without a body
	}
	type part struct {
		ID     string `json:"id"`
		Amount string `json:"amount"`
	}
	text, err := json.Marshal(map[string][]part{"transactions": {{o.payment.id, amount.Cents()}}})
	if err != nil {
		panic(err) // texts
	}
	q.Body = text
	return q
}

// cameOf is the refund that came of a request: one that was not there when it was sent, of its amount.
func (o order) cameOf(q remote.Request, amount money.Decimal) (refund, bool) {
	for _, r := range o.refunds {
		if !slices.Contains(q.Before, r.id) && r.amount.Cmp(amount) == 0 {
			return r, true
		}
	}
	return refund{}, false
}

// makeRefund sends a kept request for a refund. A *remote.Refusal means that there is none, for sure.
func (a *Acquirer) makeRefund(ctx context.Context, o order, q remote.Request, amount money.Decimal) (refund, error) {
	if _, err := a.client.post(ctx, q); err != nil {
		return refund{}, conclude(err)
	}
	// Which of its refunds this one is, the answer need not say: the order does.
	now, err := a.see(ctx, o.id, remote.MaxTries)
	if err != nil {
		return refund{}, err
	}
	r, made := now.cameOf(q, amount)
	if !made {
		return refund{}, errors.New("the refund was taken and is not listed")
	}
	return r, nil
}

// reversalKey names the reversal under way. What it gives back is part of it: a ledger restored from a backup has forgotten its
// newest reversals, and another amount, or another name, must not find one of them.
func (a *Acquirer) reversalKey(t payment.Transaction) string {
	return remote.Digest(a.config.Terminal, t, fmt.Sprintf("refund %s %s", t.Moving().Cents(), t.LastReversal().ID))
}

// Reverse gives the payment, or part of it, back once a person has confirmed it.
func (a *Acquirer) Reverse(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	action, err := c.Ask(ctx, payment.Prompt{Step: payment.StepConfirm, Method: c.Method(), Cancellable: true})
	if err != nil {
		return payment.Outcome{}, err
	}
	if action.Kind == payment.ActCancel {
		return remote.Abandoned(), nil
	}
	c.Show(payment.Prompt{Step: payment.StepProcessing, Method: c.Method()})
	o, err := a.paidOrder(ctx, c.Transaction)
	switch {
	case ctx.Err() != nil:
		return payment.Outcome{}, ctx.Err()
	case err != nil:
		return remote.Declined(refusalOf(err).Message), nil // nothing has left
	}
	q := refundOf(o, a.reversalKey(c.Transaction), c.Moving())
	if err := a.requests.Begin(q); err != nil {
		return payment.Outcome{}, errors.Join(operation.ErrNotSaved, err)
	}
	if err := c.Sending(); err != nil {
		return payment.Outcome{}, err
	}
	a.refunds.Order(q.Key)
	r, err := a.makeRefund(ctx, o, q, c.Moving())
	var no *remote.Refusal
	switch {
	case errors.As(err, &no):
		a.refunds.Forget(q.Key)
		return remote.Declined(no.Message), nil
	case err != nil:
		return payment.Outcome{}, err
	}
	if r, err = a.follow(ctx, o.id, r); err != nil {
		return payment.Outcome{}, err
	}
	return a.reversal(c.Transaction, q.Key, r)
}

// follow waits for a refund to be made, as long as a caller may be kept waiting.
func (a *Acquirer) follow(ctx context.Context, id string, r refund) (refund, error) {
	until := time.Now().Add(a.config.Pace.Patience)
	for r.state == refundMaking && time.Now().Before(until) {
		if err := remote.Sleep(ctx, a.config.Pace.Poll); err != nil {
			return r, err
		}
		if o, err := a.see(ctx, id, 1); err == nil {
			if i := slices.IndexFunc(o.refunds, func(now refund) bool { return now.id == r.id }); i >= 0 {
				r = o.refunds[i]
			}
		}
	}
	return r, ctx.Err()
}

// reversal is what a refund means for the reversal.
func (a *Acquirer) reversal(t payment.Transaction, key string, r refund) (payment.Outcome, error) {
	switch r.state {
	case refundMaking:
		return payment.Outcome{}, errRefunding
	case refundNotMade:
		a.refunds.Forget(key)
		return remote.Declined("Estorno não realizado pelo Mercado Pago"), nil
	}
	a.refunds.Forget(key)
	return a.givenBack(t, r), nil
}

// giveBack returns all that stands of an order that nobody was told of. Nil means that it has been returned; a refund that is
// still being made may yet fail, so it is an error.
func (a *Acquirer) giveBack(ctx context.Context, t payment.Transaction, o order) error {
	rest, tries := o.payment.amount, 0
	for _, r := range o.refunds {
		switch r.state {
		case refundMade:
			rest = rest.Sub(r.amount)
		case refundMaking:
			return errRefunding
		case refundNotMade:
			if tries++; !a.refunds.MayTryAnew(r.id, a.config.Pace.RefundPause) {
				return errors.New("the refund was not made")
			}
		}
	}
	if rest.Sign() <= 0 || o.state == refunded {
		return nil
	}
	t.Reversals = nil
	key := remote.Digest(a.config.Terminal, t, fmt.Sprintf("undo %s %d", rest.Cents(), tries))
	q, kept, err := a.requests.Find(key)
	if err == nil && !kept {
		q = refundOf(o, key, rest)
		err = a.requests.Keep(q)
	}
	if err != nil {
		return err
	}
	r, err := a.makeRefund(ctx, o, q, rest)
	switch {
	case err != nil:
		return fmt.Errorf("giving back: %w", err)
	case r.state == refundMaking:
		return errRefunding
	case r.state == refundNotMade:
		a.refunds.MayTryAnew(r.id, a.config.Pace.RefundPause) // from now on it counts
		return errors.New("the refund was not made")
	}
	return nil
}
