package payment

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/maquininha/maquininha/internal/operation"
)

// operate runs an operation on the terminal that the gate has let in: it waits for the foreground, then goes on
// whether or not the caller stays.
func operate[T worded](ctx context.Context, d *Desk, leave func(), shown Shown, run func(*dialogue) (T, error)) (T, error) {
	type answer struct {
		result T
		err    error
	}
	answers := make(chan answer, 1)
	g := &dialogue{desk: d, shown: shown}
	started := d.start(func() {
		var a answer
		defer func() {
			if p := recover(); p != nil {
				// The attempt is on disk as pending; a driver's fault must not take the service with it.
				a.err = fmt.Errorf("%w: panic: %v\n%s", ErrUnknown, p, debug.Stack())
			}
			g.end(endOf(g.shown, a.result, a.err))
			leave()
			if errors.Is(a.err, ErrUnknown) {
				d.wakeRecovery() // now that nobody works on the attempt any more
				d.count()
			}
			answers <- a
		}()
		g.show(Prompt{Step: StepWaiting})
		if a.err = d.awaitForeground(ctx); a.err != nil {
			return
		}
		// From here money may move: a caller hanging up must not lose the outcome.
		a.result, a.err = run(g)
	})
	var none T
	if !started {
		leave()
		return none, operation.ErrStopping
	}
	select {
	case a := <-answers:
		return a.result, a.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// start runs fn on a goroutine that Close waits for; false means the desk is closed.
func (d *Desk) start(fn func()) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return false
	}
	d.running.Go(fn)
	return true
}

func (d *Desk) awaitForeground(caller context.Context) error {
	ctx, cancel := context.WithTimeout(caller, d.pace.foreground())
	defer cancel()
	defer context.AfterFunc(d.ctx, cancel)()
	err := d.foreground.Wait(ctx)
	switch {
	case err == nil:
		return nil
	case d.ctx.Err() != nil:
		return operation.ErrStopping
	case caller.Err() != nil:
		return caller.Err() // nothing was sent yet, and nobody waits for it any more
	}
	return ErrBackground
}

// liveAttempt is the attempt that an operation works on, so that the recovery leaves it alone.
type liveAttempt struct {
	mu sync.Mutex
	id int64
}

// enter keeps the attempt in the ledger and marks it as live, as one step for the recovery.
func (l *liveAttempt) enter(keep func() (int64, error)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	id, err := keep()
	if err == nil {
		l.id = id
	}
	return err
}

func (l *liveAttempt) leave() {
	l.mu.Lock()
	l.id = 0
	l.mu.Unlock()
}

func (l *liveAttempt) is(id int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.id == id
}

func (l *liveAttempt) any() bool { return !l.is(0) }
