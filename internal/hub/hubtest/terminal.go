// Package hubtest has what tests of the hub share: a PostgreSQL of their own, and the other end of a tunnel.
package hubtest

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/tunnel"
)

// Terminal is the other end of a tunnel: it keeps a link to a hub, lets its records be read there, and answers callers with Handle.
type Terminal struct {
	ID     string
	Handle http.Handler

	mu      sync.Mutex
	state   tunnel.State
	steps   []tunnel.Step
	entries []tunnel.LogEntry
	changed chan struct{}
}

const epoch = "0b9e4fd4-3c6b-4b0a-9f6e-0a1b2c3d4e5f"

// Join has a terminal join a hub as the command does, and keeps its link until the test ends.
func Join(t testing.TB, i tunnel.Invitation, handle http.Handler) *Terminal {
	t.Helper()
	i.Version = "1.2.3"
	m, err := tunnel.Join(context.Background(), i)
	if err != nil {
		t.Fatal(err)
	}
	x := &Terminal{ID: m.Terminal, Handle: handle, changed: make(chan struct{}), state: tunnel.State{Version: i.Version, Printer: "ok", Foreground: true}}
	keeper := tunnel.NewKeeper(m, x, tunnel.Options{Version: i.Version, FirstPause: time.Millisecond, LongestPause: 50 * time.Millisecond, Drain: time.Millisecond})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		keeper.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return x
}

// Tell changes how the terminal is, and what it has recorded.
func (x *Terminal) Tell(change func(state *tunnel.State, steps *[]tunnel.Step, entries *[]tunnel.LogEntry)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	change(&x.state, &x.steps, &x.entries)
	close(x.changed)
	x.changed = make(chan struct{})
}

func (x *Terminal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64)
	switch r.URL.Path {
	case tunnel.WatchPath:
		x.watch(w, r)
	case tunnel.LedgerPath:
		x.mu.Lock()
		defer x.mu.Unlock()
		page := tunnel.LedgerPage{Epoch: epoch, Last: int64(len(x.steps))}
		page.Steps = x.steps[min(int(after), len(x.steps)):]
		json.NewEncoder(w).Encode(page) //nolint:errcheck // the hub may be gone
	case tunnel.LogPath:
		x.mu.Lock()
		defer x.mu.Unlock()
		page := tunnel.LogPage{Epoch: epoch, First: 1, Last: int64(len(x.entries))}
		page.Entries = x.entries[min(int(after), len(x.entries)):]
		json.NewEncoder(w).Encode(page) //nolint:errcheck // as above
	default:
		x.Handle.ServeHTTP(w, r)
	}
}

func (x *Terminal) watch(w http.ResponseWriter, r *http.Request) {
	for {
		x.mu.Lock()
		pos := tunnel.Position{Epoch: epoch, Ledger: int64(len(x.steps)), Log: int64(len(x.entries)), State: x.state}
		pos.State.Clock = time.Now()
		changed := x.changed
		x.mu.Unlock()
		if json.NewEncoder(w).Encode(pos) != nil || http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}
