package remote

import (
	"sync"
	"time"
)

// Refunds are what a driver remembers of its refunds while the process lives. Its zero value remembers none.
type Refunds struct {
	mu      sync.Mutex
	ordered map[string]bool      // those that a person confirmed in this process
	notMade map[string]time.Time // those that the other side did not make, since when that is known
}

// Order notes that a person wants this refund made; until the process ends, settling it means making it.
func (r *Refunds) Order(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ordered == nil {
		r.ordered = map[string]bool{}
	}
	r.ordered[id] = true
}

// Ordered tells of a refund that a person wants made.
func (r *Refunds) Ordered(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ordered[id]
}

// Forget is for a refund whose end is known.
func (r *Refunds) Forget(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.ordered, id)
}

// MayTryAnew tells whether a refund that was not made has been left alone for so long. The pause counts from the first time
// that somebody asks.
func (r *Refunds) MayTryAnew(id string, pause time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	since, known := r.notMade[id]
	if !known {
		if r.notMade == nil {
			r.notMade = map[string]time.Time{}
		}
		since = time.Now()
		r.notMade[id] = since
	}
	return time.Since(since) >= pause
}
