package tef_test

import (
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// A manager that speaks of an operation is told to confirm only what the ledger has decided on.
func TestDecisions(t *testing.T) {
	files, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	ledger, err := files.Ledger()
	if err != nil {
		t.Fatal(err)
	}
	decided := tef.DecidedBy(ledger, "tef")
	for _, c := range []struct {
		kept              payment.Transaction
		payment, reversal bool // decided
	}{
		{payment.Transaction{State: payment.StateSent}, false, false},
		{payment.Transaction{State: payment.StateApproved}, false, false},
		{payment.Transaction{State: payment.StateUndoing}, false, false},
		{payment.Transaction{State: payment.StateUndone}, false, false},
		{payment.Transaction{State: payment.StateRefused}, false, false},
		{payment.Transaction{State: payment.StateConfirmed}, true, false},
		{payment.Transaction{State: payment.StateSent, Reversals: []payment.Reversal{{}}}, true, false},
		{payment.Transaction{State: payment.StateUnknown, Reversals: []payment.Reversal{{}}}, true, false},
		{payment.Transaction{State: payment.StateConfirmed, Reversals: []payment.Reversal{{}}}, true, false},
		{payment.Transaction{State: payment.StateReversed, Reversals: []payment.Reversal{{At: time.Now()}}}, true, true},
		{payment.Transaction{State: payment.StateReversed, Reversals: []payment.Reversal{{}, {At: time.Now()}}}, true, false}, // the second
	} {
		c.kept.Acquirer = "tef"
		id, err := ledger.Begin(c.kept)
		if err != nil {
			t.Fatal(err)
		}
		for reversal, want := range []bool{c.payment, c.reversal} { // as versions without numbers of their own gave them
			if got, err := decided(tef.Operation{Number: id*100 + int64(reversal)}); err != nil || got != want {
				t.Errorf("%s of %d reversals, asked for reversal %d: %v, %v", c.kept.State, len(c.kept.Reversals), reversal, got, err)
			}
		}
		c.kept.Number = 5_000_000 + 10*id
		asked := map[int64]bool{c.kept.Number: c.payment}
		for i := range c.kept.Reversals {
			r := &c.kept.Reversals[i]
			r.Number = c.kept.Number + 5 + int64(i)
			asked[r.Number] = r.Made()
		}
		if _, err := ledger.Begin(c.kept); err != nil {
			t.Fatal(err)
		}
		for number, want := range asked {
			if got, err := decided(tef.Operation{Number: number}); err != nil || got != want {
				t.Errorf("%s of %d reversals, asked for number %d: %v, %v", c.kept.State, len(c.kept.Reversals), number-c.kept.Number, got, err)
			}
		}
	}
	for _, stranger := range []tef.Operation{{Number: 100_000}, {Number: 4_999_999}, {}} {
		if got, err := decided(stranger); err != nil || got {
			t.Errorf("%+v: %v, %v", stranger, got, err)
		}
	}
}

// Networks use their numbers again: money that came late decides nothing about a later sale with its NSU.
func TestLateMoneyDecidesNothing(t *testing.T) {
	files, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	ledger, err := files.Ledger()
	if err != nil {
		t.Fatal(err)
	}
	late := payment.Transaction{
		Acquirer: "tef", State: payment.StateRefused, CreatedAt: time.Now(), Late: payment.Late{Amount: money.MustParse("10"), At: time.Now()},
		Outcome: payment.Outcome{Token: `{"nsu":"000777"}`},
	}
	sold := payment.Transaction{Acquirer: "tef", State: payment.StateConfirmed, CreatedAt: time.Now(), Outcome: payment.Outcome{Token: `{"nsu":"000777","key":"k2"}`}}
	for _, kept := range []payment.Transaction{late, sold} {
		if _, err := ledger.Begin(kept); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := tef.DecidedBy(ledger, "tef")(tef.Keyed("000777", "k2")); err != nil || !got {
		t.Errorf("the sale that stands: %v, %v", got, err)
	}
}
