package tef_test

import (
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
