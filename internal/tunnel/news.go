package tunnel

import (
	"encoding/binary"
	"io"
	"math"
	"net"
	"sync"
)

// What a terminal sends on a link comes in pieces: the length in two bytes, then that many bytes of HTTP/2. An empty piece says that there
// is news, and the hub asks for the position. A request that is held open for it would cost the hub two goroutines and 12 KiB at each of
// ten thousand terminals; this costs nothing until it comes. What the hub sends is HTTP/2 as it is.

const pieceHead = 2

// newsTeller is the terminal's end of a link.
type newsTeller struct {
	net.Conn
	mu    sync.Mutex
	piece []byte
}

// Write sends HTTP/2.
func (t *newsTeller) Write(b []byte) (written int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for err == nil && written < len(b) {
		part := b[written:min(len(b), written+math.MaxUint16)]
		if err = t.send(part); err == nil {
			written += len(part)
		}
	}
	return written, err
}

// tell says that there is news. A link that can't take it is over, which is told elsewhere.
func (t *newsTeller) tell() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.send(nil) //nolint:errcheck // as above
}

// send writes a piece at once, so that it goes as one.
func (t *newsTeller) send(part []byte) error {
	t.piece = append(binary.BigEndian.AppendUint16(t.piece[:0], uint16(len(part))), part...)
	_, err := t.Conn.Write(t.piece)
	return err
}

// newsReader is the hub's end of a link.
type newsReader struct {
	net.Conn
	news *news
	head [pieceHead]byte
	left int // of the piece that is being read
}

// Read reads HTTP/2, and notes what news comes on the way. It is called by one goroutine.
func (r *newsReader) Read(b []byte) (int, error) {
	for r.left == 0 {
		if _, err := io.ReadFull(r.Conn, r.head[:]); err != nil {
			return 0, err
		}
		if r.left = int(binary.BigEndian.Uint16(r.head[:])); r.left == 0 {
			r.news.come()
		}
	}
	n, err := r.Conn.Read(b[:min(len(b), r.left)])
	r.left -= n
	return n, err
}

// news has somebody look at it, one look at a time.
type news struct {
	mu      sync.Mutex
	look    func() error // nil: nobody does yet
	unseen  bool
	looking bool
}

// come notes that there is news.
func (n *news) come() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.unseen = true
	n.begin()
}

// lookWith says who looks.
func (n *news) lookWith(look func() error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.look = look
	n.begin()
}

// begin has a goroutine look, where there is cause. The lock is held.
func (n *news) begin() {
	if n.unseen && !n.looking && n.look != nil {
		n.looking = true
		go n.lookAt()
	}
}

func (n *news) lookAt() {
	for look := n.next(); look != nil; look = n.next() {
		if look() != nil {
			n.come()
		}
	}
}

// next is who looks; nil: there is nothing to look at.
func (n *news) next() func() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.looking, n.unseen = n.unseen, false; !n.looking {
		return nil
	}
	return n.look
}
