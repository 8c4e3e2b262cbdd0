package main

import (
	"math/rand/v2"

	"github.com/maquininha/maquininha/internal/counter"
)

// plan is one round: an operation, how it is to end, and where the terminal is to die on the way.
type plan struct {
	acquirer string
	kind     counter.Kind
	ending   counter.Ending
	points   []string // one start of the terminal after the other; none: at some moment
}

// steps are all those that the ledger takes, with the operation that leads to each.
var steps = []struct {
	step   string
	kind   counter.Kind
	ending counter.Ending
	first  string // die there first: the step is the recovery's
}{
	{"begun", counter.Paying, counter.Approve, ""},
	{"sent", counter.Paying, counter.Approve, ""},
	{"approved", counter.Paying, counter.Approve, ""},
	{"confirmed", counter.Paying, counter.Approve, ""},
	{"acknowledged", counter.Paying, counter.Approve, ""},
	{"refused", counter.Paying, counter.Refuse, ""},
	{"cancelled", counter.Paying, counter.Cancel, ""},
	{"unknown", counter.Paying, counter.Silent, ""},
	{"undoing", counter.Paying, counter.Approve, "after sent"},
	{"undone", counter.Paying, counter.Approve, "after sent"},
	{"undone", counter.Paying, counter.Approve, "after approved"},
	{"acknowledged", counter.Paying, counter.Approve, "after confirmed"},
	{"cancelled", counter.Paying, counter.Approve, "after begun"},
	{"reversal reversing", counter.Reversing, counter.Approve, ""},
	{"reversal sent", counter.Reversing, counter.Approve, ""},
	{"reversal reversed", counter.Reversing, counter.Approve, ""},
	{"reversal acknowledged", counter.Reversing, counter.Approve, ""},
	{"reversal confirmed", counter.Reversing, counter.Refuse, ""},
	{"reversal unknown", counter.Reversing, counter.Silent, ""},
	{"reversal confirmed", counter.Reversing, counter.Approve, "after reversal reversing"},
	{"reversal acknowledged", counter.Reversing, counter.Approve, "after reversal reversed"},
	{"reversal sent", counter.Returning, counter.Approve, ""},
	{"reversal returned", counter.Returning, counter.Approve, ""},
	{"reversal acknowledged", counter.Returning, counter.Approve, ""},
	{"reversal acknowledged", counter.Returning, counter.Approve, "after reversal returned"},
}

// named are the plans that die before and after each step, on each of the acquirers.
func named(acquirers []string) (plans []plan) {
	for _, acquirer := range acquirers {
		for _, s := range steps {
			if !gives(acquirer, s.kind) {
				continue
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

// gives tells whether an acquirer does this. Some give back whole sales only; at Cielo people do it, at the device, and the terminal
// only records it.
func gives(acquirer string, k counter.Kind) bool {
	switch k {
	case counter.Returning:
		return acquirer != counter.TEF && acquirer != counter.ConnectTEF && acquirer != counter.Cielo && acquirer != counter.ControlPay
	case counter.Reversing:
		return acquirer != counter.Cielo
	}
	return true
}

// anything is a plan whose terminal dies at some moment.
func anything(dice *rand.Rand, acquirers []string) plan {
	p := plan{acquirer: acquirers[dice.IntN(len(acquirers))], kind: counter.Paying, ending: counter.Approve}
	kind := []counter.Kind{counter.Reversing, counter.Reversing, counter.Returning, counter.Paying, counter.Paying, counter.Paying}[dice.IntN(6)]
	if gives(p.acquirer, kind) {
		p.kind = kind
	}
	switch dice.IntN(8) {
	case 0:
		p.ending = counter.Refuse
	case 1:
		p.ending = counter.Cancel
	}
	return p
}
