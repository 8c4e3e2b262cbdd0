package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/maquininha/maquininha/internal/counter"
	"github.com/maquininha/maquininha/internal/hub/records"
)

// The zeros of this campaign, besides those of every counter.
const (
	Missing counter.Offence = "lines of a ledger that the hub lacks or has otherwise"
	Doubled counter.Offence = "lines, entries and payments that the hub has twice, or of nobody"
	Holes   counter.Offence = "log entries that the hub neither has nor shows as a gap"
	Unknown counter.Offence = "approvals told to a caller that the hub does not find"
	Endless counter.Offence = "operations without an end"
)

var offences = []counter.Offence{counter.Double, counter.Unfindable, counter.TakenBack, counter.Unresolved, Missing, Doubled, Holes, Unknown, Endless, counter.Broken}

// evidence is what the terminals and the hub say when all is over.
type evidence struct {
	Histories  []history
	Kept       map[string]kept // by epoch
	Told       []told
	Running    []string // operations that have no end
	Complaints []string
}

// told is an order, and what the hub finds by its reference.
type told struct {
	Sale *counter.Sale
	Rows []records.Transaction
}

// compare finds what does not fit together.
func (e evidence) compare() (findings []counter.Finding) {
	find := func(what counter.Offence, format string, details ...any) {
		findings = append(findings, counter.Finding{Offence: what, Text: fmt.Sprintf(format, details...)})
	}
	for _, h := range e.Histories {
		e.compareLedger(h, find)
		e.compareLog(h, find)
	}
	for _, t := range e.Told {
		compareTold(t, find)
	}
	for _, o := range e.Running {
		find(Endless, "%s", o)
	}
	for _, text := range e.Complaints {
		find(counter.Broken, "%s", text)
	}
	return findings
}

type finder func(what counter.Offence, format string, details ...any)

// compareLedger holds each line of a terminal's history against the hub's. Of data that are no more the hub has a beginning.
func (e evidence) compareLedger(h history, find finder) {
	k := e.Kept[h.Epoch]
	last := int64(0)
	want := map[int64][]records.Step{}
	for _, l := range h.Lines {
		last = l.Number
		if l.Number <= k.Ledger {
			want[l.Attempt] = append(want[l.Attempt], l)
		}
	}
	if k.Ledger > last || h.Current && k.Ledger < last {
		find(Missing, "%s: the hub has read up to line %d of %d", h.Epoch, k.Ledger, last)
	}
	for _, g := range k.FalseGaps {
		find(Missing, "%s: a gap in the ledger, %d to %d", h.Epoch, g.First, g.Last)
	}
	listed := map[int64]int{}
	for _, attempt := range k.Attempts {
		if len(want[attempt]) == 0 {
			find(Doubled, "%s: the hub has an attempt %d of nobody", h.Epoch, attempt)
		}
		if listed[attempt]++; listed[attempt] == 2 {
			find(Doubled, "%s: the hub lists attempt %d twice", h.Epoch, attempt)
		}
	}
	if !k.Begun {
		return // all that there is of it is in its origins, and is compared there
	}
	for _, a := range h.Attempts {
		lines, steps := want[a.ID], k.Steps[a.ID]
		for i := range max(len(lines), len(steps)) {
			switch {
			case i >= len(steps):
				find(Missing, "%s: line %+v", h.Epoch, lines[i])
			case i >= len(lines):
				find(Doubled, "%s: line %+v", h.Epoch, steps[i])
			case lines[i] != steps[i]:
				find(Missing, "%s: line %+v is %+v", h.Epoch, lines[i], steps[i])
			default:
				continue
			}
			break // what follows is out of step
		}
	}
}

// compareLog finds each entry in the hub once, in its epoch or in an origin of it, or in a gap that is one.
func (e evidence) compareLog(h history, find finder) {
	k := e.Kept[h.Epoch]
	if h.Current && k.Log < h.Log {
		find(Holes, "%s: the hub has read up to entry %d of %d", h.Epoch, k.Log, h.Log)
	}
	rows, spans := e.rows(h, k)
	next := int64(1)
	for _, s := range spans {
		switch {
		case s.first > next:
			find(Holes, "%s: entries %d to %d", h.Epoch, next, s.first-1)
			return
		case s.first < next:
			find(Doubled, "%s: entry %d", h.Epoch, s.first)
			return
		}
		next = s.last + 1
	}
	if next <= k.Log {
		find(Holes, "%s: entries %d to %d", h.Epoch, next, k.Log)
		return
	}
	for _, entry := range h.Entries {
		if got, known := rows[entry.ID]; entry.ID <= k.Log && (!known || got != entry) {
			find(Holes, "%s: entry %+v is %+v", h.Epoch, entry, got)
			return
		}
	}
}

// span are numbers that the hub has, or shows as a gap.
type span struct{ first, last int64 }

// rows are the entries that the hub has of a history, and the numbers of these and of the gaps, in order.
func (e evidence) rows(h history, k kept) (map[int64]records.Entry, []span) {
	rows, spans := map[int64]records.Entry{}, []span(nil)
	first := k.Log + 1 // of what was taken: what comes before is in an origin
	take := func(k kept, upto int64) {
		for _, entry := range k.Entries {
			if entry.ID <= upto {
				rows[entry.ID] = entry
				spans = append(spans, span{entry.ID, entry.ID})
				first = min(first, entry.ID)
			}
		}
		for _, g := range k.Gaps {
			if g.First <= upto {
				spans = append(spans, span{g.First, min(g.Last, upto)})
				first = min(first, g.First)
			}
		}
	}
	take(k, k.Log)
	for _, o := range h.Origins {
		take(e.Kept[o.Epoch], min(o.Log, first-1))
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	return rows, spans
}

// compareTold looks for an order among what the hub lists by its reference.
func compareTold(t told, find finder) {
	standing, reversed := 0, 0
	for _, x := range t.Rows {
		switch x.Status {
		case "approved":
			standing++
		case "reversed":
			reversed++
		}
	}
	switch {
	case standing+reversed > 1:
		find(Doubled, "%s is in the hub %d times", t.Sale.Reference, standing+reversed)
	case t.Sale.Reversed && reversed == 0, t.Sale.Approved && !t.Sale.Reversed && standing == 0:
		find(Unknown, "%s: approved %t, reversed %t, and the hub has %s", t.Sale.Reference, t.Sale.Approved, t.Sale.Reversed, statuses(t.Rows))
	}
}

func statuses(rows []records.Transaction) (all []string) {
	for _, x := range rows {
		all = append(all, x.Status)
	}
	slices.Sort(all)
	return all
}
