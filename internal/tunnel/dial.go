package tunnel

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

var (
	// ErrAddress tells that what was typed can't be where a hub is.
	ErrAddress = errors.New("not the address of a hub")
	// ErrBadPin tells that what was typed is no pin.
	ErrBadPin = errors.New("not a pin")
	errProxy  = errors.New("not the address of a proxy")
	// ErrPin tells that the hub's certificate is not the one that the pin names.
	ErrPin = errors.New("the hub's certificate is not the pinned one")
	// ErrNoHub tells that something else than a hub answers at the address.
	ErrNoHub = errors.New("no hub answers at the address")
)

// parseAddress takes https://hub.example, with a port and a path before the hub's own if need be. The scheme may be left out.
func parseAddress(text string) (*url.URL, error) {
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, ErrAddress
	}
	u.Path = strings.TrimRight(u.Path, "/")
	return u, nil
}

// parseProxy takes http://proxy:3128; nil: none is named.
func parseProxy(text string) (*url.URL, error) {
	if text == "" {
		return nil, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" || u.Hostname() == "" {
		return nil, errProxy
	}
	return u, nil
}

const pinPrefix = "sha256/"

// Pin names the key of a certificate, so that one that no authority has signed can be trusted.
func Pin(leaf *x509.Certificate) string {
	sum := sha256.Sum256(leaf.RawSubjectPublicKeyInfo)
	return pinPrefix + base64.StdEncoding.EncodeToString(sum[:])
}

// parsePin takes sha256/BASE64, and curl's way with two slashes.
func parsePin(text string) ([]byte, error) {
	rest, ok := strings.CutPrefix(text, pinPrefix)
	if len(rest) == base64.StdEncoding.EncodedLen(sha256.Size)+1 {
		rest = strings.TrimPrefix(rest, "/")
	}
	sum, err := base64.StdEncoding.DecodeString(rest)
	if !ok || err != nil || len(sum) != sha256.Size {
		return nil, ErrBadPin
	}
	return sum, nil
}

// way is how a terminal reaches a hub.
type way struct {
	address *url.URL
	proxy   func(*http.Request) (*url.URL, error)
	tls     *tls.Config
	dial    func(ctx context.Context, network, address string) (net.Conn, error)
}

func newWay(address, proxy, pin string) (way, error) {
	var w way
	var err error
	if w.address, err = parseAddress(address); err != nil {
		return w, err
	}
	named, err := parseProxy(proxy)
	if err != nil {
		return w, err
	}
	if w.proxy = http.ProxyFromEnvironment; named != nil {
		w.proxy = http.ProxyURL(named)
	}
	w.dial = (&net.Dialer{KeepAlive: -1}).DialContext // HTTP/2 has pings of its own
	w.tls = &tls.Config{MinVersion: tls.VersionTLS12}
	if pin == "" {
		return w, nil
	}
	want, err := parsePin(pin)
	if err != nil {
		return w, err
	}
	w.tls.InsecureSkipVerify = true // the pin is checked instead, which no authority can sign for
	w.tls.VerifyConnection = func(s tls.ConnectionState) error {
		if got := sha256.Sum256(s.PeerCertificates[0].RawSubjectPublicKeyInfo); subtle.ConstantTimeCompare(got[:], want) != 1 {
			return ErrPin
		}
		return nil
	}
	return w, nil
}

// transport speaks HTTP/1.1, which can be upgraded, and says which connection it has dialled.
func (w way) transport() (t *http.Transport, dialled *atomic.Pointer[net.Conn]) {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	dialled = &atomic.Pointer[net.Conn]{}
	return &http.Transport{
		Proxy: w.proxy, TLSClientConfig: w.tls, Protocols: protocols, DisableKeepAlives: true, MaxResponseHeaderBytes: mostHeaderBytes,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := w.dial(ctx, network, address)
			if err == nil {
				dialled.Store(&conn)
			}
			return conn, err
		},
	}, dialled
}

func (w way) request(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	return http.NewRequestWithContext(ctx, method, w.address.JoinPath(path).String(), body)
}

// dialTimeout is for the network, a proxy, TLS and the upgrade together.
const dialTimeout = 30 * time.Second

// dial opens the connection, and has both sides prove themselves.
func (m Membership) dial(ctx context.Context, p proof, t Timing) (net.Conn, error) {
	w, err := newWay(m.Address, m.Proxy, m.Pin)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	conn, err := w.upgrade(ctx)
	if err != nil {
		return nil, err
	}
	conn.SetDeadline(time.Now().Add(t.handshake()))         //nolint:errcheck // it would show at the next read
	stop := context.AfterFunc(ctx, func() { conn.Close() }) // whoever stops does not wait for a hub
	err = m.prove(conn, p)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// upgrade asks for the tunnel.
func (w way) upgrade(ctx context.Context) (net.Conn, error) {
	r, err := w.request(ctx, http.MethodGet, Path, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", Protocol)
	t, dialled := w.transport()
	resp, err := t.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	both, ok := resp.Body.(io.ReadWriteCloser)
	if resp.StatusCode != http.StatusSwitchingProtocols || !ok || !asksFor(resp.Header, "Upgrade", Protocol) {
		resp.Body.Close()
		return nil, fmt.Errorf("%w: %d", ErrNoHub, resp.StatusCode)
	}
	return upgraded{*dialled.Load(), both}, nil
}

// upgraded is a connection after its upgrade: the library has read ahead on it, and has TLS on it. Deadlines and addresses are those
// of the connection below.
type upgraded struct {
	net.Conn
	both io.ReadWriteCloser
}

func (u upgraded) Read(b []byte) (int, error)  { return u.both.Read(b) }
func (u upgraded) Write(b []byte) (int, error) { return u.both.Write(b) }
func (u upgraded) Close() error                { return u.both.Close() }

// Probe tells whether the hub answers and would let the terminal in. A tunnel that is up stays.
func (m Membership) Probe(ctx context.Context) error {
	conn, err := m.dial(ctx, proof{Look: true}, Timing{})
	if err != nil {
		return err
	}
	return conn.Close()
}
