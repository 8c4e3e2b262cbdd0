// Package hubtest has what tests of the hub share: a PostgreSQL of their own, and the other end of a tunnel.
package hubtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	Keeper *tunnel.Keeper
	Stop   func() // hangs up, and returns when the link is down

	member   tunnel.Membership
	settings Settings

	mu      sync.Mutex
	epoch   string
	state   tunnel.State
	steps   []tunnel.Step
	entries []tunnel.LogEntry
	changed chan struct{}
}

// Epoch is the one of a terminal's data at first; no two have the same.
func Epoch(terminal string) string {
	sum := sha256.Sum256([]byte(terminal))
	return "0b9e4fd4-3c6b-4b0a-9f6e-" + hex.EncodeToString(sum[:6])
}

// Join has a terminal join a hub as the command does, and keeps its link until the test ends.
func Join(t testing.TB, i tunnel.Invitation, handle http.Handler) *Terminal {
	t.Helper()
	i.Version = "1.2.3"
	m, err := tunnel.Join(context.Background(), i)
	if err != nil {
		t.Fatal(err)
	}
	x := &Terminal{ID: m.Terminal, member: m, Handle: handle, epoch: Epoch(m.Terminal), changed: make(chan struct{}), state: tunnel.State{Version: i.Version, Printer: "ok", Foreground: true}}
	x.Keeper = tunnel.NewKeeper(m, x, tunnel.Options{Version: i.Version, News: x.news, FirstPause: time.Millisecond, LongestPause: 50 * time.Millisecond, Drain: time.Millisecond})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		x.Keeper.Run(ctx)
	}()
	x.Stop = func() {
		cancel()
		<-ended
	}
	t.Cleanup(x.Stop)
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

// PutBack has other data be there, of another epoch. The hub learns of it when it comes to look again.
func (x *Terminal) PutBack(epoch string, steps []tunnel.Step, entries []tunnel.LogEntry) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.epoch, x.steps, x.entries = epoch, steps, entries
}

// pageSteps is how many steps a page has at most: few, so that there are several.
const pageSteps = 2

func (x *Terminal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64)
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	switch r.URL.Path {
	case tunnel.PositionPath:
		x.mu.Lock()
		defer x.mu.Unlock()
		json.NewEncoder(w).Encode(x.position()) //nolint:errcheck // the hub may be gone
	case tunnel.LedgerPath:
		x.mu.Lock()
		defer x.mu.Unlock()
		page := tunnel.LedgerPage{Epoch: x.epoch, Last: x.position().Ledger}
		for _, s := range x.steps {
			if s.Number > after && len(page.Steps) < min(limit, pageSteps) {
				page.Steps = append(page.Steps, s)
			}
		}
		json.NewEncoder(w).Encode(page) //nolint:errcheck // the hub may be gone
	case tunnel.LogPath:
		x.mu.Lock()
		defer x.mu.Unlock()
		page := tunnel.LogPage{Epoch: x.epoch, First: 1, Last: x.position().Log}
		for _, e := range x.entries {
			if e.ID > after && len(page.Entries) < limit {
				page.Entries = append(page.Entries, e)
			}
		}
		json.NewEncoder(w).Encode(page) //nolint:errcheck // as above
	case tunnel.SettingsPath:
		x.serveSettings(w, r)
	default:
		x.Handle.ServeHTTP(w, r)
	}
}

// position is how far the records have come; the lock is held.
func (x *Terminal) position() tunnel.Position {
	pos := tunnel.Position{Epoch: x.epoch, State: x.state}
	now := time.Now()
	if told := pos.State.Clock; !told.IsZero() {
		now = now.In(told.Location())
	}
	pos.State.Clock = now
	if n := len(x.steps); n > 0 {
		pos.Ledger = x.steps[n-1].Number
	}
	if n := len(x.entries); n > 0 {
		pos.Log = x.entries[n-1].ID
	}
	return pos
}

func (x *Terminal) news(ctx context.Context, tell func()) {
	for ctx.Err() == nil {
		x.mu.Lock()
		changed := x.changed
		x.mu.Unlock()
		tell()
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}
