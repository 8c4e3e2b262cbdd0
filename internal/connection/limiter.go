package connection

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/credentials"
)

// Limiter bounds how many connections are open at once. When it is full, a stranger is closed for the one that comes: of
// those who have shown no credentials, the oldest from the origin that has most of them. So a flood of connections pushes
// itself out, and a caller that is served stays.
type Limiter struct {
	max          int
	writeTimeout time.Duration // of an answer while deadlines are set
	stallTimeout time.Duration // of a known caller that takes nothing

	mu      sync.Mutex
	conns   map[*conn]struct{}
	closed  bool      // no new ones
	surplus time.Time // when one was let in beyond the number of newcomers

	newcomers atomic.Int64 // who have sent no request yet

	headerBytes atomic.Int64 // of requests that strangers are in the middle of
	deadlines   atomic.Bool  // answers have one
}

// Timeouts are how long an answer may take. Zero is the usual.
type Timeouts struct {
	Awaited time.Duration // after SetWriteDeadlines
	// Stalled is while a known caller takes nothing: half as long again, and twice more where the system's buffer still takes a
	// little in its place.
	Stalled time.Duration
}

// NewLimiter allows so many connections at once.
func NewLimiter(maxConns int, t Timeouts) *Limiter {
	return &Limiter{
		max: maxConns, conns: map[*conn]struct{}{},
		writeTimeout: cmp.Or(t.Awaited, usualWriteTimeout), stallTimeout: cmp.Or(t.Stalled, usualStallTimeout),
	}
}

// admit makes room for a connection; nil means that there is none: all that are open are known and served, or the service
// stops.
func (l *Limiter) admit(nc net.Conn) *conn {
	if tcp, ok := nc.(*net.TCPConn); ok {
		tcp.SetWriteBuffer(sendBuffer) //nolint:errcheck // the connection may be gone
	}
	c := &conn{Conn: nc, limiter: l, origin: credentials.Origin(nc.RemoteAddr().String()), since: time.Now(), maxHeaderBytes: strangerHeaderBytes}
	evicted, room := l.add(c)
	if evicted != nil {
		evicted.Conn.Close()
	}
	if !room {
		return nil
	}
	return c
}

func (l *Limiter) add(c *conn) (evicted *conn, room bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, false
	}
	if len(l.conns) >= l.max {
		if evicted = l.evictable(); evicted == nil {
			return nil, false
		}
		delete(l.conns, evicted)
	}
	l.conns[c] = struct{}{}
	c.newcomer.Store(true)
	l.newcomers.Add(1)
	return evicted, true
}

// surplusEach is how often one is let in beyond the number: strangers who say nothing must not keep everybody out.
const surplusEach = 20 * time.Millisecond

// welcomes tells whether one more newcomer may be let in; most is 0 where there is no limit. Of ten thousand that are let in at once
// none is done with its TLS handshake in time; those who are turned away at once, or wait elsewhere, cost nothing.
func (l *Limiter) welcomes(most int) bool {
	if most == 0 || l.newcomers.Load() < int64(most) {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.surplus) < surplusEach {
		return false
	}
	l.surplus = time.Now()
	return true
}

// evictable is the oldest stranger from the origin that has most strangers; without strangers, the oldest known connection
// that is idle, of whoever has most of those.
func (l *Limiter) evictable() *conn {
	strangers, idle := map[string]int{}, map[string]int{}
	for c := range l.conns {
		switch {
		case !c.known.Load():
			strangers[c.origin]++
		case c.stage.Load() == stageIdle:
			idle[c.whose()]++
		}
	}
	if len(strangers) > 0 {
		return l.oldest(func(c *conn) (int, bool) { return strangers[c.origin], !c.known.Load() })
	}
	return l.oldest(func(c *conn) (int, bool) { return idle[c.whose()], c.known.Load() && c.stage.Load() == stageIdle })
}

// oldest is the oldest connection of those that count, where there are most of them.
func (l *Limiter) oldest(many func(*conn) (int, bool)) (found *conn) {
	most := 0
	for c := range l.conns {
		if n, counts := many(c); counts && (n > most || n == most && found != nil && c.since.Before(found.since)) {
			found, most = c, n
		}
	}
	return found
}

// Drain refuses new connections and closes those that have sent no request yet: a service that stops would wait for it.
func (l *Limiter) Drain() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for c := range l.conns {
		if c.stage.Load() == stageNew {
			c.Conn.Close()
		}
	}
}

// Count is how many connections are open now.
func (l *Limiter) Count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.conns)
}

// SetWriteDeadlines bounds the answers that are being written, and those that will be until ClearWriteDeadlines. It is for a
// stop or a restart, which waits for all answers: their readers may be slow, or never read.
func (l *Limiter) SetWriteDeadlines() {
	l.deadlines.Store(true)
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		if c.writing.Load() {
			c.setDeadline()
		}
	}
}

// ClearWriteDeadlines is for when nobody waits for the answers any more.
func (l *Limiter) ClearWriteDeadlines() {
	l.deadlines.Store(false)
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		c.clearDeadline()
	}
}

func (l *Limiter) remove(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, c)
}

type connKey struct{}

// MarkKnown says that whoever sent this request has shown credentials, or the screen's token.
func MarkKnown(ctx context.Context) { MarkOwned(ctx, "") }

// MarkOwned is MarkKnown with whose the connection is: when there are too many, those go first of which somebody has most.
func MarkOwned(ctx context.Context, owner string) {
	if c, ok := ctx.Value(connKey{}).(*conn); ok {
		if c.whose() != owner {
			c.owner.Store(&owner)
		}
		c.markKnown()
	}
}

// Track has a server tell of its connections, and of the requests that reach its handler.
func Track(s *http.Server) *http.Server {
	handler := s.Handler
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*conn); ok {
			c.stage.Store(stageHandled)
		}
		handler.ServeHTTP(w, r)
	})
	s.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, c.(serverConn).conn)
	}
	s.ConnState = func(nc net.Conn, state http.ConnState) {
		c := nc.(serverConn).conn
		switch state {
		case http.StateActive:
			c.settle()
			c.stage.Store(stageHeaders)
		case http.StateIdle:
			c.stage.Store(stageIdle)
			c.own.Store(0) // that was the last answer's
			c.forgetHeaderBytes()
		}
	}
	return s
}
