package pix_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/pix"
	"github.com/maquininha/maquininha/internal/acquirer/pix/pixsim"
	"github.com/maquininha/maquininha/internal/payment"
)

func TestPaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil)
		tx := attempt(17, "1234.5")
		began := time.Now()
		got, err := c.pay(tx)
		o := c.is(got, err, payment.Accepted)
		if !regexp.MustCompile(`^[a-zA-Z0-9]{26,35}$`).MatchString(o.TxID) || o.TxID != c.TxID(tx) {
			t.Errorf("txid %q", o.TxID)
		}
		if len(o.EndToEndID) != 32 || o.NSU != o.EndToEndID || o.Token != o.EndToEndID || o.PaidWith != payment.Pix || o.Installments != 1 {
			t.Errorf("%+v", o)
		}
		for _, slip := range []string{o.Receipt.Customer, o.Receipt.Merchant} {
			if !strings.Contains(slip, "1234,50") || !strings.Contains(slip, o.EndToEndID) || !strings.HasPrefix(slip, "Loja\n") {
				t.Errorf("slip:\n%s", slip)
			}
		}
		if len(c.shown) != 2 || !c.shown[0].Preparing {
			t.Fatalf("shown %+v", c.shown)
		}
		p := c.shown[1]
		if p.Step != payment.StepPix || !p.Cancellable || !strings.HasPrefix(p.BRCode, "000201010212") || !strings.Contains(p.BRCode, c.TxID(tx)) {
			t.Errorf("%+v", p)
		}
		if life := p.ExpiresAt.Sub(began); life < 5*time.Minute || life > 5*time.Minute+5*time.Second {
			t.Errorf("expires in %v", life)
		}
		if err := c.Confirm(context.Background(), tx); err != nil {
			t.Error(err)
		}
	})
}

// TestOverTheSystemsNetwork is the one that has real connections: all others have them in memory, where time is their own.
func TestOverTheSystemsNetwork(t *testing.T) {
	c := openSecure(t, nil)
	tx, paid := c.paid(1)
	o, err := c.reverse(giving(tx, paid, 1))
	c.is(o, err, payment.Accepted)
	c.next(pixsim.Misbehaviour{Kind: pixsim.Drop, Times: 2})
	c.paid(2)
}

func TestTxIDsAreTheAttemptsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil)
		one := attempt(1, "1")
		later := one
		later.CreatedAt = later.CreatedAt.Add(time.Second)
		stored := one
		stored.CreatedAt = stored.CreatedAt.Truncate(time.Millisecond).Local()
		if c.TxID(one) == c.TxID(attempt(2, "1")) || c.TxID(one) == c.TxID(later) {
			t.Error("two attempts with one txid")
		}
		if c.TxID(one) != c.TxID(stored) || c.TxID(one) != c.TxID(giving(one, payment.Outcome{}, 1)) {
			t.Error("one attempt with two txids")
		}
		other := c.config
		other.Terminal = "caixa-2"
		b, err := pix.New(other)
		if err != nil {
			t.Fatal(err)
		}
		if c.TxID(one) == b.TxID(one) {
			t.Error("two terminals with one txid")
		}
	})
}

func TestCancelledAtTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil)
		c.atCode = cancels
		tx := attempt(1, "10")
		o, err := c.pay(tx)
		if c.is(o, err, payment.Abandoned); o.TxID == "" || o.TxID != c.TxID(tx) {
			t.Errorf("who looks for it at the PSP has txid %q", o.TxID)
		}
		if last := c.shown[len(c.shown)-1]; last.Step != payment.StepProcessing {
			t.Errorf("%+v", last)
		}
	})
}

func TestExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(p *pix.Config, _ *pixsim.Config) { p.Expiry = time.Second })
		c.atCode = waits
		o, err := c.pay(attempt(1, "10"))
		if c.is(o, err, payment.Abandoned); o.Message != "PIX expirado" {
			t.Errorf("%q", o.Message)
		}
	})
}

func TestOutcomesOfThePSP(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*counter)
		atCode func(*counter, string) bool
		want   payment.Verdict
	}{
		"removed by the PSP":        {nil, func(c *counter, id string) bool { c.must(c.bank.Remove(id)); return false }, payment.Declined},
		"paid just before removal":  {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.PaidBefore}) }, func(*counter, string) bool { return true }, payment.Accepted},
		"paid in spite of removal":  {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.PaidAfter}) }, func(*counter, string) bool { return true }, payment.Accepted},
		"paid and cancelled":        {nil, func(c *counter, id string) bool { c.pays(id); return true }, payment.Accepted},
		"too little":                {nil, func(c *counter, id string) bool { c.paysWrong(id, "9.99"); return false }, payment.Declined},
		"too much":                  {nil, func(c *counter, id string) bool { c.paysWrong(id, "10.01"); return false }, payment.Declined},
		"paid by two":               {nil, func(c *counter, id string) bool { c.paysWrong(id, "10.00"); c.paysWrong(id, "10.00"); return false }, payment.Declined},
		"listed twice":              {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.Twice, On: pixsim.OnSee, Times: 50}) }, nil, payment.Accepted},
		"answered twice":            {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.Duplicate, Times: 3}) }, nil, payment.Accepted},
		"token forgotten":           {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.Forget}) }, nil, payment.Accepted},
		"429":                       {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.TooMany, Times: 2}) }, nil, payment.Accepted},
		"429 on the token":          {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.TooMany, On: pixsim.OnToken}) }, nil, payment.Accepted},
		"connection lost":           {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.Drop, Times: 3}) }, nil, payment.Accepted},
		"answer lost":               {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.DropAfter, Times: 3}) }, nil, payment.Accepted},
		"500":                       {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.Fail, Times: 3}) }, nil, payment.Accepted},
		"500 after the deed":        {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.FailAfter, Times: 3}) }, nil, payment.Accepted},
		"garbage":                   {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.Garbage}) }, nil, payment.Accepted},
		"endless":                   {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.Endless}) }, nil, payment.Accepted},
		"a stray 404 while waiting": {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.Lost, On: pixsim.OnSee, Times: 3}) }, nil, payment.Accepted},
		"PSP out of order":          {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.TooMany, Times: 4}) }, nil, payment.Declined},
		"another's key":             {func(c *counter) { c.next(pixsim.Misbehaviour{Kind: pixsim.Wordy, On: pixsim.OnCreate}) }, nil, payment.Declined},
	} {
		for _, repeats := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					c := open(t, func(_ *pix.Config, b *pixsim.Config) { b.Repeats = repeats })
					if test.change != nil {
						test.change(c)
					}
					if test.atCode != nil {
						c.atCode = func(id string) bool { return test.atCode(c, id) }
					}
					o, err := c.pay(attempt(1, "10"))
					c.is(o, err, test.want)
					if strings.Contains(o.Message, secret) || strings.Contains(o.Message, "Bearer ") && !strings.Contains(o.Message, "***") {
						t.Errorf("a secret in %q", o.Message)
					}
				})
			})
		}
	}
}

// TestAnotherSum goes back, and whoever looks for it is told both sums and its end-to-end id; also after a kill.
func TestAnotherSum(t *testing.T) {
	for paid, said := range map[string]string{"9.99": "R$ 9,99", "10.01": "R$ 10,01"} {
		synctest.Test(t, func(t *testing.T) {
			c := open(t, nil)
			c.atCode = func(id string) bool { c.paysWrong(id, paid); return false }
			tx := attempt(1, "10")
			o, err := c.pay(tx)
			c.is(o, err, payment.Declined)
			if o.EndToEndID == "" || o.NSU != "" || o.Message != "Foi cobrado outro valor: "+said+" em vez de R$ 10,00 (NSU "+o.EndToEndID+"); foi devolvido" {
				t.Errorf("%+v", o)
			}
			c.reopen()
			if again := c.settle(tx); again.Message != o.Message || again.EndToEndID != o.EndToEndID {
				t.Errorf("%+v", again)
			}
		})
	}
}

func (c *counter) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Error(err)
	}
}

func (c *counter) paysWrong(txid, amount string) {
	_, err := c.bank.PayLate(txid, amount)
	c.must(err)
}

// TestUnknown is a PSP that falls silent: nobody knows, until Settle does.
func TestUnknown(t *testing.T) {
	for name, test := range map[string]struct {
		m      pixsim.Misbehaviour
		cancel bool
	}{
		"before the charge":      {pixsim.Misbehaviour{Kind: pixsim.Silent}, false},
		"after the charge":       {pixsim.Misbehaviour{Kind: pixsim.SilentAfter}, false},
		"late":                   {pixsim.Misbehaviour{Kind: pixsim.Slow, Delay: 400 * time.Millisecond}, false},
		"at the withdrawal":      {pixsim.Misbehaviour{Kind: pixsim.Silent, On: pixsim.OnWithdraw}, true},
		"after the withdrawal":   {pixsim.Misbehaviour{Kind: pixsim.SilentAfter, On: pixsim.OnWithdraw}, true},
		"dropped at the end":     {pixsim.Misbehaviour{Kind: pixsim.Drop, On: pixsim.OnWithdraw}, true},
		"out of order at an end": {pixsim.Misbehaviour{Kind: pixsim.Fail, On: pixsim.OnWithdraw}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := open(t, func(p *pix.Config, _ *pixsim.Config) { p.Timeout = 200 * time.Millisecond })
				c.atCode = func(id string) bool {
					if test.cancel { // the PSP is gone from here on
						c.next(pixsim.Misbehaviour{Kind: test.m.Kind, On: pixsim.OnWithdraw, Times: 100})
						c.next(pixsim.Misbehaviour{Kind: pixsim.Fail, On: pixsim.OnSee, Times: 1000})
					}
					return test.cancel
				}
				if !test.cancel {
					test.m.Times = 100
					c.next(test.m)
				}
				tx := attempt(1, "10")
				o, err := c.pay(tx)
				if err == nil {
					t.Fatalf("%+v", o)
				}
				c.bank.Behave()
				if test.m.Kind == pixsim.Slow {
					time.Sleep(500 * time.Millisecond) // what was late has arrived
				}
				if o := c.settle(tx); o.Verdict != payment.Abandoned {
					t.Errorf("settled as %q", o.Verdict)
				}
			})
		})
	}
}

func TestNobodyThere(t *testing.T) {
	c := openSecure(t, func(p *pix.Config) { p.Certificate, p.PrivateKey = "", "" })
	o, err := c.pay(attempt(1, "10")) // without a certificate no request gets through
	if c.is(o, err, payment.Declined); o.Message != "PSP fora do ar" {
		t.Errorf("%q", o.Message)
	}
	if o, err := c.Settle(context.Background(), attempt(1, "10")); err == nil {
		t.Errorf("settled without a PSP: %+v", o)
	}
}

func TestOnlyPIX(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil)
		tx := attempt(1, "10")
		tx.Request.Method = payment.Credit
		o, err := c.pay(tx)
		c.is(o, err, payment.Declined)
		tx.Request.Method = payment.AnyMethod
		o, err = c.pay(tx)
		c.is(o, err, payment.Accepted)
	})
}

func TestContextEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, nil)
		ctx, cancel := context.WithCancel(context.Background())
		c.atCode = func(string) bool { cancel(); return false }
		tx := attempt(1, "10")
		if o, err := c.Pay(ctx, c.charge(tx)); !errors.Is(err, context.Canceled) {
			t.Fatalf("%+v, %v", o, err)
		}
		if o := c.settle(tx); o.Verdict != payment.Abandoned {
			t.Error(o)
		}
		// A late one charges nothing.
		o, err := c.pay(tx)
		c.is(o, err, payment.Abandoned)
	})
}
