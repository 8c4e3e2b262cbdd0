package testserver

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/httpapi/tefip"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
	"github.com/maquininha/maquininha/internal/referee"
)

// Scenario is what the people, the bank and the hardware do. The zero value is a good day: every question is answered with a
// valid sample and every payment approved, at once.
//
// Steps of a kind are taken in their order: the first that fits and is not used up. What no step is about goes as on a good day.
type Scenario struct {
	Name string // for the report

	// Delay is how long people take to answer and to pay, where a step does not say otherwise.
	Delay time.Duration
	// ForegroundWait is how long a payment waits for the application to come to the foreground; zero: 15 s, as the real one.
	ForegroundWait time.Duration
	// Platform is what GET /info says; "android" can be restarted by POST /restart. Empty: this system's.
	Platform string
	// Compat is for callers written for another product's SDK: "tefip". Empty: there are none.
	Compat string
	// Ignore are rules that the caller need not keep to, by name.
	Ignore []string

	Answers    []Answer
	Payments   []Operation
	Reversals  []Operation
	Printer    []Jam
	Busy       []Absence
	Background []Absence
	Restarts   []Restart
}

// Answer is what the person does at a question. Without Value, Empty and Cancel a valid sample is given.
type Answer struct {
	Type   string // of the question, like CPF; empty: any
	Prompt string // part of its text, whatever the case; empty: any
	Value  string // as it would be typed
	Empty  bool   // confirmed without an answer
	Cancel bool
	Delay  time.Duration // zero: the scenario's; negative: none
	Uses
}

// Operation is how a payment or a reversal goes.
type Operation struct {
	Type      string // 03, 04, 17 or 99; empty: any
	Amount    string // like 54.24; empty: any
	Reference string // empty: any

	Outcome       string // approve (or empty), refuse, cancel, timeout or offline
	Message       string // of the bank
	Brand         string // of the card, as fiscal documents number them: 01 Visa, 02 Mastercard
	Authorization string
	PaidWith      string        // 03, 04 or 17: what the customer chooses where the caller leaves it open (99)
	Delay         time.Duration // of the customer; zero: the scenario's; negative: none
	BankDelay     time.Duration
	LoseAnswer    bool // the connection breaks when the operation has ended, before the caller hears of it
	Uses
}

// Uses is how often a step is taken: once, unless told.
type Uses struct {
	Times  int
	Always bool
}

// Jam is the printer failing.
type Jam struct {
	Job      int    // the print that fails first, counted from 1; zero: the first
	State    string // paperOut (or empty), coverOpen or offline
	Failures int    // how many prints fail until somebody mends it; zero: one
}

// When is the request at which something happens.
type When struct {
	Request string // like "POST /transaction" or "POST /print/*"; empty: any that the terminal could refuse as busy
	Number  int    // which of those requests, counted from 1; zero: the first
}

// Absence is a time in which the terminal refuses operations: busy with somebody else's, or in the background. It ends after
// so many refusals, or after a while, whatever comes first.
type Absence struct {
	When
	Refusals int           // zero: one, unless For is given
	For      time.Duration // zero: 5 s for busy, 30 s for the background
}

// Restart is the terminal starting anew in the middle.
type Restart struct {
	When
	After time.Duration // since the person was asked to answer or to pay; for other requests, since they came
}

// problem is something wrong with a step.
type problem struct {
	kind  string // of the step, as in the file; empty: the scenario itself
	index int    // of the step among its kind
	key   string
	what  string
}

func (p problem) Error() string {
	if p.kind == "" {
		return p.key + ": " + p.what
	}
	return fmt.Sprintf("[[%s]] %d: %s: %s", p.kind, p.index+1, p.key, p.what)
}

// Check finds what no terminal could play.
func (s Scenario) Check() error {
	var all []error
	for _, p := range s.problems() {
		all = append(all, p)
	}
	return errors.Join(all...)
}

func (s Scenario) problems() (all []problem) {
	wrong := func(kind string, i int, key, what string) { all = append(all, problem{kind, i, key, what}) }
	for _, name := range s.Ignore {
		if referee.Rule(name).Words().Title == "" {
			wrong("", 0, "ignore", fmt.Sprintf("%q não é uma regra; veja maquininha test-server --help", name))
		}
	}
	if s.Compat != "" && s.Compat != tefip.Name {
		wrong("", 0, "compat", "deve ser "+tefip.Name)
	}
	for i, a := range s.Answers {
		if a.Type != "" && !question.Type(a.Type).Known() {
			wrong("answer", i, "type", "deve ser um dos tipos de pergunta: "+join(question.Types))
		}
		if a.Cancel && (a.Value != "" || a.Empty) {
			wrong("answer", i, "cancel", "quem cancela não responde: tire value ou cancel")
		}
	}
	for kind, steps := range map[string][]Operation{"payment": s.Payments, "reversal": s.Reversals} {
		for i, o := range steps {
			for _, p := range o.problems() {
				wrong(kind, i, p.key, p.what)
			}
		}
	}
	for i, j := range s.Printer {
		if j.State != "" && (printing.State(j.State) == printing.OK || !printing.State(j.State).Valid()) {
			wrong("printer", i, "state", "deve ser um de paperOut, coverOpen, offline")
		}
	}
	for _, kind := range []struct {
		name  string
		steps []Absence
	}{{"busy", s.Busy}, {"background", s.Background}} {
		for i, a := range kind.steps {
			if what := a.problem(); what != "" {
				wrong(kind.name, i, "request", what)
			}
		}
	}
	for i, r := range s.Restarts {
		if what := r.problem(); what != "" {
			wrong("restart", i, "request", what)
		}
	}
	return append(all, s.negatives()...)
}

// Numbers that none is below.
const (
	noCount  = "deve ser 1 ou mais"
	noPeriod = "não pode ser negativo"
)

func (s Scenario) negatives() (all []problem) {
	count := func(kind string, i int, key string, n int) {
		if n < 0 {
			all = append(all, problem{kind, i, key, noCount})
		}
	}
	period := func(kind string, i int, key string, d time.Duration) {
		if d < 0 {
			all = append(all, problem{kind, i, key, noPeriod})
		}
	}
	absences := func(kind string, steps []Absence) {
		for i, a := range steps {
			count(kind, i, "number", a.Number)
			count(kind, i, "refusals", a.Refusals)
			period(kind, i, "for", a.For)
		}
	}
	operations := func(kind string, steps []Operation) {
		for i, o := range steps {
			count(kind, i, "times", o.Times)
			period(kind, i, "bank_delay", o.BankDelay)
		}
	}
	period("", 0, "delay", s.Delay)
	period("", 0, "foreground_wait", s.ForegroundWait)
	for i, a := range s.Answers {
		count("answer", i, "times", a.Times)
	}
	operations("payment", s.Payments)
	operations("reversal", s.Reversals)
	for i, j := range s.Printer {
		count("printer", i, "job", j.Job)
		count("printer", i, "failures", j.Failures)
	}
	absences("busy", s.Busy)
	absences("background", s.Background)
	for i, r := range s.Restarts {
		count("restart", i, "number", r.Number)
		period("restart", i, "after", r.After)
	}
	return all
}

func (o Operation) problems() (all []problem) {
	oneOf := func(key, value string, choices ...string) {
		if value != "" && !slices.Contains(choices, value) {
			all = append(all, problem{key: key, what: "deve ser um de " + strings.Join(choices, ", ")})
		}
	}
	oneOf("outcome", o.Outcome, "approve", "refuse", "cancel", "timeout", "offline")
	oneOf("type", o.Type, "03", "04", "17", "99")
	oneOf("paid_with", o.PaidWith, "03", "04", "17")
	if o.Amount != "" {
		if _, err := money.Parse(o.Amount); err != nil {
			all = append(all, problem{key: "amount", what: "deve ser um valor como 54.24"})
		}
	}
	return all
}

func join[T ~string](all []T) string {
	var names []string
	for _, a := range all {
		names = append(names, string(a))
	}
	return strings.Join(names, ", ")
}
