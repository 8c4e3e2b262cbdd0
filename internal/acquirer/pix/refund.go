package pix

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

var errRefunding = errors.New("the refund is still being made")

func refundPath(e2eid, id string) string { return "/pix/" + e2eid + "/devolucao/" + id }

// seeRefund looks a refund up.
func (a *Acquirer) seeRefund(ctx context.Context, e2eid, id string) (refund, error) {
	raw, err := a.client.call(ctx, http.MethodGet, refundPath(e2eid, id), nil)
	if err != nil {
		return refund{}, err
	}
	return parseRefund(raw, id)
}

var errUnlisted = errors.New("the PSP denies the refund, and its charge does not prove that there is none")

// findRefund looks a refund up. Whoever denies it, and in whatever form, may be at a wrong address: there is none only where the charge,
// which the PSP has to know, tells of the payment without it.
func (a *Acquirer) findRefund(ctx context.Context, t payment.Transaction, e2eid, id string) (r refund, found bool, err error) {
	r, err = a.seeRefund(ctx, e2eid, id)
	if !refused(err) {
		return r, err == nil, err
	}
	c, unseen := a.see(ctx, t)
	for _, p := range c.received {
		if p.e2eid != e2eid {
			continue
		}
		for _, r := range p.refunds {
			if r.id == id {
				return r, true, nil
			}
		}
		return refund{}, false, nil
	}
	return refund{}, false, errors.Join(errUnlisted, err, unseen)
}

// makeRefund asks for a refund, or finds the one that was made of it. A *remote.Refusal means that there is none, for sure.
func (a *Acquirer) makeRefund(ctx context.Context, t payment.Transaction, e2eid, id string, amount money.Decimal) (refund, error) {
	raw, err := a.client.call(ctx, http.MethodPut, refundPath(e2eid, id), map[string]string{"valor": amount.Cents()})
	if err == nil {
		var r refund
		if r, err = parseRefund(raw, id); err == nil {
			return r, nil
		}
	}
	if ctx.Err() != nil {
		return refund{}, err
	}
	if noEffect(err) && !refused(err) {
		return refund{}, refusalOf(err)
	}
	// An id that was used before is refused, and may be this very refund.
	r, found, unseen := a.findRefund(ctx, t, e2eid, id)
	switch {
	case found:
		return r, nil
	case unseen == nil && noEffect(err):
		return refund{}, refusalOf(err)
	}
	return refund{}, errors.Join(err, unseen)
}

// ReversesParts is always so: the Pix API refunds any amount up to what is left.
func (a *Acquirer) ReversesParts(payment.Transaction) bool { return true }

// Reverse gives the payment, or part of it, back once a person has confirmed it.
func (a *Acquirer) Reverse(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	e2eid, err := a.paymentOf(ctx, c.Transaction)
	if err != nil {
		return payment.Outcome{}, err
	}
	action, err := c.Ask(ctx, payment.Prompt{Step: payment.StepConfirm, Method: payment.Pix, Cancellable: true})
	if err != nil {
		return payment.Outcome{}, err
	}
	if action.Kind == payment.ActCancel {
		return abandoned(), nil
	}
	c.Show(payment.Prompt{Step: payment.StepProcessing, Method: payment.Pix})
	if err := c.Sending(); err != nil {
		return payment.Outcome{}, err
	}
	id := a.reversalID(c.Transaction)
	a.refunds.Order(id)
	r, err := a.makeRefund(ctx, c.Transaction, e2eid, id, c.Moving())
	var no *remote.Refusal
	switch {
	case errors.As(err, &no):
		a.refunds.Forget(id)
		return declined(no.Message), nil
	case err != nil:
		return payment.Outcome{}, err
	}
	if r, err = a.follow(ctx, e2eid, r); err != nil {
		return payment.Outcome{}, err
	}
	return a.reversal(c.Transaction, r)
}

// paymentOf is the endToEndId of the payment to give back.
func (a *Acquirer) paymentOf(ctx context.Context, t payment.Transaction) (string, error) {
	for _, id := range []string{t.Outcome.Token, t.Outcome.EndToEndID} {
		if e2ePattern.MatchString(id) {
			return id, nil
		}
	}
	c, err := a.see(ctx, t)
	if err != nil {
		return "", err
	}
	if len(c.received) != 1 {
		return "", fmt.Errorf("the charge has %d payments", len(c.received))
	}
	return c.received[0].e2eid, nil
}

// follow waits for a refund to be made, as long as a caller may be kept waiting.
func (a *Acquirer) follow(ctx context.Context, e2eid string, r refund) (refund, error) {
	until := time.Now().Add(a.config.Pace.Patience)
	for r.status == refunding && time.Now().Before(until) {
		if err := remote.Sleep(ctx, a.config.Pace.Poll); err != nil {
			return r, err
		}
		if now, err := a.seeRefund(ctx, e2eid, r.id); err == nil {
			r = now
		}
	}
	return r, ctx.Err()
}

// reversal is what a refund means for the reversal.
func (a *Acquirer) reversal(t payment.Transaction, r refund) (payment.Outcome, error) {
	if r.amount.Cmp(t.Moving()) != 0 {
		return payment.Outcome{}, fmt.Errorf("the PSP has a refund of %s under the id of one of %s", r.amount, t.Moving())
	}
	switch r.status {
	case refunding:
		return payment.Outcome{}, errRefunding
	case notMade:
		a.refunds.Forget(r.id)
		return declined(cmp.Or(r.reason, "Devolução não realizada")), nil
	}
	a.refunds.Forget(r.id)
	return a.givenBack(t, r), nil
}

// giveBack returns all that came in on a charge. Nil means that it has been returned; a refund that is still being
// made may yet fail, so it is an error.
func (a *Acquirer) giveBack(ctx context.Context, t payment.Transaction, c charge) error {
	for _, p := range c.received {
		rest := p.amount
		var spent []string // ids of ours that the PSP did not act on
		for _, r := range p.refunds {
			switch r.status {
			case refunded:
				rest = rest.Sub(r.amount)
			case refunding:
				return errRefunding
			case notMade:
				spent = append(spent, r.id)
			}
		}
		if rest.Sign() <= 0 {
			continue
		}
		if err := a.undo(ctx, t, p.e2eid, rest, spent); err != nil {
			return err
		}
	}
	return nil
}

// undo makes one refund under the first id that is not used up.
func (a *Acquirer) undo(ctx context.Context, t payment.Transaction, e2eid string, rest money.Decimal, spent []string) error {
	for n := 1; ; n++ {
		id := a.undoID(t, e2eid, n)
		if slices.Contains(spent, id) && a.refunds.MayTryAnew(id, a.config.Pace.RefundPause) {
			continue
		}
		r, err := a.seeRefund(ctx, e2eid, id)
		tried := isNotFound(err)
		if tried {
			r, err = a.makeRefund(ctx, t, e2eid, id, rest)
		}
		switch {
		case err != nil:
			return fmt.Errorf("giving back: %w", err)
		case r.status == refunded:
			return nil
		case r.status == refunding:
			return errRefunding
		case !a.refunds.MayTryAnew(id, a.config.Pace.RefundPause) || tried:
			return fmt.Errorf("the PSP did not give back: %s", r.reason)
		}
	}
}
