package controlpay

import (
	"context"
	"errors"
	"fmt"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// Pay asks for a sale and waits until it is paid, refused or too old.
func (a *Acquirer) Pay(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	if methods[c.Request.Method] == 0 {
		return remote.Declined("O ControlPay recebe aqui somente cartões"), nil
	}
	// Committed before it leaves: nothing takes a sale back once it was asked for.
	c.Show(payment.Prompt{
		Step: payment.StepCard, Method: c.Request.Method, Agreed: c.Request.Installments, Committed: true,
		Device: fmt.Sprintf("terminal %d do ControlPay", a.config.Terminal),
	})
	if err := c.Sending(); err != nil {
		return payment.Outcome{}, err
	}
	s, err := a.sell(ctx, c.Transaction)
	switch {
	case err == nil:
	case remote.NoEffect(err):
		return remote.Declined(refusals.Of(err).Message), nil
	case ctx.Err() != nil:
		return payment.Outcome{}, err
	default: // it may have been made, and the customer be at the terminal
		if s, err = a.findInTime(ctx, c.Transaction); errors.Is(err, errNoSale) {
			return remote.Abandoned(), nil
		}
	}
	if err == nil && s.state.open() {
		s, err = a.await(ctx, s.id)
	}
	if err != nil {
		return payment.Outcome{}, err
	}
	c.Show(payment.Prompt{Step: payment.StepProcessing, Method: c.Request.Method, Agreed: c.Request.Installments})
	return a.verdict(ctx, c.Transaction, s)
}

// findInTime looks for the sale until it is certain that there is none.
func (a *Acquirer) findInTime(ctx context.Context, t payment.Transaction) (sale, error) {
	for {
		s, err := a.find(ctx, t)
		if !errors.Is(err, errMayLand) {
			return s, err
		}
		if err := remote.Sleep(ctx, a.config.Pace.Poll); err != nil {
			return sale{}, err
		}
	}
}

var errStillOpen = errors.New("the sale is still open at the terminal")

// await watches the sale until it is over.
func (a *Acquirer) await(ctx context.Context, id int64) (sale, error) {
	waiting, stop := context.WithTimeout(ctx, a.config.Wait)
	defer stop()
	s, over := a.watch(waiting, id)
	if !over {
		return sale{}, errors.Join(errStillOpen, ctx.Err())
	}
	return s, nil
}

func (a *Acquirer) watch(ctx context.Context, id int64) (sale, bool) {
	return remote.Until(ctx, a.config.Pace.Polling(), func(ctx context.Context) (sale, bool, error) {
		s, err := a.see(ctx, id, 1)
		return s, err == nil && !s.state.open(), err
	})
}

// verdict is what the end of a sale means for a payment whose caller waits.
func (a *Acquirer) verdict(ctx context.Context, t payment.Transaction, s sale) (payment.Outcome, error) {
	switch {
	case s.state != credited:
		return unpaid(s), nil
	case s.amount.Cmp(t.Request.Amount) == 0:
		return a.approval(t, s), nil
	}
	// Any other sum is nothing the caller asked for.
	back, err := a.cancel(ctx, t, s.id)
	if err != nil || back.state == credited {
		return payment.Outcome{}, errors.Join(another(t, s), err)
	}
	return named(back, another(t, s).Returned()), nil
}

// another is why the end of a payment is not known that was made over another sum.
func another(t payment.Transaction, s sale) *payment.OtherAmountError {
	return &payment.OtherAmountError{Asked: t.Request.Amount, Paid: s.amount, NSU: s.last().NSU}
}
