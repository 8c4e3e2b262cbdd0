package payment

import (
	"cmp"
	"context"
	"errors"

	"github.com/maquininha/maquininha/internal/operation"
)

// Why an operation ended that nobody at the terminal cancelled; in its history.
const (
	NoteCalledOff = "called off by the caller"
	NoteTimedOut  = "called off when its time was up"
)

// errCalledOff means that the operation was called off before anything had left.
var errCalledOff = errors.New("called off before anything had left")

// dialogue is what one operation shows and asks. Its fields belong to the view's lock.
type dialogue struct {
	view      *View
	caller    context.Context // whose operation it is, whether or not they stay
	shown     Shown
	pageless  bool          // it is talked over elsewhere
	attempt   string        // what it works on, as Transaction.Operation names it; empty: nothing yet
	committed bool          // money may be moving: nobody cancels any more
	calledOff chan struct{} // closed once the caller does not want it any more
	why       string        // set before that
	told      chan struct{} // set before that: closed once somebody was told whose wish it is; nil: nobody's
	known     func()        // once it was told that the operation began, or it won't be
	isKnown   chan struct{} // closed by known
}

// off tells whether the caller has called the operation off.
func (g *dialogue) off() bool {
	select {
	case <-g.calledOff:
		return true
	default:
		return false
	}
}

// note is for the history of an operation: why it was called off, or else the acquirer's words.
func (g *dialogue) note(o Outcome) string {
	if o.Verdict == Abandoned && g.off() {
		if g.told != nil {
			<-g.told // nobody hears of the end before the wish
		}
		return g.why
	}
	return o.Message
}

// whenOff has something done once the caller calls the operation off, until it is stopped.
func (g *dialogue) whenOff(do func()) (stop func()) {
	over := make(chan struct{})
	go func() {
		select {
		case <-g.calledOff:
			do()
		case <-over:
		}
	}()
	return func() { close(over) }
}

// commit is for an operation whose end is known: a wish to cancel comes too late. The screen shows its end next.
func (g *dialogue) commit() {
	g.view.mu.Lock()
	already := g.committed
	g.committed, g.shown.Prompt = true, Prompt{Step: StepProcessing}
	g.view.mu.Unlock()
	if !already {
		g.view.changed()
	}
}

func (g *dialogue) show(p Prompt) { g.put(p, nil) }

func (g *dialogue) ask(ctx context.Context, p Prompt) (Action, error) {
	if err := ctx.Err(); err != nil {
		return Action{}, err
	}
	person := make(chan Action, 1) // so that Act never waits
	if !g.put(p, person) {
		return Action{Kind: ActCancel}, nil
	}
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

// put shows the operation with its next prompt; person takes the action, nil when none is asked for. What could be cancelled
// is not asked any more, and not shown, in an operation that the caller has called off.
func (g *dialogue) put(p Prompt, person chan Action) bool {
	v := g.view
	v.mu.Lock()
	g.committed = g.committed || p.Committed || p.Step == StepProcessing && !p.Preparing
	p.Cancellable = p.Cancellable && !g.committed
	if person != nil && p.Cancellable && g.off() {
		v.mu.Unlock()
		return false
	}
	g.shown.Serial, g.shown.Prompt = operation.NewID(), p
	g.shown.Method = cmp.Or(p.Method, g.shown.Method)
	g.shown.Installments = cmp.Or(p.Agreed, g.shown.Installments)
	now := g.shown
	v.shown, v.person = &now, person
	v.dropEnded()
	v.mu.Unlock()
	v.changed()
	return true
}
