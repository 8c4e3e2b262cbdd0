package door

import (
	"errors"
	"net"
	"sync/atomic"
	"time"
)

const (
	// strangerPatience is how long somebody who has shown nothing yet may take to take the next piece of an answer.
	strangerPatience = 30 * time.Second
	strangerPiece    = 64 << 10
	// hurryPatience is the usual time that an answer may still take that somebody waits for.
	hurryPatience = 4 * time.Second
	// Headers take some ten times their size in memory, and come before credentials. Beyond what strangers may send of them
	// together, none may send more than most requests have.
	strangersAsk = 1 << 20
	strangerAsks = 2 << 10
	handshake    = 4 << 10 // what TLS takes before that
)

var errCrowd = errors.New("too many strangers with long requests")

// The stages of a connection, from its arrival on, over and over.
const (
	arrived  = iota // nothing has come of it yet
	heard           // the headers of a request have come in
	answered        // a handler answers it, not the server by itself
	idle            // between two requests
)

// guest is a connection that was let in.
type guest struct {
	net.Conn
	door   *Doorman
	origin string
	since  time.Time
	most   int64       // that it may ask when there is a crowd
	known  atomic.Bool // it has shown credentials, or the screen's token
	stage  atomic.Int32

	asked   atomic.Int64 // bytes of headers read for a stranger
	writing atomic.Bool
	due     atomic.Int64 // when an answer that is waited for must be taken, 0 while none is
}

// Read counts what strangers send before they are known.
func (g *guest) Read(b []byte) (int, error) {
	n, err := g.Conn.Read(b)
	if stage := g.stage.Load(); n == 0 || stage == heard || stage == answered || g.known.Load() {
		return n, err
	}
	mine, all := g.asked.Add(int64(n)), g.door.asked.Add(int64(n))
	if all > strangersAsk && mine > g.most {
		g.Close() //nolint:errcheck // it is nobody's any more
		return 0, errCrowd
	}
	return n, err
}

// forgive forgets what was asked.
func (g *guest) forgive() { g.door.asked.Add(-g.asked.Swap(0)) }

func (g *guest) Close() error {
	g.door.forget(g)
	g.forgive()
	return g.Conn.Close()
}

// CloseWrite lets the server wait for a caller to read its refusal before the connection is gone.
func (g *guest) CloseWrite() error { return closeWrite(g.Conn) }

func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Write gives strangers a limit: one who reads nothing must not hold an answer for ever. Those who are known may be as
// slow as they like, their logs wait for them, unless somebody waits for the answer.
func (g *guest) Write(b []byte) (written int, err error) {
	g.writing.Store(true)
	defer g.writing.Store(false)
	if g.door.hurries.Load() { // looked at after saying that this is written: who hurries looks the other way round
		g.hurry()
	} else {
		g.relax() // what was written as the hurry ended may have set it too late to be forgotten
	}
	for len(b) > 0 && err == nil {
		if g.known.Load() {
			n, err := g.Conn.Write(b)
			return written + n, err
		}
		g.Conn.SetWriteDeadline(g.strangersDeadline()) //nolint:errcheck // the connection may be gone
		var n int
		n, err = g.Conn.Write(b[:min(len(b), strangerPiece)])
		written, b = written+n, b[n:]
	}
	return written, err
}

func (g *guest) strangersDeadline() time.Time {
	next := time.Now().Add(strangerPatience)
	if due := g.due.Load(); due != 0 && due < next.UnixNano() {
		return time.Unix(0, due)
	}
	return next
}

// hurry sets, once, when the answer must be taken.
func (g *guest) hurry() {
	due := time.Now().Add(g.door.hurry)
	if g.due.CompareAndSwap(0, due.UnixNano()) {
		g.Conn.SetWriteDeadline(due) //nolint:errcheck // the connection may be gone
	}
}

func (g *guest) relax() {
	if g.due.Load() != 0 && g.due.Swap(0) != 0 {
		g.Conn.SetWriteDeadline(time.Time{}) //nolint:errcheck // the connection may be gone
	}
}

// introduce makes a stranger known.
func (g *guest) introduce() {
	if !g.known.Load() && g.known.CompareAndSwap(false, true) {
		g.forgive()
		if g.due.Load() == 0 {
			g.Conn.SetWriteDeadline(time.Time{}) //nolint:errcheck // the connection may be gone
		}
	}
}
