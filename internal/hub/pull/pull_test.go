package pull_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/pull"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

const (
	epochA = "0b54be40-1111-4222-8333-444444444444"
	epochB = "0b54be40-5555-4666-8777-888888888888"
)

var noon = time.Date(2026, 11, 16, 12, 0, 0, 123456789, time.UTC)

// terminal is one whose data are put back under it. It remembers what it was asked.
type terminal struct {
	server *httptest.Server

	mu       sync.Mutex
	position tunnel.Position
	steps    []tunnel.Step
	asked    []string
	contrary string // the epoch that begins when a hub has read more than there is, or another line; empty: none does
}

func step(number, attempt int64) tunnel.Step {
	return tunnel.Step{
		Number: number, Attempt: attempt, At: noon.Add(time.Duration(number) * time.Second), Operation: "payment", State: "confirmed", Reference: fmt.Sprint("r", attempt),
		Method: "credit", Amount: "1", Status: "approved", Answer: json.RawMessage("{}"),
	}
}

func (x *terminal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x.mu.Lock()
	defer x.mu.Unlock()
	q := r.URL.Query()
	if r.URL.Path == tunnel.PositionPath {
		json.NewEncoder(w).Encode(x.position) //nolint:errcheck // a test
		return
	}
	x.asked = append(x.asked, fmt.Sprint(r.URL.Path, " ", q.Get("epoch")[9:13], " ", q.Get("after"), " ", q.Get("at")))
	if r.URL.Path == tunnel.LogPath {
		json.NewEncoder(w).Encode(tunnel.LogPage{Epoch: x.position.Epoch, First: x.position.Log + 1, Last: x.position.Log}) //nolint:errcheck // a test
		return
	}
	var after int64
	fmt.Sscan(q.Get("after"), &after) //nolint:errcheck // a test
	if x.contrary != "" && q.Get("epoch") == x.position.Epoch && (after > x.position.Ledger || after > 0 && q.Get("at") != moment(x.steps[after-1].At)) {
		x.position.Epoch, x.position.Origins = x.contrary, nil
	}
	page := tunnel.LedgerPage{Epoch: x.position.Epoch, Last: x.position.Ledger}
	for _, s := range x.steps {
		if s.Number > after && q.Get("epoch") == x.position.Epoch {
			page.Steps = append(page.Steps, s)
		}
	}
	json.NewEncoder(w).Encode(page) //nolint:errcheck // a test
}

// moment is one as both sides write it.
func moment(at time.Time) string { return at.Truncate(time.Microsecond).Format(time.RFC3339Nano) }

func (x *terminal) put(epoch string, origins []tunnel.Origin, steps ...tunnel.Step) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.position = tunnel.Position{Epoch: epoch, Origins: origins, Ledger: int64(len(steps))}
	x.steps, x.asked = steps, nil
}

func (x *terminal) questions() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.asked)
}

// attend attends to the terminal, under an id, while something is waited for.
func (x *terminal) attend(puller *pull.Puller, id string, waits func()) {
	board := links.New(puller.Attend)
	board.Add(hubtest.NewLink(id, func(r *http.Request) (*http.Response, error) {
		r.URL.Host = x.server.Listener.Addr().String()
		return http.DefaultTransport.RoundTrip(r)
	}))
	waits()
	board.Close()
}

type house struct{}

func (house) Admit(_ context.Context, id string) (fleet.Terminal, error) {
	return fleet.Terminal{ID: id, Place: fleet.Place{Account: "a", Tenant: "t", Shop: "s"}}, nil
}
func (house) Seen(context.Context, ...fleet.Sighting) error { return nil }

// The hub says what it has read, so that a terminal with older data knows; it reads of a copy only what it lacks, and nothing twice.
func TestDataPutBack(t *testing.T) {
	files, err := store.Open(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	desk := records.NewDesk(files.Records())
	x := &terminal{}
	x.server = httptest.NewServer(x)
	t.Cleanup(x.server.Close)
	puller := pull.New(pull.Config{Records: desk, Fleet: house{}, LogPause: time.Millisecond, Retry: time.Millisecond, RetryMost: time.Millisecond})
	// read attends to a terminal until a number is reached, and gives what it was asked.
	read := func(epoch string, upTo int64) []string {
		t.Helper()
		x.attend(puller, "m1", func() {
			waittest.Until(t, "all is read", func() bool {
				c, err := desk.Cursor(t.Context(), "m1", epoch, records.Ledger)
				return err == nil && c.Number == upTo
			})
		})
		return x.questions()
	}
	same := func(what string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	of := func(number int64) string { return moment(step(number, 0).At) }

	x.put(epochA, nil, step(1, 1), step(2, 2))
	same("at first", read(epochA, 2), "/hub/ledger 1111 0 ")
	x.put(epochA, nil, step(1, 1), step(2, 2), step(3, 3))
	same("after the hub's restart", read(epochA, 3), "/hub/ledger 1111 2 "+of(2))
	x.put(epochB, []tunnel.Origin{{Epoch: epochA, Ledger: 2, Log: 0}}, step(1, 1), step(2, 2), step(3, 4))
	same("a copy that the terminal knows as one", read(epochB, 3), "/hub/ledger 5555 1 ", "/hub/ledger 5555 2 ")
	x.contrary = "0b54be40-9999-4aaa-8bbb-cccccccccccc"
	x.put(epochB, nil, step(1, 1))
	same("a copy that the terminal takes for its own", read(x.contrary, 1), "/hub/ledger 5555 3 "+of(3), "/hub/ledger 9999 0 ")
	other := step(1, 2)
	other.At = noon.Add(time.Hour)
	x.put(x.contrary, nil, other)
	x.contrary = "0b54be40-aaaa-4aaa-8bbb-cccccccccccc"
	same("a copy that has sold as much since", read(x.contrary, 1), "/hub/ledger 9999 1 "+of(1), "/hub/ledger aaaa 0 ")
	n := 0
	if err := desk.EachTransaction(t.Context(), fleet.Scope{Place: fleet.Place{Account: "a"}}, records.TransactionFilter{}, func(records.Transaction) error { n++; return nil }); err != nil || n != 5 {
		t.Errorf("%d transactions, %v", n, err)
	}
}
