// Package emulator is an acquirer without a bank, for integrators and tests: a person, a script or the
// autopilot decides what happens to each payment, and the host's side is kept on disk like a bank's.
package emulator

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

// errSilent is the acquirer not answering.
var errSilent = errors.New("the acquirer does not answer")

// silence is how long an acquirer that did not answer goes on not answering, so that a caller can see a
// transaction pending before the recovery settles it.
const silence = 10 * time.Second

// Acquirer fills payment.Acquirer.
type Acquirer struct {
	// Plan, if set before the first operation, is asked once for each.
	Plan func(payment.Kind, payment.Request) Plan
	// Silence, if set before the first operation, is how long one that did not answer goes on not answering.
	Silence time.Duration

	host *host

	mu     sync.Mutex
	script []Reply
	turn   *turn
	silent map[string]time.Time // operations the host will not speak of until then
	serial uint64
}

// New opens the emulator whose host keeps its memory in the folder.
func New(dir string) (*Acquirer, error) {
	h, err := openHost(dir)
	if err != nil {
		return nil, err
	}
	return &Acquirer{Silence: silence, host: h, silent: map[string]time.Time{}}, nil
}

// Close closes the host's memory.
func (a *Acquirer) Close() error { return a.host.close() }

// Script says how the next operations end, in order, whoever works the terminal. Normal forgets the script and ends
// silences; the operation that waits goes on.
func (a *Acquirer) Script(r Reply, times int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.Ending == Normal {
		a.forget()
		return
	}
	for range times {
		a.script = append(a.script, r)
	}
}

// Condition is how the bank will be at the next operation, for the screen to show: ready, slow, silent or offline.
func (a *Acquirer) Condition() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.script) == 0 {
		return "ready"
	}
	switch next := a.script[0]; {
	case next.Ending == Timeout:
		return "silent"
	case next.Ending == Offline:
		return "offline"
	case next.Delay > 0:
		return "slow"
	}
	return "ready"
}

// Reset forgets the script, ends silences and cancels the operation that waits.
func (a *Acquirer) Reset() {
	a.mu.Lock()
	a.forget()
	a.mu.Unlock()
	_ = a.Decide(Decision{Forced: &Reply{Ending: Cancel}}) // none waiting is as good
}

func (a *Acquirer) forget() {
	a.script = nil
	clear(a.silent)
}

// Pay charges as the person, the card, the script or the amount says.
func (a *Acquirer) Pay(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	t := a.open(payment.Payment, c.Request)
	defer a.close(t)
	agreed, err := a.negotiate(ctx, t, c)
	if err != nil {
		return payment.Outcome{}, err
	}
	o := payment.Outcome{PaidWith: agreed.method, Installments: agreed.installments}
	if agreed.off {
		o.Verdict, o.Message = payment.Abandoned, agreed.why
		return o, nil
	}
	reply := a.ending(t, agreed.card, magic(c.Request.Amount))
	if err := process(ctx, c, reply, payment.Prompt{Step: payment.StepProcessing, Method: agreed.method, Agreed: agreed.installments, KeepCard: agreed.inserted()}); err != nil {
		return payment.Outcome{}, err
	}
	if reply.Ending != Approve {
		o.Verdict, o.Message, err = a.fail(c.Operation(), reply)
		return o, err
	}
	e, err := a.host.move(c.Operation(), charged, c.Request.Amount.Cents(), undone)
	if err != nil {
		return payment.Outcome{}, err
	}
	if e.State != charged {
		o.Verdict = payment.Abandoned
		return o, nil
	}
	o.Message, o.Brand, o.Authorization = reply.Message, reply.Brand, reply.Authorization
	return approval(c.Transaction, o, e), nil
}

// ReversesParts is always so: the emulator's bank can.
func (a *Acquirer) ReversesParts(payment.Transaction) bool { return true }

// Reverse gives back as the person or the script says.
func (a *Acquirer) Reverse(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	back := c.Request
	back.Amount = c.Moving()
	t := a.open(payment.Refund, back)
	defer a.close(t)
	g, err := a.ask(ctx, t, c, payment.Prompt{Step: payment.StepConfirm})
	if err != nil {
		return payment.Outcome{}, err
	}
	if g.off {
		return payment.Outcome{Verdict: payment.Abandoned}, nil
	}
	reply := a.ending(t, nil, Reply{Ending: Approve})
	if err := process(ctx, c, reply, payment.Prompt{Step: payment.StepProcessing}); err != nil {
		return payment.Outcome{}, err
	}
	if reply.Ending != Approve {
		var o payment.Outcome
		o.Verdict, o.Message, err = a.fail(c.Operation(), reply)
		return o, err
	}
	if left, known := a.host.left(strconv.FormatInt(c.ID, 10)); known && back.Amount.Cmp(left) > 0 {
		return payment.Outcome{Verdict: payment.Declined, Message: "Valor maior do que o saldo da venda"}, nil
	}
	e, err := a.host.move(c.Operation(), repaid, back.Amount.Cents(), givenUp)
	if err != nil {
		return payment.Outcome{}, err
	}
	if e.State != repaid {
		return payment.Outcome{Verdict: payment.Abandoned}, nil
	}
	o := repayment(c.Transaction, e)
	o.Message = reply.Message
	return o, nil
}

// process sends the operation and shows that the bank is at work for as long as the reply takes.
func process(ctx context.Context, c payment.Charge, r Reply, p payment.Prompt) error {
	c.Show(p)
	if err := c.Sending(); err != nil {
		return err
	}
	if r.Delay <= 0 {
		return nil
	}
	select {
	case <-time.After(r.Delay):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// fail is the word on an operation that ends in any way but approval; an error is none at all.
func (a *Acquirer) fail(operation string, r Reply) (payment.Verdict, string, error) {
	switch r.Ending {
	case Timeout:
		a.mu.Lock()
		a.silent[operation] = time.Now().Add(a.Silence)
		a.mu.Unlock()
		return "", "", errSilent
	case Cancel:
		return payment.Abandoned, r.Message, nil
	case Offline:
		return payment.Declined, cmp.Or(r.Message, "Adquirente fora do ar"), nil
	}
	return payment.Declined, r.Message, nil
}

// Confirm has nothing to do: what the host has charged counts.
func (a *Acquirer) Confirm(context.Context, payment.Transaction) error { return nil }

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
	if t.Reversing() {
		e, err := a.host.record(operation, givenUp, repaid)
		if err != nil || e.State != repaid {
			return payment.Outcome{Verdict: payment.Abandoned}, err
		}
		return payment.Outcome{Verdict: payment.Accepted, NSU: nsuText(e.NSU)}, nil
	}
	_, err := a.host.record(operation, undone, undone)
	return payment.Outcome{Verdict: payment.Abandoned}, err
}
