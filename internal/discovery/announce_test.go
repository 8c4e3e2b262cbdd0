package discovery

import (
	"context"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/waittest"
)

func TestMain(m *testing.M) {
	lookEvery = 100 * time.Millisecond
	goleak.VerifyTestMain(m)
}

// network skips where this machine has none to be found in.
func network(t *testing.T) {
	t.Helper()
	all, err := links(netip.Addr{})
	if err != nil || len(all) == 0 {
		t.Skipf("no network that carries multicast here: %v, %v", all, err)
	}
}

// crier is a terminal that is announced.
type crier struct {
	*Announcer
	mu       sync.Mutex
	terminal Terminal
	names    chan string // as they are announced
	failures chan error
}

func announce(t *testing.T, terminal Terminal) *crier {
	t.Helper()
	c := &crier{terminal: terminal, names: make(chan string, 100), failures: make(chan error, 100)}
	c.Announcer = Announce(Options{
		Describe:  c.describe,
		Announced: func(name string, _ []netip.Addr) { c.names <- name },
		Failed:    func(err error) { c.failures <- err },
	})
	t.Cleanup(c.Close)
	return c
}

func (c *crier) describe() Terminal {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.terminal
}

// announced waits for the next name.
func (c *crier) announced(t *testing.T) string {
	t.Helper()
	select {
	case name := <-c.names:
		return name
	case err := <-c.failures:
		t.Skipf("multicast does not work here: %v", err)
	case <-time.After(waittest.Limit):
		t.Fatal("never announced")
	}
	return ""
}

// find asks until the terminals of a test are as wanted: packets get lost, and machines are slow.
func find(t *testing.T, prefix string, want func([]Terminal) bool) (found []Terminal) {
	t.Helper()
	for deadline := time.Now().Add(waittest.Limit); time.Now().Before(deadline); {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		all, err := Find(ctx)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		found = slices.DeleteFunc(all, func(x Terminal) bool { return !strings.HasPrefix(x.Name, prefix) })
		if want(found) {
			return found
		}
	}
	t.Fatalf("what is found is not what there is: %+v", found)
	return nil
}

// name is one that no other machine of the network has, nor an earlier run.
func name(t *testing.T) string {
	return label(t.Name()+" "+strings.TrimSuffix(strings.TrimPrefix(hostName(), "maquininha-"), domain)+string(rune('a'+os.Getpid()%26)), 1)
}

func TestAnnouncedTerminalIsFoundUntilItLeaves(t *testing.T) {
	network(t)
	mine := name(t)
	c := announce(t, Terminal{Name: mine, Version: "1.2.3", Mode: "emulator", Port: 9050, SecurePort: 9052, Fingerprint: sum, Pin: "sha256//x="})
	if got := c.announced(t); got != mine {
		t.Errorf("announced as %q", got)
	}
	found := find(t, mine, func(all []Terminal) bool { return len(all) == 1 })[0]
	if found.Version != "1.2.3" || found.Mode != "emulator" || found.Port != 9050 || found.SecurePort != 9052 || found.Fingerprint != sum || found.Pin != "sha256//x=" {
		t.Errorf("found %+v", found)
	}
	c.mu.Lock()
	c.terminal.Fingerprint = strings.Repeat("0", 64) // its certificate was renewed
	c.mu.Unlock()
	find(t, mine, func(all []Terminal) bool { return len(all) == 1 && all[0].Fingerprint == strings.Repeat("0", 64) })

	goodbye := overhear(t, strings.ToLower(mine))
	c.Close()
	goodbye()
	find(t, mine, func(all []Terminal) bool { return len(all) == 0 })
}

// overhear listens with everybody else until somebody says goodbye.
func overhear(t *testing.T, who string) (wait func()) {
	t.Helper()
	all, err := links(netip.Addr{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := join()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.follow(all); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Limit)
	packets := make(chan packet)
	var listening sync.WaitGroup
	listening.Go(func() { c.listen(ctx, packets) })
	t.Cleanup(func() { cancel(); c.Close(); listening.Wait() })
	return func() {
		t.Helper()
		for {
			select {
			case p := <-packets:
				if h, ok := readAnswer(p.bytes); ok && slices.Contains(h.gone, who+"."+serviceOf) {
					return
				}
			case <-ctx.Done():
				t.Fatal("it left without a goodbye")
			}
		}
	}
}

// Machines made from one image are all called the same; none may hide another.
func TestTwoOfOneNameAreBothFound(t *testing.T) {
	network(t)
	mine := name(t)
	first := announce(t, Terminal{Name: mine, Port: 1001})
	first.announced(t)
	announce(t, Terminal{Name: mine, Port: 1002}).announced(t)
	// Both may have taken it, when the first is late to object: then one yields.
	found := find(t, mine, func(all []Terminal) bool { return len(all) == 2 && all[0].Name != all[1].Name })
	if found[0].Port+found[1].Port != 2003 {
		t.Errorf("found %+v", found)
	}
}

func TestTwoThatStartTogetherAreBothFound(t *testing.T) {
	network(t)
	mine := name(t)
	announce(t, Terminal{Name: mine, Port: 1001})
	announce(t, Terminal{Name: mine, Port: 1002})
	find(t, mine, func(all []Terminal) bool { return len(all) == 2 && all[0].Name != all[1].Name })
}

// Where it can't be announced, that is said once, and tried again until it can.
func TestAnnouncingIsTriedAgain(t *testing.T) {
	network(t)
	plug, err := net.ListenPacket("udp4", ":5353")
	if err != nil {
		t.Skipf("the port is somebody's already: %v", err)
	}
	c := announce(t, Terminal{Name: name(t), Port: 1})
	select {
	case err := <-c.failures:
		if !strings.Contains(err.Error(), "5353") {
			t.Errorf("it failed with %v", err)
		}
	case got := <-c.names:
		t.Fatalf("announced as %s on a port it does not have", got)
	case <-time.After(waittest.Limit):
		t.Fatal("it says nothing")
	}
	plug.Close()
	select {
	case <-c.names:
	case err := <-c.failures:
		t.Errorf("said again: %v", err)
	case <-time.After(waittest.Limit):
		t.Fatal("never announced")
	}
}

// An address that this machine does not have is announced nowhere, and waited for.
func TestNothingIsAnnouncedWithoutItsAddress(t *testing.T) {
	a := Announce(Options{
		Only:     netip.MustParseAddr("203.0.113.77"),
		Describe: func() Terminal { return Terminal{Name: "x", Port: 1} },
		Announced: func(name string, at []netip.Addr) {
			t.Errorf("announced as %s at %v", name, at)
		},
		Failed: func(err error) { t.Log(err) },
	})
	time.Sleep(3 * lookEvery) // nothing tells that nothing happens
	a.Close()
}
