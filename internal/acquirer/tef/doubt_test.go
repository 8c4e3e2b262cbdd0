package tef_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/payment"
)

// An answer that nothing can be done about, and that may be about money, is nobody's to settle but a person's.
func TestDoubtfulAnswers(t *testing.T) {
	answer := func(more ...string) intpos.Message {
		return intpos.Of(append([]string{intpos.Command, "CRT", intpos.ID, "200", intpos.NSU, "000123", intpos.Network, "DEMO", intpos.Key, "K1"}, more...)...)
	}
	for name, c := range map[string]struct {
		left    intpos.Message
		settled bool
	}{
		"another amount, final":   {answer(intpos.Status, "0", intpos.Amount, "90000", intpos.MustConfirm, "1"), false},
		"another amount":          {answer(intpos.Status, "0", intpos.Amount, "90000", intpos.MustConfirm, "2"), true},
		"no status, final":        {answer(intpos.Amount, "1000", intpos.MustConfirm, "1"), false},
		"no status, to confirm":   {answer(intpos.Amount, "1000", intpos.MustConfirm, "2"), true},
		"no status, nothing said": {answer(intpos.Amount, "1000"), true},
	} {
		t.Run(name, func(t *testing.T) {
			atShop(t, "paygo", nil, func(t *testing.T, s *shop) {
				if err := (intpos.Folder{Path: filepath.Join(s.config.Dir, "Resp")}).Put(intpos.Usual.Response, c.left.Encode()); err != nil {
					t.Fatal(err)
				}
				ctx, cancel := within(10 * time.Second)
				defer cancel()
				o, err := s.Settle(ctx, attempt(2, "10", payment.Credit))
				if (err == nil) != c.settled || err == nil && o.Verdict != payment.Abandoned {
					t.Fatalf("%+v, %v", o, err)
				}
				if b, err := tefsim.ReadBalance(s.config.Ledger); err != nil || !c.settled && len(b.Protests) > 0 {
					t.Errorf("something was sent: %+v, %v", b.Protests, err)
				}
			})
		})
	}
}

// A manager may leave the key out of one answer and name the operation by it in another.
func TestOperationsAreComparedByWhatBothHave(t *testing.T) {
	var asked []bool
	atShop(t, "paygo", nil, func(t *testing.T, s *shop) {
		profile, _ := tef.ProfileNamed("paygo")
		a, err := tef.New(tef.Config{Profile: profile, Dir: s.config.Dir, Debts: s, Decided: func(o tef.Operation) (bool, error) {
			for _, kept := range []string{
				`{"nsu":"000105","network":"DEMO"}`, `{"nsu":"000105","network":"DEMO","key":"FIN105"}`,
				`{"nsu":"000105","network":"DEMO","key":"OTHER"}`, `{"nsu":"000106","network":"DEMO"}`,
			} {
				asked = append(asked, o.Is(kept))
			}
			return true, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		left := intpos.Of(intpos.Command, "CRT", intpos.ID, "900", intpos.Status, "1", intpos.NSU, "000105", intpos.Network, "DEMO", intpos.Key, "FIN105")
		if err := (intpos.Folder{Path: filepath.Join(s.config.Dir, "Resp")}).Put(intpos.Usual.Response, left.Encode()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := within(20 * time.Second)
		defer cancel()
		if err := a.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
	})
	if len(asked) != 4 || !asked[0] || !asked[1] || asked[2] || asked[3] {
		t.Errorf("%v", asked)
	}
}

// A charge that the manager took up and never answered is undone at the next start, by the id that it was asked under.
func TestUnansweredIsUndone(t *testing.T) {
	for _, profile := range tef.Profiles {
		t.Run(profile.Name, func(t *testing.T) {
			atShop(t, profile.Name, func(c *tefsim.Config) { c.Reticent = true }, func(t *testing.T, s *shop) {
				if err := tefsim.Steer(s.config.Dir, tefsim.Order{Case: tefsim.Lost}); err != nil {
					t.Fatal(err)
				}
				tx := attempt(1, "10", payment.Credit)
				s.ledger[tx.ID] = tx
				ctx, die := within(30 * time.Second)
				defer die()
				if o, err := s.Pay(ctx, s.charge(tx)); err == nil {
					t.Fatalf("%+v", o)
				}
				s.startDriver()
				is(t, s.settles(tx), payment.Abandoned)
				b, err := tefsim.ReadBalance(s.config.Ledger)
				if err != nil || len(b.Accounts) != 1 || b.Accounts[0].Open || b.Accounts[0].Standing() || len(b.Protests) > 0 || len(s.owed) > 0 {
					t.Errorf("%+v, %v, owed %q", b, err, s.owed)
				}
			})
		})
	}
}

// The manager is closed with the customer at the pinpad. Somebody stops waiting, the terminal is free, and what became of it is settled when
// the manager is back.
func TestManagerGoneMeanwhile(t *testing.T) {
	for _, menu := range []bool{false, true} {
		atShop(t, "tefdial", func(c *tefsim.Config) { c.Pinpad = time.Hour }, func(t *testing.T, s *shop) {
			tx := attempt(1, "10", payment.Credit)
			s.ledger[tx.ID] = tx
			s.action = payment.Action{Kind: payment.ActLeave}
			gone := make(chan struct{})
			time.AfterFunc(30*time.Second, func() { s.stop(); close(gone) })
			began := time.Now()
			var err error
			if menu {
				_, err = s.Administer(context.Background(), s.charge(payment.Transaction{Number: 777}))
			} else {
				_, err = s.Pay(context.Background(), s.charge(tx))
			}
			<-gone
			last := s.shown[len(s.shown)-1]
			if err == nil || !last.Leavable || last.Cancellable || !last.Committed || time.Since(began) < time.Minute {
				t.Fatalf("%v after %v: %+v", err, time.Since(began), last)
			}
			if menu {
				return
			}
			ctx, cancel := within(time.Minute)
			defer cancel()
			if o, err := s.Settle(ctx, tx); err == nil {
				t.Fatalf("settled without the manager: %+v", o)
			}
			s.startManager()
			is(t, s.settles(tx), payment.Abandoned)
			s.balanced()
		})
	}
}
