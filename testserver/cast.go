package testserver

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
)

// cast plays the people, the bank and the printer of a scenario, over restarts.
type cast struct {
	scenario Scenario

	mu     sync.Mutex
	used   map[string]int // by step, see stepName
	prints int
	lose   bool // the answer of the operation under way
	notes  []string
	asked  chan struct{} // closed, and made anew, when somebody is asked to answer or to pay
}

func newCast(s Scenario) *cast {
	return &cast{scenario: s, used: map[string]int{}, asked: make(chan struct{})}
}

// nextAsked is closed when somebody is next asked to answer or to pay.
func (c *cast) nextAsked() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked
}

// enter is for whoever is asked; leave is for when it is known what he will do.
func (c *cast) enter() (leave func()) {
	c.mu.Lock()
	return func() {
		close(c.asked)
		c.asked = make(chan struct{})
		c.mu.Unlock()
	}
}

func (c *cast) play() *app.Play {
	return &app.Play{Answer: c.answer, Operation: c.operation, Print: c.print, ForegroundWait: c.scenario.ForegroundWait}
}

func stepName(kind string, i int) string { return fmt.Sprintf("[[%s]] %d", kind, i+1) }

// take uses a step once more, if it is not used up.
func (c *cast) take(kind string, i int, u Uses) bool {
	name := stepName(kind, i)
	if n := c.used[name]; !u.Always && n >= max(u.Times, 1) {
		return false
	}
	c.used[name]++
	return true
}

func (c *cast) note(format string, args ...any) {
	c.notes = append(c.notes, fmt.Sprintf(format, args...))
}

func (c *cast) answer(q question.Question) app.Line {
	defer c.enter()()
	for i, a := range c.scenario.Answers {
		fits := (a.Type == "" || a.Type == string(q.Type)) && strings.Contains(strings.ToLower(q.Text), strings.ToLower(a.Prompt))
		if !fits || !c.take("answer", i, a.Uses) {
			continue
		}
		line := app.Line{Cancel: a.Cancel, After: thinking(a.Delay)}
		if a.Value == "" && !a.Empty {
			return line
		}
		if _, err := q.Canonical(a.Value); err != nil {
			c.note("%s: a pergunta %q (%s) não aceita %q; foi respondida com um valor de exemplo", stepName("answer", i), q.Text, q.Type, a.Value)
			return line
		}
		line.Value = &a.Value
		return line
	}
	return app.Line{}
}

// thinking is a step's delay; nil: the scenario's.
func thinking(d time.Duration) *time.Duration {
	if d == 0 {
		return nil
	}
	d = max(d, 0)
	return &d
}

// tPags are the ways to pay as the interface numbers them.
var tPags = map[string]payment.Method{"03": payment.Credit, "04": payment.Debit, "17": payment.Pix, "99": payment.AnyMethod}

func (c *cast) operation(kind payment.Kind, r payment.Request) emulator.Plan {
	defer c.enter()()
	c.lose = false
	name, steps := "payment", c.scenario.Payments
	if kind == payment.Refund {
		name, steps = "reversal", c.scenario.Reversals
	}
	for i, o := range steps {
		if !o.fits(r) || !c.take(name, i, o.Uses) {
			continue
		}
		c.lose = o.LoseAnswer
		plan := emulator.Plan{Thinks: thinking(o.Delay), PaidVia: tPags[o.PaidWith]}
		// A step that says nothing of the outcome leaves it to the amount.
		if o.Outcome != "" || o.Message != "" || o.Brand != "" || o.Authorization != "" || o.BankDelay > 0 {
			plan.Reply = &emulator.Reply{
				Ending: emulator.Approve, Message: o.Message, Delay: o.BankDelay, Brand: o.Brand, Authorization: o.Authorization,
			}
			if o.Outcome != "" {
				plan.Reply.Ending = emulator.Ending(o.Outcome)
			}
		}
		return plan
	}
	return emulator.Plan{}
}

func (o Operation) fits(r payment.Request) bool {
	if o.Amount != "" {
		if amount, err := money.Parse(o.Amount); err != nil || amount.Cmp(r.Amount) != 0 {
			return false
		}
	}
	return (o.Type == "" || tPags[o.Type] == r.Method) && (o.Reference == "" || o.Reference == r.Reference)
}

// loses takes back, and tells, that the answer of the operation under way is to be lost.
func (c *cast) loses() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	lose := c.lose
	c.lose = false
	return lose
}

func (c *cast) print() printing.State {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.prints++
	var state printing.State
	for i, j := range c.scenario.Printer {
		first := max(j.Job, 1)
		last := first + max(j.Failures, 1) - 1
		switch {
		case c.prints >= first && c.prints <= last:
			c.used[stepName("printer", i)]++
			if state = printing.State(j.State); state == "" {
				state = printing.PaperOut
			}
		case c.prints == last+1 && state == "":
			state = printing.OK
		}
	}
	return state
}

// remarks are what is to be said of the scenario itself: steps that could not be played, and those that nothing has come to.
func (c *cast) remarks() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.scenario
	remarks := append([]string{}, c.notes...)
	for _, kind := range []struct {
		name  string
		count int
	}{
		{"answer", len(s.Answers)},
		{"payment", len(s.Payments)},
		{"reversal", len(s.Reversals)},
		{"printer", len(s.Printer)},
		{"busy", len(s.Busy)},
		{"background", len(s.Background)},
		{"restart", len(s.Restarts)},
	} {
		for i := range kind.count {
			if name := stepName(kind.name, i); c.used[name] == 0 {
				remarks = append(remarks, name+": este passo do roteiro não aconteceu")
			}
		}
	}
	return remarks
}

// mark keeps that a step was taken.
func (c *cast) mark(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used[name]++
}
