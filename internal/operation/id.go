package operation

import (
	"sync/atomic"
	"time"
)

// A page or a caller that remembers an id over a restart must not act by it on what it never saw: the clock is far ahead of
// the ids of an earlier run. Microseconds stay exact in a page's numbers.
var lastID = func() *atomic.Uint64 {
	last := new(atomic.Uint64)
	last.Store(uint64(time.Now().UnixMicro()))
	return last
}()

// NewID returns an id that nothing else has, in this run or another: of an operation, or of something on the screen. Each is
// above all before it.
func NewID() uint64 { return lastID.Add(1) }
