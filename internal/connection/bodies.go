package connection

import (
	"cmp"
	"io"
	"net/http"
	"sync"
	"time"
)

// BodyTimeouts are how long the bodies of requests are waited for. Zero is the package's own.
type BodyTimeouts struct {
	Piece time.Duration // the next piece, for whoever reads; longer than a terminal waits, whose answer comes first
	Rest  time.Duration // the next piece that nobody reads; all of it: restPieces times that
}

// What is left of a body that nobody read is taken in, up to this and for so long: many callers send everything before they look for
// an answer, and would find the connection reset instead.
const (
	restBytes  = 128 << 20
	restPieces = 10
)

// BoundBodies is a handler whose callers can't hold a connection for ever by a body that does not come: the HTTP server itself waits
// for what a handler has left of it.
func BoundBodies(h http.Handler, t BodyTimeouts) http.Handler {
	t = BodyTimeouts{Piece: cmp.Or(t.Piece, 40*time.Second), Rest: cmp.Or(t.Rest, time.Second)}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			b := &body{ReadCloser: r.Body, conn: http.NewResponseController(w), timeouts: t, awaited: r.Header.Get("Expect") != ""}
			b.read.L = &b.mu
			defer b.finish()
			r.Body = b
		}
		h.ServeHTTP(w, r)
	})
}

// body is a request's, which may be read beside the handler that it belongs to.
type body struct {
	io.ReadCloser
	conn     *http.ResponseController
	timeouts BodyTimeouts

	mu      sync.Mutex
	read    sync.Cond
	reading bool
	closed  bool  // by whom it was passed on to
	awaited bool  // the caller asked whether to send it, and nobody has read yet
	end     error // it was read, or will never be; nil: there may be more
}

func (b *body) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.end != nil:
		return 0, b.end
	case b.closed:
		return 0, http.ErrBodyReadAfterClose
	}
	return b.next(p, b.timeouts.Piece)
}

// next reads a piece. The lock is held but for the wait.
func (b *body) next(p []byte, within time.Duration) (int, error) {
	b.awaited, b.reading = false, true
	b.conn.SetReadDeadline(time.Now().Add(within)) //nolint:errcheck // what knows no deadlines has none
	b.mu.Unlock()
	n, err := b.ReadCloser.Read(p)
	b.mu.Lock()
	if b.reading, b.end = false, err; err == io.EOF {
		b.conn.SetReadDeadline(time.Time{}) //nolint:errcheck // the request may be held for hours from here on
	}
	b.read.Broadcast()
	return n, err
}

// Close is for whoever has passed the body on, and ends its read. The server's own Close would wait for what does not come.
func (b *body) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	if b.reading {
		b.conn.SetReadDeadline(time.Now()) //nolint:errcheck // as above
	}
	return nil
}

// finish is for the end of the request, when its answer may not be sent yet.
func (b *body) finish() {
	b.Close() //nolint:errcheck // it never fails
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.reading {
		b.read.Wait()
	}
	if !b.awaited && b.end == nil {
		piece, taken := make([]byte, 32<<10), 0
		for began := time.Now(); b.end == nil && taken < restBytes && time.Since(began) < restPieces*b.timeouts.Rest; {
			n, _ := b.next(piece, b.timeouts.Rest) //nolint:errcheck // whatever ends it, it is over
			taken += n
		}
	}
	if b.end == nil {
		b.end = http.ErrBodyReadAfterClose
		b.conn.SetReadDeadline(time.Now()) //nolint:errcheck // the server does not wait for the rest
	}
}
