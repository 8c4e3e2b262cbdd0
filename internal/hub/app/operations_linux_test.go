package app_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// begin has a question run by itself, at a hub, and gives where it can be looked up once the terminal holds it.
func (f *fleetOf) begin(t *testing.T, c *counter, i int) (path string) {
	t.Helper()
	waittest.Until(t, "the operation is taken", func() bool {
		r, err := http.NewRequestWithContext(t.Context(), "POST", f.at(i, "/ask"), strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		id, secret, _ := strings.Cut(f.key, ":")
		r.SetBasicAuth(id, secret)
		r.Header.Set("Prefer", "respond-async")
		resp, err := f.client.Do(r)
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		io.Copy(io.Discard, resp.Body) //nolint:errcheck // a test
		path = resp.Header.Get("Location")
		return resp.StatusCode == http.StatusAccepted && f.reaches(t, c, i, path)
	})
	return path
}

// reaches waits until the terminal holds an operation; false: it ended before, since its hub had lost its lease.
func (f *fleetOf) reaches(t *testing.T, c *counter, i int, path string) (held bool) {
	t.Helper()
	waittest.Until(t, "the operation is at the terminal", func() bool {
		select {
		case <-c.held:
			held = true
			return true
		default:
			now := f.state(t, i, path)
			return now == "done" || now == "broken"
		}
	})
	return held
}

// state is how far an operation is, as a hub tells.
func (f *fleetOf) state(t *testing.T, i int, path string) string {
	t.Helper()
	_, body, err := f.asks(context.Background(), "GET", "https://"+f.configs[i].Listen+path, nil)
	var told struct{ State string }
	if err != nil || json.Unmarshal([]byte(body), &told) != nil {
		return ""
	}
	return told.State
}

// A hub that starts leaves the operations of others alone; those of one that was killed are broken when its lease is over.
func TestOperationsOfAKilledHub(t *testing.T) {
	database := hubtest.StartPostgres(t).Database(t)
	counter := newCounter()
	f := startSeveral(t, 2, patient, func(int) string { return database }, counter)
	process := f.startProcess(t, database)
	f.answers(t, "the terminal answers at the process", 2)
	mine, its := f.begin(t, counter, 1), f.begin(t, counter, 2)
	f.hubs[0].stop() // the terminal's own hub stays away: what it held is broken
	waittest.Until(t, "both have lost the terminal", func() bool { return f.state(t, 1, mine) == "broken" && f.state(t, 1, its) == "broken" })
	f.door.point(f.configs[1].Listen)
	f.hubs[0] = start(t, f.configs[0])
	f.answers(t, "the terminal answers at the process again", 2)

	mine, its = f.begin(t, counter, 1), f.begin(t, counter, 2)
	f.hubs[0].stop()
	f.hubs[0] = start(t, f.configs[0])
	if still := f.state(t, 0, mine); still != "running" {
		t.Error("a hub that started has ended what runs at another:", still)
	}
	if err := process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "what the killed hub ran is broken", func() bool { return f.state(t, 0, its) == "broken" })
	if still := f.state(t, 0, mine); still != "running" {
		t.Error("so is what runs at the other:", still)
	}
}
