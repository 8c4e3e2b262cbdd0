package payment

import (
	"cmp"
	"context"
)

// dialogue is what one operation shows and asks.
type dialogue struct {
	view      *View
	caller    context.Context // whose operation it is, whether or not they stay
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
	if a, taken := g.view.withdraw(person); taken {
		return a, nil
	}
	return Action{}, ctx.Err()
}

// put shows the operation with its next prompt; person takes the action, nil when none is asked for.
func (g *dialogue) put(p Prompt, person chan Action) {
	v := g.view
	v.mu.Lock()
	g.committed = g.committed || p.Step == StepProcessing
	p.Cancellable = p.Cancellable && !g.committed
	v.serial++
	g.shown.Serial, g.shown.Prompt = v.serial, p
	g.shown.Method = cmp.Or(p.Method, g.shown.Method)
	g.shown.Installments = cmp.Or(p.Agreed, g.shown.Installments)
	now := g.shown
	v.shown, v.person = &now, person
	v.dropEnded()
	v.mu.Unlock()
	v.changed()
}
