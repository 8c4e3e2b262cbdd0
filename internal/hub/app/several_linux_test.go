package app_test

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// A caller may come to any hub: what it gets is the same to the byte, and who hangs up is gone at the terminal.
func TestSeveralHubs(t *testing.T) {
	database := hubtest.StartPostgres(t).Database(t)
	counter := newCounter()
	f := startSeveral(t, 2, patient, func(int) string { return database }, counter)
	f.answers(t, "the terminal answers where it hangs", 0)
	f.answers(t, "the terminal answers at the other hub", 1)

	large := bytes.Repeat([]byte("0123456789abcdef"), 200_000)
	for _, c := range []struct{ method, path, body string }{
		{"GET", "/a%2Fb//c/../d?x=1;y=%zz&&", ""}, {"PUT", "/display/carousel", string(large)}, {"DELETE", "/sale", ""}, {"POST", "/print/text", "{}"},
	} {
		var said []string
		for i := range 2 {
			resp, body, err := f.asks(t.Context(), c.method, f.at(i, c.path), strings.NewReader(c.body))
			if err != nil || resp.StatusCode != http.StatusOK || resp.Header.Get("X-Maquininha-Peer") != map[int]string{0: "broken"}[i] {
				t.Fatal(resp, err)
			}
			said = append(said, strings.ReplaceAll(body, f.configs[i].Listen, "hub"))
		}
		if said[0] != said[1] || !strings.Contains(said[0], c.path+" ") || !strings.HasSuffix(said[0], c.body) {
			t.Errorf("%s %s: %.200q where it hangs, %.200q elsewhere", c.method, c.path, said[0], said[1])
		}
	}

	told := 0
	traced := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got1xxResponse: func(int, textproto.MIMEHeader) error { told++; return nil }})
	resp, body, err := f.asks(traced, "POST", f.at(1, "/transaction"), strings.NewReader(`{"amount":1}`))
	if err != nil || told != 1 || resp.Header.Get("X-Reference-Id") == "" || !strings.Contains(body, resp.Header.Get("X-Reference-Id")) {
		t.Error(told, body, err)
	}

	ctx, hangUp := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, _, err := f.asks(ctx, "POST", f.at(1, "/ask"), strings.NewReader("{}"))
		ended <- err
	}()
	waittest.Receive(t, "a question at the terminal", counter.held)
	hangUp()
	waittest.Receive(t, "the caller is gone", ended)
	waittest.Receive(t, "its question is gone at the terminal", counter.left)

	ctx, hangUp = context.WithCancel(t.Context())
	defer hangUp()
	r, err := http.NewRequestWithContext(ctx, "GET", f.at(1, "/logs/stream"), nil)
	if err != nil {
		t.Fatal(err)
	}
	id, secret, _ := strings.Cut(f.key, ":")
	r.SetBasicAuth(id, secret)
	stream, err := f.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stream.Body).ReadString('\n'); err != nil || line != "data: 1\n" {
		t.Error(line, err)
	}
	hangUp()
	stream.Body.Close()
	waittest.Receive(t, "the stream is gone at the terminal", counter.left)

	// Both hubs show it, and how it is; renamed at one, it has that name at both.
	shown := func(i int, texts ...string) func() bool {
		return func() bool {
			resp, body, err := f.asks(t.Context(), "GET", "https://"+f.configs[i].Listen+"/api/v1/terminals/"+f.terminal.ID, nil)
			return err == nil && resp.StatusCode == http.StatusOK && !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(body, text) })
		}
	}
	f.terminal.Tell(func(s *tunnel.State, _ *[]tunnel.Step, _ *[]tunnel.LogEntry) { s.Printer = "paperOut" })
	for i := range 2 {
		waittest.Until(t, "the terminal is shown", shown(i, `"online":true`, `"printer":"paperOut"`))
	}
	if resp, body, err := f.asks(t.Context(), "PATCH", "https://"+f.configs[0].Listen+"/api/v1/terminals/"+f.terminal.ID, strings.NewReader(`{"name":"Balcão"}`)); err != nil || resp.StatusCode != http.StatusOK {
		t.Error(body, err)
	}
	waittest.Until(t, "its new name is known", shown(1, "Balcão"))

	// Revoked at the hub where it does not hang, it is gone from the other too.
	if resp, body, err := f.asks(t.Context(), "DELETE", "https://"+f.configs[1].Listen+"/api/v1/terminals/"+f.terminal.ID, nil); err != nil || resp.StatusCode != http.StatusNoContent {
		t.Error(body, err)
	}
	waittest.Until(t, "the terminal is told", func() bool { return f.terminal.Keeper.State().Ended })
	for i := range 2 {
		waittest.Until(t, "the terminal is off-line", shown(i, `"online":false`))
	}
}

// A terminal changes hubs while the old one believes that it still has it: it answers at both, soon, and never hangs at two. A hub that
// stops breaks what is held there, also for callers of the other.
func TestTerminalChangesHubs(t *testing.T) {
	database := hubtest.StartPostgres(t).Database(t)
	counter := newCounter()
	f := startSeveral(t, 2, patient, func(int) string { return database }, counter)
	f.answers(t, "the terminal answers", 1)

	f.door.point(f.configs[1].Listen)
	f.door.cut(false) // the first hub does not learn of it by its connection
	f.answers(t, "the terminal answers at its new hub", 1)
	f.answers(t, "the terminal answers at its old hub", 0)
	held := func(i int) <-chan string {
		how := make(chan string, 1)
		go func() {
			resp, _, err := f.asks(context.Background(), "POST", f.at(i, "/ask"), strings.NewReader("{}"))
			if err != nil {
				how <- err.Error()
				return
			}
			how <- resp.Header.Get("X-Maquininha-Hub")
		}()
		waittest.Receive(t, "a question at the terminal", counter.held)
		return how
	}
	// The hub of the callers stops, then that of the terminal.
	first := held(0)
	f.hubs[0].stop()
	if how := waittest.Receive(t, "the answer of a hub that stops", first); how != "broken" {
		t.Error(how)
	}
	f.hubs[0] = start(t, f.configs[0])
	f.answers(t, "the terminal answers at a hub that started again", 0)
	for len(counter.held) > 0 {
		<-counter.held
	}
	second := held(0)
	f.door.point(f.configs[0].Listen)
	f.hubs[1].stop()
	if how := waittest.Receive(t, "the answer when the other hub stops", second); how != "broken" {
		t.Error(how)
	}
	f.answers(t, "the terminal answers where it went", 0)
	f.hubs[1] = start(t, f.configs[1])
	f.answers(t, "the terminal answers elsewhere", 1)
	f.terminal.Stop()
	f.fails(t, 0, http.StatusServiceUnavailable, "absent")
	f.fails(t, 1, http.StatusServiceUnavailable, "absent")
}

// A hub that is cut off from the database lets its terminals go, and is one of the hubs again when it is back.
func TestCutOffHub(t *testing.T) {
	database := hubtest.StartPostgres(t).Database(t)
	socket, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	wire := startBalancer(t, "unix", filepath.Join(socket.Query().Get("host"), ".s.PGSQL.5432"))
	f := startSeveral(t, 2, leases.Timing{Lasts: 4 * time.Second, Margin: 2 * time.Second, Renew: 100 * time.Millisecond}, func(i int) string {
		if i == 0 {
			return "postgres://postgres@" + wire.Addr().String() + socket.Path + "?sslmode=disable"
		}
		return database
	}, newCounter())
	f.answers(t, "the terminal answers", 1)
	f.knowsAll(t, 0)                                       // what others changed is forgotten when it is heard of
	f.answers(t, "the terminal answers where it hangs", 0) // key and terminal are remembered there
	through := wire.to
	f.door.point(f.configs[1].Listen)
	wire.point("")
	wire.cut(true)
	f.fails(t, 0, http.StatusServiceUnavailable, "absent")
	f.answers(t, "the terminal answers at its new hub", 1)
	wire.point(through)
	f.answers(t, "the terminal answers at the hub that is back", 0)
}

// A hub that takes itself for the only one would end what others at its database are doing, and they what it does: neither begins beside the
// other. One that was killed knows itself again by its folder.
func TestAHubThatIsAloneStaysAlone(t *testing.T) {
	database := hubtest.StartPostgres(t).Database(t)
	lone := app.Config{Listen: "127.0.0.1:0", Data: t.TempDir(), Database: database, Lease: patient}
	first := start(t, lone)
	for _, peer := range []string{"", "127.0.0.1:0"} {
		other := app.Config{Listen: "127.0.0.1:0", Data: t.TempDir(), Database: database, PeerAddress: peer, Lease: patient}
		if err := os.Link(filepath.Join(lone.Data, app.KeyFile), filepath.Join(other.Data, app.KeyFile)); err != nil {
			t.Fatal(err)
		}
		if _, err := app.New(t.Context(), other); err == nil || !strings.Contains(err.Error(), "no ar neste banco") || !strings.Contains(err.Error(), "--peer-address") {
			t.Errorf("beside one that is alone, at %q: %v", peer, err)
		}
		seen, err := app.Hubs(t.Context(), other)
		if err != nil || len(seen) != 1 || seen[0].Own || seen[0].Address != "" {
			t.Errorf("%+v, %v", seen, err)
		}
	}
	if seen, err := app.Hubs(t.Context(), lone); err != nil || len(seen) != 1 || !seen[0].Own {
		t.Errorf("itself: %+v, %v", seen, err)
	}
	first.stop()
	if seen, err := app.Hubs(t.Context(), lone); err != nil || len(seen) != 0 {
		t.Errorf("when it has stopped: %+v, %v", seen, err)
	}
}

// Hubs at one database that terminals know by two keys would be two hubs to each.
func TestHubsOfOneDatabaseHaveOneKey(t *testing.T) {
	database := hubtest.StartPostgres(t).Database(t)
	start(t, app.Config{Listen: "127.0.0.1:0", Data: t.TempDir(), Database: database, PeerAddress: "127.0.0.1:0", Lease: patient})
	_, err := app.New(t.Context(), app.Config{Listen: "127.0.0.1:0", Data: t.TempDir(), Database: database, PeerAddress: "127.0.0.1:0", Lease: patient})
	if err == nil || !strings.Contains(err.Error(), "têm outra chave") {
		t.Error(err)
	}
	_, err = app.New(t.Context(), app.Config{Listen: "127.0.0.1:0", Data: t.TempDir(), Database: database})
	if err == nil || !strings.Contains(err.Error(), "há outros hubs no ar neste banco") {
		t.Error(err)
	}
}
