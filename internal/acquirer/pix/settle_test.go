package pix_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/payment"
)

func TestSettleKnowsNothingOfIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil)
		if o := c.settle(attempt(1, "10")); o.Verdict != payment.Abandoned {
			t.Error(o)
		}
	})
}

func TestStray404ProvesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, how := range []pixsim.Misdeed{pixsim.Lost, pixsim.LostJSON} {
			c := open(t, nil)
			tx, _ := c.paid(1)
			c.next(pixsim.Misbehaviour{Kind: how, Times: 100})
			if o, err := c.Settle(context.Background(), tx); err == nil {
				t.Fatalf("%s: %+v", how, o)
			}
		}
	})
}

// TestNobodyWasToldOfIt: what came in on a payment without an answer goes back.
func TestNobodyWasToldOfIt(t *testing.T) {
	for name, m := range map[string]*pixsim.Misbehaviour{
		"at once": nil,
		"slowly":  {Kind: pixsim.RefundSlowly, Delay: 50 * time.Millisecond},
		"refused": {Kind: pixsim.RefundRefused, Times: 3},
		"in vain": {Kind: pixsim.RefundSlowlyRefused, Delay: 20 * time.Millisecond, Times: 2},
		"unheard": {Kind: pixsim.DropAfter, On: pixsim.OnRefund, Times: 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := open(t, nil)
				tx, _ := c.paid(1)
				c.reopen()
				if m != nil {
					c.next(*m)
				}
				if o := c.settle(tx); o.Verdict != payment.Abandoned {
					t.Error(o)
				}
				c.reopen()
				if o := c.settle(tx); o.Verdict != payment.Abandoned {
					t.Error(o)
				}
				o, err := c.pay(tx) // a late one
				c.is(o, err, payment.Abandoned)
			})
		})
	}
}

// TestWhateverThePSPDoes runs operations against a PSP that misbehaves at random; the audit at the end holds the
// reports against its ledger.
func TestWhateverThePSPDoes(t *testing.T) {
	kinds := []pixsim.Misdeed{
		pixsim.Silent, pixsim.SilentAfter, pixsim.Drop, pixsim.DropAfter, pixsim.Fail, pixsim.FailAfter, pixsim.TooMany, pixsim.Duplicate,
		pixsim.Garbage, pixsim.Endless, pixsim.Lost, pixsim.Forget, pixsim.Twice, pixsim.PaidBefore, pixsim.PaidAfter,
		pixsim.RefundSlowly, pixsim.RefundRefused, pixsim.RefundSlowlyRefused,
	}
	calls := []pixsim.Call{pixsim.OnAny, pixsim.OnCreate, pixsim.OnSee, pixsim.OnWithdraw, pixsim.OnRefund, pixsim.OnSeeRefund}
	rounds := 25
	if testing.Short() {
		rounds = 10
	}
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 5))
			synctest.Test(t, func(t *testing.T) {
				c := open(t, func(p *pix.Config, b *pixsim.Config) {
					p.Timeout, b.Repeats = 60*time.Millisecond, seed%2 == 0
				})
				for id := range int64(rounds) {
					for range r.IntN(3) {
						c.next(pixsim.Misbehaviour{
							Kind: kinds[r.IntN(len(kinds))], On: calls[r.IntN(len(calls))], Times: 1 + r.IntN(5), Delay: time.Duration(r.IntN(30)) * time.Millisecond,
						})
					}
					cancel, late := r.IntN(3) == 0, r.IntN(4) == 0
					c.atCode = func(txid string) bool {
						if !cancel || late {
							_, _ = c.bank.Pay(txid, []string{"", "", "", "9.00"}[r.IntN(4)])
						}
						return cancel
					}
					c.operate(attempt(id+1, "10"), r)
				}
			})
		})
	}
}

func (c *counter) operate(tx payment.Transaction, r *rand.Rand) {
	c.t.Helper()
	c.reported[c.TxID(tx)] = ""
	paid, err := c.pay(tx)
	if err != nil {
		if r.IntN(2) == 0 {
			c.reopen()
		}
		c.settle(tx)
		return
	}
	if paid.Verdict != payment.Accepted || r.IntN(2) == 0 {
		return
	}
	back := giving(tx, paid, 1)
	if _, err := c.reverse(back); err != nil {
		if r.IntN(2) == 0 {
			c.reopen()
		}
		c.settle(back)
	}
}
