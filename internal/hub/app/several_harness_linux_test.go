package app_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

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
		c := app.Config{Listen: place(), Plain: place(), Data: filepath.Join(t.TempDir(), "data"), Database: database(i), PeerAddress: "127.0.0.1:0", Lease: timing}
		if i > 0 {
			shareKeys(t, f.configs[0].Data, c.Data)
		}
		f.hubs, f.configs = append(f.hubs, start(t, c)), append(f.configs, c)
	}
	first := f.hubs[0]
	f.key, f.client = first.said("Chave de API"), client(t, f.configs[0].Data)
	f.door = startBalancer(t, "tcp", f.configs[0].Listen)
	line := regexp.MustCompile(`maquininha join (\S+) (\S+) --pin (\S+)`).FindStringSubmatch(first.welcome)
	f.terminal = hubtest.Join(t, tunnel.Invitation{Address: "https://" + f.door.Addr().String(), Code: line[2], Pin: line[3], Name: "Caixa 1"}, handle)
	return f
}

// shareKeys gives a hub the key and the certificate of another.
func shareKeys(t *testing.T, from, to string) {
	t.Helper()
	if err := app.ShareKeys(from, to); err != nil {
		t.Fatal(err)
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

var changes = regexp.MustCompile(`"number":(\d+)|maquininha_hub_changes_known (\d+)`)

// knowsAll waits until a hub has heard of all that was changed.
func (f *fleetOf) knowsAll(t *testing.T, i int) {
	t.Helper()
	number := func(path string) string {
		_, text, err := f.asks(t.Context(), "GET", "https://"+f.configs[i].Listen+path, nil)
		if found := changes.FindStringSubmatch(text); err == nil && found != nil {
			return found[1] + found[2]
		}
		return path
	}
	waittest.Until(t, "a hub knows what was changed", func() bool { return number("/api/v1/audit?limit=1") == number("/metrics") })
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
