//go:build unix && (!race || everything)

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
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// roomFor skips a test where the system allows too few open files.
func roomFor(t *testing.T, connections int) {
	t.Helper()
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil && limit.Cur < uint64(2*connections+1000) {
		t.Skipf("only %d open files are allowed here", limit.Cur)
	}
}

// isClosed tells, without waiting, whether the other side has closed a connection on which nothing was said.
func isClosed(t *testing.T, conn *net.TCPConn) (closed bool) {
	t.Helper()
	raw, err := conn.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	err = raw.Control(func(socket uintptr) {
		_, _, err := syscall.Recvfrom(int(socket), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		closed = !errors.Is(err, syscall.EAGAIN)
	})
	if err != nil {
		t.Fatal(err)
	}
	return closed
}

// More connections than the service takes: the oldest silent ones make room, a caller that is known keeps its own.
func TestAbuseSilentConnections(t *testing.T) {
	directOnly(t, "the terminal's own connections")
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
		if isClosed(t, conn) {
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
	directOnly(t, "the terminal's own password")
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
				conn, err := new(net.Dialer).DialContext(ctx, "tcp", m.host())
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
	stopping := time.Now()
	stop()
	flood.Wait()

	began := time.Now()
	a := m.unchecked("GET", "/status", nil, basic(testUser+":one more"))
	forgiven := time.Since(stopping) > 10*time.Second // where this machine took as long to end the flood
	if a.status != http.StatusUnauthorized || time.Since(began) < time.Second && !forgiven {
		t.Errorf("one more guess after thousands: %d, not slowed", a.status)
	}
	var entries []struct{ Message string }
	m.call("GET", "/logs?search=401&limit=100000", nil).ok().into(&entries)
	if most := 200 + int(time.Since(flooding).Seconds()); len(entries) < 10 || len(entries) > most { // a hundred, and one a second
		t.Errorf("%d log entries of refusals", len(entries))
	}
	m.alive()
}
