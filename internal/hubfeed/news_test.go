package hubfeed_test

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/hubfeed"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// watcher asks for the position when there is news, as a hub does.
type watcher struct {
	m     *terminal
	news  chan struct{}
	ended chan struct{}
	leave func()
}

func watch(t *testing.T, m *terminal) *watcher {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	w := &watcher{m, make(chan struct{}, 1), make(chan struct{}), leave}
	t.Cleanup(func() {
		leave()
		<-w.ended
	})
	go func() {
		defer close(w.ended)
		m.feed.News(ctx, func() {
			select {
			case w.news <- struct{}{}:
			default:
			}
		})
	}()
	return w
}

// next is the position after the next news.
func (w *watcher) next(t *testing.T, what string) tunnel.Position {
	t.Helper()
	waittest.Receive(t, what, w.news)
	status, p, text := get[tunnel.Position](t, w.m, tunnel.PositionPath)
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", what, status, text)
	}
	return p
}

// until returns the first position that is as wanted.
func (w *watcher) until(t *testing.T, what string, holds func(tunnel.Position) bool) tunnel.Position {
	t.Helper()
	for {
		if p := w.next(t, what); holds(p) {
			return p
		}
	}
}

func TestAHubIsToldOfEveryChange(t *testing.T) {
	t.Parallel()
	m := open(t)
	m.pay(t, "a")
	m.logAll(t, "a")
	m.mu.Lock()
	m.epochs = append(m.epochs, tunnel.Origin{Epoch: "older", Ledger: 7, Log: 8})
	m.mu.Unlock()
	w := watch(t, m)
	first := w.next(t, "the first position")
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
	other.next(t, "another watcher's first")
	other.leave()
	m.change(func(s *tunnel.State) { s.SaleOpen = true })
	w.until(t, "the one who stayed", func(p tunnel.Position) bool { return p.State.SaleOpen })
	m.feed.Close()
	waittest.Receive(t, "the end", w.ended)
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

// A hub is told a few times a second however much goes on, and of the last of it; while nothing goes on nobody looks.
func TestAHubIsToldAFewTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		f, m := quiet(t, &asked)
		ctx, leave := context.WithCancel(t.Context())
		var told, unresolved atomic.Int64
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			f.News(ctx, func() {
				told.Add(1)
				unresolved.Store(int64(m.State().Unresolved))
			})
		}()
		synctest.Wait()
		if n := told.Load(); n != 1 {
			t.Fatalf("told %d times at once", n)
		}
		looks := asked.Load()
		time.Sleep(24 * time.Hour)
		if told.Load() != 1 || asked.Load() != looks {
			t.Errorf("a quiet day: told %d times, %d looks", told.Load(), asked.Load()-looks)
		}
		for n := range 2000 { // two seconds
			m.change(func(s *tunnel.State) { s.Unresolved = n + 1 })
			time.Sleep(time.Millisecond)
		}
		if n := told.Load(); n < 5 || n > 11 {
			t.Errorf("told %d times in two seconds", n)
		}
		time.Sleep(time.Second)
		if unresolved.Load() != 2000 {
			t.Error("the last of it was never told")
		}
		before := told.Load()
		m.change(func(*tunnel.State) {})
		time.Sleep(time.Second)
		if told.Load() != before {
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
		for _, path := range []string{tunnel.PositionPath, tunnel.LogPath} {
			m.change(func(*tunnel.State) {})
			f.ServeHTTP(&stalled{cut: make(chan struct{})}, (&http.Request{Method: http.MethodGet, URL: &url.URL{Path: path}}).WithContext(t.Context()))
		}
	})
}
