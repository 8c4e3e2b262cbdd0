package app

import (
	"net/http"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/emulator"
	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
)

// Play has the emulator's people, bank and hardware go by a script. It outlives restarts; what it leaves out, or nil,
// is as without it.
type Play struct {
	// ResultsStay is how long the end of a payment or a reversal stays on the screen, where it is not as long as people need.
	ResultsStay time.Duration
	// Answer is the person's line at a question; it is asked for once for each.
	Answer func(question.Question) Line
	// Operation is how a payment or a reversal goes; it is asked for once for each.
	Operation func(payment.Kind, payment.Request) emulator.Plan
	// Print is the printer's state from the next job on; it is asked for before each; empty: as it was.
	Print func() printing.State
	// ForegroundWait is how long payments wait for the app to come back, where it is not the 15 s of the interface.
	ForegroundWait time.Duration
	// Silence is how long a bank that did not answer goes on not answering, where it is not the emulator's own.
	Silence time.Duration
}

// Line is what the person does at a question: the value, else a valid sample.
type Line struct {
	Value  *string
	Cancel bool
	After  *time.Duration // nil: as long as the autopilot takes
}

func (p *Play) answer(q question.Question) Line {
	if p == nil || p.Answer == nil {
		return Line{}
	}
	return p.Answer(q)
}

// direct has the emulator's bank and printer go by the play.
func (p *Play) direct(e *emulated) {
	if p == nil {
		return
	}
	e.acquirer.Plan, e.printer.Plan = p.Operation, p.Print
	if p.Silence > 0 {
		e.acquirer.Silence = p.Silence
	}
}

func (p *Play) pace() payment.Pace {
	if p == nil {
		return payment.Pace{}
	}
	return payment.Pace{Foreground: p.ForegroundWait, Ended: p.ResultsStay}
}

func or(given *time.Duration, otherwise time.Duration) time.Duration {
	if given == nil {
		return otherwise
	}
	return *given
}

func (c Config) around(h http.Handler) http.Handler {
	if c.Around == nil {
		return h
	}
	return c.Around(h)
}

// Occupy holds the terminal as an operation of somebody else does, until leave or a restart; operation.ErrBusy while another
// holds it.
func (a *App) Occupy() (leave func(), err error) {
	a.current.RLock()
	defer a.current.RUnlock()
	return a.service.Device.Gate.Enter()
}

// Minimise puts the app into the background, or back to where it would be, until a restart.
func (a *App) Minimise(away bool) {
	a.current.RLock()
	defer a.current.RUnlock()
	var override *bool
	if away {
		override = new(bool)
	}
	a.service.Screen.Foreground.Override(override)
}

// URLs are where callers and browsers of this machine reach the terminal.
func (a *App) URLs() (api, screen string) {
	callers, visitors := a.Addresses()
	return a.scheme() + connection.Reachable(callers), "http://" + connection.Reachable(visitors)
}
