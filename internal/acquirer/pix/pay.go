package pix

import (
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// Pay shows the PSP's code and waits until it is paid, called off or too old.
func (a *Acquirer) Pay(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	o, err := a.pay(ctx, c)
	return a.named(c.Transaction, o, err)
}

func (a *Acquirer) pay(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	if m := c.Request.Method; m != payment.Pix && m != payment.AnyMethod {
		return declined("Este terminal recebe somente PIX"), nil
	}
	if err := c.Sending(); err != nil {
		return payment.Outcome{}, err
	}
	c.Show(payment.Prompt{Step: payment.StepProcessing, Preparing: true, Method: payment.Pix, Agreed: 1})
	asked := time.Now() // the PSP counts from later on, so its charge outlives ours
	ch, err := a.create(ctx, c.Transaction)
	var no *remote.Refusal
	switch {
	case errors.As(err, &no):
		return declined(no.Message), nil
	case err != nil:
		return payment.Outcome{}, err
	case ch.final():
		return a.Settle(ctx, c.Transaction) // nobody was shown its code
	}
	code, err := a.codeOf(ctx, c.Transaction, ch)
	switch {
	case errors.Is(err, errNoCode):
		return a.callOff(ctx, c.Transaction, declined("O PSP não enviou o QR Code"))
	case err != nil:
		return a.callOff(ctx, c.Transaction, declined("O QR Code que o PSP enviou não confere"))
	}
	if err := a.shown.Begin(remote.Request{Key: a.TxID(c.Transaction), At: time.Now()}); err != nil {
		return payment.Outcome{}, err // the charge is withdrawn when it is settled
	}
	created := time.Now()
	life := a.config.Expiry
	if ch.life > 0 {
		life = min(life, ch.life)
	}
	prompt := payment.Prompt{
		Step: payment.StepPix, Method: payment.Pix, Agreed: 1, BRCode: code, ExpiresAt: asked.Add(life), Cancellable: true,
	}
	lives := created.Add(max(life, ch.life)) // at the PSP
	ch, over, err := a.await(ctx, c, prompt)
	switch {
	case err != nil:
		return payment.Outcome{}, err
	case over:
		return a.verdict(ctx, c.Transaction, ch)
	}
	tooOld := !time.Now().Before(prompt.ExpiresAt)
	c.Show(payment.Prompt{Step: payment.StepProcessing, Method: payment.Pix, Agreed: 1})
	if ch, err = a.withdraw(ctx, c.Transaction, lives); err != nil {
		return payment.Outcome{}, err
	}
	o, err := a.verdict(ctx, c.Transaction, ch)
	if tooOld && o.Verdict == payment.Abandoned {
		o.Message = "PIX expirado"
	}
	return o, err
}

// callOff ends a payment whose code was never shown.
func (a *Acquirer) callOff(ctx context.Context, t payment.Transaction, o payment.Outcome) (payment.Outcome, error) {
	if _, err := a.Settle(ctx, t); err != nil {
		return payment.Outcome{}, err
	}
	return o, nil
}

// await shows the code and watches the charge. Over means that the charge came to its end; otherwise the person
// called it off, or it is too old.
func (a *Acquirer) await(ctx context.Context, c payment.Charge, p payment.Prompt) (_ charge, over bool, err error) {
	pace := a.config.Pace
	poll := remote.Poll{Fast: pace.Poll, Slow: pace.PollSlow, Haste: pace.Hasty, MostWait: pace.MaxBackoff}
	return remote.Watch(ctx, c, p, p.ExpiresAt, func(ctx context.Context) (charge, bool) {
		return remote.Until(ctx, poll, func(ctx context.Context) (charge, bool, error) {
			ch, err := a.look(ctx, c.Transaction, 1)
			return ch, ch.final(), err
		})
	})
}

// verdict is what the end of a charge, whose code was shown, means for the payment.
func (a *Acquirer) verdict(ctx context.Context, t payment.Transaction, c charge) (payment.Outcome, error) {
	switch {
	case c.paidExactly(t):
		return a.approval(t, c.received[0]), nil
	case len(c.received) > 0:
		// Any other sum, or a second payment, is nothing the caller asked for: all of it goes back.
		if err := a.giveBack(ctx, t, c); err != nil {
			return payment.Outcome{}, err
		}
		return c.givenUp(t), nil // where the sum is right somebody else had sent it back already
	case c.status == removedByPSP:
		return declined("Cobrança removida pelo PSP"), nil
	}
	return abandoned(), nil
}

// givenUp is the outcome of a charge on which all that came went back.
func (c charge) givenUp(t payment.Transaction) payment.Outcome {
	id, sum := c.received[0].e2eid, money.Zero
	for _, p := range c.received {
		sum = sum.Add(p.amount)
	}
	o := abandoned()
	if !c.exactSum(t) {
		o = (&payment.OtherAmountError{Asked: t.Request.Amount, Paid: sum, NSU: id}).Returned()
		o.NSU = ""
	}
	o.EndToEndID = id
	return o
}

func (c charge) exactSum(t payment.Transaction) bool {
	return len(c.received) == 1 && c.received[0].amount.Cmp(t.Request.Amount) == 0
}

// paidExactly tells that one payment of the whole sum came in, and nothing of it is on its way back.
func (c charge) paidExactly(t payment.Transaction) bool {
	if !c.exactSum(t) {
		return false
	}
	for _, r := range c.received[0].refunds {
		if r.status != notMade {
			return false
		}
	}
	return true
}
