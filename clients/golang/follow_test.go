package client_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/client"
)

// marked asks for something that is not there, which the terminal logs under the mark.
func marked(t *testing.T, c *client.Client, mark string) {
	t.Helper()
	_, err := c.Transaction(t.Context(), mark)
	wants(t, err, client.ErrNotFound)
}

// The terminal is killed twice while it is followed, and logs while nobody follows.
func TestFollowLogsAcrossKills(t *testing.T) {
	t.Parallel()
	p, c := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	newest, err := c.Logs(ctx, client.LogFilter{Limit: 1})
	must(t, err)
	var breaks []error
	resumed, done := 0, make(chan error, 1)
	entries := make(chan client.LogEntry, 10_000)
	go func() {
		defer close(entries)
		for e, err := range c.FollowLogs(ctx, client.Following{
			After: &newest[0], Broken: func(err error) { breaks = append(breaks, err) }, Resumed: func() { resumed++ },
			Missing: func(n int64) { t.Errorf("%d entries are missing", n) },
		}) {
			if err != nil {
				done <- err
				return
			}
			entries <- e
		}
		done <- nil
	}()
	var followed []string
	until := func(mark string) {
		t.Helper()
		for e := range entries {
			followed = append(followed, e.ID+" "+e.Message)
			if strings.Contains(e.Message, mark) {
				return
			}
		}
		t.Fatalf("the log ended before %s: %v", mark, <-done)
	}
	for life := range 3 {
		for n := range 40 {
			marked(t, c, fmt.Sprintf("marca-%d-%d", life, n))
		}
		until(fmt.Sprintf("marca-%d-39", life))
		if life == 2 {
			break
		}
		p.Kill()
		p.Again()
	}
	all, err := c.Logs(ctx, client.LogFilter{Limit: 100_000, Search: "marca-"})
	must(t, err)
	slices.Reverse(all)
	cancel()
	must(t, <-done)
	var kept []string
	for _, e := range all {
		kept = append(kept, e.ID+" "+e.Message)
	}
	lost := slices.DeleteFunc(slices.Clone(kept), func(s string) bool { return slices.Contains(followed, s) })
	if len(lost) > 0 {
		t.Errorf("not followed: %q", lost)
	}
	unique := slices.Compact(slices.Sorted(slices.Values(followed)))
	if len(unique) != len(followed) || len(breaks) != 2 || resumed != 2 {
		t.Errorf("%d entries, %d different; breaks %v; %d times resumed", len(followed), len(unique), breaks, resumed)
	}
}

func TestFollowLogsEndsWhenItCanNot(t *testing.T) {
	t.Parallel()
	p, _ := start(t)
	stranger, err := client.New(p.Base, "loja", "outra")
	must(t, err)
	defer stranger.Close()
	for _, after := range []*client.LogEntry{nil, {ID: "1"}} {
		var last error
		for _, err := range stranger.FollowLogs(t.Context(), client.Following{After: after}) {
			last = err
		}
		wants(t, last, client.ErrUnauthorized)
	}
}

// shortLog is a terminal's log whose entries the test decides on: what a power cut leaves of them can't be had otherwise.
type shortLog struct {
	mu      sync.Mutex
	entries []client.LogEntry // on its disk
	shown   []client.LogEntry // and only streamed
	ends    chan struct{}     // of the stream
}

func (l *shortLog) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	all, shown, ends := slices.Clone(l.entries), l.shown, l.ends
	l.mu.Unlock()
	if r.URL.Path == "/logs" {
		slices.Reverse(all)
		var limit int
		fmt.Sscan(r.URL.Query().Get("limit"), &limit)
		json.NewEncoder(w).Encode(all[:min(limit, len(all))]) //nolint:errcheck // the test sees what is missing
		return
	}
	for _, e := range shown {
		text, _ := json.Marshal(e)
		fmt.Fprintf(w, "data: %s\n\n", text)
	}
	w.(http.Flusher).Flush()
	select {
	case <-ends:
	case <-r.Context().Done():
	}
}

func entry(id int, message string) client.LogEntry {
	return client.LogEntry{ID: fmt.Sprint(id), Level: "info", Source: "app", Message: message, CreatedAt: time.UnixMilli(int64(id))}
}

// After a power cut the ids of entries that never reached the disk are given again, or the log begins anew.
func TestFollowLogsWhoseIdsComeAgain(t *testing.T) {
	t.Parallel()
	log := &shortLog{
		entries: []client.LogEntry{entry(7, "a"), entry(8, "b")}, ends: make(chan struct{}),
		shown: []client.LogEntry{entry(8, "b"), entry(9, "lost"), entry(10, "lost too")},
	}
	server := httptest.NewServer(log)
	defer server.Close()
	c := connect(t, server.URL)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	after := entry(7, "a")
	var missing int64
	var got []string
	for e, err := range c.FollowLogs(ctx, client.Following{After: &after, Missing: func(n int64) { missing += n }}) {
		must(t, err)
		got = append(got, e.ID+e.Message)
		log.mu.Lock()
		switch e.Message {
		case "lost too": // the power goes
			log.entries, log.shown = append(log.entries, entry(9, "c"), entry(10, "d")), nil
			close(log.ends)
			log.ends = make(chan struct{})
		case "d": // the log is damaged
			log.entries = []client.LogEntry{entry(1, "new"), entry(2, "e")}
			close(log.ends)
			log.ends = make(chan struct{})
		case "e": // a gap
			log.entries = []client.LogEntry{entry(2, "e"), entry(5, "f")}
			close(log.ends)
			log.ends = make(chan struct{})
		case "f":
			log.entries = nil
			for id := 6; id < 2000; id++ {
				log.entries = append(log.entries, entry(id, ""))
			}
			log.entries = append(log.entries, entry(2000, "last"))
			close(log.ends)
			log.ends = make(chan struct{})
		case "last":
			cancel()
		}
		log.mu.Unlock()
	}
	if want := []string{"8b", "9lost", "10lost too", "9c", "10d", "1new", "2e", "5f", "6", "7"}; !slices.Equal(got[:len(want)], want) || missing != 2 {
		t.Errorf("got %q, %d missing", got[:min(len(got), 20)], missing)
	}
	if want := 8 + 2000 - 5; len(got) != want {
		t.Errorf("%d entries, want %d", len(got), want)
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	right := fmt.Sprintf("% X", sha256Of(server.Certificate().Raw))
	for sum, want := range map[string]error{
		right: client.ErrNotFound, strings.ReplaceAll(right, " ", ":"): client.ErrNotFound, strings.ToLower(strings.ReplaceAll(right, " ", "")): client.ErrNotFound,
		strings.Repeat("00", 32): client.ErrWrongCertificate,
	} {
		_, err := connect(t, server.URL, client.WithFingerprint(sum)).Status(t.Context())
		wants(t, err, want)
	}
	for _, bad := range []string{"abc", strings.Repeat("g", 64), strings.Repeat("0", 62)} {
		if _, err := client.New(server.URL, "", "", client.WithFingerprint(bad)); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

// A terminal that takes the connection and never answers does not hold a follower for ever.
func TestStreamThatNeverBegins(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer server.Close()
	_, err := connect(t, server.URL, client.WithTimeout(50*time.Millisecond)).StreamLogs(t.Context())
	if !errors.Is(err, client.ErrNoAnswer) && !errors.Is(err, client.ErrUnreachable) { // on a slow machine it has not even connected
		t.Error(err)
	}
}

func sha256Of(data []byte) []byte {
	sum := sha256.Sum256(data)
	return sum[:]
}
