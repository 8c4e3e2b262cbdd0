package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maquininha/maquininha/internal/payment"
)

// Offence is what must not happen.
type Offence string

// The zeros of a campaign.
const (
	Unfindable Offence = "charges the caller can't find"
	Double     Offence = "double charges"
	TakenBack  Offence = "approvals and reversals taken back after a 200"
	Unresolved Offence = "unresolved after the recovery"
	Broken     Offence = "rules broken"
	Leaked     Offence = "card numbers leaked"
)

// Offences are all of them.
var Offences = []Offence{Unfindable, Double, TakenBack, Unresolved, Broken, Leaked}

// Finding is one that happened.
type Finding struct {
	Offence Offence
	Text    string
}

// evidence is what each side says when all is over.
type evidence struct {
	sales      []*sale
	answers    map[string]answer // the last look, by reference
	attempts   []attempt
	charges    []charge
	complaints []string // of the other side, about what it was asked
}

// attempt is one of the terminal's ledger.
type attempt struct {
	payment.Transaction
	history []payment.Event
}

// charge is money on the other side.
type charge struct {
	acquirer string
	name     string // as the other side names it
	attempt  int64  // 0: none of the terminal's ledger
	amount   string // what stands of it
	standing bool
	open     bool // it may still change
}

// compare finds what does not fit together.
func (e evidence) compare() (findings []Finding) {
	find := func(what Offence, format string, details ...any) {
		findings = append(findings, Finding{what, fmt.Sprintf(format, details...)})
	}
	attempts := map[int64]attempt{}
	for _, a := range e.attempts {
		attempts[a.ID] = a
		if !a.Resolved() {
			find(Unresolved, "attempt %d of %s is %s, unacknowledged %t", a.ID, a.Request.Reference, a.State, a.Unacknowledged)
		}
		if a.Left().Sign() < 0 {
			find(Broken, "attempt %d of %s: %s of %s went back", a.ID, a.Request.Reference, a.GivenBack(), a.Request.Amount)
		}
		if wrong := unlawful(a.history); wrong != "" {
			find(Broken, "attempt %d of %s: %s", a.ID, a.Request.Reference, wrong)
		}
	}
	standing := map[string][]charge{} // by reference
	for _, c := range e.charges {
		if c.open {
			find(Unresolved, "%s %s is still open on the other side", c.acquirer, c.name)
		}
		if !c.standing {
			continue
		}
		a, known := attempts[c.attempt]
		if !known {
			find(Unfindable, "%s %s of %s is in no ledger of the terminal's", c.acquirer, c.name, c.amount)
			continue
		}
		reference := a.Request.Reference
		standing[reference] = append(standing[reference], c)
		if told := e.answers[reference]; told.state != "approved" {
			find(Unfindable, "%s %s stands, but %s is answered %d %s", c.acquirer, c.name, reference, told.status, told.state)
		}
		if c.amount != a.Left().Cents() {
			find(Broken, "%s %s has %s, and the ledger has %s left of %s", c.acquirer, c.name, c.amount, a.Left(), a.Request.Amount)
		}
	}
	for _, s := range e.sales {
		told, stands := e.answers[s.Reference], standing[s.Reference]
		switch {
		case len(stands) > 1:
			find(Double, "%s stands %d times on the other side", s.Reference, len(stands))
		case len(stands) == 0 && told.state == "approved":
			find(TakenBack, "%s is answered approved, but nothing stands on the other side", s.Reference)
		}
		if told.status != 200 && told.status != 404 {
			find(Broken, "%s is answered %d %s", s.Reference, told.status, told.message)
		}
		if told.state == "pending" {
			find(Unresolved, "%s is answered pending", s.Reference)
		}
		for _, text := range s.Taken {
			find(TakenBack, "%s: %s", s.Reference, text)
		}
	}
	for _, text := range e.complaints {
		find(Broken, "%s", text)
	}
	return findings
}

// unlawful is the first step of a history that must not follow on the one before.
func unlawful(history []payment.Event) string {
	var from payment.State
	for _, e := range history {
		_, reversal, _ := strings.Cut(e.Operation, "-r")
		reversals, _ := strconv.Atoi(reversal) // none: the payment
		if e.State == payment.StateReversing {
			reversals-- // it is the one that begins
		}
		if !e.State.MayFollow(from, reversals) {
			return fmt.Sprintf("%q follows on %q", e.State, from)
		}
		from = e.State
	}
	if from == "" {
		return "it has no history"
	}
	return ""
}
