// Package bell wakes goroutines that wait for something to change.
package bell

// Bell wakes everyone who waits for it, and costs nothing while nobody does. The lock of what it belongs to guards it. The
// zero value is ready.
type Bell struct{ rung chan struct{} }

// Wait returns a channel that is closed at the next Ring.
func (b *Bell) Wait() <-chan struct{} {
	if b.rung == nil {
		b.rung = make(chan struct{})
	}
	return b.rung
}

// Idle reports whether nobody has asked to be woken since the last Ring.
func (b *Bell) Idle() bool { return b.rung == nil }

// Ring wakes whoever waits.
func (b *Bell) Ring() {
	if b.rung != nil {
		close(b.rung)
		b.rung = nil
	}
}
