// Package emulator is an acquirer without a bank, for integrators and tests: a person, a script or the
// autopilot decides what happens to each payment, and the host's side is kept on disk like a bank's.
package emulator

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// ErrNothingWaiting means no payment or reversal is waiting for a person.
var ErrNothingWaiting = errors.New("no operation waits for a person")

// errSilent is the acquirer not answering.
var errSilent = errors.New("the acquirer does not answer")

// silence is how long an acquirer that did not answer goes on not answering, so that a caller can see a
// transaction pending before the recovery settles it.
const silence = 10 * time.Second

// Acquirer fills payment.Acquirer.
type Acquirer struct {
	host *host

	mu     sync.Mutex
	script []Reply
	turn   *turn
	silent map[string]time.Time // operations the host will not speak of until then
	serial uint64
}

// turn is an operation that waits for a person.
type turn struct {
	serial   uint64
	decision chan Decision
}

// Decision is what a person does with the payment on the screen: the gesture that the screen asks for, or an
// outcome forced upon the operation, which then goes by no script.
type Decision struct {
	Forced  *Reply
	PaidVia payment.Method // how the person chose to pay where the caller left it open
}

// New opens the emulator whose host keeps its memory in the folder.
func New(dir string) (*Acquirer, error) {
	h, err := openHost(dir)
	if err != nil {
		return nil, err
	}
	return &Acquirer{host: h, silent: map[string]time.Time{}}, nil
}

// Close closes the host's memory.
func (a *Acquirer) Close() error { return a.host.close() }

// Waiting returns the number of the operation that waits for a person; each has its own.
func (a *Acquirer) Waiting() (serial uint64, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.turn == nil {
		return 0, false
	}
	return a.turn.serial, true
}

// Decide settles the operation that waits, or returns ErrNothingWaiting.
func (a *Acquirer) Decide(d Decision) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.turn == nil {
		return ErrNothingWaiting
	}
	a.turn.decision <- d
	a.turn = nil
	return nil
}

// Proceed is the person doing what the screen asks in the operation of that number; late, it does nothing.
func (a *Acquirer) Proceed(serial uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.turn != nil && a.turn.serial == serial {
		a.turn.decision <- Decision{}
		a.turn = nil
	}
}

// Script says how the next operations end, in order, whoever works the terminal.
func (a *Acquirer) Script(r Reply, times int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for range times {
		a.script = append(a.script, r)
	}
}

// Reset forgets the script, ends silences and cancels the operation that waits.
func (a *Acquirer) Reset() {
	a.mu.Lock()
	a.script = nil
	clear(a.silent)
	a.mu.Unlock()
	_ = a.Decide(Decision{Forced: &Reply{Ending: Cancel}}) // none waiting is as good
}

// Pay charges as the person, the script or the amount says.
func (a *Acquirer) Pay(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	method := c.Request.Method
	ask, err := prompt(c)
	if err != nil {
		return payment.Outcome{}, err
	}
	reply, paidVia, err := a.play(ctx, c, ask, magic(c.Request.Amount))
	if err != nil {
		return payment.Outcome{}, err
	}
	if method == payment.AnyMethod {
		method = paidVia
	}
	if reply.Ending != Approve {
		o, err := a.fail(c.Operation(), reply)
		o.PaidWith = method
		return o, err
	}
	e, err := a.host.record(c.Operation(), charged, undone)
	if err != nil {
		return payment.Outcome{}, err
	}
	if e.State != charged {
		return payment.Outcome{Verdict: payment.Abandoned, PaidWith: method}, nil
	}
	return approval(c.Transaction, method, e, reply.Message), nil
}

// Reverse gives back as the person or the script says.
func (a *Acquirer) Reverse(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	reply, _, err := a.play(ctx, c, payment.Prompt{Step: payment.StepConfirm}, Reply{Ending: Approve})
	if err != nil {
		return payment.Outcome{}, err
	}
	if reply.Ending != Approve {
		return a.fail(c.Operation(), reply)
	}
	e, err := a.host.record(c.Operation(), repaid, givenUp)
	if err != nil {
		return payment.Outcome{}, err
	}
	if e.State != repaid {
		return payment.Outcome{Verdict: payment.Abandoned}, nil
	}
	return payment.Outcome{Verdict: payment.Accepted, NSU: nsuText(e.NSU), Message: reply.Message}, nil
}

// play waits for the person and returns how the operation ends: as forced, else as scripted, else otherwise.
func (a *Acquirer) play(ctx context.Context, c payment.Charge, ask payment.Prompt, otherwise Reply) (Reply, payment.Method, error) {
	d, err := a.await(ctx, func() { c.Show(ask) })
	if err != nil {
		return Reply{}, "", err
	}
	if d.PaidVia == "" {
		d.PaidVia = payment.Credit
	}
	reply := otherwise
	if d.Forced != nil {
		reply = *d.Forced
	} else if next, ok := a.next(); ok {
		reply = next
	}
	c.Show(payment.Prompt{Step: payment.StepProcessing})
	if reply.Delay > 0 {
		select {
		case <-time.After(reply.Delay):
		case <-ctx.Done():
			return Reply{}, "", ctx.Err()
		}
	}
	return reply, d.PaidVia, nil
}

// await opens a turn, then shows it, so that whoever watches the screen finds it waiting.
func (a *Acquirer) await(ctx context.Context, show func()) (Decision, error) {
	a.mu.Lock()
	a.serial++
	now := &turn{serial: a.serial, decision: make(chan Decision, 1)}
	a.turn = now
	a.mu.Unlock()
	show()
	select {
	case d := <-now.decision:
		return d, nil
	case <-ctx.Done():
		a.mu.Lock()
		if a.turn == now {
			a.turn = nil
		}
		a.mu.Unlock()
		return Decision{}, ctx.Err()
	}
}

func (a *Acquirer) next() (Reply, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.script) == 0 {
		return Reply{}, false
	}
	r := a.script[0]
	a.script = a.script[1:]
	return r, true
}

// fail ends an operation in any way but approval.
func (a *Acquirer) fail(operation string, r Reply) (payment.Outcome, error) {
	switch r.Ending {
	case Timeout:
		a.mu.Lock()
		a.silent[operation] = time.Now().Add(silence)
		a.mu.Unlock()
		return payment.Outcome{}, errSilent
	case Cancel:
		return payment.Outcome{Verdict: payment.Abandoned, Message: r.Message}, nil
	case Offline:
		if r.Message == "" {
			r.Message = "Adquirente fora do ar"
		}
	}
	return payment.Outcome{Verdict: payment.Declined, Message: r.Message}, nil
}

// Settle rules out what was not answered: a charge nobody was told of is undone, a reversal stands only if the
// host has made it.
func (a *Acquirer) Settle(_ context.Context, t payment.Transaction) (payment.Outcome, error) {
	operation := t.Operation()
	a.mu.Lock()
	until, hushed := a.silent[operation]
	if hushed && time.Now().After(until) {
		delete(a.silent, operation)
		hushed = false
	}
	a.mu.Unlock()
	if hushed {
		return payment.Outcome{}, errSilent
	}
	if t.Phase == payment.Reversing {
		e, err := a.host.record(operation, givenUp, repaid)
		if err != nil || e.State != repaid {
			return payment.Outcome{Verdict: payment.Abandoned}, err
		}
		return payment.Outcome{Verdict: payment.Accepted, NSU: nsuText(e.NSU)}, nil
	}
	_, err := a.host.record(operation, undone, undone)
	return payment.Outcome{Verdict: payment.Abandoned}, err
}
