package main

import (
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// shop is one in which all is well: a sale that stands, one that was reversed and one that was refused.
func shop() evidence {
	steps := func(operation string, states ...payment.State) (history []payment.Event) {
		for _, s := range states {
			history = append(history, payment.Event{At: time.Now(), Operation: operation, State: s})
		}
		return history
	}
	kept := func(id int64, reference string, s payment.State, history ...[]payment.Event) attempt {
		a := attempt{Transaction: payment.Transaction{
			ID: id, State: s, Request: payment.Request{Reference: reference, Amount: money.MustParse("10.00")},
		}}
		for _, h := range history {
			a.history = append(a.history, h...)
		}
		return a
	}
	const begun, sent, approved, confirmed = payment.StateBegun, payment.StateSent, payment.StateApproved, payment.StateConfirmed
	return evidence{
		sales: []*sale{
			{Reference: "a", Approved: true},
			{Reference: "b", Approved: true, Reversing: true, Reversed: true},
			{Reference: "c"},
			{Reference: "never sent"},
		},
		answers: map[string]answer{"a": {status: 200, state: "approved"}, "b": {status: 200, state: "reversed"}, "c": {status: 200, state: "refused"}, "never sent": {status: 404}},
		attempts: []attempt{
			kept(1, "a", confirmed, steps("1", begun, sent, approved, confirmed, confirmed)),
			kept(2, "b", payment.StateReversed, steps("2", begun, sent, approved, confirmed, confirmed),
				steps("2-r1", payment.StateReversing, confirmed), steps("2-r2", payment.StateReversing, sent, payment.StateReversed, payment.StateReversed)),
			kept(3, "c", payment.StateRefused, steps("3", begun, sent, payment.StateRefused)),
		},
		charges: []charge{
			{acquirer: "tef", name: "100", attempt: 1, amount: "10.00", standing: true},
			{acquirer: "tef", name: "200", attempt: 2, amount: "10.00"},
		},
	}
}

// TestCompareFinds doctors one side at a time.
func TestCompareFinds(t *testing.T) {
	if found := shop().compare(); len(found) > 0 {
		t.Fatalf("all is well, and yet: %v", found)
	}
	for name, c := range map[string]struct {
		doctor func(*evidence)
		want   Offence
	}{
		"a charge of nobody": {func(e *evidence) {
			e.charges = append(e.charges, charge{acquirer: "pix", name: "x", amount: "5.00", standing: true})
		}, Unfindable},
		"a charge of a refused sale": {func(e *evidence) {
			e.charges = append(e.charges, charge{acquirer: "tef", name: "300", attempt: 3, amount: "10.00", standing: true})
		}, Unfindable},
		"a reversal that gave nothing back": {func(e *evidence) { e.charges[1].standing = true }, Unfindable},
		"a sale that stands twice":          {func(e *evidence) { e.charges = append(e.charges, e.charges[0]) }, Double},
		"an approval without a charge":      {func(e *evidence) { e.charges = e.charges[1:] }, TakenBack},
		"an approval undone": {func(e *evidence) {
			e.sales[0].learn(newFigures(), "cancelled", "")
		}, TakenBack},
		"a reversal nobody asked for": {func(e *evidence) { e.sales[0].learn(newFigures(), "reversed", "") }, TakenBack},
		"a reversal undone":           {func(e *evidence) { e.sales[1].learn(newFigures(), "approved", "") }, TakenBack},
		"a part nobody asked for":     {func(e *evidence) { e.sales[0].learn(newFigures(), "approved", "1.00") }, TakenBack},
		"a part taken back": {func(e *evidence) {
			e.sales[0].Returning, e.sales[0].Part = true, "4.00"
			e.sales[0].learn(newFigures(), "approved", "4.00")
			e.sales[0].learn(newFigures(), "approved", "0")
		}, TakenBack},
		"a part that the other side still has": {func(e *evidence) {
			e.attempts[0].Reversals = []payment.Reversal{{Amount: money.MustParse("4.00"), At: time.Now()}}
		}, Broken},
		"an open attempt":        {func(e *evidence) { e.attempts[2].State = payment.StateSent }, Unresolved},
		"an unacknowledged one":  {func(e *evidence) { e.attempts[0].Unacknowledged = true }, Unresolved},
		"an open charge":         {func(e *evidence) { e.charges[1].open = true }, Unresolved},
		"another amount":         {func(e *evidence) { e.charges[0].amount = "10.01" }, Broken},
		"a lost step":            {func(e *evidence) { e.attempts[0].history = e.attempts[0].history[1:] }, Broken},
		"a protest":              {func(e *evidence) { e.complaints = []string{"sem ATV antes"} }, Broken},
		"an answer that is none": {func(e *evidence) { e.answers["a"] = answer{} }, Broken},
	} {
		e := shop()
		c.doctor(&e)
		found := e.compare()
		hit := false
		for _, f := range found {
			hit = hit || f.Offence == c.want
		}
		if !hit {
			t.Errorf("%s: found %v, want %q", name, found, c.want)
		}
	}
}

func TestCardNumbers(t *testing.T) {
	for text, want := range map[string]int{
		"4111111111111111": 1, "x4111 1111 1111 1111y": 1, "5555-5555.5555-4444": 1, "nsu 12 4111 1111 1111 1111": 1, "378282246310005": 1,
		"4111111111111112": 0, "411111******1111": 0, "2026-11-15 09:00": 0, "1763197200000000": 0, "41111111111111111111111": 0,
	} {
		if got := cardNumbers(text); len(got) != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
