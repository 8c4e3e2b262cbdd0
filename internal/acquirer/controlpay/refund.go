package controlpay

import (
	"context"
	"errors"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// cancel gives a credited sale back and returns it as it is then: still credited means that the terminal, or the network, would not. It may
// be repeated: a sale is cancelled once.
func (a *Acquirer) cancel(ctx context.Context, t payment.Transaction, id int64) (sale, error) {
	if a.config.Password == "" {
		return sale{}, &remote.Refusal{Message: sayNoPassword}
	}
	raw, err := a.client.call(ctx, remote.MaxTries, a.cancellation(t), "Venda/CancelarVenda", nil, map[string]any{
		"intencaoVendaId": id, "terminalId": a.config.Terminal, "aguardarTefIniciarTransacao": true, "senhaTecnica": a.config.Password,
	})
	var s sale
	if err == nil {
		s, err = parseSale(raw)
	}
	if err != nil {
		// An earlier try may have been heard, and this one be refused for that: the sale says.
		now, failed := a.see(ctx, id, remote.MaxTries)
		if failed != nil || now.state == credited && !remote.NoEffect(err) {
			return sale{}, errors.Join(err, failed)
		}
		if now.state == credited {
			return now, refusals.Of(err)
		}
		s = now
	}
	if !s.state.open() {
		return s, nil
	}
	waiting, stop := context.WithTimeout(ctx, a.config.Pace.Patience)
	defer stop()
	s, over := a.watch(waiting, id)
	if !over {
		return sale{}, errors.Join(errStillOpen, ctx.Err())
	}
	return s, nil
}

// cancellation names what gives the payment back: the reversal under way, or the undoing of a payment.
func (a *Acquirer) cancellation(t payment.Transaction) string {
	return remote.Digest(a.config.Device, t, "cancel")
}

const (
	sayNotCancelled = "O terminal do ControlPay não fez o estorno"
	sayNoPassword   = "Falta a senha técnica do ControlPay na configuração: sem ela não há estornos"
)

// Reverse gives the payment back once a person has confirmed it.
func (a *Acquirer) Reverse(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	if a.config.Password == "" {
		return remote.Declined(sayNoPassword), nil // before anybody confirms what can't be done
	}
	action, err := c.Ask(ctx, payment.Prompt{Step: payment.StepConfirm, Method: c.Method(), Cancellable: true})
	if err != nil {
		return payment.Outcome{}, err
	}
	if action.Kind == payment.ActCancel {
		return remote.Abandoned(), nil
	}
	c.Show(payment.Prompt{Step: payment.StepProcessing, Method: c.Method()})
	s, err := a.paid(ctx, c.Transaction)
	switch {
	case ctx.Err() != nil:
		return payment.Outcome{}, ctx.Err()
	case err != nil:
		return remote.Declined(refusals.Of(err).Message), nil // nothing has left
	}
	if err := c.Sending(); err != nil {
		return payment.Outcome{}, err
	}
	a.refunds.Order(c.Operation())
	s, err = a.cancel(ctx, c.Transaction, s.id)
	return a.reversal(c.Transaction, s, err)
}

// paid is the sale of a payment that stands.
func (a *Acquirer) paid(ctx context.Context, t payment.Transaction) (sale, error) {
	if id := idOf(t.Outcome); id != 0 {
		return a.see(ctx, id, remote.MaxTries)
	}
	return a.find(ctx, t)
}

// reversal is the outcome of a cancellation by the sale's own state.
func (a *Acquirer) reversal(t payment.Transaction, s sale, err error) (payment.Outcome, error) {
	var no *remote.Refusal
	switch {
	case errors.As(err, &no):
		a.refunds.Forget(t.Operation())
		return remote.Declined(no.Message), nil
	case err != nil:
		return payment.Outcome{}, err
	}
	a.refunds.Forget(t.Operation())
	if s.state != cancelled {
		return remote.Declined(sayNotCancelled), nil
	}
	return a.givenBack(t, s), nil
}
