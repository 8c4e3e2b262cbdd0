package payment

import (
	"cmp"
	"context"
	"errors"
)

// ErrNotAsked means that the screen does not ask this of a person, or not any more.
var ErrNotAsked = errors.New("the screen does not ask for this")

// Kind tells a payment from a reversal.
type Kind string

// The two operations.
const (
	Payment Kind = "payment"
	Refund  Kind = "reversal"
)

// Shown is the operation on the screen.
type Shown struct {
	Serial       uint64 // of this prompt; no other ever has the same
	Kind         Kind
	Request      Request
	Method       Method // as chosen so far, else as requested
	Installments int    // likewise
	Prompt       Prompt
}

// Shown returns the operation on the screen, if there is one.
func (d *Desk) Shown() (Shown, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shown == nil {
		return Shown{}, false
	}
	return *d.shown, true
}

// Act is the person doing what the prompt of that serial asks for. Each prompt takes one action; ErrNotAsked means
// that nothing was done.
func (d *Desk) Act(serial uint64, a Action) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.person == nil || d.shown.Serial != serial || !d.shown.Prompt.takes(a) {
		return ErrNotAsked
	}
	d.person <- a
	d.person = nil
	return nil
}

// dialogue is what one operation shows and asks.
type dialogue struct {
	desk      *Desk
	shown     Shown
	committed bool // money may be moving: nobody cancels any more
}

func (g *dialogue) show(p Prompt) { g.put(p, nil) }

func (g *dialogue) ask(ctx context.Context, p Prompt) (Action, error) {
	if err := ctx.Err(); err != nil {
		return Action{}, err
	}
	person := make(chan Action, 1) // so that Act never waits
	g.put(p, person)
	select {
	case a := <-person:
		return a, nil
	case <-ctx.Done():
	}
	g.desk.mu.Lock()
	defer g.desk.mu.Unlock()
	select {
	case a := <-person: // the person was told that it counts
		return a, nil
	default:
	}
	if g.desk.person == person {
		g.desk.person = nil
	}
	return Action{}, ctx.Err()
}

// put shows a prompt; person takes the action, nil when none is asked for.
func (g *dialogue) put(p Prompt, person chan Action) {
	d := g.desk
	d.mu.Lock()
	g.committed = g.committed || p.Step == StepProcessing
	p.Cancellable = p.Cancellable && !g.committed
	d.serial++
	g.shown.Serial, g.shown.Prompt = d.serial, p
	g.shown.Method = cmp.Or(p.Method, g.shown.Method)
	g.shown.Installments = cmp.Or(p.Agreed, g.shown.Installments)
	now := g.shown
	d.shown, d.person = &now, person
	d.dropEnded()
	d.mu.Unlock()
	d.changed()
}

// end takes the operation off the screen and leaves its end there, if it has one to show. What the shop wants on paper
// is printed before end returns, while the terminal is still held: a caller that prints next must not find it busy.
func (g *dialogue) end(e *Ended) {
	d := g.desk
	now := d.offer(e)
	d.mu.Lock()
	d.shown, d.person = nil, nil
	d.putEnded(e)
	d.mu.Unlock()
	d.changed()
	if len(now) > 0 {
		_ = d.print(e, now) // the screen says so, and whoever keeps the log was told
	}
}
