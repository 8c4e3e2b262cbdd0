package pix_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// paid is a payment to be given back.
func (c *counter) paid(id int64) (payment.Transaction, payment.Outcome) {
	c.t.Helper()
	tx := attempt(id, "10")
	o, err := c.pay(tx)
	return tx, c.is(o, err, payment.Accepted)
}

func TestReversed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil)
		tx, paid := c.paid(1)
		back := giving(tx, paid, 1)
		o, err := c.reverse(back)
		c.is(o, err, payment.Accepted)
		if o.NSU == "" || !strings.Contains(o.Receipt.Customer, "DEVOLUÇÃO") {
			t.Errorf("%+v", o)
		}
		c.reopen()
		for range 2 { // its answer was lost: it stands all the same
			if again := c.settle(back); again.Verdict != payment.Accepted || again.NSU != o.NSU {
				t.Errorf("%+v", again)
			}
		}
		again, err := c.reverse(back) // repeating is harmless
		c.is(again, err, payment.Accepted)
		second, err := c.reverse(giving(tx, paid, 2)) // nothing is left to give back
		c.is(second, err, payment.Declined)
	})
}

func TestReversalCalledOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil)
		tx, paid := c.paid(1)
		c.confirm = false
		o, err := c.reverse(giving(tx, paid, 1))
		c.is(o, err, payment.Abandoned)
		c.reopen()
		if o := c.settle(giving(tx, paid, 1)); o.Verdict != payment.Abandoned {
			t.Error(o)
		}
	})
}

func TestReversalWithoutTheEndToEndID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil)
		tx, _ := c.paid(1)
		o, err := c.reverse(giving(tx, payment.Outcome{}, 1)) // found by the charge
		c.is(o, err, payment.Accepted)
	})
}

func TestReversalTakesItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil)
		tx, paid := c.paid(1)
		c.next(pixsim.Misbehaviour{Kind: pixsim.RefundSlowly, Delay: 30 * time.Millisecond})
		o, err := c.reverse(giving(tx, paid, 1))
		c.is(o, err, payment.Accepted)

		tx, paid = c.paid(2)
		c.next(pixsim.Misbehaviour{Kind: pixsim.RefundSlowly, Delay: 300 * time.Millisecond})
		back := giving(tx, paid, 1)
		if o, err := c.reverse(back); err == nil {
			t.Fatalf("%+v", o)
		}
		c.reopen()
		if o, err := c.Settle(context.Background(), back); err == nil {
			t.Fatalf("settled while being made: %+v", o)
		}
		if o := c.settle(back); o.Verdict != payment.Accepted {
			t.Error(o)
		}
	})
}

func TestReversalNotMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil)
		for id, m := range []pixsim.Misbehaviour{{Kind: pixsim.RefundRefused}, {Kind: pixsim.RefundSlowlyRefused, Delay: 20 * time.Millisecond}} {
			tx, paid := c.paid(int64(id + 1))
			c.next(m)
			o, err := c.reverse(giving(tx, paid, 1))
			if c.is(o, err, payment.Declined); o.Message != "Saldo insuficiente" {
				t.Errorf("%q", o.Message)
			}
			c.reopen()
			if o := c.settle(giving(tx, paid, 1)); o.Verdict != payment.Declined {
				t.Error(o)
			}
			o, err = c.reverse(giving(tx, paid, 2))
			c.is(o, err, payment.Accepted)
		}
	})
}

func TestReversalWithoutAnAnswer(t *testing.T) {
	for _, kind := range []pixsim.Misdeed{pixsim.Silent, pixsim.SilentAfter, pixsim.Slow, pixsim.Drop, pixsim.DropAfter, pixsim.Fail, pixsim.FailAfter} {
		for _, died := range []bool{false, true} {
			t.Run(string(kind), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					c := open(t, func(p *pix.Config, _ *pixsim.Config) {
						p.Timeout, p.Pace.Landing = 150*time.Millisecond, 500*time.Millisecond
					})
					tx, paid := c.paid(1)
					c.next(pixsim.Misbehaviour{Kind: kind, On: pixsim.OnRefund, Times: 4, Delay: 300 * time.Millisecond})
					c.next(pixsim.Misbehaviour{Kind: pixsim.Fail, On: pixsim.OnSeeRefund, Times: 4})
					back := giving(tx, paid, 1)
					if o, err := c.reverse(back); err == nil {
						t.Fatalf("%+v", o)
					}
					c.bank.Behave()
					want := payment.Accepted
					if died {
						c.reopen()
						if kind == pixsim.Silent || kind == pixsim.Drop || kind == pixsim.Fail {
							want = payment.Abandoned // it never arrived, and a dead process sends nothing more
						}
					}
					if o := c.settle(back); o.Verdict != want {
						t.Errorf("settled as %q, want %q", o.Verdict, want)
					}
					if want == payment.Abandoned {
						o, err := c.reverse(giving(tx, paid, 2))
						c.is(o, err, payment.Accepted)
					}
				})
			})
		}
	}
}

// A ledger restored from a backup begins its newest reversals again: another part, or another name, is another refund.
func TestRefundsAreToldApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil)
		of := func(reversals ...payment.Reversal) payment.Transaction {
			tx := attempt(1, "10")
			tx.Reversals = reversals
			return tx
		}
		four, five, ten := money.MustParse("4"), money.MustParse("5"), money.MustParse("10.00")
		seen := map[string]bool{}
		all := []payment.Transaction{
			of(payment.Reversal{Amount: ten}), of(payment.Reversal{Amount: ten, ID: "x"}), of(payment.Reversal{Amount: four}),
			of(payment.Reversal{Amount: five}), of(payment.Reversal{Amount: four, ID: "x"}), of(payment.Reversal{Amount: four}, payment.Reversal{Amount: four}),
		}
		for _, tx := range all {
			seen[c.ReversalID(tx)] = true
		}
		if len(seen) != len(all) {
			t.Errorf("%d refunds have %d ids", len(all), len(seen))
		}
		if again := of(payment.Reversal{Amount: money.MustParse("4.00")}); !seen[c.ReversalID(again)] {
			t.Error("the same one has another id")
		}
	})
}
