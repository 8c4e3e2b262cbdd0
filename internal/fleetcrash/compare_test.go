package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/counter"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/payment"
)

var noon = time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)

func lines(attempts ...int64) (all []records.Step) {
	for i, a := range attempts {
		all = append(all, records.Step{Number: int64(i + 1), Attempt: a, At: noon.Add(time.Duration(i) * time.Second), State: "sent"})
	}
	return all
}

func entries(from, to int64, text string) (all []records.Entry) {
	for n := from; n <= to; n++ {
		all = append(all, records.Entry{ID: n, Message: fmt.Sprint(text, n)})
	}
	return all
}

func attempts(ids ...int64) (all []counter.Attempt) {
	for _, id := range ids {
		all = append(all, counter.Attempt{Transaction: payment.Transaction{ID: id}})
	}
	return all
}

// wellKept is a fleet in which all is well: a terminal whose data were restored. The copy was of two lines and four entries; two lines more and
// three entries more are lost with the newer data, of which the hub had read all but a line; since then there are two lines and two
// entries, after a gap of two.
func wellKept() evidence {
	return evidence{
		Histories: []history{
			{Epoch: "a", Lines: lines(1, 2, 3, 3), Entries: entries(1, 7, "old "), Attempts: attempts(1, 2, 3)},
			{
				Epoch: "b", Origins: []records.Origin{{Epoch: "a", Ledger: 2, Log: 4}}, Lines: lines(1, 2, 2, 3), Current: true, Log: 8,
				Entries: append(entries(3, 4, "old "), entries(7, 9, "new ")...), Attempts: attempts(1, 2, 3),
			},
		},
		Kept: map[string]kept{
			"a": {Begun: true, Ledger: 3, Log: 7, Attempts: []int64{1, 3}, Entries: entries(1, 7, "old "), Steps: map[int64][]records.Step{1: lines(1), 2: lines(1, 2)[1:], 3: lines(1, 2, 3)[2:]}},
			"b": {
				Begun: true, Ledger: 4, Log: 8, Attempts: []int64{2, 3}, Entries: entries(7, 8, "new "), Gaps: []records.Gap{{First: 5, Last: 6}},
				Steps: map[int64][]records.Step{1: lines(1), 2: lines(1, 2, 2)[1:], 3: lines(1, 2, 2, 3)[3:]},
			},
		},
		Told: []told{
			{&counter.Sale{Reference: "x", Approved: true}, []records.Transaction{{Status: "refused"}, {Status: "approved"}}},
			{&counter.Sale{Reference: "y", Approved: true, Reversed: true}, []records.Transaction{{Status: "reversed"}}},
			{&counter.Sale{Reference: "z"}, nil},
		},
	}
}

// TestCompareFinds doctors one book at a time.
func TestCompareFinds(t *testing.T) {
	if found := wellKept().compare(); len(found) > 0 {
		t.Fatalf("all is well, and yet: %v", found)
	}
	// keep changes what the hub has of an epoch.
	keep := func(epoch string, change func(*kept)) func(*evidence) {
		return func(e *evidence) {
			k := e.Kept[epoch]
			change(&k)
			e.Kept[epoch] = k
		}
	}
	for what, c := range map[string]struct {
		doctor func(*evidence)
		want   counter.Offence
	}{
		"a line that is not here":          {keep("b", func(k *kept) { k.Steps[2] = k.Steps[2][:1] }), Missing},
		"an older line that is not here":   {keep("a", func(k *kept) { delete(k.Steps, 1) }), Missing},
		"a line of an origin not here":     {keep("b", func(k *kept) { delete(k.Steps, 1) }), Missing},
		"a line with another state":        {keep("b", func(k *kept) { k.Steps[3][0].State = "approved" }), Missing},
		"a line with another moment":       {keep("b", func(k *kept) { k.Steps[3][0].At = noon }), Missing},
		"a line twice":                     {keep("b", func(k *kept) { k.Steps[2] = append(k.Steps[2], k.Steps[2][1]) }), Doubled},
		"a line of the lost data":          {keep("b", func(k *kept) { k.Steps[3] = append(k.Steps[3], lines(1, 2, 3, 3)[3]) }), Doubled},
		"not read to the end":              {keep("b", func(k *kept) { k.Ledger = 3; delete(k.Steps, 3); k.Attempts = []int64{2} }), Missing},
		"more read than there is":          {keep("b", func(k *kept) { k.Ledger = 5 }), Missing},
		"a gap in the ledger":              {keep("b", func(k *kept) { k.FalseGaps = []records.Gap{{First: 3, Last: 3}} }), Missing},
		"a payment listed twice":           {keep("b", func(k *kept) { k.Attempts = append(k.Attempts, 3) }), Doubled},
		"a payment of nobody":              {keep("b", func(k *kept) { k.Attempts = append(k.Attempts, 4) }), Doubled},
		"an entry that is not here":        {keep("b", func(k *kept) { k.Entries = k.Entries[:1] }), Holes},
		"an entry of an origin not here":   {keep("a", func(k *kept) { k.Entries = k.Entries[1:] }), Holes},
		"an entry with another text":       {keep("b", func(k *kept) { k.Entries[0].Message = "?" }), Holes},
		"an entry twice":                   {keep("b", func(k *kept) { k.Entries = append(k.Entries, k.Entries[0]) }), Doubled},
		"an entry in two epochs":           {keep("b", func(k *kept) { k.Gaps[0].First = 5; k.Entries = append(k.Entries, entries(5, 5, "new ")...) }), Doubled},
		"a gap that is not shown":          {keep("b", func(k *kept) { k.Gaps = nil }), Holes},
		"a gap that is none":               {keep("b", func(k *kept) { k.Gaps[0].Last = 7; k.Entries = k.Entries[1:] }), Holes},
		"a log that was not read":          {keep("b", func(k *kept) { k.Log = 7; k.Entries = k.Entries[:1] }), Holes},
		"an approval that is not here":     {func(e *evidence) { e.Told[0].Rows = e.Told[0].Rows[:1] }, Unknown},
		"a reversal that is not here":      {func(e *evidence) { e.Told[1].Rows[0].Status = "approved" }, Unknown},
		"a payment that counts twice":      {func(e *evidence) { e.Told[0].Rows[0].Status = "approved" }, Doubled},
		"an operation that goes on":        {func(e *evidence) { e.Running = []string{"x"} }, Endless},
		"an operation that is not known":   {func(e *evidence) { e.Complaints = []string{"x"} }, counter.Broken},
		"a terminal that the hub forgot":   {func(e *evidence) { delete(e.Kept, "b") }, Missing},
		"an epoch that the hub has forgot": {func(e *evidence) { delete(e.Kept, "a") }, Holes},
	} {
		e := wellKept()
		c.doctor(&e)
		hit := false
		for _, f := range e.compare() {
			hit = hit || f.Offence == c.want
		}
		if !hit {
			t.Errorf("%s: found %v, want %q", what, e.compare(), c.want)
		}
	}
}
