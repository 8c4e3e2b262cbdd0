package connection

import (
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

const (
	// strangerWriteTimeout is how long a stranger may take to take the next chunk of an answer.
	strangerWriteTimeout = 30 * time.Second
	strangerChunk        = 64 << 10
	// usualWriteTimeout is how long an answer may take while a stop or a restart waits for it.
	usualWriteTimeout = 4 * time.Second
	// usualStallTimeout is how long a known caller may take nothing. On the slowest lines that are of use a window opens in less.
	usualStallTimeout = 2 * time.Minute
	// sendBuffer is how much the system keeps of an answer that is not taken yet. Left to itself it keeps megabytes, and then
	// a caller that reads slowly and one that does not read look alike for minutes.
	sendBuffer = 64 << 10
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
	maxHeaderBytes int64                  // while strangers together send too many
	known          atomic.Bool            // it has shown credentials, or the screen's token
	owner          atomic.Pointer[string] // who was known last by it
	stage          atomic.Int32
	newcomer       atomic.Bool // it has sent no request yet

	headerBytes atomic.Int64 // read for a stranger
	writing     atomic.Bool
	deadline    atomic.Int64 // when an answer that is waited for must be taken, 0 while none is
	renewed     atomic.Int64 // how old the connection was when the caller's time was last set anew; 0: it must be
	own         atomic.Int64 // when the handler says it must be taken, 0 where it says nothing
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

// settle counts a newcomer no more.
func (c *conn) settle() {
	if c.newcomer.CompareAndSwap(true, false) {
		c.limiter.newcomers.Add(-1)
	}
}

func (c *conn) Close() error {
	c.settle()
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

// Write gives callers a limit: one who reads nothing must not hold an answer for ever. A stranger has so long for each chunk. A
// known caller may be as slow as it likes while it takes something, unless a stop or a restart waits for the answer.
func (c *conn) Write(b []byte) (written int, err error) {
	c.writing.Store(true)
	defer c.writing.Store(false)
	if c.limiter.deadlines.Load() { // looked at after writing is set: SetWriteDeadlines looks the other way round
		c.setDeadline()
	} else {
		c.clearDeadline() // one that was set as ClearWriteDeadlines ran may have come too late to be cleared by it
	}
	for len(b) > 0 && err == nil {
		c.renew()
		chunk := b
		if !c.known.Load() {
			chunk = b[:min(len(b), strangerChunk)]
		}
		var n int
		n, err = c.Conn.Write(chunk)
		written, b = written+n, b[n:]
		if n > 0 && c.patient() && errors.Is(err, os.ErrDeadlineExceeded) {
			err = nil // it has taken something: it lives
			c.renewed.Store(0)
		}
	}
	return written, err
}

// patient tells whether whoever takes anything of an answer may go on.
func (c *conn) patient() bool { return c.known.Load() && c.own.Load() == 0 && c.deadline.Load() == 0 }

// renew sets when the next piece of an answer must be taken. A known caller's is set anew only when half of it has passed: most
// answers are taken at once, and should not pay for it.
func (c *conn) renew() {
	if c.own.Load() != 0 {
		return
	}
	now, timeout := time.Now(), strangerWriteTimeout
	if c.known.Load() {
		// By age, which no change of the clock changes.
		age, last := now.Sub(c.since), time.Duration(c.renewed.Load())
		if timeout = c.limiter.stallTimeout; last != 0 && age-last < timeout/2 {
			return
		}
		c.renewed.Store(int64(age))
		timeout += timeout / 2
	}
	c.setNext(now.Add(timeout)) //nolint:errcheck // the connection may be gone
}

// setNext sets the connection's own deadline, unless a stop waits and has an earlier one.
func (c *conn) setNext(next time.Time) error {
	err := c.Conn.SetWriteDeadline(next)
	// Looked at after it is set: setDeadline does it the other way round.
	if deadline := c.deadline.Load(); deadline != 0 && deadline < next.UnixNano() {
		err = c.Conn.SetWriteDeadline(time.Unix(0, deadline))
	}
	return err
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
		if own := c.own.Load(); own != 0 {
			c.setNext(time.Unix(0, own)) //nolint:errcheck // the connection may be gone
			return
		}
		c.renewed.Store(0)
		c.renew()
	}
}

// SetWriteDeadline is for handlers that know how long their answer may take; without one, the connection's own time counts again.
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.renewed.Store(0)
	if t.IsZero() {
		c.own.Store(0)
		return nil // the next write sets one
	}
	c.own.Store(t.UnixNano())
	return c.setNext(t)
}

// whose tells who was known by it.
func (c *conn) whose() string {
	if o := c.owner.Load(); o != nil {
		return *o
	}
	return ""
}

func (c *conn) markKnown() {
	if !c.known.Load() && c.known.CompareAndSwap(false, true) {
		c.forgetHeaderBytes()
	}
}
