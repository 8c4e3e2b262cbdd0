//go:build unix

package app_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// guess sends many wrong passwords at once from an address and counts the answers.
func guess(ctx context.Context, t *testing.T, c caller, from string, many int) (answered *atomic.Int32, wait func()) {
	t.Helper()
	answered = new(atomic.Int32)
	var guessers, sent sync.WaitGroup
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	for n := range many {
		conn, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(c.base, "http://"))
		if err != nil {
			t.Skipf("this system has no other address of its own: %v", err)
		}
		sent.Add(1)
		guessers.Go(func() {
			defer conn.Close()
			defer context.AfterFunc(ctx, func() { conn.Close() })()
			pair := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "caixa:guess-%d", n))
			io.WriteString(conn, "GET /status HTTP/1.1\r\nHost: x\r\nAuthorization: Basic "+pair+"\r\n\r\n") //nolint:errcheck // as below
			sent.Done()
			var status int
			if _, err := fmt.Fscanf(conn, "HTTP/1.1 %d", &status); err == nil {
				if answered.Add(1); status != 401 {
					t.Errorf("a guess got %d", status)
				}
			}
		})
	}
	sent.Wait()
	return answered, guessers.Wait
}

// After a start the service knows only the hash of a password that a person chose, and each unknown pair costs a slow
// one. A flood from elsewhere must not stand before the shop's first request.
func TestGuessingBeforeTheFirstCall(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	term := start(t, unconfigured(data))
	operatorOf(t, term).want(t, 204, "POST", "/settings/first", firstStart)
	must(t, term.stop())

	term = start(t, unconfigured(data))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	const many = 300
	answered, wait := guess(ctx, t, term.caller, "127.0.0.2", many)
	before := answered.Load() // while the others were still being sent
	term.as("caixa", "segrêdo-123").ok(t, "GET", "/status", "")
	if n := answered.Load() - before; n > (many-before)/2 {
		t.Errorf("the right pair had to wait for %d of %d wrong ones", n, many-before)
	}
	// Now that the pair is known, it gets in from anywhere, and those who guess cost nothing.
	for range 20 {
		term.as("caixa", "segrêdo-123").ok(t, "GET", "/status", "")
	}
	stop()
	wait()
	must(t, term.stop())
}
