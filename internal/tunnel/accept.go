package tunnel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

var (
	// ErrNoUpgrade tells of somebody who wants no tunnel, and has had an answer.
	ErrNoUpgrade = errors.New("the request wants no tunnel")
	// ErrNotSent tells that the link was gone, or full, before anything of a request was sent: it is safe to repeat.
	ErrNotSent = errors.New("the link to the terminal is gone")
	errFull    = errors.New("too many requests are under way on it")
	errEarly   = errors.New("the terminal spoke before it was asked")
	errStatus  = errors.New("the terminal answered with a status that HTTP has not")
)

// Accept makes the connection of a request the hub's end of a tunnel. It returns once the terminal has proved itself; whoever is
// refused has been told, and the connection is closed. An error after the upgrade is all that a log needs.
func Accept(w http.ResponseWriter, r *http.Request, h Host) (*Conn, error) {
	if r.Method != http.MethodGet || !asksFor(r.Header, "Connection", "upgrade") || !asksFor(r.Header, "Upgrade", Protocol) {
		refuseUpgrade(w)
		return nil, ErrNoUpgrade
	}
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil { // HTTP/2, which knows no upgrade
		refuseUpgrade(w)
		return nil, ErrNoUpgrade
	}
	if buffered.Reader.Buffered() > 0 {
		conn.Close()
		return nil, errEarly
	}
	conn.SetDeadline(time.Now().Add(h.Timing.handshake())) //nolint:errcheck // it would show at the next write
	if _, err := io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: "+Protocol+"\r\n\r\n"); err != nil {
		conn.Close()
		return nil, err
	}
	return h.accept(r.Context(), conn)
}

// accept is Accept after the upgrade. The connection is its own, and has a deadline.
func (h Host) accept(ctx context.Context, conn net.Conn) (*Conn, error) {
	p, err := h.examine(ctx, conn)
	if err == nil && p.Look {
		err = ErrNoUpgrade
	}
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("terminal %q: %w", p.Terminal, err)
	}
	return h.newConn(conn, p)
}

func asksFor(h http.Header, name, token string) bool {
	for _, value := range h.Values(name) {
		for part := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(strings.TrimSpace(part), token) {
				return true
			}
		}
	}
	return false
}

func refuseUpgrade(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Connection", "Upgrade")
	h.Set("Upgrade", Protocol)
	h.Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusUpgradeRequired)
	io.WriteString(w, `{"code":426,"message":"Só para terminais: use maquininha join"}`) //nolint:errcheck // nobody is to be told
}

// Conn is a connected terminal, to the hub: it sends requests to it. Their URL needs a host, which says nothing.
type Conn struct {
	client            *http.ClientConn
	link              *closingConn
	news              *news
	terminal, version string
}

func (h Host) newConn(conn net.Conn, p proof) (*Conn, error) {
	c := &Conn{link: newClosingConn(conn), news: &news{}, terminal: p.Terminal, version: p.Version}
	transport := h.Transport
	if transport == nil {
		transport = h.Timing.Transport()
	}
	var err error
	if c.client, err = transport.NewClientConn(context.WithValue(context.Background(), linkKey{}, &newsReader{Conn: c.link, news: c.news}), "http", "terminal:80"); err != nil {
		c.link.Close()
		return nil, err
	}
	return c, nil
}

type linkKey struct{}

// Transport is what links of this timing can share: ten thousand of their own would take 20 MiB.
func (t Timing) Transport() *http.Transport {
	config := t.http2()
	// Headers go whole: what the hub would remember of earlier ones is 1.2 KiB of a link that is not called; it may grow to 8.
	config.MaxDecoderHeaderTableSize, config.MaxEncoderHeaderTableSize = 1, 1
	return &http.Transport{
		// What is dialled is the link that NewClientConn was called for.
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return ctx.Value(linkKey{}).(net.Conn), nil },
		Protocols:   unencrypted(), HTTP2: config, DisableCompression: true, MaxResponseHeaderBytes: mostHeaderBytes,
	}
}

// RoundTrip sends a request to the terminal. ErrNotSent is safe to repeat; after any other error nobody knows what the terminal did.
func (c *Conn) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := c.reserve(strings.HasPrefix(r.URL.Path, ownPaths)); err != nil {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	resp, err := c.client.RoundTrip(r)
	if err == nil && (resp.StatusCode < http.StatusOK || resp.StatusCode > mostStatus) { // passed on, it would have the server panic
		resp.Body.Close()
		return nil, errStatus
	}
	return resp, err
}

// reserve has room for a request. Callers leave some to the hub's own, so that however many hold requests open, it hears how the terminal
// is. A link that takes no more though nothing is under way is at its end: the terminal has said farewell, and waits for the hub to hang up.
func (c *Conn) reserve(own bool) error {
	err := c.client.Reserve()
	if err != nil && c.client.InFlight() == 0 {
		if err = c.client.Reserve(); err != nil { // it was not full
			c.Close() //nolint:errcheck // it is over either way
		}
	}
	if err == nil && !own && c.client.Available() < keptRequests && c.client.InFlight() > keptRequests {
		c.client.Release()
		return errFull
	}
	return err
}

const (
	mostStatus   = 599
	keptRequests = 16 // of those that a link takes
)

// Terminal is its id.
func (c *Conn) Terminal() string { return c.terminal }

// Version is what it says of itself: short and printable, and nothing more is known of it.
func (c *Conn) Version() string { return c.version }

// OnNews has somebody look at PositionPath whenever the terminal says that there is something new, one look at a time and in a goroutine
// that ends with it. What comes meanwhile, or before anybody looks, is looked at afterwards; a look that fails is followed by another.
func (c *Conn) OnNews(look func() error) { c.news.lookWith(look) }

// Context ends with the link.
func (c *Conn) Context() context.Context { return c.link.ctx }

// Close ends the link, and with it every request on it.
func (c *Conn) Close() error {
	// The library waits for the other side to take its farewell, up to seconds: one who is thrown out is not waited for.
	c.link.cut()
	return c.client.Close()
}

// closingConn tells when the connection is closed, by whomever.
type closingConn struct {
	net.Conn
	ctx    context.Context // ends then
	closed context.CancelFunc
}

func newClosingConn(conn net.Conn) *closingConn {
	c := &closingConn{Conn: conn}
	c.ctx, c.closed = context.WithCancel(context.Background())
	return c
}

func (c *closingConn) Close() error {
	c.closed()
	return c.Conn.Close()
}

// cut closes the connection below, without TLS's farewell.
func (c *closingConn) cut() {
	if below, ok := c.Conn.(interface{ NetConn() net.Conn }); ok {
		below.NetConn().Close()
	}
	c.Close()
}
