package door

import (
	"crypto/tls"
	"net"
	"sync"
	"sync/atomic"
)

// either is a connection that speaks TLS or not, as its first byte has it. The screen has one address for both: a page
// that is open must not be lost when HTTPS is switched on.
type either struct {
	*guest
	config *tls.Config
	listen sync.Once
	spoken atomic.Pointer[net.Conn] // nil until the first byte
	failed error
}

// A TLS record begins with its type; no HTTP method begins with that of a handshake.
const handshakeRecord = 0x16

func (e *either) hear() {
	first := make([]byte, 1)
	if _, e.failed = e.guest.Read(first); e.failed != nil {
		return
	}
	conn := net.Conn(&begun{guest: e.guest, begin: first})
	if first[0] == handshakeRecord {
		conn = tls.Server(conn, e.config)
	}
	e.spoken.Store(&conn)
}

func (e *either) Read(b []byte) (int, error) {
	e.listen.Do(e.hear)
	if e.failed != nil {
		return 0, e.failed
	}
	return (*e.spoken.Load()).Read(b)
}

// heard is what to speak to: the bare connection, until it is known.
func (e *either) heard() net.Conn {
	if conn := e.spoken.Load(); conn != nil {
		return *conn
	}
	return e.guest
}

func (e *either) Write(b []byte) (int, error) { return e.heard().Write(b) }
func (e *either) Close() error                { return e.heard().Close() }
func (e *either) CloseWrite() error           { return closeWrite(e.heard()) }

// begun is a connection of which the beginning was read already.
type begun struct {
	*guest
	begin []byte
}

func (c *begun) Read(b []byte) (int, error) {
	if len(c.begin) == 0 || len(b) == 0 {
		return c.guest.Read(b)
	}
	n := copy(b, c.begin)
	c.begin = c.begin[n:]
	return n, nil
}
