package main

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/counter"
)

// Figures are what a campaign did and what it found.
type Figures struct {
	mu *sync.Mutex

	Database string
	Hubs     int
	Faults   map[string]int
	Scenes   map[string]int

	Payments, Approvals, Reversals, GivenBack, Refusals int // asked and answered
	Questions, Answered, Unanswered                     int
	Async                                               int // answered 202
	Lost, Broken, Unavailable                           int // without an answer, with 502, with 503
	FromRecords                                         int // looks that the hub answered

	// What became of the operations without an answer, as the callers found out.
	Found counter.Found

	Epochs, Lines, NeverRead, Entries, Gaps, Operations int // compared
	Attempts, Charges, Standing                         int
	Findings                                            []counter.Finding
	Took                                                time.Duration
}

func newFigures() *Figures {
	return &Figures{mu: new(sync.Mutex), Faults: map[string]int{}, Scenes: map[string]int{}, Database: "SQLite"}
}

func (f *Figures) count(change func(*Figures)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// heard counts an answer.
func (f *Figures) heard(k counter.Kind, v counter.Verdict, became counter.Became, a counter.Answer) {
	f.count(func(f *Figures) {
		f.Found.Count(became)
		switch {
		case v == counter.Agreed && k == counter.Paying:
			f.Approvals++
		case v == counter.Agreed:
			f.GivenBack++
		case v == counter.Declined:
			f.Refusals++
		case v == counter.Lost:
			f.Lost++
		case v == counter.Unavailable && a.Status == 502:
			f.Broken++
		case v == counter.Unavailable:
			f.Unavailable++
		}
	})
}

func (f *Figures) faults() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return total(f.Faults)
}

func total(of map[string]int) (n int) {
	for _, times := range of {
		n += times
	}
	return n
}

// progress is how much of the campaign is over.
func (f *Figures) progress(wanted int) float64 { return float64(f.faults()) / float64(wanted) }

// String is the table that is printed.
func (f *Figures) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return counter.Table(offences, f.Findings, func(row func(name string, values ...any)) {
		row("records of the hub in", f.Database)
		row("hubs", f.Hubs)
		row("faults", total(f.Faults))
		for _, name := range slices.Sorted(maps.Keys(f.Faults)) {
			row("  "+name, f.Faults[name])
		}
		row("scenes", total(f.Scenes))
		for _, name := range slices.Sorted(maps.Keys(f.Scenes)) {
			row("  "+name, f.Scenes[name])
		}
		row("payments asked for through the hub", f.Payments)
		row("  answered 200", f.Approvals)
		row("reversals asked for, whole or in part", f.Reversals)
		row("  answered 200, or 409 for one that was made", f.GivenBack)
		row("refused or cancelled, payments and reversals", f.Refusals)
		row("questions: asked / answered / lost or unavailable", f.Questions, "/", f.Answered, "/", f.Unanswered)
		row("answered 202, to run by themselves", f.Async)
		row("answers lost / 502 / 503", f.Lost, "/", f.Broken, "/", f.Unavailable)
		row("looks answered from the hub's records", f.FromRecords)
		row("lost payments, looked up or asked for again: approved / undone", f.Found.Approved, "/", f.Found.Undone)
		row("lost reversals, looked up or asked for again: made / not made", f.Found.Reversed, "/", f.Found.Kept)
		row("attempts in the ledgers", f.Attempts)
		row("charges on the other side / standing", f.Charges, "/", f.Standing)
		row("epochs compared", f.Epochs)
		row("lines of ledgers compared", f.Lines)
		row("  lost with a terminal's data before they were read", f.NeverRead)
		row("log entries compared", f.Entries)
		row("gaps of logs that the hub shows", f.Gaps)
		row("operations looked at", f.Operations)
		row("took", f.Took.Round(time.Second))
	})
}
