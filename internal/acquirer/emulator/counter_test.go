package emulator_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// counter is a bank with a person in front of it.
type counter struct {
	*emulator.Acquirer
	t      tester
	dir    string
	shown  []payment.Prompt
	person chan payment.Action
}

type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// atCounter runs a test in a bubble on a fresh bank.
func atCounter(t *testing.T, test func(*counter)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		c := &counter{t: t, dir: dir, person: make(chan payment.Action)}
		c.open()
		defer func() { c.Close() }()
		test(c)
	})
}

func (c *counter) open() {
	c.t.Helper()
	var err error
	if c.Acquirer, err = emulator.New(c.dir); err != nil {
		c.t.Fatal(err)
	}
}

func (c *counter) reopen() {
	c.t.Helper()
	if err := c.Close(); err != nil {
		c.t.Fatal(err)
	}
	c.open()
}

// attempt is a payment as the desk sends it.
func attempt(id int64, amount string, method payment.Method) payment.Transaction {
	return payment.Transaction{
		ID: id, State: payment.StateSent,
		Request: payment.Request{Method: method, Amount: money.MustParse(amount), Installments: 1, Plan: payment.Single},
	}
}

// giving is the same payment on its nth way back.
func giving(t payment.Transaction, n int) payment.Transaction {
	t.State, t.Reversals = payment.StateReversing, slices.Repeat([]payment.Reversal{{Amount: t.Request.Amount}}, n)
	return t
}

type ended struct {
	payment.Outcome
	err error
}

func (c *counter) begin(ctx context.Context, t payment.Transaction) <-chan ended {
	done := make(chan ended, 1)
	charge := payment.Charge{Transaction: t, Sending: func() error { return nil }, Show: c.show, Ask: c.ask}
	go func() {
		var e ended
		if t.Reversing() {
			e.Outcome, e.err = c.Reverse(ctx, charge)
		} else {
			e.Outcome, e.err = c.Pay(ctx, charge)
		}
		done <- e
	}()
	synctest.Wait()
	return done
}

func (c *counter) show(p payment.Prompt) { c.shown = append(c.shown, p) }

// ask is a screen as the desk has one: a context that has ended shows nothing.
func (c *counter) ask(ctx context.Context, p payment.Prompt) (payment.Action, error) {
	if err := ctx.Err(); err != nil {
		return payment.Action{}, err
	}
	c.show(p)
	select {
	case a := <-c.person:
		return a, nil
	case <-ctx.Done():
		return payment.Action{}, ctx.Err()
	}
}

// proceed plays an operation with a person who does as asked.
func (c *counter) proceed(t payment.Transaction) ended { return c.decide(t, emulator.Decision{}) }

func (c *counter) decide(t payment.Transaction, d emulator.Decision) ended {
	c.t.Helper()
	done := c.begin(context.Background(), t)
	if err := c.Decide(d); err != nil {
		c.t.Fatal(err)
	}
	return <-done
}

func (c *counter) is(e ended, want payment.Verdict) payment.Outcome {
	c.t.Helper()
	if e.err != nil || e.Verdict != want {
		c.t.Fatalf("ended %q (%q), %v; want %q", e.Verdict, e.Message, e.err, want)
	}
	return e.Outcome
}

func (c *counter) settles(t payment.Transaction, want payment.Verdict) payment.Outcome {
	c.t.Helper()
	o, err := c.Settle(context.Background(), t)
	return c.is(ended{o, err}, want)
}
