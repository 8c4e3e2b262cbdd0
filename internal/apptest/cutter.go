package apptest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
)

// Cut is where a connection breaks.
type Cut int

// Breaks of a connection, from early to late.
const (
	BeforeRequest Cut = iota // nothing reaches the terminal
	MidOperation             // the terminal is at work when both ends lose each other
	BeforeAnswer             // the terminal has answered, and nobody hears it
	GatewayError             // the terminal has answered, and something in between says otherwise
)

// Cutter stands between a caller and the terminal, and breaks connections.
type Cutter struct {
	URL string

	target string
	mu     sync.Mutex
	cuts   map[string][]Cut // by "METHOD /path"
	sent   map[string]int
}

// NewCutter stands before the terminal at an address.
func NewCutter(t testing.TB, target string) *Cutter {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	c := &Cutter{target: target, cuts: map[string][]Cut{}, sent: map[string]int{}}
	pass := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, FlushInterval: -1,
		// A terminal that is gone looks to the caller as a cable that is.
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { hangUp(w) },
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cut, ok := c.next(r.Method + " " + r.URL.Path)
		switch {
		case !ok:
			pass.ServeHTTP(w, r)
		case cut == BeforeRequest:
			hangUp(w)
		case cut == BeforeAnswer:
			pass.ServeHTTP(httptest.NewRecorder(), r)
			hangUp(w)
		case cut == GatewayError:
			pass.ServeHTTP(httptest.NewRecorder(), r)
			http.Error(w, "<h1>504 Gateway Time-out</h1>", http.StatusGatewayTimeout)
		case cut == MidOperation:
			c.breakMidway(w, r, pass)
		}
	}))
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

func (c *Cutter) breakMidway(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	passed := r.Clone(ctx)
	passed.Body = io.NopCloser(bytes.NewReader(body))
	var ended sync.WaitGroup
	working, over := context.WithCancel(r.Context())
	ended.Go(func() {
		defer over() // an operation that nobody saw is over all the same
		pass.ServeHTTP(httptest.NewRecorder(), passed)
	})
	awaitBusy(working, c.target, true) //nolint:errcheck // cut anyway
	hangUp(w)
	cancel()
	ended.Wait()
}

// Cut breaks the next requests like "POST /transaction", one for each given place.
func (c *Cutter) Cut(request string, where ...Cut) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cuts[request] = append(c.cuts[request], where...)
}

// Sent counts how often a request came.
func (c *Cutter) Sent(request string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent[request]
}

func (c *Cutter) next(request string) (Cut, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent[request]++
	left := c.cuts[request]
	if len(left) == 0 {
		return 0, false
	}
	c.cuts[request] = left[1:]
	return left[0], true
}

func hangUp(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil { // else nobody listens anyway
		conn.Close()
	}
}
