package peers_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/peers"
	"github.com/maquininha/maquininha/internal/hub/relay"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// book is what all hubs of a test know.
type book struct {
	mu   sync.Mutex
	hubs map[string]leases.Hub
	at   []leases.Location // of the terminal, as it is found: the last one again and again
}

func (b *book) locate() (leases.Location, leases.Hub, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.at) == 0 {
		return leases.Location{}, leases.Hub{}, leases.ErrNowhere
	}
	at := b.at[0]
	b.at = b.at[min(1, len(b.at)-1):]
	return at, b.hubs[at.Run], nil
}

// hub is one of them, which holds the terminal's connection of a number, or none.
type hub struct {
	*book
	*peers.Peers
	run    string
	number int64
	link   *hubtest.Link
}

func (h *hub) Run() string { return h.run }

func (h *hub) Holds(l leases.Location) bool {
	return l == leases.Location{Terminal: "m", Run: h.run, Number: h.number}
}

func (h *hub) Locate(context.Context, string) (leases.Location, leases.Hub, error) {
	return h.locate()
}

func (h *hub) Known(_ context.Context, keyHash []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, known := range h.hubs {
		if slices.Equal(known.KeyHash, keyHash) {
			return nil
		}
	}
	return leases.ErrStranger
}

func (h *hub) Find(string) (links.Link, bool)        { return h.link, h.link != nil }
func (h *hub) Presence(string) (none links.Presence) { return none }

// echo answers with the body that was sent.
func echo(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: r}, nil
}

// meet starts a hub that the others know.
func (b *book) meet(t *testing.T, run string, number int64, answer func(*http.Request) (*http.Response, error)) *hub {
	t.Helper()
	identity, err := peers.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	h := &hub{book: b, run: run, number: number}
	if answer != nil {
		h.link = hubtest.NewLink("m", answer)
	}
	h.Peers = peers.New(h, h, identity)
	port, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := h.Server(relay.Pass, nil)
	ended := make(chan error, 1)
	go func() { ended <- server.ServeTLS(port, "", "") }()
	t.Cleanup(func() {
		h.Close()
		server.Close()
		<-ended
	})
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hubs == nil {
		b.hubs = map[string]leases.Hub{}
	}
	b.hubs[run] = leases.Hub{Run: run, Address: port.Addr().String(), KeyHash: identity.KeyHash}
	return h
}

// change has another hub stand for a run, and gives the one that did.
func (b *book) change(run string, to leases.Hub) leases.Hub {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.hubs[run]
	b.hubs[run] = to
	return before
}

func (b *book) put(at ...leases.Location) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = at
}

func ask(t *testing.T, h *hub, body io.Reader) (string, error) {
	t.Helper()
	route, is := h.Route(t.Context(), "m")
	if !is {
		return "", leases.ErrNowhere
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://terminal/x", body)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := route.RoundTrip(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

// A request reaches a terminal on the connection that it was sent for, or not at all; then the terminal is looked for once more.
func TestTheConnectionThatWasMeant(t *testing.T) {
	b := &book{}
	b.meet(t, "b", 7, echo)
	b.meet(t, "c", 0, func(*http.Request) (*http.Response, error) {
		t.Error("a hub was asked that does not hold the terminal")
		return nil, errors.New("wrong")
	})
	right, wrong, old := leases.Location{Terminal: "m", Run: "b", Number: 7}, leases.Location{Terminal: "m", Run: "c", Number: 5}, leases.Location{Terminal: "m", Run: "b", Number: 6}
	gone := leases.Location{Terminal: "m", Run: "gone", Number: 4}
	b.change("gone", leases.Hub{Run: "gone", Address: "127.0.0.1:1"})
	for _, c := range []struct {
		at   []leases.Location
		want error
	}{
		{[]leases.Location{right}, nil},
		{[]leases.Location{wrong, right}, nil},
		{[]leases.Location{old, right}, nil},
		{[]leases.Location{gone, right}, nil},
		{[]leases.Location{wrong}, tunnel.ErrNotSent},
		{[]leases.Location{old, wrong}, tunnel.ErrNotSent},
		{[]leases.Location{gone}, tunnel.ErrNotSent},
		{nil, leases.ErrNowhere},
	} {
		b.put(c.at...)
		text, err := ask(t, b.meet(t, "a", 0, nil), strings.NewReader("body")) // one that remembers nothing
		if !errors.Is(err, c.want) || err == nil && text != "body" {
			t.Errorf("%v: %q %v, want %v", c.at, text, err, c.want)
		}
	}
}

// Where a terminal was found is remembered, and looked up again where it is wrong, or where a body could not be sent twice.
func TestPlacesAreRemembered(t *testing.T) {
	b := &book{}
	a := b.meet(t, "a", 0, nil)
	b.meet(t, "b", 7, echo)
	c := b.meet(t, "c", 0, echo)
	first, second := leases.Location{Terminal: "m", Run: "b", Number: 7}, leases.Location{Terminal: "m", Run: "c", Number: 8}
	b.put(first)
	if text, err := ask(t, a, strings.NewReader("1")); err != nil || text != "1" {
		t.Fatal(text, err)
	}
	b.put()
	if text, err := ask(t, a, strings.NewReader("2")); err != nil || text != "2" {
		t.Fatal("it was looked up again at once:", text, err)
	}
	b.put(second)
	b.change("b", leases.Hub{})
	c.number = 8
	if text, err := ask(t, a, io.MultiReader(strings.NewReader("3"))); err != nil || text != "3" {
		t.Error("a body that comes once was sent where the terminal was before:", text, err)
	}
}

// Nothing is said to be unsent that may have been sent.
func TestBrokenIsNotAbsent(t *testing.T) {
	b := &book{}
	a := b.meet(t, "a", 0, nil)
	cause := errors.New("cut")
	b.meet(t, "b", 1, func(*http.Request) (*http.Response, error) { return nil, cause })
	b.put(leases.Location{Terminal: "m", Run: "b", Number: 1})
	if _, err := ask(t, a, nil); err == nil || errors.Is(err, tunnel.ErrNotSent) {
		t.Error(err)
	}
	cause = tunnel.ErrNotSent
	if _, err := ask(t, a, nil); !errors.Is(err, tunnel.ErrNotSent) {
		t.Error(err)
	}
}

// Whoever has no lease is not listened to, and whoever answers with another key than the lease's is told nothing.
func TestStrangers(t *testing.T) {
	b := &book{}
	a, at := b.meet(t, "a", 0, nil), leases.Location{Terminal: "m", Run: "b", Number: 1}
	b.meet(t, "b", 1, echo)
	b.put(at)
	known := b.change("a", leases.Hub{})
	if _, err := ask(t, a, nil); !errors.Is(err, tunnel.ErrNotSent) {
		t.Error("a stranger is answered:", err)
	}
	b.change("a", known)
	other := b.change("b", known)
	b.change("b", leases.Hub{Run: "b", Address: other.Address, KeyHash: known.KeyHash})
	if _, err := ask(t, a, nil); !errors.Is(err, tunnel.ErrNotSent) {
		t.Error("a stranger is asked:", err)
	}
	b.change("b", other)
	if text, err := ask(t, a, strings.NewReader("x")); err != nil || text != "x" {
		t.Error(text, err)
	}
}

// More requests may be held than fit on a connection, and a hub that stops lets go of all.
func TestManyHeld(t *testing.T) {
	b := &book{}
	a := b.meet(t, "a", 0, nil)
	const many = 200
	came := make(chan struct{}, many)
	b.meet(t, "b", 1, func(r *http.Request) (*http.Response, error) {
		came <- struct{}{}
		<-r.Context().Done()
		return nil, r.Context().Err()
	})
	b.put(leases.Location{Terminal: "m", Run: "b", Number: 1})
	ended := make(chan error, many)
	for range many {
		go func() {
			_, err := ask(t, a, nil)
			ended <- err
		}()
	}
	for range many {
		waittest.Receive(t, "a request at the terminal", came)
	}
	a.Close()
	for range many {
		if err := waittest.Receive(t, "its end", ended); err == nil || errors.Is(err, tunnel.ErrNotSent) {
			t.Error(err)
		}
	}
}
