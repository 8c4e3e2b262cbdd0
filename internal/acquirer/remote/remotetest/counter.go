package remotetest

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// Counter is a cashier and a customer around a driver, without a desk.
type Counter struct {
	T      *testing.T
	Driver payment.Acquirer
	Book   *store.Ledger
	// AtCard is what happens when the card is asked for; true: the cashier cancels.
	AtCard func() (cancel bool)
	// Seen is told of each prompt; nil: nobody is.
	Seen func(payment.Prompt)

	mu    sync.Mutex
	shown []payment.Prompt
}

// AtCounter runs a test in a bubble, with a book in a folder of its own.
func AtCounter(t *testing.T, test func(t *testing.T, dir string, book *store.Ledger)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		files, err := store.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer files.Close()
		book, err := files.Ledger()
		if err != nil {
			t.Fatal(err)
		}
		test(t, dir, book)
	})
}

// Charge is an attempt as the driver gets it.
func (c *Counter) Charge(t payment.Transaction) payment.Charge {
	show := func(p payment.Prompt) {
		c.mu.Lock()
		c.shown = append(c.shown, p)
		c.mu.Unlock()
		if c.Seen != nil {
			c.Seen(p)
		}
	}
	return payment.Charge{
		Transaction: t, Sending: func() error { return nil }, Show: show,
		Ask: func(ctx context.Context, p payment.Prompt) (payment.Action, error) {
			show(p)
			switch {
			case p.Step == payment.StepConfirm:
				return payment.Action{Kind: payment.ActConfirm}, nil
			case c.AtCard():
				return payment.Action{Kind: payment.ActCancel}, nil
			}
			<-ctx.Done()
			return payment.Action{}, ctx.Err()
		},
	}
}

// LastShown is the newest prompt.
func (c *Counter) LastShown() payment.Prompt {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shown[len(c.shown)-1]
}

// Attempt is a payment by credit card that has been sent.
func Attempt(id int64, amount string) payment.Transaction {
	return payment.Transaction{
		ID: id, State: payment.StateSent, CreatedAt: time.Now(),
		Request: payment.Request{Method: payment.Credit, Amount: money.MustParse(amount), Installments: 1, Plan: payment.Single},
	}
}

// Giving is a payment with a reversal of it under way.
func Giving(t payment.Transaction, paid payment.Outcome, amounts ...string) payment.Transaction {
	t.State, t.Outcome = payment.StateReversing, paid
	for _, a := range amounts {
		t.Reversals = append(t.Reversals, payment.Reversal{Amount: money.MustParse(a)})
	}
	return t
}

// Pay has a payment end as it should.
func (c *Counter) Pay(t payment.Transaction, want payment.Verdict) payment.Outcome {
	c.T.Helper()
	o, err := c.Driver.Pay(context.Background(), c.Charge(t))
	return c.Is(o, err, want)
}

// Reverse has a reversal end as it should.
func (c *Counter) Reverse(t payment.Transaction, want payment.Verdict) payment.Outcome {
	c.T.Helper()
	o, err := c.Driver.Reverse(context.Background(), c.Charge(t))
	return c.Is(o, err, want)
}

// Settle has it settled as it should be.
func (c *Counter) Settle(t payment.Transaction, want payment.Verdict) payment.Outcome {
	c.T.Helper()
	o, err := c.Driver.Settle(context.Background(), t)
	return c.Is(o, err, want)
}

// Unknown is the end that nobody knows.
func (c *Counter) Unknown(o payment.Outcome, err error) {
	c.T.Helper()
	if err == nil {
		c.T.Fatalf("ended %+v", o)
	}
}

// Is holds an end to a verdict.
func (c *Counter) Is(o payment.Outcome, err error, want payment.Verdict) payment.Outcome {
	c.T.Helper()
	if err != nil || o.Verdict != want {
		c.T.Fatalf("ended %q (%q), %v; want %q", o.Verdict, o.Message, err, want)
	}
	return o
}

// Next has the other side misbehave.
func (c *Counter) Next(side interface {
	Next(httpsim.Misbehaviour) error
}, kind httpsim.Misdeed, on httpsim.Call, times int, delay time.Duration,
) {
	c.T.Helper()
	if err := side.Next(httpsim.Misbehaviour{Kind: kind, On: on, Times: times, Delay: delay}); err != nil {
		c.T.Fatal(err)
	}
}
