package hubfeed_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/hubfeed"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// watcher follows positions over a real connection.
type watcher struct {
	positions chan tunnel.Position // closed at its end
	leave     func()
}

func watch(t *testing.T, m *terminal) *watcher {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	t.Cleanup(leave)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, m.address+tunnel.WatchPath, nil)
	must(t, err)
	resp, err := http.DefaultClient.Do(req)
	must(t, err)
	w := &watcher{make(chan tunnel.Position), leave}
	go func() {
		defer close(w.positions)
		defer resp.Body.Close()
		for lines := json.NewDecoder(bufio.NewReader(resp.Body)); ; {
			var p tunnel.Position
			if lines.Decode(&p) != nil {
				return
			}
			select {
			case w.positions <- p:
			case <-ctx.Done():
				return
			}
		}
	}()
	return w
}

// until returns the first position that is as wanted.
func (w *watcher) until(t *testing.T, what string, holds func(tunnel.Position) bool) tunnel.Position {
	t.Helper()
	for {
		p := waittest.Receive(t, what, w.positions)
		if p.Epoch == "" {
			t.Fatalf("the stream ended before %s", what)
		}
		if holds(p) {
			return p
		}
	}
}

func TestAWatcherSeesEveryChange(t *testing.T) {
	t.Parallel()
	m := open(t)
	m.pay(t, "a")
	m.logAll(t, "a")
	m.mu.Lock()
	m.epochs = append(m.epochs, tunnel.Origin{Epoch: "older", Ledger: 7, Log: 8})
	m.mu.Unlock()
	w := watch(t, m)
	first := waittest.Receive(t, "the first position", w.positions)
	if first.Epoch != "first" || first.Ledger != 2 || first.Log != 1 || first.State.Version != "1" || first.State.Clock.IsZero() || len(first.Origins) != 1 || first.Origins[0].Log != 8 {
		t.Errorf("%+v", first)
	}
	m.change(func(s *tunnel.State) { s.Busy, s.Running = true, "payment" })
	w.until(t, "a payment runs", func(p tunnel.Position) bool { return p.State.Busy && p.State.Running == "payment" })
	m.pay(t, "b")
	w.until(t, "lines of the ledger", func(p tunnel.Position) bool { return p.Ledger == 4 })
	m.log.Add(logbook.Info, logbook.App, "b", "")
	w.until(t, "an entry of the log", func(p tunnel.Position) bool { return p.Log == 2 })
	m.change(func(s *tunnel.State) { s.Printer, s.Trouble = "paperOut", []string{"pix"} })
	w.until(t, "trouble", func(p tunnel.Position) bool { return p.State.Printer == "paperOut" && len(p.State.Trouble) == 1 })
	other := watch(t, m)
	waittest.Receive(t, "another watcher's first", other.positions)
	other.leave()
	m.change(func(s *tunnel.State) { s.SaleOpen = true })
	w.until(t, "the one who stayed", func(p tunnel.Position) bool { return p.State.SaleOpen })
	m.feed.Close()
	if p, open := <-w.positions; open {
		t.Errorf("after the end: %+v", p)
	}
}

// stream is a watcher in the same bubble of time.
type stream struct {
	mu    sync.Mutex
	lines int
	text  strings.Builder
}

func (s *stream) Header() http.Header { return http.Header{} }
func (s *stream) WriteHeader(int)     {}
func (s *stream) Flush()              {}
func (s *stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines += strings.Count(string(b), "\n")
	return s.text.Write(b)
}

func (s *stream) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lines
}

func (s *stream) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.TrimSpace(s.text.String())
}

// still is a ledger that never grows, and counts who asks.
type still struct {
	hubfeed.Ledger
	asked *atomic.Int32
}

func (s still) Grown() <-chan struct{} { return nil }
func (s still) LastLine(context.Context) (int64, error) {
	s.asked.Add(1)
	return 0, nil
}

// noLog keeps nothing.
type noLog struct{ logbook.Storage }

func (noLog) Last() (int64, error)                                       { return 0, nil }
func (noLog) Trim(context.Context, time.Time, int) error                 { return nil }
func (noLog) Append([]logbook.Entry) error                               { return nil }
func (noLog) After(context.Context, int64, int) ([]logbook.Entry, error) { return nil, nil }

// quiet is a feed whose ledger and log stand still.
func quiet(t *testing.T, asked *atomic.Int32) (*hubfeed.Feed, *terminal) {
	t.Helper()
	book, err := logbook.Open(noLog{}, logbook.Options{})
	must(t, err)
	t.Cleanup(func() { book.Close() })
	m := &terminal{epochs: []tunnel.Origin{{Epoch: "first"}}}
	return hubfeed.New(hubfeed.Config{Ledger: still{asked: asked}, Epochs: m, Log: book, State: m.State, Changes: m.Changes}), m
}

// A watcher gets a few positions a second however much goes on, and the last of it; while nothing goes on nobody looks.
func TestAWatcherIsToldAFewTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		f, m := quiet(t, &asked)
		ctx, leave := context.WithCancel(t.Context())
		out, ended := &stream{}, make(chan struct{})
		go func() {
			defer close(ended)
			f.ServeHTTP(out, (&http.Request{Method: http.MethodGet, URL: &url.URL{Path: tunnel.WatchPath}}).WithContext(ctx))
		}()
		synctest.Wait()
		if n := out.count(); n != 1 {
			t.Fatalf("%d positions at once", n)
		}
		looks := asked.Load()
		time.Sleep(24 * time.Hour)
		if out.count() != 1 || asked.Load() != looks {
			t.Errorf("a quiet day: %d positions, %d looks", out.count(), asked.Load()-looks)
		}
		for n := range 2000 { // two seconds
			m.change(func(s *tunnel.State) { s.Unresolved = n + 1 })
			time.Sleep(time.Millisecond)
		}
		if n := out.count(); n < 5 || n > 11 {
			t.Errorf("%d positions in two seconds", n)
		}
		time.Sleep(time.Second)
		if !strings.HasSuffix(out.all(), `"unresolved":2000,"saleOpen":false}}`) {
			t.Error("the last of it was never told")
		}
		told := out.count()
		m.change(func(*tunnel.State) {})
		time.Sleep(time.Second)
		if out.count() != told {
			t.Error("told of nothing")
		}
		leave()
		<-ended
	})
}

// stalled is a hub that has stopped reading.
type stalled struct {
	http.ResponseWriter
	cut chan struct{}
}

func (s *stalled) Header() http.Header { return http.Header{} }
func (s *stalled) WriteHeader(int)     {}
func (s *stalled) SetWriteDeadline(at time.Time) error {
	if !at.IsZero() {
		time.AfterFunc(time.Until(at), func() { close(s.cut) })
	}
	return nil
}

func (s *stalled) Write([]byte) (int, error) {
	<-s.cut
	return 0, os.ErrDeadlineExceeded
}

func TestAHubThatStopsReadingIsHungUpOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, m := quiet(t, new(atomic.Int32))
		for _, path := range []string{tunnel.WatchPath, tunnel.LogPath} {
			m.change(func(*tunnel.State) {})
			f.ServeHTTP(&stalled{cut: make(chan struct{})}, (&http.Request{Method: http.MethodGet, URL: &url.URL{Path: path}}).WithContext(t.Context()))
		}
	})
}
