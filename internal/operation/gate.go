package operation

import "sync/atomic"

// Gate lets one operation through at a time; others are refused, never queued. The zero value is open.
type Gate struct {
	// Changed, if set before the gate is used, is called whenever it was taken or left.
	Changed func()

	busy atomic.Bool
}

// Enter takes the terminal or returns ErrBusy. Leave may be called more than once.
func (g *Gate) Enter() (leave func(), err error) {
	if !g.busy.CompareAndSwap(false, true) {
		return nil, ErrBusy
	}
	g.notify()
	var left atomic.Bool
	return func() {
		if left.CompareAndSwap(false, true) {
			g.busy.Store(false)
			g.notify()
		}
	}, nil
}

func (g *Gate) notify() {
	if g.Changed != nil {
		g.Changed()
	}
}

// Busy reports whether an operation holds the terminal.
func (g *Gate) Busy() bool { return g.busy.Load() }
