package main

import "math/rand/v2"

// plan is one round: an operation, how it is to end, and where the terminal is to die on the way.
type plan struct {
	acquirer string
	kind     kind
	ending   ending
	points   []string // one start of the terminal after the other; none: at some moment
}

// steps are all those that the ledger takes, with the operation that leads to each.
var steps = []struct {
	step   string
	kind   kind
	ending ending
	first  string // die there first: the step is the recovery's
}{
	{"begun", paying, approve, ""},
	{"sent", paying, approve, ""},
	{"approved", paying, approve, ""},
	{"confirmed", paying, approve, ""},
	{"acknowledged", paying, approve, ""},
	{"refused", paying, refuse, ""},
	{"cancelled", paying, cancel, ""},
	{"unknown", paying, silent, ""},
	{"undoing", paying, approve, "after sent"},
	{"undone", paying, approve, "after sent"},
	{"undone", paying, approve, "after approved"},
	{"acknowledged", paying, approve, "after confirmed"},
	{"cancelled", paying, approve, "after begun"},
	{"reversal reversing", reversing, approve, ""},
	{"reversal sent", reversing, approve, ""},
	{"reversal reversed", reversing, approve, ""},
	{"reversal acknowledged", reversing, approve, ""},
	{"reversal confirmed", reversing, refuse, ""},
	{"reversal unknown", reversing, silent, ""},
	{"reversal confirmed", reversing, approve, "after reversal reversing"},
	{"reversal acknowledged", reversing, approve, "after reversal reversed"},
	{"reversal sent", returning, approve, ""},
	{"reversal returned", returning, approve, ""},
	{"reversal acknowledged", returning, approve, ""},
	{"reversal acknowledged", returning, approve, "after reversal returned"},
}

// named are the plans that die before and after each step, on each of the acquirers.
func named(acquirers []string) (plans []plan) {
	for _, acquirer := range acquirers {
		for _, s := range steps {
			if s.kind == returning && acquirer == tefAcquirer {
				continue // it gives back whole sales only
			}
			for _, when := range []string{"before ", "after "} {
				p := plan{acquirer, s.kind, s.ending, []string{when + s.step}}
				if s.first != "" {
					p.points = []string{s.first, when + s.step}
				}
				plans = append(plans, p)
			}
		}
	}
	return plans
}

// anything is a plan whose terminal dies at some moment.
func anything(dice *rand.Rand, acquirers []string) plan {
	p := plan{acquirer: acquirers[dice.IntN(len(acquirers))], kind: paying, ending: approve}
	switch dice.IntN(6) {
	case 0, 1:
		p.kind = reversing
	case 2:
		if p.acquirer != tefAcquirer { // it gives back whole sales only
			p.kind = returning
		}
	}
	switch dice.IntN(8) {
	case 0:
		p.ending = refuse
	case 1:
		p.ending = cancel
	}
	return p
}
