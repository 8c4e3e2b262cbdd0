package tunnel

import (
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/waittest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hub is a real one, as far as terminals see it.
type hub struct {
	*httptest.Server
	Host
	accepted chan *Conn
	refused  chan error

	mu       sync.Mutex
	verdict  error // of Admit
	terminal ed25519.PublicKey
}

// The ids of the tests.
const hubID, terminalID = "hub-1", "terminal-1"

func newHub(t testing.TB) *hub {
	t.Helper()
	h := &hub{accepted: make(chan *Conn, 16), refused: make(chan error, 1024)}
	h.Host = newHost(t, func() (ed25519.PublicKey, error) {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.terminal, h.verdict
	})
	mux := http.NewServeMux()
	mux.HandleFunc(Path, func(w http.ResponseWriter, r *http.Request) {
		conn, err := Accept(w, r, h.Host)
		if err != nil {
			h.refused <- err
			return
		}
		h.accepted <- conn
	})
	h.Server = httptest.NewTLSServer(mux)
	t.Cleanup(h.Server.Close)
	return h
}

func newHost(t testing.TB, admit func() (ed25519.PublicKey, error)) Host {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return Host{ID: hubID, Key: key, Admit: func(_ context.Context, id string) (ed25519.PublicKey, error) {
		if id != terminalID {
			return nil, ErrUnknown
		}
		return admit()
	}}
}

// say has the hub let the terminal in, or not.
func (h *hub) say(verdict error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.verdict = verdict
}

// member is a terminal that has joined the hub.
func (h *hub) member(t testing.TB) Membership {
	m := memberOf(t, h.Host)
	m.Address, m.Pin = h.URL, Pin(h.Certificate())
	h.mu.Lock()
	defer h.mu.Unlock()
	h.terminal = publicOf(m.Key)
	return m
}

func memberOf(t testing.TB, h Host) Membership {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return Membership{Address: "https://hub.example", Hub: h.ID, Terminal: terminalID, Key: key, HubKey: publicOf(h.Key)}
}

// keep runs a keeper for the length of a test; stop is to stop it before, and returns when it has.
func keep(t testing.TB, m Membership, handler http.HandlerFunc, o Options) (k *Keeper, stop func()) {
	t.Helper()
	o.Version = "1.2.3"
	if o.FirstPause == 0 {
		o.FirstPause, o.LongestPause = time.Millisecond, 2*time.Millisecond
	}
	k = NewKeeper(m, handler, o)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		k.Run(ctx)
	}()
	stop = func() {
		cancel()
		<-ended
	}
	t.Cleanup(stop)
	return k, stop
}

// connected is a hub with a terminal on it.
func connected(t testing.TB, handler http.HandlerFunc, o Options) (*hub, *Conn, *Keeper, func()) {
	t.Helper()
	h := newHub(t)
	k, stop := keep(t, h.member(t), handler, o)
	return h, waittest.Receive(t, "the terminal is there", h.accepted), k, stop
}

// ask sends a request to the terminal.
func ask(t testing.TB, ctx context.Context, c http.RoundTripper, method, path string, body io.Reader) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, "http://terminal"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	return c.RoundTrip(r)
}

func gone(c *Conn) bool {
	return c.Context().Err() != nil
}

// trouble waits until the link is down for a reason.
func trouble(t testing.TB, k *Keeper, want error) {
	t.Helper()
	waittest.Until(t, "the keeper says: "+want.Error(), func() bool {
		s := k.State()
		return !s.Up && errors.Is(s.Trouble, want)
	})
}
