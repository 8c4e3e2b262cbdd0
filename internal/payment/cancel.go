package payment

import (
	"context"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
)

// Running is the operation that holds the terminal, for whoever is not at its screen.
type Running struct {
	Shown
	Cancellable bool // by the caller
}

// Running returns the operation that holds the terminal, if there is one.
func (v *View) Running() (Running, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	g := v.running
	if g == nil {
		return Running{}, false
	}
	return Running{g.shown, !g.committed && !g.off()}, true
}

// Cancel is the caller who does not want the operation any more. It is a wish: what became of it is the operation's own
// answer. Which operation is meant, and whether it is too late, is decided together: a late wish never hits the next one.
func (v *View) Cancel(w operation.Wish) error {
	v.mu.Lock()
	g := v.running
	switch {
	case g == nil:
		v.mu.Unlock()
		return operation.ErrNone
	case !g.named(w):
		v.mu.Unlock()
		return operation.ErrOther
	}
	told := make(chan struct{})
	if !g.off() {
		g.told = told
	}
	err := v.callOff(g, NoteCalledOff)
	v.mu.Unlock()
	v.changed()
	<-g.isKnown // nobody hears of the wish before the operation
	if err == nil {
		w.Tell()
	}
	close(told)
	return err
}

// named tells whether a wish means this operation.
func (g *dialogue) named(w operation.Wish) bool {
	switch {
	case w.Unknown, w.Reference == "" && w.ID == 0, w.ID != 0 && w.ID != g.shown.Operation:
		return false
	}
	return w.Reference == "" || w.Reference == g.shown.Request.Reference
}

// callOff is for those who hold the lock.
func (v *View) callOff(g *dialogue, why string) error {
	switch {
	case g.off():
		return nil // once is enough
	case g.committed:
		return operation.ErrCommitted
	}
	g.why = why
	close(g.calledOff)
	if v.person != nil && v.shown.Prompt.Cancellable {
		v.person <- Action{Kind: ActCancel}
		v.person = nil
	}
	return nil
}

// enter takes the terminal for a caller's operation, or refuses. The screen shows it with its first prompt.
func (v *View) enter(caller context.Context, s Shown) (g *dialogue, leave func(), err error) {
	free, err := v.gate.Enter()
	if err != nil {
		return nil, nil, err
	}
	s.Operation, s.Since, s.Prompt = operation.NewID(), time.Now(), Prompt{Step: StepWaiting}
	known := make(chan struct{})
	g = &dialogue{
		view: v, caller: context.WithoutCancel(caller), shown: s, calledOff: make(chan struct{}),
		known: sync.OnceFunc(func() { close(known) }), isKnown: known,
	}
	v.mu.Lock()
	v.running = g
	v.mu.Unlock()
	return g, func() {
		g.known()
		v.mu.Lock()
		v.running = nil
		v.mu.Unlock()
		free()
	}, nil
}

// limit calls the operation off when nobody has done anything about it in time.
func (g *dialogue) limit(d time.Duration) (stop func()) {
	if d <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(d, func() {
		g.view.mu.Lock()
		if g.view.running == g {
			_ = g.view.callOff(g, NoteTimedOut) // what is committed goes on
		}
		g.view.mu.Unlock()
		g.view.changed()
	})
	return func() { timer.Stop() }
}

// tell changes what is told of the operation before the screen shows it.
func (g *dialogue) tell(change func(*Shown)) {
	g.view.mu.Lock()
	change(&g.shown)
	g.view.mu.Unlock()
	g.view.changed()
}
