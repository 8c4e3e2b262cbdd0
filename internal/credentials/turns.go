package credentials

import (
	"context"
	"net/netip"
	"slices"
	"sync"
)

// Origin is who an address counts as: itself, or for IPv6 its network of 2⁶⁴, of which one machine may use all.
// What is no address counts as it is written.
func Origin(address string) string {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return address
	}
	ip := at.Addr().Unmap().WithZone("")
	if ip.Is6() {
		network, _ := ip.Prefix(64) // 64 bits fit
		return network.String()
	}
	return ip.String()
}

// Turnstile lets one through at a time. Origins take turns, so that a thousand who wait at one hold up another only
// by one turn; within an origin the first comes first. The zero value is free.
type Turnstile struct {
	mu      sync.Mutex
	taken   bool
	waiting map[string][]chan struct{}
	round   []string // those of the origins that wait, next first
}

// Enter waits for a turn; false means that the context ended first.
func (t *Turnstile) Enter(ctx context.Context, origin string) bool {
	t.mu.Lock()
	if !t.taken {
		t.taken = true
		t.mu.Unlock()
		return true
	}
	turn := make(chan struct{})
	if t.waiting == nil {
		t.waiting = map[string][]chan struct{}{}
	}
	if len(t.waiting[origin]) == 0 {
		t.round = append(t.round, origin)
	}
	t.waiting[origin] = append(t.waiting[origin], turn)
	t.mu.Unlock()
	select {
	case <-turn:
		return true
	case <-ctx.Done():
	}
	if !t.withdraw(origin, turn) {
		t.Leave() // the turn had come already: it goes to the next
	}
	return false
}

// withdraw takes one who waits out of the line; false means that it has its turn.
func (t *Turnstile) withdraw(origin string, turn chan struct{}) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	line := t.waiting[origin]
	at := slices.Index(line, turn)
	if at < 0 {
		return false
	}
	if line = slices.Delete(line, at, at+1); len(line) > 0 {
		t.waiting[origin] = line
		return true
	}
	delete(t.waiting, origin)
	t.round = slices.DeleteFunc(t.round, func(o string) bool { return o == origin })
	return true
}

// Leave gives the turn to the next origin.
func (t *Turnstile) Leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.round) == 0 {
		t.taken = false
		return
	}
	origin := t.round[0]
	t.round = t.round[1:]
	line := t.waiting[origin]
	if len(line) > 1 {
		t.waiting[origin] = line[1:]
		t.round = append(t.round, origin)
	} else {
		delete(t.waiting, origin)
	}
	close(line[0])
}

// wrongs remembers the last pairs that were wrong: a caller that goes on with an old password pays for it once.
type wrongs struct {
	mu   sync.Mutex
	kept map[digest]struct{}
	ring [256]digest
	next int
}

func (w *wrongs) has(d digest) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, is := w.kept[d]
	return is
}

func (w *wrongs) add(d digest) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.kept == nil {
		w.kept = map[digest]struct{}{}
	}
	delete(w.kept, w.ring[w.next])
	w.ring[w.next] = d
	w.kept[d] = struct{}{}
	w.next = (w.next + 1) % len(w.ring)
}
