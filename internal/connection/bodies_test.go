package connection

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/waittest"
)

// Nobody holds a connection by a body that does not come, and who sends a whole one before looking for the answer can read it.
func TestBodiesThatNobodyReads(t *testing.T) {
	t.Parallel()
	refuses := func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusUnauthorized) }
	passesOn := func(w http.ResponseWriter, r *http.Request) { // the answer comes before the body, as from another server
		began := make(chan struct{})
		go func() {
			r.Body.Read(make([]byte, 1)) //nolint:errcheck // as below
			close(began)
			io.Copy(io.Discard, r.Body) //nolint:errcheck // it does not come
		}()
		<-began
		r.Body.Close()
		w.WriteHeader(http.StatusUnauthorized)
	}
	large := strings.Repeat("x", 5<<20)
	for name, row := range map[string]struct {
		handle http.HandlerFunc
		rest   time.Duration
		text   string
		closes bool
	}{
		"stalls":                  {refuses, time.Millisecond, "Content-Length: 1000\r\n\r\nfew", true},
		"stalls in a chunk":       {refuses, time.Millisecond, "Transfer-Encoding: chunked\r\n\r\n3e8\r\nfew", true},
		"stalls, and was awaited": {refuses, waittest.Limit, "Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n", true},
		"stalls, and is read":     {passesOn, time.Millisecond, "Content-Length: 1000\r\n\r\nfew", true},
		"large":                   {refuses, waittest.Limit, "Content-Length: 5242880\r\n\r\n" + large, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, dial := open(t, Timeouts{}, BoundBodies(row.handle, BodyTimeouts{Rest: row.rest}).ServeHTTP)
			conn := dial()
			conn.SetDeadline(time.Now().Add(waittest.Limit)) //nolint:errcheck // a real socket takes it
			if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\n"+row.text); err != nil {
				t.Fatal(err)
			}
			in := bufio.NewReader(conn)
			resp, err := http.ReadResponse(in, nil)
			if err != nil || resp.StatusCode != http.StatusUnauthorized {
				t.Fatal(resp, err)
			}
			if !row.closes {
				io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n") //nolint:errcheck // the answer would show it
				if _, err := http.ReadResponse(in, nil); err != nil {
					t.Errorf("the connection is of no more use: %v", err)
				}
			} else if _, err := io.Copy(io.Discard, in); err != nil {
				t.Errorf("the connection was not closed: %v", err)
			}
		})
	}
}

// A request is held for as long as it takes once its body is there.
func TestBodyLeavesNoDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inside, outside := net.Pipe()
		listener := &onePipe{conn: inside, closed: make(chan struct{})}
		server := &http.Server{Handler: BoundBodies(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) //nolint:errcheck // it comes whole
			ctx, cancel := context.WithTimeout(r.Context(), time.Hour)
			defer cancel()
			if <-ctx.Done(); r.Context().Err() != nil {
				t.Error("the caller was taken for gone")
			}
		}), BodyTimeouts{})}
		go server.Serve(listener) //nolint:errcheck // it is closed
		io.WriteString(outside, "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
		if resp, err := http.ReadResponse(bufio.NewReader(outside), nil); err != nil || resp.StatusCode != http.StatusOK {
			t.Error(resp, err)
		}
		outside.Close()
		server.Close()
	})
}

// onePipe is a listener that one connection comes to.
type onePipe struct {
	conn   net.Conn
	closed chan struct{}
}

func (p *onePipe) Accept() (net.Conn, error) {
	if conn := p.conn; conn != nil {
		p.conn = nil
		return conn, nil
	}
	<-p.closed
	return nil, net.ErrClosed
}

func (p *onePipe) Close() error   { close(p.closed); return nil }
func (p *onePipe) Addr() net.Addr { return &net.TCPAddr{} }
