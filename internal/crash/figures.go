package main

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/counter"
)

// Figures are what a campaign did and what it found.
type Figures struct {
	mu *sync.Mutex

	RandomKills   int            // during an operation
	RecoveryKills int            // soon after the start
	Points        map[string]int // deaths at each named point
	Missed        map[string]int // the point was not on the way
	OtherKills    int            // of the other side

	Payments, Approvals, Refusals, Reversals, Returned, Reversed int // asked and answered
	Lost, Unavailable                                            int // without an answer, and with 503
	CalledOff, NotCalledOff                                      int // wishes to cancel that were taken, and that came too late

	// What became of the operations without an answer, as the caller found out.
	Found counter.Found

	Attempts, Charges, Standing int // in the terminal's ledger, and on the other side
	Findings                    []counter.Finding
	Took                        time.Duration
}

func newFigures() *Figures {
	return &Figures{mu: new(sync.Mutex), Points: map[string]int{}, Missed: map[string]int{}}
}

func (f *Figures) count(change func(*Figures)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// Kills are all deaths of the terminal.
func (f *Figures) Kills() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kills()
}

func (f *Figures) kills() int { return f.RandomKills + f.RecoveryKills + f.atPoints() }

func (f *Figures) atPoints() (n int) {
	for _, times := range f.Points {
		n += times
	}
	return n
}

// String is the table that is printed.
func (f *Figures) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return counter.Table(counter.Offences, f.Findings, func(row func(name string, values ...any)) {
		row("kills -9 of the service", f.kills())
		row("  at random moments of an operation", f.RandomKills)
		row("  while it started and recovered", f.RecoveryKills)
		row("  at named points of the ledger", f.atPoints())
		for _, point := range slices.SortedFunc(maps.Keys(f.Points), byStep) {
			row("    "+point, f.Points[point])
		}
		missed := 0
		for _, times := range f.Missed {
			missed += times
		}
		row("named points that were not on the way", missed)
		row("kills -9 of the other side", f.OtherKills)
		row("payments asked for", f.Payments)
		row("  answered 200", f.Approvals)
		row("reversals asked for", f.Reversals)
		row("  of a part, answered 200", f.Returned)
		row("  answered 200, or 409 for one that was made", f.Reversed)
		row("refused or cancelled, payments and reversals", f.Refusals)
		row("called off by the caller: taken / not taken", f.CalledOff, "/", f.NotCalledOff)
		row("answers lost", f.Lost)
		row("answered 503", f.Unavailable)
		row("lost payments, looked up or asked for again: approved / undone", f.Found.Approved, "/", f.Found.Undone)
		row("lost reversals, looked up or asked for again: made / not made", f.Found.Reversed, "/", f.Found.Kept)
		row("attempts in the ledger", f.Attempts)
		row("charges on the other side / standing", f.Charges, "/", f.Standing)
		row("took", f.Took.Round(time.Second))
	})
}

// byStep sorts points in the order of the steps, before before after.
func byStep(a, b string) int {
	place := func(point string) int {
		when, step, _ := strings.Cut(point, " ")
		for i, s := range steps {
			if s.step == step {
				return 2*i + map[string]int{"after": 1}[when]
			}
		}
		return -1
	}
	return place(a) - place(b)
}
