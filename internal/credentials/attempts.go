package credentials

import (
	"sync"
	"time"
)

const (
	freeWrongs  = 10                     // a person who tries passwords is not kept waiting
	wrongWait   = time.Second            // each one after them at least, and one is forgiven in each of these
	wrongPace   = 100 * time.Millisecond // between the answers of one origin, however many connections it has
	longestWait = 10 * time.Second       // a shop's own program with an old password is to hear of it some time
	freeNotes   = 100                    // refusals of one origin that are worth a line of their own in the log
	mostOrigins = 1024
)

// Attempts are the wrong pairs of late, by origin. Only wrong ones are slowed: the right pair is never kept waiting,
// however many wrong ones come from the same place. The zero value has seen none.
type Attempts struct {
	mu   sync.Mutex
	from map[string]*record
}

// record is two leaky buckets: how full they are, as of when.
type record struct {
	wrong, noted float64
	silent       int // refusals that nobody wrote down
	at           time.Time
	last         time.Time // when the last answer that waits is due
}

// Wrong notes a wrong pair and tells how long its answer is to wait. The waits of one origin add up: more connections
// must not mean as many more guesses.
func (a *Attempts) Wrong(from string) (wait time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := a.record(Origin(from))
	if r.wrong++; r.wrong <= freeWrongs {
		return 0
	}
	r.wrong = freeWrongs + 1
	now := r.at
	r.last = latest(now.Add(wrongWait), r.last.Add(wrongPace))
	wait = min(r.last.Sub(now), longestWait)
	r.last = now.Add(wait)
	return wait
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Note tells whether a refusal is worth a line in the log, and how many before it were not.
func (a *Attempts) Note(from string) (worth bool, before int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := a.record(Origin(from))
	if r.noted >= freeNotes {
		r.silent++
		return false, 0
	}
	r.noted++
	before, r.silent = r.silent, 0
	return true, before
}

// record finds an origin's, with what time has forgiven.
func (a *Attempts) record(origin string) *record {
	now := time.Now()
	r := a.from[origin]
	if r == nil {
		if a.from == nil {
			a.from = map[string]*record{}
		}
		if len(a.from) >= mostOrigins {
			a.forgetOldest()
		}
		r = &record{at: now}
		a.from[origin] = r
	}
	dripped := func(since time.Time) float64 { return max(0, now.Sub(since).Seconds()/wrongWait.Seconds()) }
	r.noted = max(0, r.noted-dripped(r.at))
	r.wrong = max(0, r.wrong-dripped(latest(r.at, r.last))) // nothing is forgiven to those who still wait
	r.at = now
	return r
}

// forgetOldest makes room: whoever has many addresses must not fill the memory.
func (a *Attempts) forgetOldest() {
	var oldest string
	for origin, r := range a.from {
		if oldest == "" || r.at.Before(a.from[oldest].at) {
			oldest = origin
		}
	}
	delete(a.from, oldest)
}
