package hubfeed_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/bell"
	"github.com/maquininha/maquininha/internal/hubfeed"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/tunnel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// terminal has a real ledger and a real log; its epochs and its state are in the test's hands.
type terminal struct {
	ledger  *store.Ledger
	log     *logbook.Book
	logs    *store.Logs
	after   func() // if set, it is called after each look at the log
	address string
	feed    *hubfeed.Feed

	mu      sync.Mutex
	state   tunnel.State
	changes bell.Bell
	epochs  []tunnel.Origin // the one of now first
}

func open(t testing.TB) *terminal {
	t.Helper()
	dir := t.TempDir()
	files, err := store.Open(dir)
	must(t, err)
	t.Cleanup(func() { files.Close() })
	m := &terminal{epochs: []tunnel.Origin{{Epoch: "first"}}, state: tunnel.State{Version: "1", Printer: "ok"}}
	m.ledger, err = files.Ledger()
	must(t, err)
	m.logs, err = store.OpenLogs(filepath.Join(dir, store.LogsFile))
	must(t, err)
	t.Cleanup(func() { m.logs.Close() })
	m.log, err = logbook.Open(busyLogs{m.logs, m}, logbook.Options{})
	must(t, err)
	t.Cleanup(func() { m.log.Close() })
	m.feed = hubfeed.New(hubfeed.Config{
		Ledger: m.ledger, Epochs: m, Log: m.log, State: m.State, Changes: m.Changes, Pause: time.Millisecond,
		Standing: func() func(payment.Transaction) payment.Found {
			return func(t payment.Transaction) payment.Found { return payment.Found{Transaction: t} }
		},
		Answer: func(t payment.Found) (json.RawMessage, error) {
			return json.RawMessage(`{"message":"<` + t.Request.Reference + `> & ` + string(t.State) + `"}`), nil
		},
		Failed: func(path string, err error) { t.Errorf("%s: %v", path, err) },
	})
	server := httptest.NewServer(m.feed)
	t.Cleanup(server.Close)
	t.Cleanup(m.feed.Close)
	m.address = server.URL
	return m
}

// busyLogs are written to while they are read.
type busyLogs struct {
	*store.Logs
	m *terminal
}

func (b busyLogs) After(ctx context.Context, id int64, limit int) ([]logbook.Entry, error) {
	found, err := b.Logs.After(ctx, id, limit)
	if b.m.after != nil {
		b.m.after()
	}
	return found, err
}

func (m *terminal) State() tunnel.State {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.state
	s.Clock = time.Now()
	return s
}

func (m *terminal) Changes() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.changes.Wait()
}

func (m *terminal) change(fn func(*tunnel.State)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	fn(&m.state)
	m.changes.Ring()
}

func (m *terminal) Current() tunnel.Origin {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.epochs[0]
}

func (m *terminal) Origins() []tunnel.Origin {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.epochs[1:]
}

func (m *terminal) Begin(log int64) error {
	last, err := m.ledger.LastLine(context.Background())
	m.mu.Lock()
	defer m.mu.Unlock()
	m.epochs = []tunnel.Origin{{Epoch: "after " + m.epochs[0].Epoch, Ledger: last, Log: log}}
	return err
}

// pay puts an attempt of two steps into the ledger.
func (m *terminal) pay(t testing.TB, reference string) {
	t.Helper()
	a := payment.Transaction{
		Acquirer: "bank", State: payment.StateSent, CreatedAt: time.Now(), UpdatedAt: time.Now(),
		Request: payment.Request{Method: payment.Credit, Amount: money.MustParse("12.30"), Reference: reference, Installments: 1, Plan: payment.Single},
	}
	var err error
	a.ID, err = m.ledger.Begin(a)
	must(t, err)
	a.State, a.Outcome.NSU, a.UpdatedAt = payment.StateConfirmed, "nsu "+reference, time.Now()
	must(t, m.ledger.Append(a, "why"))
}

// logAll writes entries and returns when they are on the disk.
func (m *terminal) logAll(t testing.TB, messages ...string) {
	t.Helper()
	for _, text := range messages {
		m.log.Add(logbook.Info, logbook.App, text, "details of "+text)
	}
	must(t, m.log.Flush(t.Context()))
}

// get asks the feed, and reads the answer if it is no refusal.
func get[T any](t testing.TB, m *terminal, path string) (status int, page T, text string) {
	t.Helper()
	resp, err := http.Get(m.address + path)
	must(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	must(t, err)
	if resp.StatusCode == http.StatusOK {
		must(t, json.Unmarshal(body, &page))
	}
	return resp.StatusCode, page, string(body)
}

func ledgerPage(t testing.TB, m *terminal, query string) tunnel.LedgerPage {
	t.Helper()
	status, page, text := get[tunnel.LedgerPage](t, m, tunnel.LedgerPath+query)
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", query, status, text)
	}
	return page
}

func logPage(t testing.TB, m *terminal, query string) tunnel.LogPage {
	t.Helper()
	status, page, text := get[tunnel.LogPage](t, m, tunnel.LogPath+query)
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", query, status, text)
	}
	return page
}

func numbers(p tunnel.LedgerPage) string {
	var all []string
	for _, s := range p.Steps {
		all = append(all, strconv.FormatInt(s.Number, 10))
	}
	return strings.Join(all, " ")
}

func ids(p tunnel.LogPage) string {
	var all []string
	for _, e := range p.Entries {
		all = append(all, strconv.FormatInt(e.ID, 10))
	}
	return strings.Join(all, " ")
}
