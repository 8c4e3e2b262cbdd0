// Package paymenttest holds every acquirer driver to what payment.Acquirer promises: it runs the real desk on the real
// store with the driver as its only way, has the other side do all that can go wrong, and compares both ledgers.
package paymenttest

import (
	"errors"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// Case is what the people and the other side do with an operation.
type Case string

// The cases. A lost connection is lost before, or after, the other side has acted on the operation.
const (
	Approve         Case = "approve"
	Refuse          Case = "refuse"
	CustomerCancels Case = "customer cancels"
	OperatorCancels Case = "operator cancels"
	Silent          Case = "acquirer silent"
	LostBefore      Case = "connection lost before"
	LostAfter       Case = "connection lost after"
	Late            Case = "late answer"
	Duplicate       Case = "duplicate answer"
)

// Cases are all of them.
var Cases = []Case{Approve, Refuse, CustomerCancels, OperatorCancels, Silent, LostBefore, LostAfter, Late, Duplicate}

// Scene is a case of a payment or of a reversal.
type Scene struct {
	Kind payment.Kind
	Case Case
	Part bool // the reversal is of a part
}

// status is how a transaction stands for the scene: one whose part went back is reversed as far as the scene goes.
func (s Scene) status(t payment.Transaction) payment.Status {
	if s.Part && t.Status() == payment.Approved && t.GivenBack().Sign() > 0 {
		return payment.Reversed
	}
	return t.Status()
}

// End is how a scene ends: as the caller was told, Pending if nobody could tell, and as it stands once all is settled.
type End struct{ Told, Final payment.Status }

// Name is the name under which the ledger knows the driver.
const Name = "way"

const (
	// Patience is how long the terminal is waited for before somebody switches it off and on.
	Patience = 3 * time.Minute
	// Lateness is when a late answer comes, counted from the operation's begin.
	Lateness = 4 * time.Minute
	// lull is long enough after that for anything late to have come and been dealt with.
	lull = 5 * time.Minute
)

// Fixture is a driver with its other side, and the people at the counter, in the test's hands. It lives in one bubble of
// testing/synctest.
type Fixture struct {
	Methods []payment.Method // the first is paid with
	// Start makes the driver anew on the same other side, as the service does when it starts.
	Start func(*Process, payment.Ledger) (driver payment.Acquirer, stop func())
	// Play has the other side do with the next operation as the scene says; Behave has it well-behaved again.
	Play   func(Scene)
	Behave func()
	// Person is what the people do about a prompt; nil: the other side has them, with all they do.
	Person func(Scene, payment.Shown, func(payment.Action))
	// Ends says how the scenes end in which a driver has a choice: all but the first four cases.
	Ends map[Scene]End
	// Lacks says why a scene can't happen to this driver.
	Lacks map[Scene]string
	// WholeOnly says why the driver gives back no parts; empty: it does.
	WholeOnly string
	// Lingers says why the other side keeps an operation open until the next one is asked for.
	Lingers map[Scene]string
	// Books are the other side's, of the transactions given.
	Books func([]payment.Transaction) Books
	// Reached tells whether anything that could move money for the operation under way has left the driver.
	Reached func(payment.Transaction) bool
	// Confirmed tells whether the other side was told that the operation counts; nil: it need not be told.
	Confirmed func(payment.Transaction) bool
	Close     func()
}

// Books are what the other side says.
type Books struct {
	Standing map[int64]money.Decimal // what the customer has paid and not been given back, by transaction
	Foreign  []string                // what stands and belongs to none of them
	Open     []string                // what may still change
	Protests []string                // what no well-behaved driver asks for
}

// Add puts what stands of a sale under the transaction it belongs to; index negative: none.
func (b *Books) Add(all []payment.Transaction, index int, standing money.Decimal, words string) {
	switch {
	case standing.Sign() == 0:
	case index < 0:
		b.Foreign = append(b.Foreign, words)
	default:
		b.Standing[all[index].ID] = b.Standing[all[index].ID].Add(standing)
	}
}

var errDead = errors.New("the process is dead")

// Process is one that may be killed at any of its steps: from then on nothing it does has an effect.
type Process struct {
	mu   sync.Mutex
	left int // negative: for ever
	died chan struct{}

	until     int // steps to the interrupt
	interrupt func()
}

func newProcess(steps int) *Process { return &Process{left: steps, died: make(chan struct{})} }

// Step is taken before and after everything that is felt outside the process. An error means that it is dead.
func (p *Process) Step() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.until--; p.until == 0 {
		p.mu.Unlock()
		p.interrupt()
		p.mu.Lock()
	}
	if p.left > 0 {
		if p.left--; p.left == 0 {
			close(p.died)
		}
	}
	if p.left == 0 {
		return errDead
	}
	return nil
}

// Alive is Step without taking one.
func (p *Process) Alive() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left == 0 {
		return errDead
	}
	return nil
}

// killAfter has it die after so many steps; negative: never. False: it is dead already.
func (p *Process) killAfter(steps int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left == 0 {
		return false
	}
	p.left = steps
	return true
}

// interruptAfter has something happen at a step, in the midst of what the process does; negative: nothing.
func (p *Process) interruptAfter(steps int, do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.until, p.interrupt = steps, do
}

// killable does something that dies with its process, before it is done or just after.
func killable[T any](p *Process, do func() (T, error)) (T, error) {
	var none T
	if err := p.Step(); err != nil {
		return none, err
	}
	v, err := do()
	if dead := p.Step(); dead != nil {
		return none, dead
	}
	return v, err
}
