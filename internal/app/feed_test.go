//go:build unix

package app_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/store"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// fed is a terminal in this process, with what its hub would reach.
type fed struct {
	t    *testing.T
	app  *app.App
	api  string
	hub  string
	stop func()
}

func startFed(t *testing.T, data string) *fed {
	t.Helper()
	c := apptest.Config(t)
	c.Data, c.Autopilot = data, true
	c.Timeouts.Stop = waittest.Limit
	a, err := app.New(c)
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	hub := httptest.NewServer(a.ForHub(http.NotFoundHandler()))
	f := &fed{t: t, app: a, hub: hub.URL}
	f.api, _ = a.URLs()
	f.stop = func() {
		cancel()
		must(t, <-ended)
		hub.Close()
		f.stop = func() {}
	}
	t.Cleanup(func() { f.stop() })
	return f
}

// call asks the interface as a caller in the shop.
func (f *fed) call(method, path, body string) (int, []byte) {
	f.t.Helper()
	req, err := http.NewRequest(method, f.api+path, strings.NewReader(body))
	must(f.t, err)
	req.SetBasicAuth(apptest.User, apptest.Password)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	must(f.t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	must(f.t, err)
	return resp.StatusCode, bytes.TrimSpace(text)
}

func (f *fed) pay(reference string, want int) {
	f.t.Helper()
	if status, text := f.call("POST", "/transaction", `{"tPag":"03","amount":10,"referenceId":"`+reference+`","details":{"note":"<a> & b"}}`); status != want {
		f.t.Fatalf("%d %s", status, text)
	}
}

// read reads a page as a hub does.
func read[T any](f *fed, path string) (page T) {
	f.t.Helper()
	resp, err := http.Get(f.hub + path)
	must(f.t, err)
	defer resp.Body.Close()
	must(f.t, json.NewDecoder(resp.Body).Decode(&page))
	return page
}

// position is how far the records have come.
func (f *fed) position() tunnel.Position { return read[tunnel.Position](f, tunnel.PositionPath) }

func TestAHubReadsTheTerminalsRecords(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	f := startFed(t, data)
	first := f.position()
	if s := first.State; first.Epoch == "" || first.Ledger != 0 || s.Version != "1.2.3" || s.Busy || !s.Foreground || s.Printer != "ok" || s.SaleOpen || s.Clock.IsZero() {
		t.Errorf("%+v", first)
	}
	f.call("POST", "/sale", "{}")
	f.call("POST", "/emulator/acquirer", `{"next":"refuse","message":"não"}`)
	f.pay("a", http.StatusForbidden)
	f.pay("a", http.StatusOK)
	waittest.Until(t, "the terminal has paid", func() bool {
		p := f.position()
		return p.Epoch == first.Epoch && p.State.SaleOpen && !p.State.Busy && p.Ledger > 0 && p.Log >= 5
	})
	page := read[tunnel.LedgerPage](f, tunnel.LedgerPath)
	if page.Epoch != first.Epoch || page.Last != int64(len(page.Steps)) || len(page.Steps) < 6 {
		t.Fatalf("%+v", page)
	}
	refused, approved := page.Steps[0], page.Steps[len(page.Steps)-1]
	if refused.Attempt == approved.Attempt || refused.Reference != "a" || refused.Status != "refused" || approved.Status != "approved" || approved.Amount != "10" || approved.Method != "credit" {
		t.Errorf("%+v\n%+v", refused, approved)
	}
	if _, text := f.call("GET", "/transaction/a", ""); !bytes.Equal(text, approved.Answer) {
		t.Errorf("the interface says %s, the feed %s", text, approved.Answer)
	}
	if !bytes.Contains(refused.Answer, []byte(`"message":"não"`)) {
		t.Errorf("%s", refused.Answer)
	}
	if status, _ := f.call("GET", tunnel.LedgerPath, ""); status != http.StatusNotFound {
		t.Errorf("in the shop's network: %d", status)
	}
	log := read[tunnel.LogPage](f, tunnel.LogPath+"?limit=1")
	if log.First != 1 || log.Last < 5 || len(log.Entries) != 1 || log.Epoch != first.Epoch {
		t.Errorf("%+v", log)
	}

	must(t, f.app.Restart())
	if again := f.position(); again.Epoch != first.Epoch || again.Ledger != page.Last || again.Log < log.Last || len(again.Origins) != 0 {
		t.Errorf("%+v", again)
	}

	// A log that begins anew goes on with numbers that none before had.
	last := f.position().Log
	f.stop()
	must(t, os.Remove(filepath.Join(data, store.LogsFile)))
	f = startFed(t, data)
	f.call("GET", "/sale", "")
	if p := read[tunnel.LogPage](f, tunnel.LogPath); p.First <= last || p.Epoch != first.Epoch {
		t.Errorf("%d to %d after %d, in %s", p.First, p.Last, last, p.Epoch)
	}
}

// A hub took 27 thousand million entries that never were for a gap.
func TestATerminalKilledBeforeItsFirstEntryCountsFromOne(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	f := startFed(t, data)
	f.stop()
	db, err := sql.Open("sqlite", filepath.Join(data, store.LogsFile))
	must(t, err)
	_, err = db.Exec("DELETE FROM log_entry")
	must(t, errors.Join(err, db.Close()))
	f = startFed(t, data)
	f.call("GET", "/sale", "")
	if p := read[tunnel.LogPage](f, tunnel.LogPath); p.First != 1 {
		t.Errorf("%d to %d", p.First, p.Last)
	}
}

func TestABackupThatIsPutBackIsAnotherEpoch(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	f := startFed(t, data)
	f.pay("a", http.StatusOK)
	f.stop()
	backup := filepath.Join(t.TempDir(), "backup")
	must(t, os.CopyFS(backup, os.DirFS(data)))
	f = startFed(t, data)
	f.pay("b", http.StatusOK)
	before := f.position()
	f.stop()
	must(t, os.RemoveAll(data), os.CopyFS(data, os.DirFS(backup)))
	f = startFed(t, data)
	after := f.position()
	if after.Epoch == before.Epoch {
		t.Skip("this file system does not tell a file from its copy")
	}
	if len(after.Origins) != 1 || after.Origins[0].Epoch != before.Epoch || after.Origins[0].Ledger != after.Ledger || after.Origins[0].Log == 0 || after.Ledger >= before.Ledger {
		t.Errorf("%+v, before %+v", after, before)
	}
	waittest.Until(t, "the log says so", func() bool {
		_, text := f.call("GET", "/logs?search="+after.Epoch, "")
		return bytes.Contains(text, []byte("cópia que foi reposta"))
	})
	// A hub that does not look at the epoch, and asks for what comes after what it has read, is not told of other lines.
	f.pay("c", http.StatusOK)
	page := read[tunnel.LedgerPage](f, tunnel.LedgerPath+"?after=1&at="+time.Now().UTC().Format(time.RFC3339Nano))
	if page.Epoch == after.Epoch || page.Epoch == before.Epoch {
		t.Errorf("%+v", page)
	}
	// Nobody knows what the new epoch has in common with those before, but that they were this terminal's.
	if got, want := f.position().Origins, []tunnel.Origin{{Epoch: after.Epoch}, {Epoch: before.Epoch}}; !slices.Equal(got, want) {
		t.Errorf("the origins are %+v, want %+v", got, want)
	}
}
