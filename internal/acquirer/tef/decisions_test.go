package tef_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/tef"
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
		{payment.Transaction{State: payment.StateSent, Reversals: 1}, true, false},
		{payment.Transaction{State: payment.StateUnknown, Reversals: 1}, true, false},
		{payment.Transaction{State: payment.StateConfirmed, Reversals: 1}, true, false},
		{payment.Transaction{State: payment.StateReversed, Reversals: 1, Reversal: &payment.Reversal{}}, true, true},
		{payment.Transaction{State: payment.StateReversed, Reversals: 2, Reversal: &payment.Reversal{}}, true, false}, // the second
	} {
		c.kept.Acquirer = "tef"
		id, err := ledger.Begin(c.kept)
		if err != nil {
			t.Fatal(err)
		}
		for reversal, want := range []bool{c.payment, c.reversal} { // as versions without numbers of their own gave them
			if got, err := decided(tef.Operation{Number: id*100 + int64(reversal)}); err != nil || got != want {
				t.Errorf("%s of %d reversals, asked for reversal %d: %v, %v", c.kept.State, c.kept.Reversals, reversal, got, err)
			}
		}
		c.kept.Number, c.kept.ReversalNumber = 5_000_000+10*id, 0
		asked := []int64{c.kept.Number}
		if c.kept.Reversals > 0 {
			c.kept.ReversalNumber = c.kept.Number + 5
			asked = append(asked, c.kept.ReversalNumber)
		}
		if _, err := ledger.Begin(c.kept); err != nil {
			t.Fatal(err)
		}
		for i, number := range asked {
			if got, err := decided(tef.Operation{Number: number}); err != nil || got != []bool{c.payment, c.kept.Reversal != nil}[i] {
				t.Errorf("%s of %d reversals, asked for number %d: %v, %v", c.kept.State, c.kept.Reversals, i, got, err)
			}
		}
	}
	for _, stranger := range []tef.Operation{{Number: 100_000}, {Number: 4_999_999}, {}} {
		if got, err := decided(stranger); err != nil || got {
			t.Errorf("%+v: %v, %v", stranger, got, err)
		}
	}
}
