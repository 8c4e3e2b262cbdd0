package httpapi

import (
	"cmp"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
)

// Timeouts are how long the interface waits for callers. Zero is its own.
//
// A caller that stalls must hold up neither its own request for ever nor a service that wants to stop. The
// server has no timeouts of its own, because questions and payments are held open; these bound the rest.
type Timeouts struct {
	Body      time.Duration // the next piece of a body
	Rest      time.Duration // the next piece of a body that nobody reads; all of it: restPieces times that
	KeepAlive time.Duration // a stream says something after it, so that proxies keep it open
	Second    time.Duration // of a caller's timeout; tests have shorter ones
}

func (t Timeouts) orDefault() Timeouts {
	return Timeouts{Body: cmp.Or(t.Body, 30*time.Second), Rest: cmp.Or(t.Rest, time.Second), KeepAlive: cmp.Or(t.KeepAlive, 15*time.Second), Second: cmp.Or(t.Second, time.Second)}
}

const (
	// bodyPace is what must have come, on the whole, in each second beyond what the next piece may take: a byte now and
	// then is no body.
	bodyPace = 1 << 10
	// What is left of a body that nobody reads is taken in all the same, up to this and for so long: many callers
	// send everything before they look for an answer, and would find the connection reset instead.
	restBytes  = 128 << 20
	restPieces = 10
)

// bodies are those being read now, so that a stop can end them.
type bodies struct {
	mu      sync.Mutex
	reading map[*boundedBody]struct{}
	stopped bool
}

func (b *bodies) add(body *boundedBody) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.reading == nil {
		b.reading = map[*boundedBody]struct{}{}
	}
	b.reading[body] = struct{}{}
}

func (b *bodies) remove(body *boundedBody) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.reading, body)
}

// stop ends every read under way; later ones see that it happened.
func (b *bodies) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stopped = true
	for body := range b.reading {
		body.conn.SetReadDeadline(time.Now()) //nolint:errcheck // the connection may be gone
	}
}

func (b *bodies) hasStopped() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stopped
}

// freeBody is what each body may take without asking: a command's fits, so that few large bodies can't keep it out.
const freeBody = 64 << 10

// bodyRoom is what bodies of all callers, and what becomes of them, may take in memory together beyond that.
type bodyRoom struct {
	most  int64
	taken atomic.Int64
}

// newBodyRoom has room for two of the largest: one with what is read out of it, while another comes in.
func newBodyRoom(l Limits) *bodyRoom {
	return &bodyRoom{most: 2 * max(l.JSON, l.Image, l.XML, l.Carousel)}
}

// bodyOf is a request's, nil where it has none.
func bodyOf(r *http.Request) *boundedBody {
	body, _ := r.Body.(*boundedBody)
	return body
}

// take asks for room, until the request ends. Whoever has no body of a caller's takes what it likes.
func (b *boundedBody) take(bytes int64) error {
	if b == nil || bytes == 0 {
		return nil
	}
	if b.room.taken.Add(bytes) > b.room.most {
		b.room.taken.Add(-bytes)
		return operation.ErrBusy
	}
	b.taken += bytes
	return nil
}

// boundedBody reads a body piece by piece with a deadline for each; the deadline is gone once it is read, so
// that it can't end a request that is then held.
type boundedBody struct {
	io.ReadCloser
	all     *bodies
	conn    *http.ResponseController
	answer  http.Header
	awaited bool // the caller asked whether to send it, and waits for our word
	reading bool
	over    bool // it was read, or will never be
	room    *bodyRoom
	taken   int64       // of the room
	fields  *readFields // what was read out of it, nil when that was no JSON

	timeouts Timeouts
	piece    time.Duration // how long the next one may take
	began    time.Time
	received int64
}

func (api *API) bounded(w http.ResponseWriter, r *http.Request) *boundedBody {
	return &boundedBody{
		ReadCloser: r.Body, all: &api.bodies, conn: http.NewResponseController(w), answer: w.Header(), awaited: r.Header.Get("Expect") != "",
		room: api.room, timeouts: api.Timeouts, piece: api.Timeouts.Body,
	}
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if !b.reading {
		b.reading, b.began = true, time.Now()
		b.all.add(b)
	}
	b.conn.SetReadDeadline(b.deadline()) //nolint:errcheck // the connection may be gone
	// Looked at after the deadline is set: a stop that comes later sets its own.
	if b.all.hasStopped() {
		b.end(time.Now())
		return 0, operation.ErrStopping
	}
	n, err := b.ReadCloser.Read(p)
	b.received += int64(n)
	switch {
	case err == io.EOF:
		b.end(time.Time{})
	case err != nil:
		b.answer.Set("Connection", "close") // nobody can tell where the next request would begin
		b.end(time.Now())
		if b.all.hasStopped() {
			err = operation.ErrStopping
		}
	}
	return n, err
}

// deadline is when the next piece must be here.
func (b *boundedBody) deadline() time.Time {
	next := time.Now().Add(b.piece)
	if last := b.began.Add(b.timeouts.Body + time.Duration(b.received/bodyPace)*time.Second); last.Before(next) {
		return last
	}
	return next
}

// finish is for the end of the request, when the answer is ready but not sent.
func (b *boundedBody) finish() {
	if b.fields != nil {
		b.fields.release()
		b.fields = nil
	}
	if b.taken > 0 {
		b.room.taken.Add(-b.taken)
		b.taken = 0
	}
	if b.over {
		return
	}
	if !b.awaited || b.reading {
		b.piece = b.timeouts.Rest
		rest := io.LimitedReader{R: b, N: restBytes}
		for started := time.Now(); !b.over && rest.N > 0 && time.Since(started) < restPieces*b.timeouts.Rest; {
			io.CopyN(io.Discard, &rest, 64<<10) //nolint:errcheck // whatever ends it, it is over
		}
	}
	b.end(time.Now())
}

// end sets the last deadline. One that has passed keeps the server from waiting for a body that does not come.
func (b *boundedBody) end(deadline time.Time) {
	if b.over {
		return
	}
	b.over = true
	if b.reading {
		b.all.remove(b)
	}
	b.conn.SetReadDeadline(deadline) //nolint:errcheck // as above
}
