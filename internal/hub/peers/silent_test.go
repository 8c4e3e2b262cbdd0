package peers_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// network stands between two hubs. Cut, it loses whatever is sent and tells nobody: connections stay, and new ones are made to nowhere.
type network struct {
	mu     sync.Mutex
	whole  *sync.Cond
	cut    bool
	closed bool
	conns  []net.Conn
}

// between starts one before an address, and gives its own.
func between(t *testing.T, to string) (*network, string) {
	t.Helper()
	port, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &network{}
	n.whole = sync.NewCond(&n.mu)
	var work sync.WaitGroup
	work.Go(func() {
		for {
			near, err := port.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				near.Close()
				continue
			}
			if !n.keep(near, far) {
				return
			}
			work.Go(func() { n.carry(far, near) })
			work.Go(func() { n.carry(near, far) })
		}
	})
	t.Cleanup(func() {
		port.Close()
		n.end()
		work.Wait()
	})
	return n, port.Addr().String()
}

func (n *network) keep(conns ...net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.conns = append(n.conns, conns...); n.closed {
		for _, c := range conns {
			c.Close()
		}
	}
	return !n.closed
}

func (n *network) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	for _, c := range n.conns {
		c.Close()
	}
	n.whole.Broadcast()
}

// carry takes what comes from one side to the other. The end of a connection is lost, too, while the network is cut.
func (n *network) carry(to, from net.Conn) {
	piece := make([]byte, 16<<10)
	for {
		read, err := from.Read(piece)
		lost := n.lost(err != nil)
		if err != nil {
			to.Close()
			return
		}
		if !lost {
			to.Write(piece[:read]) //nolint:errcheck // the other side may be gone
		}
	}
}

// lost tells whether the network is cut; who has an end to tell waits until it is whole.
func (n *network) lost(ended bool) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for ended && n.cut && !n.closed {
		n.whole.Wait()
	}
	return n.cut
}

func (n *network) set(cut bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cut = cut
	n.whole.Broadcast()
}

// made is how many connections it was asked for.
func (n *network) made() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.conns) / 2
}

// before puts one before a hub, for all others.
func (b *book) before(t *testing.T, run string) *network {
	t.Helper()
	real := b.change(run, leases.Hub{})
	way, address := between(t, real.Address)
	b.change(run, leases.Hub{Run: run, Address: address, KeyHash: real.KeyHash})
	return way
}

// A hub that has lost its lease, or has had another since, asks on connections of now: those of before may have been given up by the other
// side while it stood still.
func TestConnectionsOfAnEarlierRun(t *testing.T) {
	t.Parallel()
	b := &book{}
	a := b.meet(t, "a", 0, nil)
	b.meet(t, "b", 1, echo)
	way := b.before(t, "b")
	b.put(leases.Location{Terminal: "m", Run: "b", Number: 1})
	for i, run := range []string{"a", "a", "", "", "a2", "a2"} {
		a.run = run
		if text, err := ask(t, a, strings.NewReader(run)); err != nil || text != run {
			t.Fatal(i, text, err)
		}
		if want := 1 + i/2; way.made() != want {
			t.Errorf("question %d, in run %q: %d connections, not %d", i+1, run, way.made(), want)
		}
	}
}

// Where the network between two hubs loses everything and says nothing of it, a request that is under way is broken, at both of them; one that
// comes meanwhile was not sent; and when the network is whole again, so are requests.
func TestSilentCutBetweenHubs(t *testing.T) {
	t.Parallel()
	b := &book{}
	a := b.meet(t, "a", 0, nil)
	came, ended := make(chan struct{}, 1), make(chan struct{}, 1)
	b.meet(t, "b", 1, func(r *http.Request) (*http.Response, error) {
		text, err := io.ReadAll(r.Body)
		if err != nil || string(text) != "held" {
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(text))), Request: r}, err
		}
		came <- struct{}{}
		<-r.Context().Done()
		ended <- struct{}{}
		return nil, r.Context().Err()
	})
	way := b.before(t, "b")
	b.put(leases.Location{Terminal: "m", Run: "b", Number: 1})
	if text, err := ask(t, a, strings.NewReader("1")); err != nil || text != "1" {
		t.Fatal(text, err)
	}
	held := make(chan error, 1)
	go func() {
		_, err := ask(t, a, strings.NewReader("held"))
		held <- err
	}()
	waittest.Receive(t, "the request at the terminal", came)
	way.set(true)
	if err := waittest.Receive(t, "its end", held); err == nil || errors.Is(err, tunnel.ErrNotSent) {
		t.Errorf("under way when it was cut: %v", err)
	}
	waittest.Receive(t, "its end at the other hub", ended)
	if text, err := ask(t, a, strings.NewReader("2")); !errors.Is(err, tunnel.ErrNotSent) {
		t.Errorf("while it is cut: %q %v", text, err)
	}
	way.set(false)
	waittest.Until(t, "it is whole again", func() bool {
		text, err := ask(t, a, strings.NewReader("3"))
		return err == nil && text == "3"
	})
}
