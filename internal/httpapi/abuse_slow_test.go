//go:build unix

package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/httpapi"
)

// drip sends a byte now and then until the service has had enough, or the test has.
func drip(ctx context.Context, conn net.Conn, text string) {
	beat := time.NewTicker(200 * time.Millisecond)
	defer beat.Stop()
	for i := 0; ; i = (i + 1) % len(text) {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
		}
		if _, err := conn.Write([]byte{text[i]}); err != nil {
			return
		}
	}
}

// Callers that take for ever, in headers or in bodies, known or not, are let go of; nobody waits for them.
func TestAbuseSlowCallers(t *testing.T) {
	t.Parallel()
	directOnly(t, "the terminal's own timeouts")
	// They drip far slower than they may, however long that is. It is long enough for what they begin with to be heard.
	const soon = 4 * time.Second
	m := start(t, func(c *app.Config) {
		c.Timeouts.Headers, c.Timeouts.API = soon, httpapi.Timeouts{Body: soon, Rest: soon / 10}
	})
	auth := "Authorization: " + basic(testUser+":"+testPassword).value + "\r\n"
	ctx, cancel := context.WithCancel(t.Context())
	var slow sync.WaitGroup
	defer slow.Wait()
	defer cancel()
	var conns []*net.TCPConn
	var whats []string
	for what, begin := range map[string]string{
		"headers":                   "GET /status HTTP/1.1\r\nHost: x\r\nX-A: ",
		"request line":              "GET /sta",
		"silence":                   "",
		"body of a stranger":        "POST /sale HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{",
		"chunks of a stranger":      "POST /sale HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n{",
		"body of a caller":          "POST /sale HTTP/1.1\r\nHost: x\r\n" + auth + "Content-Length: 1000\r\n\r\n{",
		"body nobody asked for":     "GET /status HTTP/1.1\r\nHost: x\r\n" + auth + "Content-Length: 1000\r\n\r\n{",
		"request line after a call": "GET /status HTTP/1.1\r\nHost: x\r\n" + auth + "\r\nGET /sta",
	} {
		for range 20 {
			conn := m.knock(begin)
			if what != "silence" {
				slow.Go(func() { drip(ctx, conn, "a") })
			}
			conns, whats = append(conns, conn), append(whats, what)
		}
	}
	m.othersAreServed("while 160 callers drip")
	want := map[string][]int{
		"headers": nil, "request line": {400}, "silence": nil, "request line after a call": {200, 400}, "body nobody asked for": {200},
		"body of a stranger": {401}, "chunks of a stranger": {401}, "body of a caller": {400},
	}
	for i, conn := range conns {
		if got := m.answers(whats[i], conn); !slices.Equal(got, want[whats[i]]) {
			t.Errorf("%s: %v, want %v", whats[i], got, want[whats[i]])
		}
	}
	m.othersAreServed("after them")
	m.alive()
}

// Bodies without an end get their refusal and an end.
func TestAbuseEndlessBodies(t *testing.T) {
	t.Parallel()
	m := start(t, func(c *app.Config) { c.Timeouts.API.Rest = 200 * time.Millisecond }) // they never stop: the less is sent in vain
	auth := "Authorization: " + basic(testUser+":"+testPassword).value + "\r\n"
	chunk := fmt.Appendf(nil, "%x\r\n%s\r\n", 64<<10, bytes.Repeat([]byte(" "), 64<<10))
	var senders sync.WaitGroup
	defer senders.Wait()
	type endless struct {
		what string
		conn *net.TCPConn
		want int
	}
	var all []endless
	for _, row := range []struct {
		head string
		want int
	}{
		{"POST /sale HTTP/1.1\r\nHost: x\r\n" + auth, 413},
		{"POST /print/xml HTTP/1.1\r\nHost: x\r\n" + auth, 413},
		{"POST /print/image HTTP/1.1\r\nHost: x\r\n" + auth, 413},
		{"POST /sale HTTP/1.1\r\nHost: x\r\n", 401},
		{"GET /docs HTTP/1.1\r\nHost: x\r\n", 200},
		{"OPTIONS /sale HTTP/1.1\r\nHost: x\r\n", 204},
		{"POST /nada HTTP/1.1\r\nHost: x\r\n" + auth, 404},
	} {
		conn := m.knock(row.head + "Transfer-Encoding: chunked\r\n\r\n")
		senders.Go(func() {
			for {
				if _, err := conn.Write(chunk); err != nil {
					return
				}
			}
		})
		all = append(all, endless{strings.SplitN(row.head, " HTTP", 2)[0], conn, row.want})
	}
	m.othersAreServed("while endless bodies come in")
	for _, e := range all {
		// A caller that never stops sending may find the connection reset before it has read its answer.
		if got := m.answers(e.what, e.conn); len(got) > 1 || len(got) == 1 && got[0] != e.want {
			t.Errorf("%s: %v, want %d", e.what, got, e.want)
		}
		e.conn.Close()
	}
	m.alive()
}
