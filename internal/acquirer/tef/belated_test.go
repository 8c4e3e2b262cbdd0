package tef_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// desk is the whole terminal at a shop: a manager, its driver, the ledger and the desk.
type desk struct {
	*payment.Desk
	t       *testing.T
	shop    *shop
	ledger  *store.Ledger
	strayed atomic.Int32
	// unmatched counts the cancellations of which the ledger does not know what they were of.
	unmatched atomic.Int32
}

func atDesk(t *testing.T, test func(*testing.T, *desk)) {
	data := t.TempDir()
	atShop(t, "paygo", nil, func(t *testing.T, s *shop) {
		files, err := store.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		defer files.Close()
		d := &desk{t: t, shop: s}
		if d.ledger, err = files.Ledger(); err != nil {
			t.Fatal(err)
		}
		profile, _ := tef.ProfileNamed(s.profile)
		driver, err := tef.New(tef.Config{
			Profile: profile, Dir: s.config.Dir, Name: "tef", Debts: d.ledger, Decided: tef.DecidedBy(d.ledger, "tef"), Awaited: tef.AwaitedBy(d.ledger),
		})
		if err != nil {
			t.Fatal(err)
		}
		d.Desk = payment.NewDesk(payment.Config{
			Ways:   []payment.Way{{Name: "tef", Acquirer: driver, Methods: []payment.Method{payment.Credit}}},
			Ledger: d.ledger, Gate: &operation.Gate{}, Foreground: inFront{}, Changed: func() {},
			Strayed:       func(string, payment.Belated) { d.strayed.Add(1) },
			MenuUnmatched: func(payment.Administration, payment.Administered, []payment.Transaction) { d.unmatched.Add(1) },
		})
		defer d.Close()
		test(t, d)
		d.noUndoing()
	})
}

func (d *desk) pay(reference string, want payment.Status) payment.Transaction {
	d.t.Helper()
	tx, err := d.Pay(d.t.Context(), payment.Request{Method: payment.Credit, Amount: money.MustParse("10"), Reference: reference, Installments: 1, Plan: payment.Single})
	if err != nil || tx.Status() != want {
		d.t.Fatalf("%s: %s, %v", reference, tx.Status(), err)
	}
	return tx
}

// answers has the manager leave a final answer that nobody waits for.
func (d *desk) answers(command string, number int64, more string) {
	d.t.Helper()
	text := fmt.Sprintf("000-000 = %s|001-000 = %d|003-000 = 1000|009-000 = 0|010-000 = DEMO|012-000 = 000777|729-000 = 1|%s999-999 = 0|", command, number, more)
	if err := os.WriteFile(filepath.Join(d.shop.config.Dir, "Resp", "IntPos.001"), []byte(strings.ReplaceAll(text, "|", "\r\n")), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// noUndoing: what is final can't be undone, and asking for it would only hide it.
func (d *desk) noUndoing() {
	d.t.Helper()
	owed, err := d.ledger.Owed("tef")
	if err != nil || len(owed) > 0 {
		d.t.Errorf("owed: %q, %v", owed, err)
	}
	balance, err := tefsim.ReadBalance(d.shop.config.Ledger)
	if err != nil || len(balance.Protests) > 0 {
		d.t.Errorf("%+v, %v", balance.Protests, err)
	}
}

// TestFinalSaleAfterTheEnd: it is told of as late money, also where the next sale comes before anybody has looked.
func TestFinalSaleAfterTheEnd(t *testing.T) {
	for _, next := range []bool{false, true} {
		atDesk(t, func(t *testing.T, d *desk) {
			if err := tefsim.Steer(d.shop.config.Dir, tefsim.Order{Command: "CRT", Case: tefsim.Refuse}); err != nil {
				t.Fatal(err)
			}
			refused := d.pay("a", payment.Refused)
			time.Sleep(time.Second)
			d.answers("CRT", refused.Number, "")
			if next {
				d.pay("b", payment.Approved)
			}
			time.Sleep(2 * time.Minute)
			tx, err := d.ledger.Get(refused.ID)
			if err != nil || !tx.Late.Kept() || tx.Late.Amount.Cmp(money.MustParse("10")) != 0 {
				t.Errorf("next %v: %+v, %v", next, tx.Late, err)
			}
		})
	}
}

// TestLateSaleCancelledInTheMenu: the money that came late has gone back, and nobody is sent to look for it.
func TestLateSaleCancelledInTheMenu(t *testing.T) {
	atDesk(t, func(t *testing.T, d *desk) {
		if err := tefsim.Steer(d.shop.config.Dir, tefsim.Order{Command: "CRT", Case: tefsim.Refuse}); err != nil {
			t.Fatal(err)
		}
		refused := d.pay("a", payment.Refused)
		d.answers("CRT", refused.Number, "")
		time.Sleep(2 * time.Minute)
		left := payment.Administration{Number: 555555, Acquirer: "tef", State: payment.AdministrationDone, Since: time.Now()}
		if err := d.ledger.KeepAdministration(left); err != nil {
			t.Fatal(err)
		}
		d.answers("ADM", left.Number, "025-000 = 000777|")
		time.Sleep(2 * time.Minute)
		tx, err := d.ledger.Get(refused.ID)
		if err != nil || tx.Status() != payment.Refused || tx.Late.ReturnedAt.IsZero() || d.unmatched.Load()+d.strayed.Load() > 0 {
			t.Errorf("%s, %+v, %v; told of %d and %d", tx.Status(), tx.Late, err, d.unmatched.Load(), d.strayed.Load())
		}
	})
}

// TestFinalMenuAnswerAfterTheEnd: the sale that was cancelled is reversed, and what is nobody's is told of.
func TestFinalMenuAnswerAfterTheEnd(t *testing.T) {
	atDesk(t, func(t *testing.T, d *desk) {
		sold := d.pay("a", payment.Approved)
		left := payment.Administration{Number: 555555, Acquirer: "tef", State: payment.AdministrationDone, Since: time.Now()}
		if err := d.ledger.KeepAdministration(left); err != nil {
			t.Fatal(err)
		}
		d.answers("ADM", left.Number, "025-000 = "+sold.Outcome.NSU+"|")
		d.pay("b", payment.Approved)
		time.Sleep(2 * time.Minute)
		if tx, err := d.ledger.Get(sold.ID); err != nil || tx.Status() != payment.Reversed {
			t.Errorf("%s, %v", tx.Status(), err)
		}
		d.answers("CRT", 4444, "")
		time.Sleep(2 * time.Minute)
		if told := d.strayed.Load(); told != 1 {
			t.Errorf("told of %d", told)
		}
	})
}
