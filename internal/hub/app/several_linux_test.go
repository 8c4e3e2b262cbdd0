package app_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// balancer passes connections on to where it points, and can be cut: it stands before hubs, or between a hub and its database.
type balancer struct {
	net.Listener
	network string

	mu    sync.Mutex
	to    string // empty: nobody is let through
	pairs []pair
}

// pair is a connection through it, both halves.
type pair struct{ from, to net.Conn }

func startBalancer(t *testing.T, network, to string) *balancer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &balancer{Listener: l, network: network, to: to}
	var work sync.WaitGroup
	work.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			work.Go(func() { b.pass(conn) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		b.point("")
		b.cut(true)
		work.Wait()
	})
	return b
}

func (b *balancer) pass(from net.Conn) {
	b.mu.Lock()
	target := b.to
	b.mu.Unlock()
	to, err := net.Dial(b.network, target)
	if target == "" || err != nil {
		from.Close()
		return
	}
	b.mu.Lock()
	b.pairs = append(b.pairs, pair{from, to})
	b.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		io.Copy(to, from) //nolint:errcheck // either end may be gone
	}()
	io.Copy(from, to) //nolint:errcheck // as above
	from.Close()
	to.Close()
	<-ended
}

// point has new connections go elsewhere.
func (b *balancer) point(to string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.to = to
}

// cut ends the connections that are there. Without both, the far ends learn nothing of it until the test ends.
func (b *balancer) cut(both bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.pairs {
		if both {
			p.to.Close()
		}
		p.from.Close()
	}
	if both {
		b.pairs = nil
	}
}

// fleetOf is several hubs at one database, with one key and one certificate, and a terminal that comes in by a balancer.
type fleetOf struct {
	hubs     []*running
	configs  []app.Config
	door     *balancer
	key      string
	client   *http.Client
	terminal *hubtest.Terminal
}

func startSeveral(t *testing.T, n int, timing leases.Timing, database func(i int) string, handle http.Handler) *fleetOf {
	t.Helper()
	f := &fleetOf{}
	for i := range n {
		c := app.Config{Listen: "127.0.0.1:0", Data: filepath.Join(t.TempDir(), "data"), Database: database(i), PeerAddress: "127.0.0.1:0", Lease: timing}
		if i > 0 {
			shareKeys(t, f.configs[0].Data, c.Data)
		}
		hub := start(t, c)
		c.Listen = hub.Address().String()
		f.hubs, f.configs = append(f.hubs, hub), append(f.configs, c)
	}
	first := f.hubs[0]
	f.key, f.client = first.said("Chave de API"), client(t, f.configs[0].Data)
	f.door = startBalancer(t, "tcp", first.Address().String())
	line := regexp.MustCompile(`maquininha join (\S+) (\S+) --pin (\S+)`).FindStringSubmatch(first.welcome)
	f.terminal = hubtest.Join(t, tunnel.Invitation{Address: "https://" + f.door.Addr().String(), Code: line[2], Pin: line[3], Name: "Caixa 1"}, handle)
	return f
}

// shareKeys gives a hub the key and the certificate of another.
func shareKeys(t *testing.T, from, to string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range append([]string{app.KeyFile}, certificate.OwnFiles...) {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// at is an address of the terminal at a hub.
func (f *fleetOf) at(i int, path string) string {
	return "https://" + f.configs[i].Listen + "/terminals/" + f.terminal.ID + path
}

// asks sends a request with the key, and gives the answer with its body read.
func (f *fleetOf) asks(ctx context.Context, method, address string, body io.Reader) (*http.Response, string, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, "", err
	}
	id, secret, _ := strings.Cut(f.key, ":")
	r.SetBasicAuth(id, secret)
	resp, err := f.client.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp, string(text), err
}

// answers waits until the terminal answers at a hub.
func (f *fleetOf) answers(t *testing.T, what string, i int) {
	t.Helper()
	waittest.Until(t, what, func() bool {
		resp, body, err := f.asks(t.Context(), "GET", f.at(i, "/status"), nil)
		return err == nil && resp.StatusCode == http.StatusOK && strings.HasPrefix(body, "GET /status ")
	})
}

// fails waits until a hub says that the way to the terminal is absent or broken.
func (f *fleetOf) fails(t *testing.T, i, status int, how string) {
	t.Helper()
	waittest.Until(t, "the terminal is "+how, func() bool {
		resp, _, err := f.asks(t.Context(), "GET", f.at(i, "/status"), nil)
		return err == nil && resp.StatusCode == status && resp.Header.Get("X-Maquininha-Hub") == how
	})
}

// counter is a terminal that tells what it is asked, and holds some of it.
type counter struct {
	held, left chan string
}

func newCounter() *counter { return &counter{make(chan string, 100), make(chan string, 100)} }

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/ask":
		c.held <- r.URL.Path
		<-r.Context().Done()
		c.left <- r.URL.Path
	case "/logs/stream":
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: 1\n\n")      //nolint:errcheck // a test
		http.NewResponseController(w).Flush() //nolint:errcheck // a test
		c.held <- r.URL.Path
		<-r.Context().Done()
		c.left <- r.URL.Path
	default:
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Maquininha-Peer", "broken") // as a stolen one might
		w.Header().Set("X-Motivo", r.Header.Get("X-Pergunta"))
		w.WriteHeader(http.StatusOK)
		io.WriteString(w, r.Method+" "+r.RequestURI+" "+r.Host+" ") //nolint:errcheck // a test
		w.Write(body)                                               //nolint:errcheck // a test
	}
}

// patient is a lease that is not lost on a busy machine, and renewed often.
var patient = leases.Timing{Lasts: 5 * time.Minute, Margin: time.Minute, Renew: 50 * time.Millisecond}

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

	f.terminal.Stop()
	f.fails(t, 0, http.StatusServiceUnavailable, "absent")
	f.fails(t, 1, http.StatusServiceUnavailable, "absent")
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
	f.answers(t, "the terminal answers where it hangs", 0) // the key is remembered there
	through := wire.to
	f.door.point(f.configs[1].Listen)
	wire.point("")
	wire.cut(true)
	f.fails(t, 0, http.StatusServiceUnavailable, "absent")
	f.answers(t, "the terminal answers at its new hub", 1)
	wire.point(through)
	f.answers(t, "the terminal answers at the hub that is back", 0)
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
