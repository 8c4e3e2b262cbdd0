package payment

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
)

const (
	// recoveryPause is how long an acquirer that can't settle yet is left alone.
	recoveryPause = 5 * time.Second
	// sweepPause is between two sweeps of an acquirer that may hear of earlier operations.
	sweepPause = 30 * time.Second
)

// errInWork means that an attempt was left to the operation that works on it.
var errInWork = errors.New("an operation works on this attempt")

// recovery settles the attempts that operations left without an outcome, those of the last run included. It knows which
// attempt an operation works on, and leaves that one to it.
type recovery struct {
	recorder
	numbers    *numbering
	ways       ways
	recovered  func(Transaction)
	changed    func()
	asked      func(way string, err error) // may be nil
	ctx        context.Context             // ends with the desk
	wanted     chan struct{}               // something may be pending
	settling   chan struct{}               // one settlement at a time; who waits for its turn must not outlast the desk
	late       *lateWatch                  // over those that ended without money
	unresolved atomic.Int32                // how many attempts are left of earlier operations

	menuLeft func(context.Context, Administration, Outcome) // may be nil
	// menuUnmatched may be nil.
	menuUnmatched func(Administration, Administered, []Transaction)
	strayed       func(way string, b Belated) // may be nil

	mu     sync.Mutex
	inWork int64 // the attempt that an operation works on; 0: none
	inMenu int64 // the visit to a menu, by its number, that an operation works on; 0: none
}

func newRecovery(c Config, ctx context.Context) *recovery {
	r := &recovery{
		recorder: recorder{ledger: c.Ledger}, numbers: &numbering{ledger: c.Ledger}, ways: c.Ways, changed: c.Changed, asked: c.Heard, menuLeft: c.MenuLeft, menuUnmatched: c.MenuUnmatched, strayed: c.Strayed, ctx: ctx,
		wanted: make(chan struct{}, 1), settling: make(chan struct{}, 1),
	}
	// Whoever listens is told first: it may have words to show.
	r.moved = func(ctx context.Context, m Move) {
		if c.Moved != nil {
			c.Moved(ctx, m)
		}
		r.late.note(m.After)
	}
	r.late = newLateWatch(c, r)
	r.wake()
	return r
}

// begin keeps a new attempt, for an operation that works on it until release.
func (r *recovery) begin(caller context.Context, request Request) (*attempt, error) {
	r.mu.Lock() // or the recovery could find it in the ledger first
	defer r.mu.Unlock()
	number, err := r.numbers.next()
	if err != nil {
		return nil, err
	}
	a := &attempt{r.recorder, begin(request, number), caller}
	id, err := r.ledger.Begin(a.Transaction)
	if err != nil {
		return nil, errors.Join(operation.ErrNotSaved, err)
	}
	a.ID, r.inWork = id, id
	return a, nil
}

// resume is begin for an attempt that is in the ledger already.
func (r *recovery) resume(caller context.Context, id int64) (*attempt, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, err := r.ledger.Get(id)
	if err != nil {
		return nil, err
	}
	r.inWork = id
	return &attempt{r.recorder, t, caller}, nil
}

// heard tells whether an acquirer could be asked. What the end of the desk cut off says nothing about it.
func (r *recovery) heard(way string, err error) {
	if r.asked != nil && r.ctx.Err() == nil {
		r.asked(way, err)
	}
}

// release ends the work on an attempt.
func (r *recovery) release() {
	r.mu.Lock()
	r.inWork = 0
	r.mu.Unlock()
}

// worksOn tells whether an operation works on an attempt; 0: on none.
func (r *recovery) worksOn(id int64) bool { return r.working() == id }

// working is the attempt that an operation works on; 0: none.
func (r *recovery) working() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.inWork
}

// wake has the recovery look for what is left.
func (r *recovery) wake() {
	select {
	case r.wanted <- struct{}{}:
	default:
	}
}

// run settles what is unresolved, at start and whenever an operation ended without an answer, until the desk closes.
func (r *recovery) run() {
	for {
		select {
		case <-r.ctx.Done():
			return
		case <-r.wanted:
		case <-r.sweepTime():
		}
		for !r.settleAll() {
			select {
			case <-r.ctx.Done():
				return
			case <-time.After(recoveryPause):
			}
		}
	}
}

// settleAll tries everything unresolved once; false means some of it is left, if only what an operation works on.
func (r *recovery) settleAll() bool {
	left, err := r.ledger.Unresolved()
	if err != nil {
		return false
	}
	clean := r.settleMenus() == nil
	for _, t := range left {
		if !t.InDoubt && r.settleLeft(t) != nil {
			clean = false
		}
	}
	r.sweep()
	r.count()
	return clean
}

// settleWay settles what is left of earlier operations that went one way, and returns since when something still is; zero:
// nothing is.
func (r *recovery) settleWay(w Way) (since time.Time, err error) {
	if since, err := r.menuOpenSince(w); err != nil || !since.IsZero() {
		return since, err
	}
	left, err := r.ledger.Unresolved()
	if err != nil {
		return since, errors.Join(operation.ErrNotSaved, err)
	}
	for _, t := range left {
		if t.Acquirer != w.Name || t.InDoubt { // what waits for a person is no longer under way at the acquirer
			continue
		}
		switch err := r.settleLeft(t); {
		case errors.Is(err, operation.ErrNotSaved):
			return since, err // waiting does not help against a disk that fails
		case err != nil:
			return t.UpdatedAt, nil
		}
		r.count()
	}
	return time.Time{}, nil
}

// settleLeft settles an attempt unless an operation works on it, and tells of it when it has come to its end.
func (r *recovery) settleLeft(t Transaction) error {
	settled, err := r.settleInTurn(t.ID, true)
	if err == nil && t.State.Open() {
		r.recovered(settled)
	}
	return err
}

// sweepTime comes when a sweep is due; never, where no acquirer wants one.
func (r *recovery) sweepTime() <-chan time.Time {
	for _, w := range r.ways {
		if _, ok := w.Acquirer.(Sweeper); ok {
			return time.After(sweepPause)
		}
	}
	return nil
}

// sweep has the acquirers look for what they were not asked for. While one works on an operation it looks itself.
func (r *recovery) sweep() {
	for _, w := range r.ways {
		if s, ok := w.Acquirer.(Sweeper); ok && r.worksOn(0) && r.menu() == 0 {
			_ = r.guarded(s.Sweep) // it is tried again in a while
			r.heed(w)
		}
	}
}

// count finds out how many attempts are left; what can't be read now is counted after the next try.
func (r *recovery) count() {
	left, err := r.ledger.Unresolved()
	if err != nil {
		return
	}
	menus, err := r.ledger.OpenAdministrations()
	if err != nil {
		return
	}
	n := int32(0)
	for _, t := range left {
		if !r.worksOn(t.ID) {
			n++
		}
	}
	for _, a := range menus {
		if r.menu() != a.Number {
			n++
		}
	}
	if r.unresolved.Swap(n) != n {
		r.changed()
	}
}
