package connecttef

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	domain "github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
)

// refundOf asks for a sale to be given back, under a name of its own.
func refundOf(id string, t payment.Transaction, sale token) remote.Request {
	return newOperation{
		ID: id, Total: cmp.Or(sale.Total, t.Request.Amount.Cents()), Kind: cmp.Or(sale.Kind, kindOf(t.Request)), Number: sale.Number, Final: sale.Final,
	}.request(refundPath)
}

// Reverse gives the payment back once a person has confirmed it.
func (a *Acquirer) Reverse(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	sale, err := parseToken(c.Outcome.Token)
	if err != nil || sale.Number == "" {
		return remote.Declined("O Connect TEF não disse o número desta venda: estorne na maquininha"), nil
	}
	action, err := c.Ask(ctx, payment.Prompt{Step: payment.StepConfirm, Method: c.Method(), Cancellable: true})
	if err != nil {
		return payment.Outcome{}, err
	}
	if action.Kind == payment.ActCancel {
		return remote.Abandoned(), nil
	}
	c.Show(payment.Prompt{Step: payment.StepProcessing, Method: c.Method()})
	q := refundOf(a.Reversal(c.Transaction), c.Transaction, sale)
	_, _, err = a.greet(ctx, q.Key)
	switch {
	case ctx.Err() != nil:
		return payment.Outcome{}, ctx.Err()
	case err != nil:
		return remote.Declined(refusals.Of(err).Message), nil // nothing has left
	}
	if err := a.requests.Begin(q); err != nil {
		return payment.Outcome{}, errors.Join(domain.ErrNotSaved, err)
	}
	if err := c.Sending(); err != nil {
		return payment.Outcome{}, err
	}
	a.refunds.Order(q.Key)
	waiting, stop := context.WithTimeout(ctx, a.config.Wait) // the device may want the card
	defer stop()
	o, err := a.refund(waiting, q, remote.MaxTries, true)
	return a.reversal(c.Transaction, q.Key, o, err)
}

var errRefunding = errors.New("the refund is still being made")

// refund makes a refund, or finds the one that was made, and waits until it is over. The manager that has none of this name is asked
// again: a sale is given back once, whoever asks twice. A *remote.Refusal means that there is none, for sure, which only a fresh
// request can tell: an earlier one may have arrived.
func (a *Acquirer) refund(ctx context.Context, q remote.Request, tries int, fresh bool) (operation, error) {
	o, known, err := a.see(ctx, q.Key, remote.MaxTries)
	for try := 1; err == nil && !known; try++ {
		var asked error
		if o, asked = a.post(ctx, q); asked == nil {
			break
		}
		if fresh && remote.NoEffect(asked) {
			return operation{}, refusals.Of(asked)
		}
		fresh = false
		if o, known, err = a.see(ctx, q.Key, remote.MaxTries); err == nil && !known && try >= tries {
			err = asked
		}
	}
	switch {
	case err != nil:
		return operation{}, err
	case o.executed:
		return o, nil
	}
	if err := a.known(q); err != nil {
		return operation{}, err
	}
	o, over := a.follow(ctx, q.Key)
	if !over {
		return operation{}, errors.Join(errRefunding, ctx.Err())
	}
	return o, nil
}

// reversal is what became of a refund, for the reversal.
func (a *Acquirer) reversal(t payment.Transaction, id string, o operation, err error) (payment.Outcome, error) {
	var no *remote.Refusal
	switch {
	case errors.As(err, &no) && no.Said:
		a.refunds.Forget(id)
		return remote.Declined(no.Message), nil
	case err != nil:
		return payment.Outcome{}, err
	}
	a.refunds.Forget(id)
	if !o.approved {
		return remote.Declined(cmp.Or(o.text, "Estorno não realizado pelo Connect TEF")), nil
	}
	return payment.Outcome{Verdict: payment.Accepted, NSU: o.number, Token: id, Receipt: a.slip("ESTORNO CONNECT TEF", t, o)}, nil
}

// maxUndos is how often a payment that nobody was told of is tried to be given back; what the manager refuses that often stands.
const maxUndos = 3

var errNotBack = errors.New("the refund was not made")

// takeBack gives back a payment that nobody was told of; false: the manager refuses, and it stands. Each try has a name that follows
// from the attempt, so that what a killed process asked for is found again.
func (a *Acquirer) takeBack(ctx context.Context, t payment.Transaction, paid operation) (bool, error) {
	t.Reversals = nil
	sale := token{Number: paid.number, Final: paid.final, Kind: paid.kind}
	if !paid.of(t.Request.Amount) {
		if sum, err := paid.sum(); err == nil {
			sale.Total = sum.Cents() // a sale is given back as a whole
		}
	}
	for try := range maxUndos {
		q := refundOf(a.undoing(t, try), t, sale)
		if err := a.keepUndoing(q); err != nil {
			return false, err
		}
		o, err := a.refund(ctx, q, 1, true)
		var no *remote.Refusal
		switch {
		case err != nil && !errors.As(err, &no):
			return false, err
		case err == nil && o.approved:
			return true, nil
		case !a.refunds.MayTryAnew(q.Key, a.config.Pace.RefundPause):
			return false, errNotBack
		}
	}
	return false, nil
}

// keepUndoing has the request on disk before it leaves, as it was the first time.
func (a *Acquirer) keepUndoing(q remote.Request) error {
	_, kept, err := a.requests.Find(q.Key)
	if err != nil || kept {
		return err
	}
	return a.requests.Keep(q)
}

// returned tells whether one of the undoings of a payment was made.
func (a *Acquirer) returned(ctx context.Context, t payment.Transaction) (bool, error) {
	for try := range maxUndos {
		o, known, err := a.see(ctx, a.undoing(t, try), 1)
		if err != nil || !known || o.approved {
			return o.approved, err
		}
	}
	return false, nil
}

// LateMoney looks for a payment that was made after its end: a request that everybody took for lost may have arrived all the same.
func (a *Acquirer) LateMoney(ctx context.Context, t payment.Transaction) (payment.Late, error) {
	o, known, err := a.see(ctx, a.Identification(t), 1)
	if err != nil || !known || !o.approved {
		return payment.Late{}, err
	}
	back, err := a.returned(ctx, t)
	if err != nil || back {
		return payment.Late{}, err
	}
	return payment.Late{Amount: t.Request.Amount}, nil
}

// ReturnLate gives it back.
func (a *Acquirer) ReturnLate(ctx context.Context, t payment.Transaction) error {
	o, known, err := a.see(ctx, a.Identification(t), remote.MaxTries)
	switch {
	case err != nil:
		return err
	case !known || !o.approved:
		return errForgotten
	}
	back, err := a.takeBack(ctx, t, o)
	if err == nil && !back {
		err = errNotBack
	}
	return err
}

// patient is a context for a look that nobody waits for.
func (a *Acquirer) patient(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, min(a.config.Wait, settling))
}

// settling is how long one try to settle may follow what is under way: the recovery comes again.
const settling = 5 * time.Second
