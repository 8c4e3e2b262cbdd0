// Package remotetest is for tests of acquirers over HTTP: a network in memory, so that a test's clock can run ahead, and a way to
// it that dies with its process.
package remotetest

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/maquininha/maquininha/internal/payment/paymenttest"
)

// Pipe is the network, and the listener at its other end.
type Pipe struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// NewPipe is open until it is closed.
func NewPipe() *Pipe { return &Pipe{conns: make(chan net.Conn), closed: make(chan struct{})} }

// Accept fills net.Listener.
func (p *Pipe) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close fills net.Listener.
func (p *Pipe) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr fills net.Listener.
func (p *Pipe) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// Dial is for the driver.
func (p *Pipe) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// RoundTrip is a function as an http.RoundTripper.
type RoundTrip func(*http.Request) (*http.Response, error)

// RoundTrip fills http.RoundTripper.
func (f RoundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Always is somebody who has one answer for everything.
func Always(status int, body string) RoundTrip {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

// Killable has every request be two steps of a process: before it is sent, and before its answer is read.
func Killable(process *paymenttest.Process) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return RoundTrip(func(r *http.Request) (*http.Response, error) {
			if err := process.Step(); err != nil {
				return nil, err
			}
			res, err := next.RoundTrip(r)
			if dead := process.Step(); dead != nil {
				if err == nil {
					res.Body.Close()
				}
				return nil, dead
			}
			return res, err
		})
	}
}

// Overhear is a request's body, which is read again by whoever gets the request.
func Overhear(r *http.Request) string {
	body, _ := io.ReadAll(r.Body) // cut off, as it came
	r.Body = io.NopCloser(bytes.NewReader(body))
	return string(body)
}

// Rewriting changes answers on their way.
func Rewriting(what, with string) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return RoundTrip(func(r *http.Request) (*http.Response, error) {
			res, err := next.RoundTrip(r)
			if err != nil {
				return nil, err
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			changed := strings.ReplaceAll(string(body), what, with)
			res.Body, res.ContentLength = io.NopCloser(strings.NewReader(changed)), int64(len(changed))
			return res, err
		})
	}
}
