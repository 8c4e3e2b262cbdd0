package tef_test

import (
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/payment"
)

// The answer to a sale that was given up comes while the next one is at the pinpad. The manager has no time to acknowledge its
// undoing, the next sale's answer takes the place of the file, and then the terminal is switched off: what is owed to the
// customer must not be gone with it.
func TestUndoingThatNobodyAcknowledgedOutlivesTheProcess(t *testing.T) {
	atShop(t, "paygo", func(c *tefsim.Config) { c.Lateness, c.Reticent = 30*time.Second, true }, func(t *testing.T, s *shop) {
		if err := tefsim.Steer(s.config.Dir, tefsim.Order{Case: tefsim.Late}); err != nil {
			t.Fatal(err)
		}
		_, o := s.sell(attempt(1, "10", payment.Credit), 10*time.Second)
		is(t, o, payment.Abandoned)
		deaf := tefsim.Order{Every: 1, Command: "NCN", Case: tefsim.NoStatus}
		if err := tefsim.Steer(s.config.Dir, tefsim.Order{Case: tefsim.Late}, deaf); err != nil {
			t.Fatal(err)
		}
		_, o = s.sell(attempt(2, "20", payment.Credit), time.Minute)
		is(t, o, payment.Accepted)
		s.empty()
		b, err := tefsim.ReadBalance(s.config.Ledger)
		if err != nil || len(b.Accounts) != 2 || !b.Accounts[0].Open {
			t.Fatalf("the first sale is not one that waits to be undone: %+v, %v", b, err)
		}

		s.startDriver()
		ctx, cancel := within(time.Minute)
		defer cancel()
		if err := s.Sweep(ctx); err == nil {
			t.Error("nobody has acknowledged the undoing, and yet nothing is owed")
		}
		s.startDriver()
		if err := tefsim.Steer(s.config.Dir, tefsim.Order{Every: 1, Command: "NCN", Case: tefsim.Approve}); err != nil {
			t.Fatal(err)
		}
		if err := s.Sweep(ctx); err != nil {
			t.Error(err)
		}
		s.balanced()
		s.empty()
	})
}
