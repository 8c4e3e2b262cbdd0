//go:build unix

package httpapi_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
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
	m := start(t)
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
			conn.SetDeadline(time.Now().Add(2 * time.Minute)) //nolint:errcheck // a real socket takes it
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
	m := start(t)
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

// roomFor skips a test where the system allows too few open files.
func roomFor(t *testing.T, connections int) {
	t.Helper()
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil && limit.Cur < uint64(2*connections+1000) {
		t.Skipf("only %d open files are allowed here", limit.Cur)
	}
}

// More connections than the service takes: the oldest silent ones make room, a caller that is known keeps its own.
func TestAbuseSilentConnections(t *testing.T) {
	const many, most = 3000, 2048
	roomFor(t, many)
	m := start(t)
	known := m.knock(strings.Replace(asks("GET", "/status"), "Connection: close\r\n", "", 1))
	first := make([]byte, 15)
	if _, err := io.ReadFull(known, first); err != nil || string(first) != "HTTP/1.1 200 OK" {
		t.Fatalf("%q, %v", first, err)
	}
	silent := make([]*net.TCPConn, many)
	for i := range silent {
		silent[i] = m.knock("")
	}
	m.othersAreServed("with thousands of silent connections")
	closed := 0
	for _, conn := range silent {
		conn.SetReadDeadline(time.Now().Add(time.Millisecond)) //nolint:errcheck // a real socket takes it
		if _, err := conn.Read(first); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			closed++
		}
	}
	if closed < many-most {
		t.Errorf("%d of %d were closed: there is no bound", closed, many)
	}
	if _, err := io.WriteString(known, asks("GET", "/status")); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(known); err != nil || bytes.Count(rest, []byte("HTTP/1.1 200 OK")) != 1 {
		t.Errorf("the connection of a known caller: %.200q, %v", rest, err)
	}
}

// Thousands of wrong passwords at once are slowed and leave the log alone; the right one gets in at once, from the same
// address.
func TestAbusePasswordGuessing(t *testing.T) {
	const many = 1500
	roomFor(t, many)
	m := start(t)
	ctx, stop := context.WithCancel(t.Context())
	var flood sync.WaitGroup
	answered, wrong := make(chan int, 10*many), new(atomic.Int64)
	flooding := time.Now()
	slots := make(chan struct{}, many)
	flood.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			slots <- struct{}{}
			flood.Go(func() {
				defer func() { <-slots }()
				guess := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%s:guess-%d", testUser, n))
				conn, err := new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(m.base, "http://"))
				if err != nil {
					return
				}
				defer conn.Close()
				defer context.AfterFunc(ctx, func() { conn.Close() })()
				io.WriteString(conn, "GET /status HTTP/1.1\r\nHost: x\r\nAuthorization: Basic "+guess+"\r\n\r\n") //nolint:errcheck // as below
				var status int
				if _, err := fmt.Fscanf(conn, "HTTP/1.1 %d", &status); err == nil {
					wrong.Add(1)
					select {
					case answered <- status:
					default:
					}
				}
			})
		}
	})
	for range 20 { // the flood is under way: the first free ones and then some have their answer
		if status := <-answered; status != http.StatusUnauthorized {
			t.Fatalf("a guess got %d", status)
		}
	}
	for range 30 {
		m.othersAreServed("while passwords are guessed from the same address")
	}
	// Ten at once, ten a second, and whoever has waited longest.
	got, seconds := wrong.Load(), time.Since(flooding).Seconds()
	if most := 10 + 10*seconds + many*math.Floor(seconds/10); float64(got) > most+20 {
		t.Errorf("%d guesses of one address were answered in %.1f s: %d connections guess faster than a few", got, seconds, many)
	}
	stop()
	flood.Wait()

	began := time.Now()
	a := m.unchecked("GET", "/status", nil, basic(testUser+":one more"))
	if a.status != http.StatusUnauthorized || time.Since(began) < time.Second {
		t.Errorf("one more guess after thousands: %d, not slowed", a.status)
	}
	var entries []struct{ Message string }
	m.call("GET", "/logs?search=401&limit=100000", nil).ok().into(&entries)
	if len(entries) < 10 || len(entries) > 300 {
		t.Errorf("%d log entries of refusals", len(entries))
	}
	m.alive()
}
