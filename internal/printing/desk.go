package printing

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
)

// ErrStopped is the reason of a job that the desk ended when it closed.
var ErrStopped = errors.New("the service stopped in the middle of the print")

// grace is how long a job in hand may go on when the desk closes: enough for most
// coupons, and short enough that its caller is answered before the service, which
// waits five seconds for that, hangs up.
const grace = 3 * time.Second

// Desk takes print jobs, one at a time.
type Desk struct {
	// Changed, if set before the first job, is called whenever one has begun, and when those that wait were let go. That a job
	// is over is told by the gate.
	Changed func()
	// Again, if set before the first job, is told of one that a person has printed again.
	Again func(Job)
	// Dropped, if set before the first job, is told of one that nobody can print again, for too many wait.
	Dropped func(Job)

	gate    *operation.Gate
	printer Printer

	running context.Context // ends when jobs in hand must
	end     context.CancelFunc

	mu     sync.Mutex
	closed bool
	jobs   sync.WaitGroup
	job    *Running // nil: nothing is being printed

	waiting []waiting // for a person, oldest first
}

// Running is the job that holds the terminal.
type Running struct {
	Operation uint64 // no other ever has the same
	Since     time.Time
}

// Running returns the job that holds the terminal, if there is one.
func (d *Desk) Running() (Running, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.job == nil {
		return Running{}, false
	}
	return *d.job, true
}

// enter takes the terminal for a job.
func (d *Desk) enter() (leave func(), err error) {
	free, err := d.gate.Enter()
	if err != nil {
		return nil, err
	}
	d.hold(&Running{operation.NewID(), time.Now()})
	if d.Changed != nil {
		d.Changed()
	}
	return func() {
		d.hold(nil)
		free()
	}, nil
}

func (d *Desk) hold(r *Running) {
	d.mu.Lock()
	d.job = r
	d.mu.Unlock()
}

// NewDesk opens a desk at a printer.
func NewDesk(gate *operation.Gate, printer Printer) *Desk {
	running, end := context.WithCancel(context.Background())
	return &Desk{gate: gate, printer: printer, running: running, end: end}
}

// Print prints a job and returns when it is on paper. The gate's refusal is
// returned as it is, a closed desk's as operation.ErrStopping; any other error is ErrFailed
// with its reason.
func (d *Desk) Print(ctx context.Context, job Job) error {
	return d.take(func() error { return d.put(ctx, job) })
}

// Try prints a job that nobody waits for if it fails, such as a test page.
func (d *Desk) Try(ctx context.Context, job Job) error {
	return d.take(func() error { return d.send(ctx, job) })
}

// take calls fn while the terminal is its.
func (d *Desk) take(fn func() error) error {
	if !d.begin() {
		return operation.ErrStopping
	}
	defer d.jobs.Done()
	leave, err := d.enter()
	if err != nil {
		return err
	}
	defer leave()
	return fn()
}

// put puts a job on paper. One that fails may wait for a person.
func (d *Desk) put(ctx context.Context, job Job) error {
	err := d.send(ctx, job)
	d.keep(job, err)
	return err
}

func (d *Desk) send(ctx context.Context, job Job) error {
	if job.Heavy() {
		// A large picture's memory goes back to the system once nobody holds it: a small terminal needs it elsewhere.
		defer time.AfterFunc(time.Second, debug.FreeOSMemory)
	}

	// A caller hanging up must not leave half a coupon in the printer.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(d.running, cancel)()

	if err := d.printer.Print(ctx, job); err != nil {
		if d.running.Err() != nil && errors.Is(err, context.Canceled) {
			err = ErrStopped // it was not the caller who gave up
		}
		return fmt.Errorf("%w: %w", ErrFailed, err)
	}
	return nil
}

func (d *Desk) begin() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	d.jobs.Add(1)
	return true
}

// Close takes no more jobs and returns when the one in hand is over, which is
// told to end after a grace.
func (d *Desk) Close() {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	defer d.end()
	defer time.AfterFunc(grace, d.end).Stop()
	d.jobs.Wait()
}
