//go:build !race || everything

package tef_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/payment"
)

var errKilled = errors.New("killed")

// killAfter lets the driver make so many steps on the disk; then it does nothing any more, not even tidy up.
func (s *shop) killAfter(steps int) (ctx context.Context, dead func() bool) {
	ctx, cancel := context.WithCancel(context.Background())
	s.SetGate(func() error {
		if steps--; steps < 0 {
			cancel()
			return errKilled
		}
		return nil
	})
	return ctx, func() bool { return ctx.Err() != nil }
}

// work is a sale and its cancellation. Whoever dies in it leaves the ledger as it was written last.
func (s *shop) work(ctx context.Context, dead func() bool) {
	t := attempt(2, "10", payment.Credit)
	s.ledger[t.ID] = t
	for _, operate := range []func(context.Context, payment.Charge) (payment.Outcome, error){s.Pay, s.Reverse} {
		o, err := operate(ctx, s.charge(t))
		if dead() || err != nil {
			return
		}
		t = s.keep(t, o)
		if s.Confirm(ctx, t) != nil || dead() {
			return
		}
		if t.State == payment.StateConfirmed {
			t = giving(t)
			s.ledger[t.ID] = t
		}
	}
}

// recoverAll is what the desk does at start; false: it died in it.
func (s *shop) recoverAll(dead func() bool) bool {
	for id, t := range s.ledger {
		if t.State.Open() {
			var o payment.Outcome
			err := errKilled
			for try := 0; err != nil; try++ {
				ctx, cancel := within(5 * time.Second)
				o, err = s.Settle(ctx, t)
				cancel()
				if dead() {
					return false
				}
				if try == 20 {
					s.t.Fatal(t.Operation(), err)
				}
			}
			t = s.keep(t, o)
		}
		if t.State == payment.StateConfirmed || t.State == payment.StateReversed {
			for try := 0; s.Confirm(context.Background(), t) != nil; try++ {
				if dead() {
					return false
				}
				if try == 20 {
					s.t.Fatal(t.Operation(), "not confirmed")
				}
			}
		}
		s.ledger[id] = t
	}
	return !dead()
}

// TestKilledAtEveryStep kills the driver before each of its steps on the disk, and its recovery once more, where the
// manager does what not every acquirer can; TestConforms has the rest.
func TestKilledAtEveryStep(t *testing.T) {
	for _, c := range []struct {
		name   string
		orders []tefsim.Order
		pinpad time.Duration
	}{
		{name: "slow", pinpad: 12 * time.Second},
		{name: "partial", orders: []tefsim.Order{{Case: tefsim.Approve}, {Case: tefsim.Partial}, {Case: tefsim.Partial}}},
		{name: "pending", orders: []tefsim.Order{{Case: tefsim.Approve}, {Case: tefsim.Pending}}},
		{name: "divergent", orders: []tefsim.Order{{Case: tefsim.Approve}, {Case: tefsim.WrongAmount}}},
		{name: "final", orders: []tefsim.Order{{Case: tefsim.Approve}, {Case: tefsim.Final}, {Case: tefsim.Final}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kills, stride := 0, max(1, int(c.pinpad/(4*time.Second))) // most steps of a long wait are alike
			if testing.Short() {
				stride = 7
			}
			for steps, alive := 0, false; !alive && !t.Failed(); steps += stride {
				atShop(t, "paygo", func(sim *tefsim.Config) { sim.Pinpad, sim.Script = c.pinpad, c.orders }, func(t *testing.T, s *shop) {
					s.sell(attempt(1, "10", payment.Debit), time.Minute)
					ctx, dead := s.killAfter(steps)
					s.work(ctx, dead)
					alive = !dead()
					if alive {
						s.balanced()
						return
					}
					kills++
					s.startDriver()
					_, deadAgain := s.killAfter(steps % 23)
					if !s.recoverAll(deadAgain) {
						s.startDriver()
						s.recoverAll(func() bool { return false })
					}
					s.balanced()
					s.sell(attempt(3, "10", payment.Credit), time.Minute)
					s.balanced()
					if t.Failed() {
						t.Errorf("killed after %d steps", steps)
					}
				})
			}
			t.Logf("%d kills", kills)
		})
	}
}

// TestKilledBeforeTheLedgerKnows is the approval that was read but never kept.
func TestKilledBeforeTheLedgerKnows(t *testing.T) {
	for _, c := range []tefsim.Case{tefsim.Approve, tefsim.Final} {
		for _, kept := range []bool{false, true} {
			atShop(t, "elgin", nil, func(t *testing.T, s *shop) {
				tx := attempt(1, "10", payment.Credit)
				s.ledger[1] = tx
				if err := tefsim.Steer(s.config.Dir, tefsim.Order{Case: c}, tefsim.Order{Case: tefsim.Approve}, tefsim.Order{Case: c}); err != nil {
					t.Fatal(err)
				}
				o, err := s.Pay(context.Background(), s.charge(tx))
				if err != nil {
					t.Fatal(err)
				}
				if kept {
					tx.Outcome = o // approved is on disk, the decision is not
					s.ledger[1] = tx
				}
				s.startDriver()
				s.recoverAll(func() bool { return false })
				s.balanced()
				sold, _ := s.sell(attempt(2, "10", payment.Credit), time.Minute)
				back := giving(sold)
				s.ledger[2] = back
				if o, err = s.Reverse(context.Background(), s.charge(back)); err != nil || o.Verdict != payment.Accepted {
					t.Fatal(o, err)
				}
				s.startDriver()
				s.recoverAll(func() bool { return false })
				s.balanced()
				if want := c == tefsim.Final; want != (s.ledger[2].State == payment.StateReversed) || want != (s.ledger[1].State == payment.StateConfirmed) {
					t.Errorf("%s: %+v", c, s.ledger)
				}
			})
		}
	}
}

// TestManagerKilled restarts the other side too, which remembers by its own ledger.
func TestManagerKilled(t *testing.T) {
	t.Parallel()
	for tenths := range 30 {
		atShop(t, "tefdial", func(c *tefsim.Config) { c.Pinpad = 800 * time.Millisecond }, func(t *testing.T, s *shop) {
			ctx, cancel := within(time.Minute)
			defer cancel()
			tx := attempt(1, "10", payment.Credit)
			s.ledger[1] = tx
			done := make(chan error)
			go func() {
				o, err := s.Pay(ctx, s.charge(tx))
				if err == nil {
					tx = s.keep(tx, o)
				}
				done <- err
			}()
			time.Sleep(time.Duration(tenths) * 100 * time.Millisecond)
			s.stop()
			time.Sleep(3 * time.Second)
			s.startManager()
			<-done
			s.recoverAll(func() bool { return false })
			s.sell(attempt(2, "10", payment.Credit), time.Minute)
			s.sell(attempt(3, "10", payment.Credit), time.Minute)
			s.balanced()
		})
	}
}

// TestFilesHeldByOthers has an antivirus program hold every third file for a moment, and then all of them for good.
func TestFilesHeldByOthers(t *testing.T) {
	atShop(t, "paygo", nil, func(t *testing.T, s *shop) {
		n := 0
		s.SetGate(func() error {
			if n++; n%3 == 0 {
				return fmt.Errorf("open: %w", fs.ErrPermission)
			}
			return nil
		})
		var accepted int
		for id := range int64(20) {
			if _, o := s.sell(attempt(id+1, "10", payment.Credit), time.Minute); o.Verdict == payment.Accepted {
				accepted++
			}
		}
		if accepted == 0 {
			t.Error("never got through")
		}
		s.SetGate(func() error { return fs.ErrPermission })
		ctx, cancel := within(time.Minute)
		defer cancel()
		o, err := s.Pay(ctx, s.charge(attempt(30, "10", payment.Credit)))
		if err != nil || o.Verdict != payment.Declined {
			t.Errorf("%+v, %v", o, err)
		}
		s.SetGate(nil)
		s.sell(attempt(31, "10", payment.Credit), time.Minute)
		s.balanced()
	})
}
