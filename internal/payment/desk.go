package payment

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
)

// Pace is how long people get. Zero is the terminal's own.
type Pace struct {
	Foreground time.Duration // a payment or a reversal waits so long for the app to come back; 15 s
	Ended      time.Duration // the end of an operation stays so long on the screen; 3 s, or 10 s when it asks about its receipt
}

func (p Pace) foreground() time.Duration { return cmp.Or(p.Foreground, 15*time.Second) }

// Desk is where the caller asks for payments and reversals. What the person sees of them and does is its View.
type Desk struct {
	*View
	ways       ways
	ledger     Ledger
	gate       *operation.Gate
	foreground Foreground
	pace       Pace
	tasks      *tasks
	recovery   *recovery
	began      func(context.Context, Shown)
	left       func(context.Context, Shown)
	repeated   func(context.Context, Kind, Transaction)
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
	// Began is told of each operation that holds the terminal now, with its caller's context; may be nil.
	Began func(context.Context, Shown)
	// Left is told of each operation that ended with its caller, before anything was sent; may be nil.
	Left func(context.Context, Shown)
	// Repeated is told of each payment or reversal that was answered from the ledger; may be nil.
	Repeated func(context.Context, Kind, Transaction)
	// Moved is told of each step of an attempt that is in the ledger, with the context of whoever's operation it is; may be
	// nil.
	Moved func(context.Context, Move)
	// LateKept is told of money that came late and can't be given back now, once in a run; may be nil.
	LateKept func(Transaction, error)
	// MenuLeft is told of each visit to an acquirer's own menu that has come to its end; may be nil.
	MenuLeft func(context.Context, Administration, Outcome)
	// MenuUnmatched is told of a payment that was given back in the menu and that is none of the ledger's, or one of several: people have to
	// find out. May be nil.
	MenuUnmatched func(Administration, Administered, []Transaction)
	// Strayed is told of an operation that stands at an acquirer and that the ledger has no place for: people have to look for it. May be nil.
	Strayed func(way string, b Belated)
	// Heard is told whether an acquirer could be asked, by the name of its way; may be nil.
	Heard func(way string, err error)
	Pace  Pace
}

// NewDesk starts with settling what the last run left pending, in the background.
func NewDesk(c Config) *Desk {
	d := &Desk{ways: c.Ways, ledger: c.Ledger, gate: c.Gate, foreground: c.Foreground, pace: c.Pace, tasks: newTasks()}
	d.began, d.left, d.repeated = c.Began, c.Left, c.Repeated
	if d.began == nil {
		d.began = func(context.Context, Shown) {}
	}
	if d.left == nil {
		d.left = func(context.Context, Shown) {}
	}
	if d.repeated == nil {
		d.repeated = func(context.Context, Kind, Transaction) {}
	}
	d.View = newView(c, d.tasks)
	d.recovery = newRecovery(c, d.tasks.ctx)
	d.recovery.recovered = func(t Transaction) {
		d.View.settle(t)
		if c.Recovered != nil {
			c.Recovered(t)
		}
	}
	d.tasks.start(d.recovery.run)
	if d.recovery.late.needed() {
		d.tasks.start(d.recovery.late.run)
	}
	return d
}

// Close ends the operation under way; its caller gets ErrUnknown and the next start settles it.
func (d *Desk) Close() {
	d.View.close()
	d.tasks.close()
}

// List passes on the transactions that match, oldest first.
func (d *Desk) List(ctx context.Context, f Filter, each func(Found) error) error {
	stands := d.Standing()
	return d.ledger.List(ctx, f, func(t Transaction) error { return each(stands(t)) })
}

// Standing tells where the operations are on transactions that are read from the ledger after it was called.
func (d *Desk) Standing() func(Transaction) Found {
	// Looked at before the ledger is: what ends meanwhile was under way when it was asked.
	working := d.recovery.working()
	return func(t Transaction) Found {
		found := Found{Transaction: t}
		if t.State.Open() {
			if found.Progress = d.progress(t); found.Progress == "" && t.ID == working {
				found.Progress = Processing
			}
		}
		return found
	}
}

// Unresolved is how many attempts are left of earlier operations, for the screen.
func (d *Desk) Unresolved() int { return int(d.recovery.unresolved.Load()) }

// tasks run whether or not a caller waits for them, until they end or the desk closes.
type tasks struct {
	ctx     context.Context // ends with the desk
	stop    context.CancelFunc
	running sync.WaitGroup

	mu     sync.Mutex
	closed bool
}

func newTasks() *tasks {
	t := &tasks{}
	t.ctx, t.stop = context.WithCancel(context.Background())
	return t
}

// start runs fn on a goroutine that close waits for; false means that the desk is closed.
func (t *tasks) start(fn func()) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.running.Go(fn)
	}
	return !t.closed
}

func (t *tasks) close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.stop()
	t.running.Wait()
}
