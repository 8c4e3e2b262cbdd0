package peers

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/hub/leases"
)

// Limits of a connection between hubs. All its windows together are less than its own: who reads slowly stops nobody else. So there are
// few requests on each, and more connections where they are needed.
const (
	mostRequests     = 60
	requestWindow    = 64 << 10
	connectionWindow = 4<<20 - 1 // the most that the library takes
	answerWindow     = 256 << 10
	mostHeaderBytes  = 128 << 10 // more than callers may send
)

// silence is after how long a hub that says nothing is asked whether it lives, and how long it has to answer.
const silence = 5 * time.Second

const dialPatience = 3 * time.Second

var errClosed = errors.New("this hub is stopping")

// lines are the connections to other hubs.
type lines struct {
	identity  Identity
	own       func() string // this hub's run
	transport *http.Transport

	mu     sync.Mutex
	hubs   map[string]*line // by run
	closed bool
}

// line is the connections to one hub.
type line struct {
	dialling chan struct{} // full while one is made: who waits may find room on it
	conns    []*conn
}

// conn is one connection. It is used while the run lasts that it was made in: where this hub has stood still for longer than its lease, the
// other one may have given it up, and a request on it would be broken.
type conn struct {
	*http.ClientConn
	below net.Conn
	run   string // this hub's own
}

// cut ends it, and the requests on it. The library alone would wait for the other side to take its farewell.
func (c *conn) cut() {
	c.below.Close()
	c.Close()
}

type connKey struct{}

func newLines(i Identity, own func() string) *lines {
	plain := new(http.Protocols)
	plain.SetUnencryptedHTTP2(true) // the connection below has TLS
	return &lines{identity: i, own: own, hubs: map[string]*line{}, transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return ctx.Value(connKey{}).(net.Conn), nil },
		Protocols:   plain, DisableCompression: true, MaxResponseHeaderBytes: mostHeaderBytes,
		HTTP2: &http.HTTP2Config{SendPingTimeout: silence, PingTimeout: silence, MaxReceiveBufferPerStream: answerWindow},
	}}
}

// reserve is a connection to a hub that has room for a request.
func (l *lines) reserve(ctx context.Context, hub leases.Hub) (*conn, error) {
	found, to, err := l.free(hub.Run)
	if found != nil || err != nil {
		return found, err
	}
	ctx, cancel := context.WithTimeout(ctx, dialPatience)
	defer cancel()
	select {
	case to.dialling <- struct{}{}:
		defer func() { <-to.dialling }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if found, _, err = l.free(hub.Run); found != nil || err != nil {
		return found, err
	}
	made, err := l.dial(ctx, hub)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		made.cut()
		return nil, errClosed
	}
	to.conns = append(to.conns, made)
	l.hubs[hub.Run] = to
	if err := made.Reserve(); err != nil {
		return nil, err
	}
	return made, nil
}

// free is a connection with room, reserved; nil: there is none.
func (l *lines) free(run string) (*conn, *line, error) {
	own := l.own()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, nil, errClosed
	}
	to := l.hubs[run]
	if to == nil {
		l.forgetUnused(own)
		to = &line{dialling: make(chan struct{}, 1)}
		l.hubs[run] = to
	}
	to.conns = inUse(to.conns, own)
	for _, c := range to.conns {
		if c.run == own && c.Reserve() == nil {
			return c, to, nil
		}
	}
	return nil, to, nil
}

// inUse leaves out connections that are dead, and ends those of another run of this hub that nothing is under way on.
func inUse(conns []*conn, own string) []*conn {
	kept := conns[:0]
	for _, c := range conns {
		switch {
		case c.Err() != nil:
		case c.run != own && c.InFlight() == 0:
			c.cut()
		default:
			kept = append(kept, c)
		}
	}
	clear(conns[len(kept):])
	return kept
}

// forgetUnused forgets hubs that no connection goes to. The lock is held.
func (l *lines) forgetUnused(own string) {
	for run, to := range l.hubs {
		if to.conns = inUse(to.conns, own); len(to.conns) == 0 && len(to.dialling) == 0 {
			delete(l.hubs, run)
		}
	}
}

// dial makes a connection on which the other hub has answered: whom it does not know it tells only then.
func (l *lines) dial(ctx context.Context, hub leases.Hub) (*conn, error) {
	own := l.own()
	below, err := (&net.Dialer{}).DialContext(ctx, "tcp", hub.Address)
	if err != nil {
		return nil, err
	}
	secured := tls.Client(below, l.identity.dialling(hub.KeyHash))
	if err := secured.HandshakeContext(ctx); err != nil {
		below.Close()
		return nil, err
	}
	client, err := l.transport.NewClientConn(context.WithValue(context.WithoutCancel(ctx), connKey{}, net.Conn(secured)), "http", "hub:80")
	if err != nil {
		below.Close()
		return nil, err
	}
	made := &conn{client, below, own}
	hello, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://hub/", http.NoBody)
	if err == nil {
		var resp *http.Response
		if resp, err = made.RoundTrip(hello); err == nil {
			err = resp.Body.Close()
		}
	}
	if err != nil {
		made.cut()
		return nil, err
	}
	return made, nil
}

func (l *lines) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for _, to := range l.hubs {
		for _, c := range to.conns {
			c.cut()
		}
	}
	l.hubs = map[string]*line{}
}
