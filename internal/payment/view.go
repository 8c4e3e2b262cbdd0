package payment

import (
	"errors"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
)

// ErrNotAsked means that the screen does not ask this of a person, or not any more.
var ErrNotAsked = errors.New("the screen does not ask for this")

// Kind tells a payment from a reversal.
type Kind string

// The operations. Menu is what people do in the acquirer's own: see Administration.
const (
	Payment Kind = "payment"
	Refund  Kind = "reversal"
	Menu    Kind = "menu"
)

// Shown is the operation on the screen.
type Shown struct {
	Operation    uint64 // names the operation, over all its prompts; no other ever has the same
	Since        time.Time
	Serial       uint64 // of this prompt, likewise
	Kind         Kind
	Request      Request       // of the payment
	Amount       money.Decimal // that moves: of a reversal as much as it gives back
	Method       Method        // as chosen so far, else as requested
	Installments int           // likewise
	Prompt       Prompt
}

// View is what the person at the terminal sees of payments and reversals, and does: the operation under way with its
// prompts, how the last one ended, and its receipts.
type View struct {
	changed   func()
	gate      *operation.Gate
	receipts  Receipts // nil: none is printed
	unprinted func(Slip, error)
	pace      Pace
	tasks     *tasks

	mu         sync.Mutex
	closed     bool
	running    *dialogue   // of the operation that holds the terminal; nil: none does
	shown      *Shown      // on the screen; nil when no operation is under way
	person     chan Action // takes what the shown prompt asks for; nil when it asks for nothing
	ended      *Ended      // nil when no end is shown
	endedTimer *time.Timer
	endedOf    string    // the operation whose end that is, as Transaction.Operation names it
	settled    []Settled // oldest first
}

func newView(c Config, t *tasks) *View {
	return &View{changed: c.Changed, gate: c.Gate, receipts: c.Receipts, unprinted: c.Unprinted, pace: c.Pace, tasks: t}
}

// close shows no end any more.
func (v *View) close() {
	v.mu.Lock()
	v.closed = true
	v.dropEnded()
	v.mu.Unlock()
}

// Shown returns the operation on the screen, if there is one.
func (v *View) Shown() (Shown, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.shown == nil {
		return Shown{}, false
	}
	return *v.shown, true
}

// Act is the person doing what the prompt of that serial asks for. Each prompt takes one action; ErrNotAsked means
// that nothing was done.
func (v *View) Act(serial uint64, a Action) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.person == nil || v.shown.Serial != serial || !v.shown.Prompt.takes(a) {
		return ErrNotAsked
	}
	v.person <- a
	v.person = nil
	return nil
}

// withdraw asks for nothing any more. An action that was taken meanwhile counts: the person was told so.
func (v *View) withdraw(person chan Action) (Action, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.person == person {
		v.person = nil
	}
	select {
	case a := <-person:
		return a, true
	default:
		return Action{}, false
	}
}

// end takes the operation off the screen and leaves its end there, if it has one to show. What the shop wants on paper
// is printed before end returns, while the terminal is still held: a caller that prints next must not find it busy.
func (v *View) end(g *dialogue, e *Ended) {
	copies := v.offer(e)
	v.mu.Lock()
	v.shown, v.person = nil, nil
	v.putEnded(e)
	v.endedOf = g.attempt
	g.committed = true
	if len(copies) > 0 {
		g.shown.Prompt = Prompt{Step: StepReceipt}
	}
	v.mu.Unlock()
	v.changed()
	if len(copies) > 0 {
		_ = v.print(e, copies) // the screen says so, and whoever keeps the log was told
	}
}
