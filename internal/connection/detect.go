package connection

import (
	"crypto/tls"
	"net"
	"sync"
	"sync/atomic"
)

// detectConn speaks TLS or not, as its first byte has it. The screen has one address for both: a page that is open must not
// be lost when HTTPS is switched on.
type detectConn struct {
	*conn
	config   *tls.Config
	once     sync.Once
	detected atomic.Pointer[net.Conn] // nil until the first byte
	failed   error
}

// A TLS record begins with its type; no HTTP method begins with that of a handshake.
const handshakeRecord = 0x16

func (d *detectConn) detect() {
	first := make([]byte, 1)
	if _, d.failed = d.conn.Read(first); d.failed != nil {
		return
	}
	found := net.Conn(&peekedConn{conn: d.conn, peeked: first})
	if first[0] == handshakeRecord {
		found = tls.Server(found, d.config)
	}
	d.detected.Store(&found)
}

func (d *detectConn) Read(b []byte) (int, error) {
	d.once.Do(d.detect)
	if d.failed != nil {
		return 0, d.failed
	}
	return (*d.detected.Load()).Read(b)
}

// current is what to write to: the bare connection, until it is known what is spoken.
func (d *detectConn) current() net.Conn {
	if found := d.detected.Load(); found != nil {
		return *found
	}
	return d.conn
}

func (d *detectConn) Write(b []byte) (int, error) { return d.current().Write(b) }
func (d *detectConn) Close() error                { return d.current().Close() }
func (d *detectConn) CloseWrite() error           { return closeWrite(d.current()) }

// peekedConn is a connection whose first bytes were read already.
type peekedConn struct {
	*conn
	peeked []byte
}

func (c *peekedConn) Read(b []byte) (int, error) {
	if len(c.peeked) == 0 || len(b) == 0 {
		return c.conn.Read(b)
	}
	n := copy(b, c.peeked)
	c.peeked = c.peeked[n:]
	return n, nil
}
