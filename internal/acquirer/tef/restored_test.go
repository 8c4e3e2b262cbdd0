package tef_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/journal"
	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

type inFront struct{}

func (inFront) Wait(context.Context) error { return nil }

// A data folder that is restored from a backup has forgotten which ids were used since. None is used again, neither for
// a payment nor for a reversal of one that the backup knows.
func TestIDsAreNotUsedAgainAfterARestore(t *testing.T) {
	data, backup := t.TempDir(), t.TempDir()+"/backup"
	atShop(t, "paygo", nil, func(t *testing.T, s *shop) {
		s.stop() // it would look into its folders for all of these years
		time.Sleep(time.Until(time.Date(2026, 11, 16, 8, 0, 0, 0, time.UTC)))
		s.startManager()
		payments := 0
		day := func(work func(d *payment.Desk, pay func(reference string))) {
			files, err := store.Open(data)
			if err != nil {
				t.Fatal(err)
			}
			defer files.Close()
			ledger, err := files.Ledger()
			if err != nil {
				t.Fatal(err)
			}
			profile, _ := tef.ProfileNamed(s.profile)
			driver, err := tef.New(tef.Config{Profile: profile, Dir: s.config.Dir, Name: "tef", Debts: ledger, Decided: tef.DecidedBy(ledger, "tef")})
			if err != nil {
				t.Fatal(err)
			}
			d := payment.NewDesk(payment.Config{
				Ways:   []payment.Way{{Name: "tef", Acquirer: driver, Methods: []payment.Method{payment.Credit, payment.Debit, payment.Pix}}},
				Ledger: ledger, Gate: &operation.Gate{}, Foreground: inFront{}, Changed: func() {},
			})
			defer d.Close()
			work(d, func(reference string) {
				t.Helper()
				payments++
				paid, err := d.Pay(t.Context(), payment.Request{Method: payment.Credit, Amount: money.MustParse("10"), Reference: reference, Installments: 1, Plan: payment.Single})
				if err != nil || paid.Status() != payment.Approved {
					t.Fatalf("%s: %s, %v", reference, paid.Status(), err)
				}
			})
		}
		day(func(d *payment.Desk, pay func(string)) {
			for i := range 3 {
				pay(fmt.Sprint("morning ", i))
			}
		})
		if err := os.CopyFS(backup, os.DirFS(data)); err != nil {
			t.Fatal(err)
		}
		reverse := func(d *payment.Desk, want payment.Verdict) {
			t.Helper()
			got, err := d.Reverse(t.Context(), payment.RefundRequest{Reference: "morning 1"})
			if err != nil || got.Outcome.Verdict != want {
				t.Fatalf("%+v, %v, want %s", got.Outcome, err, want)
			}
		}
		day(func(d *payment.Desk, pay func(string)) {
			pay("noon 0")
			if err := tefsim.Steer(s.config.Dir, tefsim.Order{Command: "CNC", Case: tefsim.Refuse}); err != nil {
				t.Fatal(err)
			}
			reverse(d, payment.Declined)
			reverse(d, payment.Accepted)
			pay("noon 1")
		})
		time.Sleep(time.Minute) // nobody restores a backup faster
		if err := os.RemoveAll(data); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(data, os.DirFS(backup)); err != nil {
			t.Fatal(err)
		}
		day(func(d *payment.Desk, pay func(string)) {
			pay("evening 0")
			_, _ = d.Reverse(t.Context(), payment.RefundRequest{Reference: "morning 1"}) // given back already, as the manager knows
			_, _ = d.Reverse(t.Context(), payment.RefundRequest{Reference: "morning 2"})
			pay("evening 1")
		})
		seen := map[string]string{}
		charged := 0
		entries, err := journal.Read[tefsim.Entry](s.config.Ledger)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			switch e.Event {
			case tefsim.Charged, tefsim.Cancelled:
				if before, again := seen[e.ID]; again {
					t.Errorf("id %s of %s was used by %s before", e.ID, e.Key, before)
				}
				seen[e.ID] = e.Key
				charged++
			case tefsim.Protest:
				t.Errorf("protest: %+v", e)
			}
		}
		if charged < payments+2 {
			t.Errorf("the manager has %d operations: %+v", charged, entries)
		}
	})
}
