package counter

import (
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// shop is one in which all is well: a sale that stands, one that was reversed and one that was refused.
func shop() Evidence {
	steps := func(operation string, states ...payment.State) (history []payment.Event) {
		for _, s := range states {
			history = append(history, payment.Event{At: time.Now(), Operation: operation, State: s})
		}
		return history
	}
	kept := func(id int64, reference string, s payment.State, history ...[]payment.Event) Attempt {
		a := Attempt{Transaction: payment.Transaction{
			ID: id, State: s, Request: payment.Request{Reference: reference, Amount: money.MustParse("10.00")},
		}}
		for _, h := range history {
			a.History = append(a.History, h...)
		}
		return a
	}
	const begun, sent, approved, confirmed = payment.StateBegun, payment.StateSent, payment.StateApproved, payment.StateConfirmed
	return Evidence{
		Sales: []*Sale{
			{Reference: "a", Approved: true},
			{Reference: "b", Approved: true, Reversing: true, Reversed: true},
			{Reference: "c"},
			{Reference: "never sent"},
		},
		Answers: map[string]Answer{"a": {Status: 200, State: "approved"}, "b": {Status: 200, State: "reversed"}, "c": {Status: 200, State: "refused"}, "never sent": {Status: 404}},
		Attempts: []Attempt{
			kept(1, "a", confirmed, steps("1", begun, sent, approved, confirmed, confirmed)),
			kept(2, "b", payment.StateReversed, steps("2", begun, sent, approved, confirmed, confirmed),
				steps("2-r1", payment.StateReversing, confirmed), steps("2-r2", payment.StateReversing, sent, payment.StateReversed, payment.StateReversed)),
			kept(3, "c", payment.StateRefused, steps("3", begun, sent, payment.StateRefused)),
		},
		Charges: []Charge{
			{Acquirer: "tef", Name: "100", Attempt: 1, Amount: "10.00", Standing: true},
			{Acquirer: "tef", Name: "200", Attempt: 2, Amount: "10.00"},
		},
	}
}

// TestCompareFinds doctors one side at a time.
func TestCompareFinds(t *testing.T) {
	if found := shop().Compare(); len(found) > 0 {
		t.Fatalf("all is well, and yet: %v", found)
	}
	for name, c := range map[string]struct {
		doctor func(*Evidence)
		want   Offence
	}{
		"a charge of nobody": {func(e *Evidence) {
			e.Charges = append(e.Charges, Charge{Acquirer: "pix", Name: "x", Amount: "5.00", Standing: true})
		}, Unfindable},
		"a charge of a refused sale": {func(e *Evidence) {
			e.Charges = append(e.Charges, Charge{Acquirer: "tef", Name: "300", Attempt: 3, Amount: "10.00", Standing: true})
		}, Unfindable},
		"a reversal that gave nothing back": {func(e *Evidence) { e.Charges[1].Standing = true }, Unfindable},
		"a sale that stands twice":          {func(e *Evidence) { e.Charges = append(e.Charges, e.Charges[0]) }, Double},
		"an approval without a charge":      {func(e *Evidence) { e.Charges = e.Charges[1:] }, TakenBack},
		"an approval undone": {func(e *Evidence) {
			e.Sales[0].Learn("cancelled", "")
		}, TakenBack},
		"a reversal nobody asked for": {func(e *Evidence) { e.Sales[0].Learn("reversed", "") }, TakenBack},
		"a reversal undone":           {func(e *Evidence) { e.Sales[1].Learn("approved", "") }, TakenBack},
		"a part nobody asked for":     {func(e *Evidence) { e.Sales[0].Learn("approved", "1.00") }, TakenBack},
		"a part taken back": {func(e *Evidence) {
			e.Sales[0].Returning, e.Sales[0].Part = true, "4.00"
			e.Sales[0].Learn("approved", "4.00")
			e.Sales[0].Learn("approved", "0")
		}, TakenBack},
		"a part that the other side still has": {func(e *Evidence) {
			e.Attempts[0].Reversals = []payment.Reversal{{Amount: money.MustParse("4.00"), At: time.Now()}}
		}, Broken},
		"an open attempt":        {func(e *Evidence) { e.Attempts[2].State = payment.StateSent }, Unresolved},
		"an unacknowledged one":  {func(e *Evidence) { e.Attempts[0].Unacknowledged = true }, Unresolved},
		"an open charge":         {func(e *Evidence) { e.Charges[1].Open = true }, Unresolved},
		"another amount":         {func(e *Evidence) { e.Charges[0].Amount = "10.01" }, Broken},
		"a lost step":            {func(e *Evidence) { e.Attempts[0].History = e.Attempts[0].History[1:] }, Broken},
		"a protest":              {func(e *Evidence) { e.Complaints = []string{"sem ATV antes"} }, Broken},
		"an answer that is none": {func(e *Evidence) { e.Answers["a"] = Answer{} }, Broken},
	} {
		e := shop()
		c.doctor(&e)
		found := e.Compare()
		hit := false
		for _, f := range found {
			hit = hit || f.Offence == c.want
		}
		if !hit {
			t.Errorf("%s: found %v, want %q", name, found, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	got := Table([]Offence{"a", "bb"}, []Finding{{Offence: "bb", Text: "why"}}, func(row func(string, ...any)) {
		row("kills", 12)
		row("  lost / found", 1, "/", 2)
	})
	if want := "kills           12\n  lost / found  1 / 2\n\na   0\nbb  1\nFOUND  bb: why\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
