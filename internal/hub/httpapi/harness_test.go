package httpapi_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/docpage/docpagetest"
	"github.com/maquininha/maquininha/internal/hub/configure"
	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/httpapi"
	"github.com/maquininha/maquininha/internal/hub/httpapi/apidoc"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/operations"
	"github.com/maquininha/maquininha/internal/hub/pull"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/hub/relay"
	"github.com/maquininha/maquininha/internal/hub/settings"
	"github.com/maquininha/maquininha/internal/hub/store"
	"github.com/maquininha/maquininha/internal/hub/webhooks"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// hub is a whole one: real store, desks, interface and tunnels.
type hub struct {
	*httptest.Server
	fleet      *fleet.Desk
	records    *records.Desk
	operations *operations.Desk
	webhooks   *webhooks.Desk
	settings   *settings.Desk
	board      *links.Board
	founded    fleet.Founded
	admin      fleet.Actor
	relay      *relay.Relay
	away       atomic.Bool // the database, for what is read from terminals
	unheard    atomic.Bool // what the database says when an operation begins
}

// sometimes are records in a database that is away at times.
type sometimes struct {
	*records.Desk
	away *atomic.Bool
}

func (s sometimes) Commit(ctx context.Context, b records.Batch) (records.Cursor, error) {
	if s.away.Load() {
		return records.Cursor{}, errors.New("away")
	}
	return s.Desk.Commit(ctx, b)
}

// halfHeard are operations in a database whose answer gets lost at times: it has written what it was asked to.
type halfHeard struct {
	*operations.Desk
	unheard *atomic.Bool
}

func (s halfHeard) Begin(ctx context.Context, o operations.Operation) (operations.Operation, bool, error) {
	kept, fresh, err := s.Desk.Begin(ctx, o)
	if fresh && s.unheard.Load() {
		return operations.Operation{}, false, errors.New("unheard")
	}
	return kept, fresh, err
}

func (s halfHeard) Again(ctx context.Context, o operations.Operation) (operations.Operation, error) {
	o, err := s.Desk.Again(ctx, o)
	if s.unheard.Load() {
		return operations.Operation{}, errors.New("unheard")
	}
	return o, err
}

func newHub(t *testing.T) *hub {
	t.Helper()
	files, err := store.Open(t.Context(), t.TempDir(), "")
	must(t, err)
	t.Cleanup(func() { files.Close() })
	h := &hub{fleet: fleet.NewDesk(files.Fleet(), nil), records: records.NewDesk(files.Records()), operations: operations.NewDesk(files.Operations())}
	h.founded, err = h.fleet.Found(t.Context(), fleet.Foundation{Account: "Conta", Tenant: "Cliente", Shop: "Loja 1", Person: "ana", Password: "segredo-longo"})
	must(t, err)
	h.admin = h.founded.Person.Actor()
	h.webhooks = webhooks.NewDesk(webhooks.Config{Book: files.Webhooks()})
	h.settings = settings.NewDesk(settings.Config{Book: files.Settings(), Names: tunnel.Settings, IsSecret: tunnel.SecretSetting})
	h.records.Notice = h.webhooks.OfTransaction
	puller := pull.New(pull.Config{
		Records: sometimes{h.records, &h.away}, Fleet: h.fleet, LogPause: time.Millisecond, Retry: time.Millisecond, RetryMost: 10 * time.Millisecond, SeenEach: time.Millisecond,
	})
	h.board = links.New(puller.Attend)
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { puller.KeepSightings(ctx, h.board) })
	configurer := configure.New(configure.Config{Desk: h.settings, Fleet: h.fleet, Board: h.board, Each: time.Millisecond, Log: func(string, error) {}})
	work.Go(func() { configurer.Run(ctx) })
	h.relay = relay.New(relay.Config{Links: h.board, Records: h.records, Operations: halfHeard{h.operations, &h.unheard}})
	_, key, err := ed25519.GenerateKey(nil)
	must(t, err)
	api := httpapi.New(httpapi.Config{
		Fleet: h.fleet, Records: h.records, Operations: h.operations, Webhooks: h.webhooks, Settings: h.settings, Board: h.board, Relay: h.relay, ID: "hub-1", Key: key, Pause: time.Millisecond,
		JoinLine: func(code string) string { return "maquininha join URL " + code },
	})
	h.Server = httptest.NewUnstartedServer(api)
	h.EnableHTTP2 = true
	h.StartTLS()
	hubtest.FirstHandshake(t, h.Listener.Addr().String())
	t.Cleanup(func() {
		cancel()
		api.Close()
		h.board.Close()
		h.relay.Close()
		h.Server.Close()
		work.Wait()
	})
	return h
}

// terminal is the other end: its handler answers callers, and its records are read by the hub.
type terminal struct {
	*hubtest.Terminal
	id      string
	keeper  *tunnel.Keeper
	stop    func()
	steps   []tunnel.Step
	entries []tunnel.LogEntry
}

const epochTwo = "1b9e4fd4-3c6b-4b0a-9f6e-0a1b2c3d4e5f"

// join has a terminal join by a code, as the command does, and keeps its link.
func (h *hub) join(t *testing.T, shop string, handle http.HandlerFunc) *terminal {
	t.Helper()
	code, _, err := h.fleet.MakeCode(t.Context(), h.admin, shop, "")
	must(t, err)
	x := &terminal{Terminal: hubtest.Join(t, tunnel.Invitation{Address: h.URL, Code: code, Pin: tunnel.Pin(h.Certificate()), Name: "Caixa"}, handle)}
	x.id, x.keeper = x.ID, x.Keeper
	x.stop = func() {
		x.Stop()
		waittest.Until(t, "the hub knows that the terminal has gone", func() bool { return !h.board.Presence(x.id).Online })
	}
	waittest.Until(t, "the terminal is on-line", func() bool { return h.board.Presence(x.id).Online })
	return x
}

// change changes what the terminal has recorded, and tells the hub. An odd number of entries is a busy terminal.
func (x *terminal) change(do func()) {
	x.Tell(func(state *tunnel.State, steps *[]tunnel.Step, entries *[]tunnel.LogEntry) {
		do()
		*steps, *entries, state.Busy = x.steps, x.entries, len(x.entries)%2 == 1
	})
}

// step is a line of the ledger, of an attempt that stands like this.
func step(number, attempt int64, reference, status, amount string) tunnel.Step {
	return tunnel.Step{
		Number: number, Attempt: attempt, At: time.Date(2026, 11, 16, 10, 0, int(number), 0, time.UTC), Operation: "payment", State: status, Reference: reference,
		Method: "credit", Amount: amount, Status: status, NSU: "77",
		Answer: json.RawMessage(fmt.Sprintf(`{"nsu":"77","message":"ok","details":{"status":%q,"referenceId":%q,"amount":%s,"reversals":[]}}`, status, reference, amount)),
	}
}

func entry(id int64, message string) tunnel.LogEntry {
	return tunnel.LogEntry{ID: id, At: time.Date(2026, 11, 16, 10, 0, int(id), 0, time.UTC), Level: "info", Source: "app", Message: message}
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

func (a answer) json(t *testing.T) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		t.Fatalf("%d %s: %v", a.status, a.body, err)
	}
	return v
}

// call sends a request with the first key. Headers are names and values in turn; one named Authorization replaces the key.
func (h *hub) call(t *testing.T, method, path, body string, headers ...string) answer {
	t.Helper()
	a, err := h.try(t, method, path, body, headers...)
	must(t, err)
	return a
}

func (h *hub) try(t *testing.T, method, path, body string, headers ...string) (answer, error) {
	r, err := http.NewRequestWithContext(t.Context(), method, h.URL+path, strings.NewReader(body))
	must(t, err)
	if body == "" {
		r.Body, r.ContentLength = http.NoBody, 0
	}
	r.SetBasicAuth(h.founded.Key.ID, h.founded.Secret)
	for pair := range slices.Chunk(headers, 2) {
		if r.Header.Set(pair[0], pair[1]); pair[1] == "" {
			r.Header.Del(pair[0])
		}
	}
	resp, err := h.Client().Do(r)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	a := answer{resp.StatusCode, resp.Header, string(text)}
	if err == nil {
		compare(t, r, body, a)
	}
	return a, err
}

var description = docpagetest.New(apidoc.Spec())

// compare holds the hub's own answers against its description. What a terminal answers is the terminal's to describe.
func compare(t *testing.T, r *http.Request, body string, a answer) {
	t.Helper()
	steps := strings.Split(r.URL.Path+"///", "/")
	own := steps[1] != "terminals" || steps[3] == "operations"
	for _, name := range []string{"X-Maquininha-Hub", "X-Maquininha-As-Of", "Preference-Applied"} {
		own = own || a.header.Get(name) != "" && slices.Contains([]string{"transaction", "ask", "print", "logs"}, steps[3])
	}
	if !own || steps[1] == "docs" || slices.Contains([]string{tunnel.JoinPath, tunnel.Path, "/openapi.bundle.yaml"}, r.URL.Path) {
		return
	}
	r.Body = io.NopCloser(strings.NewReader(body))
	if body != "" && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json") // nobody need say it
	}
	description.Compare(t, docpagetest.Exchange{What: r.Method + " " + r.URL.RequestURI(), Request: r, Status: a.status, Header: a.header, Body: []byte(a.body)})
}

// key makes one, and gives the header it signs in with.
func (h *hub) key(t *testing.T, w fleet.Wanted) string {
	t.Helper()
	w.Name = "chave"
	_, secret, err := h.fleet.MakeKey(t.Context(), h.admin, w)
	must(t, err)
	return "Bearer " + secret
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func is(t *testing.T, what string, got, want any) {
	t.Helper()
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(want)
	if !bytes.Equal(a, b) {
		t.Errorf("%s: %s, want %s", what, a, b)
	}
}
