package httpapi_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/httpapi"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/waittest"
)

// stream opens one with a header, and gives its lines.
func (h *hub) stream(t *testing.T, path, header, value string) *bufio.Scanner {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+path, http.NoBody)
	must(t, err)
	r.Header.Set(header, value)
	resp, err := h.Client().Do(r)
	must(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", path, resp.Status)
	}
	return bufio.NewScanner(resp.Body)
}

// A stream of a terminal ends for who may not see it any more: nothing that comes later is told.
func TestShutOutOfStreams(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	tells := make(chan string)
	x := h.join(t, h.founded.Shop.ID, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		tell := func(text string) {
			io.WriteString(w, "data: "+text+"\n\n") //nolint:errcheck // a test
			http.NewResponseController(w).Flush()   //nolint:errcheck // a test
		}
		tell("first")
		select {
		case text := <-tells:
			tell(text)
		case <-r.Context().Done():
		}
	})
	other, err := h.fleet.MakeTenant(t.Context(), h.admin, "Outro")
	must(t, err)
	shop, err := h.fleet.MakeShop(t.Context(), h.admin, other.ID, "Outra")
	must(t, err)
	scope := fleet.Scope{Place: h.founded.Tenant.Place, Role: fleet.Reads}
	key, secret, err := h.fleet.MakeKey(t.Context(), h.admin, fleet.Wanted{Name: "chave", Scope: scope})
	must(t, err)
	person, password, err := h.fleet.MakePerson(t.Context(), h.admin, fleet.Wanted{Name: "bia", Scope: scope})
	must(t, err)
	session, err := h.fleet.SignIn(t.Context(), "", person.Name, password, "")
	must(t, err)
	cookie := "__Host-maquininha-hub=" + session.Token
	for _, c := range []struct {
		what, header, value string
		shutOut             func() error
	}{
		{"a key that is revoked", "Authorization", "Bearer " + secret, func() error { return h.fleet.RevokeKey(t.Context(), h.admin, key.ID) }},
		{"a session that ends", "Cookie", cookie, func() error { return h.fleet.SignOut(t.Context(), session.Token) }},
		{"a terminal that is moved", "Authorization", h.key(t, fleet.Wanted{Scope: scope}), func() error { return h.fleet.MoveTerminal(t.Context(), h.admin, x.id, shop.ID) }},
	} {
		lines := h.stream(t, "/terminals/"+x.id+"/logs/stream", c.header, c.value)
		if !lines.Scan() || lines.Text() != "data: first" {
			t.Fatalf("%s: %q, %v", c.what, lines.Text(), lines.Err())
		}
		must(t, c.shutOut())
		tells <- "later"
		for lines.Scan() {
			if strings.Contains(lines.Text(), "later") {
				t.Errorf("%s: it is told %q", c.what, lines.Text())
			}
		}
	}
}

// The fleet's own stream tells nothing that happens after its reader was shut out.
func TestShutOutOfEvents(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	x := h.join(t, h.founded.Shop.ID, func(http.ResponseWriter, *http.Request) {})
	key, secret, err := h.fleet.MakeKey(t.Context(), h.admin, fleet.Wanted{Name: "chave", Scope: fleet.Scope{Place: h.founded.Tenant.Place, Role: fleet.Reads}})
	must(t, err)
	lines := h.stream(t, "/api/v1/events", "Authorization", "Bearer "+secret)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "event: serial") {
	}
	must(t, h.fleet.RevokeKey(t.Context(), h.admin, key.ID))
	must(t, h.fleet.RenameTerminal(t.Context(), h.admin, x.id, "Depois"))
	h.board.Changed(x.id)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "Depois") {
			t.Errorf("it is told %q", lines.Text())
		}
	}
}

// shutsOut is an answer whose first piece is the last that its reader is to get.
type shutsOut struct {
	*httptest.ResponseRecorder
	revoke func()
}

func (s *shutsOut) Write(b []byte) (int, error) {
	s.revoke()
	return s.ResponseRecorder.Write(b)
}

// A sheet breaks off for who was shut out while it was sent.
func TestShutOutOfExports(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	x := h.join(t, h.founded.Shop.ID, func(http.ResponseWriter, *http.Request) {})
	const most = 2000
	x.change(func() {
		for id := int64(1); id <= most; id++ {
			x.entries = append(x.entries, entry(id, "linha"))
		}
	})
	waittest.Until(t, "the log is read", func() bool {
		c, err := h.records.Cursor(t.Context(), x.id, hubtest.Epoch(x.id), records.Log)
		return err == nil && c.Number == most
	})
	key, secret, err := h.fleet.MakeKey(t.Context(), h.admin, fleet.Wanted{Name: "chave", Scope: fleet.Scope{Place: h.founded.Tenant.Place, Role: fleet.Reads}})
	must(t, err)
	r := httptest.NewRequest(http.MethodGet, "/api/v1/logs.csv", http.NoBody)
	r.Header.Set("Authorization", "Bearer "+secret)
	w := &shutsOut{httptest.NewRecorder(), func() { must(t, h.fleet.RevokeKey(t.Context(), h.admin, key.ID)) }}
	defer func() {
		if recover() != http.ErrAbortHandler { //nolint:errorlint // that very value is what servers know
			t.Error("the sheet looks whole")
		}
		if n := strings.Count(w.Body.String(), "linha"); n >= 1000 {
			t.Errorf("%d rows were sent", n)
		}
	}()
	h.Config.Handler.ServeHTTP(w, r)
}

// A stream with nothing to tell says so now and then, however busy others are.
func TestQuietBesideBusyOnes(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.Config.Handler.(*httpapi.API).KeepAlive = 50 * time.Millisecond
	busy, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() {
		for busy.Err() == nil {
			h.board.Changed("others")
			time.Sleep(5 * time.Millisecond) // their pace: ten changes to one word of the quiet stream
		}
	})
	defer work.Wait()
	defer stop()
	lines := h.stream(t, "/api/v1/events", "Authorization", h.key(t, fleet.Wanted{Scope: fleet.Scope{Place: h.founded.Tenant.Place, Role: fleet.Reads}}))
	for said := 0; said < 3; {
		if !lines.Scan() {
			t.Fatal("the stream ended")
		}
		switch lines.Text() {
		case ": ":
			said++
		case "":
		default:
			t.Fatalf("told: %s", lines.Text())
		}
	}
}
