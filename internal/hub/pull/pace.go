package pull

import (
	"sync"
	"time"
)

// paces are how much of late was read of each terminal. A stolen one that has records without end, however often it comes anew, must not keep
// the database busy: a shop makes less in a day than is read at once.
type paces struct {
	mu sync.Mutex
	of map[string]pace // who has all its room left is not remembered
}

// pace is a leaky bucket of records: how full it was, and when.
type pace struct {
	full float64
	at   time.Time
}

// spend counts records that were read, and tells how long to wait before the next.
func (p *paces) spend(terminal string, records int, each time.Duration, room int) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.of == nil {
		p.of = map[string]pace{}
	}
	full := p.of[terminal].now(now, each) + float64(records)
	p.of[terminal] = pace{full, now}
	return time.Duration(max(0, full-float64(room)) * float64(each))
}

func (b pace) now(now time.Time, each time.Duration) float64 {
	return max(0, b.full-float64(now.Sub(b.at))/float64(each))
}

// forget drops a terminal of which nothing was read of late.
func (p *paces) forget(terminal string, each time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of[terminal].now(time.Now(), each) == 0 {
		delete(p.of, terminal)
	}
}
