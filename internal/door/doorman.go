package door

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

// Doorman bounds how many connections are open at once. When the house is full, strangers yield: of those who have
// shown no credentials, the oldest from where most of them come. So a flood of connections pushes itself out, and a
// caller that is served stays.
type Doorman struct {
	most  int
	hurry time.Duration // how long an answer may still take that somebody waits for

	mu     sync.Mutex
	guests map[*guest]struct{}
	closed bool // nobody comes in any more

	asked   atomic.Int64 // bytes of requests that strangers are in the middle of
	hurries atomic.Bool  // answers are waited for
}

// New is a door for so many at once; hurry is how long an answer may still take that somebody waits for, 0 the usual.
func New(most int, hurry time.Duration) *Doorman {
	return &Doorman{most: most, hurry: cmp.Or(hurry, hurryPatience), guests: map[*guest]struct{}{}}
}

// admit makes room for a connection; nil means that there is none: everybody inside is known and served, or the service
// stops.
func (d *Doorman) admit(c net.Conn) *guest {
	g := &guest{Conn: c, door: d, origin: credentials.Origin(c.RemoteAddr().String()), since: time.Now(), most: strangerAsks}
	leaves, room := d.letIn(g)
	if leaves != nil {
		leaves.Conn.Close()
	}
	if !room {
		return nil
	}
	return g
}

func (d *Doorman) letIn(g *guest) (leaves *guest, room bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, false
	}
	if len(d.guests) >= d.most {
		if leaves = d.whoLeaves(); leaves == nil {
			return nil, false
		}
		delete(d.guests, leaves)
	}
	d.guests[g] = struct{}{}
	return leaves, true
}

// whoLeaves picks the stranger who came first from where most strangers come; without strangers, the known one who
// came first of those who want nothing now.
func (d *Doorman) whoLeaves() *guest {
	strangers := map[string]int{}
	for g := range d.guests {
		if !g.known.Load() {
			strangers[g.origin]++
		}
	}
	var leaves *guest
	for g := range d.guests {
		known := g.known.Load()
		switch {
		case known && (len(strangers) > 0 || g.stage.Load() != idle):
		case leaves == nil, strangers[g.origin] > strangers[leaves.origin],
			strangers[g.origin] == strangers[leaves.origin] && g.since.Before(leaves.since):
			leaves = g
		}
	}
	return leaves
}

// CloseUp shows those out who have not asked for anything yet, and those who still come: a service that stops would wait
// for their request.
func (d *Doorman) CloseUp() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for g := range d.guests {
		if g.stage.Load() == arrived {
			g.Conn.Close()
		}
	}
}

// Inside is how many connections are let in now.
func (d *Doorman) Inside() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.guests)
}

// Hurry bounds the answers that are being written, and those that will be until Relax: somebody waits for all of them, and
// their readers may be slow, or never read.
func (d *Doorman) Hurry() {
	d.hurries.Store(true)
	d.mu.Lock()
	defer d.mu.Unlock()
	for g := range d.guests {
		if g.writing.Load() {
			g.hurry()
		}
	}
}

// Relax is for when nobody waits any more.
func (d *Doorman) Relax() {
	d.hurries.Store(false)
	d.mu.Lock()
	defer d.mu.Unlock()
	for g := range d.guests {
		g.relax()
	}
}

func (d *Doorman) forget(g *guest) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.guests, g)
}

type guestKey struct{}

// Introduce makes the connection of a request known.
func Introduce(ctx context.Context) {
	if g, ok := ctx.Value(guestKey{}).(*guest); ok {
		g.introduce()
	}
}

// Watch has a server tell of its connections, and of the requests that reach its handler.
func Watch(s *http.Server) *http.Server {
	handler := s.Handler
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g, ok := r.Context().Value(guestKey{}).(*guest); ok {
			g.stage.Store(answered)
		}
		handler.ServeHTTP(w, r)
	})
	s.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, guestKey{}, c.(connection).guest)
	}
	s.ConnState = func(c net.Conn, state http.ConnState) {
		g := c.(connection).guest
		switch state {
		case http.StateActive:
			g.stage.Store(heard)
		case http.StateIdle:
			g.stage.Store(idle)
			g.forgive()
		}
	}
	return s
}
