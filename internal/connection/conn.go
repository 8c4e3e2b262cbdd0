package connection

import (
	"errors"
	"net"
	"sync/atomic"
	"time"
)

const (
	// strangerWriteTimeout is how long a stranger may take to take the next chunk of an answer.
	strangerWriteTimeout = 30 * time.Second
	strangerChunk        = 64 << 10
	// usualWriteTimeout is how long an answer may take while a stop or a restart waits for it.
	usualWriteTimeout = 4 * time.Second
	// Headers take some ten times their size in memory, and come before credentials. Beyond what strangers may send of them
	// together, none may send more than most requests have.
	allStrangersHeaderBytes = 1 << 20
	strangerHeaderBytes     = 2 << 10
	handshakeBytes          = 4 << 10 // what TLS takes before that
)

var errTooManyHeaders = errors.New("too many strangers with long requests")

// The stages of a connection: from new to idle, then from headers to idle over and over.
const (
	stageNew     = iota // nothing has come of it yet
	stageHeaders        // the headers of a request have come in
	stageHandled        // a handler answers it, not the server by itself
	stageIdle           // between two requests
)

// conn is a connection that the limiter admitted. It is a stranger until it is known.
type conn struct {
	net.Conn
	limiter        *Limiter
	origin         string
	since          time.Time
	maxHeaderBytes int64       // while strangers together send too many
	known          atomic.Bool // it has shown credentials, or the screen's token
	stage          atomic.Int32

	headerBytes atomic.Int64 // read for a stranger
	writing     atomic.Bool
	deadline    atomic.Int64 // when an answer that is waited for must be taken, 0 while none is
}

// Read counts what strangers send before they are known.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if stage := c.stage.Load(); n == 0 || stage == stageHeaders || stage == stageHandled || c.known.Load() {
		return n, err
	}
	mine, all := c.headerBytes.Add(int64(n)), c.limiter.headerBytes.Add(int64(n))
	if all > allStrangersHeaderBytes && mine > c.maxHeaderBytes {
		c.Close() //nolint:errcheck // it is nobody's any more
		return 0, errTooManyHeaders
	}
	return n, err
}

func (c *conn) forgetHeaderBytes() { c.limiter.headerBytes.Add(-c.headerBytes.Swap(0)) }

func (c *conn) Close() error {
	c.limiter.remove(c)
	c.forgetHeaderBytes()
	return c.Conn.Close()
}

// CloseWrite lets the server wait for a caller to read its refusal before the connection is gone.
func (c *conn) CloseWrite() error { return closeWrite(c.Conn) }

func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Write gives strangers a limit: one who reads nothing must not hold an answer for ever. Known connections may be as slow as
// they like, their logs wait for them, unless a stop or a restart waits for the answer.
func (c *conn) Write(b []byte) (written int, err error) {
	c.writing.Store(true)
	defer c.writing.Store(false)
	if c.limiter.deadlines.Load() { // looked at after writing is set: SetWriteDeadlines looks the other way round
		c.setDeadline()
	} else {
		c.clearDeadline() // one that was set as ClearWriteDeadlines ran may have come too late to be cleared by it
	}
	for len(b) > 0 && err == nil {
		if c.known.Load() {
			n, err := c.Conn.Write(b)
			return written + n, err
		}
		c.Conn.SetWriteDeadline(c.strangersDeadline()) //nolint:errcheck // the connection may be gone
		var n int
		n, err = c.Conn.Write(b[:min(len(b), strangerChunk)])
		written, b = written+n, b[n:]
	}
	return written, err
}

func (c *conn) strangersDeadline() time.Time {
	next := time.Now().Add(strangerWriteTimeout)
	if deadline := c.deadline.Load(); deadline != 0 && deadline < next.UnixNano() {
		return time.Unix(0, deadline)
	}
	return next
}

// setDeadline sets, once, when the answer must be taken.
func (c *conn) setDeadline() {
	deadline := time.Now().Add(c.limiter.writeTimeout)
	if c.deadline.CompareAndSwap(0, deadline.UnixNano()) {
		c.Conn.SetWriteDeadline(deadline) //nolint:errcheck // the connection may be gone
	}
}

func (c *conn) clearDeadline() {
	if c.deadline.Load() != 0 && c.deadline.Swap(0) != 0 {
		c.Conn.SetWriteDeadline(time.Time{}) //nolint:errcheck // the connection may be gone
	}
}

func (c *conn) markKnown() {
	if !c.known.Load() && c.known.CompareAndSwap(false, true) {
		c.forgetHeaderBytes()
		if c.deadline.Load() == 0 {
			c.Conn.SetWriteDeadline(time.Time{}) //nolint:errcheck // the connection may be gone
		}
	}
}
