package emulator

import (
	"context"
	"errors"

	"github.com/maquininha/maquininha/internal/payment"
)

// ErrNothingWaiting means that no payment or reversal waits for a person, or none for a card.
var ErrNothingWaiting = errors.New("no operation waits for a person")

// turn is an operation that waits for a person, over all its steps. Its fields belong to the acquirer's lock.
type turn struct {
	serial    uint64
	plan      Plan
	decision  *Decision // the rest of the steps is skipped
	card      *Card
	takesCard bool   // the step under way
	interrupt func() // ends the step under way
}

// Decision is what a person does with the payment on the screen, all steps at once: what the screen asks for, or an
// outcome forced upon the operation, which then goes by no script.
type Decision struct {
	Forced  *Reply
	PaidVia payment.Method // how the person chose to pay where the caller left it open
}

// Entry is how a card is presented.
type Entry string

// The three ways.
const (
	Insert Entry = "insert"
	Tap    Entry = "tap"
	Swipe  Entry = "swipe"
)

// Card is one at the terminal.
type Card struct {
	Entry   Entry
	Reply   *Reply         // what its bank says; nil leaves that to the script and the amount
	PaidVia payment.Method // credit or debit, where nobody chose yet
}

// Waiting returns the number of the operation that waits for a person; each has its own.
func (a *Acquirer) Waiting() (serial uint64, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.turn == nil {
		return 0, false
	}
	return a.turn.serial, true
}

// Decide settles the operation that waits, at whatever step it is, or returns ErrNothingWaiting.
func (a *Acquirer) Decide(d Decision) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.turn == nil {
		return ErrNothingWaiting
	}
	a.decide(d)
	return nil
}

// Proceed is the person doing what the screen asks, to the end, in the operation of that number; late, it does
// nothing.
func (a *Acquirer) Proceed(serial uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.turn != nil && a.turn.serial == serial {
		a.decide(Decision{PaidVia: a.turn.plan.PaidVia})
	}
}

func (a *Acquirer) decide(d Decision) {
	t := a.turn
	a.turn = nil
	t.decision = &d
	t.interrupt()
}

// PresentCard gives the operation the card it waits for, or returns ErrNothingWaiting. A card presented while the
// screen still asks how to pay answers that too.
func (a *Acquirer) PresentCard(card Card) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.turn
	if t == nil || !t.takesCard {
		return ErrNothingWaiting
	}
	t.card, t.takesCard = &card, false
	t.interrupt()
	return nil
}

// open begins a turn, before anything is shown, so that whoever watches the screen finds it waiting.
func (a *Acquirer) open(k payment.Kind, r payment.Request) *turn {
	t := &turn{interrupt: func() {}}
	if a.Plan != nil {
		t.plan = a.Plan(k, r)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.serial++
	t.serial = a.serial
	a.turn = t
	return a.turn
}

// close ends the turn: from here on nobody decides.
func (a *Acquirer) close(t *turn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.turn == t {
		a.turn = nil
	}
}

// ending closes the turn and says how the operation ends: as forced, else as the card's bank says, else as
// scripted, else as planned, else otherwise.
func (a *Acquirer) ending(t *turn, card *Card, otherwise Reply) Reply {
	a.close(t)
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case t.decision != nil && t.decision.Forced != nil:
		return *t.decision.Forced
	case card != nil && card.Reply != nil:
		return *card.Reply
	case len(a.script) > 0:
		next := a.script[0]
		a.script = a.script[1:]
		return next
	case t.plan.Reply != nil:
		return *t.plan.Reply
	}
	return otherwise
}

// gesture is what came of a step.
type gesture struct {
	action  payment.Action
	card    *Card
	decided *Decision // for all steps
	off     bool      // the person called the operation off
}

// ask shows a step, which the person may cancel, and waits for what comes of it.
func (a *Acquirer) ask(ctx context.Context, t *turn, c payment.Charge, p payment.Prompt) (gesture, error) {
	ctx, interrupt := context.WithCancel(ctx)
	defer interrupt()
	a.mu.Lock()
	t.interrupt = interrupt
	t.takesCard = p.Step == payment.StepCard || p.Step == payment.StepChoose
	if t.decision != nil {
		interrupt()
	}
	a.mu.Unlock()

	p.Cancellable = true
	action, err := c.Ask(ctx, p)

	a.mu.Lock()
	defer a.mu.Unlock()
	t.takesCard = false
	g := gesture{action: action, card: t.card, decided: t.decision}
	t.card = nil
	switch {
	case err == nil && action.Kind == payment.ActCancel:
		return gesture{off: true}, nil
	case g.decided != nil || g.card != nil:
		return g, nil
	}
	return g, err
}
