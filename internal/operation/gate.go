package operation

import "sync/atomic"

// Gate lets one operation through at a time; others are refused, never queued. The zero value is open.
type Gate struct {
	// Changed, if set before the gate is used, is called whenever it was taken or left.
	Changed func()

	turn atomic.Uint64
}

// Enter takes the terminal or returns ErrBusy. Leave may be called more than once.
func (g *Gate) Enter() (leave func(), err error) {
	open := g.turn.Load()
	if taken(open) || !g.turn.CompareAndSwap(open, open+1) {
		return nil, ErrBusy
	}
	g.notify()
	return func() {
		if g.turn.CompareAndSwap(open+1, open+2) {
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
func (g *Gate) Busy() bool { return taken(g.Turn()) }

// Turn counts how often the gate was taken and left, so that who missed both knows of them.
func (g *Gate) Turn() uint64 { return g.turn.Load() }

func taken(turn uint64) bool { return turn%2 == 1 }
