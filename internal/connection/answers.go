package connection

import (
	"cmp"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Answers are those of a handler whose callers share one connection, where a limit of the connection's writes would be everybody's. While
// a restart waits for all answers, who takes nothing of his gets no more of it.
type Answers struct {
	awaited time.Duration

	mu      sync.Mutex
	open    map[*boundAnswer]struct{}
	bounded atomic.Bool
}

// NewAnswers has answers wait so long for their readers while they are awaited; zero: as long as those of a Limiter.
func NewAnswers(awaited time.Duration) *Answers {
	return &Answers{awaited: cmp.Or(awaited, usualWriteTimeout), open: map[*boundAnswer]struct{}{}}
}

// Handler counts the answers of h among these.
func (a *Answers) Handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := &boundAnswer{ResponseWriter: w, of: a}
		a.mu.Lock()
		a.open[b] = struct{}{}
		a.mu.Unlock()
		defer func() {
			a.mu.Lock()
			defer a.mu.Unlock()
			delete(a.open, b)
		}()
		h.ServeHTTP(b, r)
	})
}

// SetWriteDeadlines bounds what is being written, and what will be until ClearWriteDeadlines. What is held and writes nothing is not
// bounded: a restart ends that otherwise, or is its answer.
func (a *Answers) SetWriteDeadlines() {
	a.bounded.Store(true)
	a.mu.Lock()
	defer a.mu.Unlock()
	for b := range a.open {
		if b.writing.Load() {
			b.limit(time.Now().Add(a.awaited))
		}
	}
}

// ClearWriteDeadlines is for when nobody waits for the answers any more.
func (a *Answers) ClearWriteDeadlines() {
	a.bounded.Store(false)
	a.mu.Lock()
	defer a.mu.Unlock()
	for b := range a.open {
		b.limit(time.Time{})
	}
}

// boundAnswer is a ResponseWriter that knows when it writes.
type boundAnswer struct {
	http.ResponseWriter
	of      *Answers
	writing atomic.Bool
}

func (b *boundAnswer) limit(until time.Time) {
	http.NewResponseController(b.ResponseWriter).SetWriteDeadline(until) //nolint:errcheck // what knows no deadlines has none
}

// bound is around everything that may wait for the reader.
func (b *boundAnswer) bound(write func()) {
	b.writing.Store(true)
	if b.of.bounded.Load() { // looked at after writing is set: SetWriteDeadlines looks the other way round
		b.limit(time.Now().Add(b.of.awaited))
		defer b.limit(time.Time{})
	}
	defer b.writing.Store(false)
	write()
}

func (b *boundAnswer) Write(p []byte) (n int, err error) {
	b.bound(func() { n, err = b.ResponseWriter.Write(p) })
	return n, err
}

// FlushError is what a ResponseController calls.
func (b *boundAnswer) FlushError() (err error) {
	b.bound(func() { err = http.NewResponseController(b.ResponseWriter).Flush() })
	return err
}

// Unwrap lets a ResponseController reach the rest.
func (b *boundAnswer) Unwrap() http.ResponseWriter { return b.ResponseWriter }
