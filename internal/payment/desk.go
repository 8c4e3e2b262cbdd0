package payment

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
)

const (
	// settleWait is how long a caller is kept waiting while a lost answer is looked into, or an acquirer told that a
	// payment counts.
	settleWait = 10 * time.Second
)

// Pace is how long people get. Zero is the terminal's own.
type Pace struct {
	Foreground time.Duration // a payment or a reversal waits so long for the app to come back; 15 s
	Ended      time.Duration // the end of an operation stays so long on the screen; 3 s, or 10 s when it asks about its receipt
}

func (p Pace) foreground() time.Duration { return cmp.Or(p.Foreground, 15*time.Second) }

// Desk is where the caller asks for payments and reversals.
type Desk struct {
	ways       []Way
	ledger     Ledger
	gate       *operation.Gate
	foreground Foreground
	changed    func()
	recovered  func(Transaction)
	receipts   Receipts // nil: none is printed
	unprinted  func(Slip, error)
	moved      func(before, after Transaction, word Verdict)
	pace       Pace

	ctx     context.Context // ends with the desk, not with a caller
	stop    context.CancelFunc
	running sync.WaitGroup
	recover chan struct{} // something may be pending

	mu         sync.Mutex
	closed     bool
	serial     uint64      // of the last prompt shown
	shown      *Shown      // nil when no operation is under way
	person     chan Action // takes what the shown prompt asks for; nil when it asks for nothing
	ended      *Ended      // nil when no end is shown
	endedTimer *time.Timer

	live       liveAttempt
	settling   chan struct{} // one settlement at a time; who waits for its turn must not outlast the desk
	unresolved atomic.Int32  // how many attempts are left of earlier operations
}

// Config is what a desk is made of. Changed is called after every change of what is shown.
type Config struct {
	Ways       []Way // none: this terminal takes no payments
	Ledger     Ledger
	Gate       *operation.Gate
	Foreground Foreground
	Changed    func()
	Recovered  func(Transaction) // told of each attempt that the recovery has settled; may be nil
	Receipts   Receipts          // nil: none is printed
	Unprinted  func(Slip, error) // told of each copy that could not be printed; may be nil
	// Moved is told of each step of an attempt that is in the ledger, and of the acquirer's word where that brought it; may
	// be nil.
	Moved func(before, after Transaction, word Verdict)
	Pace  Pace
}

// NewDesk starts with settling what the last run left pending, in the background.
func NewDesk(c Config) *Desk {
	d := &Desk{
		ways: c.Ways, ledger: c.Ledger, gate: c.Gate, foreground: c.Foreground, changed: c.Changed, recovered: c.Recovered,
		receipts: c.Receipts, unprinted: c.Unprinted, moved: c.Moved, pace: c.Pace,
		recover: make(chan struct{}, 1), settling: make(chan struct{}, 1),
		// A page left open over a restart must not act, by a serial it remembers, on a prompt it never showed.
		// Microseconds stay exact in a page's numbers.
		serial: uint64(time.Now().UnixMicro()),
	}
	d.ctx, d.stop = context.WithCancel(context.Background())
	d.running.Go(d.recovery)
	d.wakeRecovery()
	return d
}

// Close ends the operation under way; its caller gets ErrUnknown and the next start settles it.
func (d *Desk) Close() {
	d.mu.Lock()
	d.closed = true
	d.dropEnded()
	d.mu.Unlock()
	d.stop()
	d.running.Wait()
}

// Find returns the newest attempt of a reference as it stands, pending ones included.
func (d *Desk) Find(reference string) (Transaction, error) { return d.ledger.Newest(reference) }

// List passes on the transactions that match, oldest first.
func (d *Desk) List(ctx context.Context, f Filter, each func(Transaction) error) error {
	return d.ledger.List(ctx, f, each)
}
