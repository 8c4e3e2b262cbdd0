package emulator_test

import (
	"context"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/payment"
)

// A plan is asked once for each operation; the script and a card outdo it, the amount does not.
func TestPlans(t *testing.T) {
	atCounter(t, func(c *counter) {
		var asked []payment.Kind
		minute := time.Minute
		plan := emulator.Plan{Thinks: &minute, PaidVia: payment.Debit, Reply: &emulator.Reply{Ending: emulator.Approve, Brand: "02", Authorization: "XYZ"}}
		c.Plan = func(k payment.Kind, _ payment.Request) emulator.Plan {
			asked = append(asked, k)
			return plan
		}
		if _, known := c.Thinks(); known {
			t.Error("somebody thinks about nothing")
		}
		done := c.begin(context.Background(), attempt(1, "0.51", payment.AnyMethod))
		if d, known := c.Thinks(); !known || d != minute {
			t.Errorf("thinks for %v", d)
		}
		serial, _ := c.Waiting()
		c.Proceed(serial)
		o := <-done
		if c.is(o, payment.Accepted); o.PaidWith != payment.Debit || o.Brand != "02" || o.Authorization != "XYZ" {
			t.Errorf("%+v", o)
		}
		c.Script(emulator.Reply{Ending: emulator.Refuse}, 1)
		c.is(c.proceed(attempt(2, "10", payment.Credit)), payment.Declined)
		if o := c.proceed(attempt(3, "10", payment.Pix)); o.Brand != "" || o.Authorization != "" {
			t.Errorf("a PIX of the brand %q", o.Brand)
		}
		plan = emulator.Plan{}
		c.is(c.proceed(attempt(4, "0.51", payment.Credit)), payment.Declined)
		c.proceed(giving(attempt(1, "0.51", payment.Credit), 1))
		if len(asked) != 5 || asked[0] != payment.Payment || asked[4] != payment.Refund {
			t.Errorf("asked for %v", asked)
		}
	})
}
