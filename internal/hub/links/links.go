// Package links knows which terminals are connected to this hub, over which connection, and how they are.
//
// Invariants: a terminal has one link at most, the newest; one that was dropped is closed before Drop returns; whoever watches
// sees each change, or a later one of the same terminal.
package links

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/bell"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// Link is a connection that a terminal dialled; requests go out on it.
type Link interface {
	http.RoundTripper
	Terminal() string
	Version() string
	OnNews(look func() error) // as at tunnel.Conn
	Context() context.Context // ends with the connection
	Close() error
}

// Numbered is a link where several hubs share a database: of two of a terminal, the one with the higher number is the newer.
type Numbered struct {
	Link
	Number int64
}

// Presence is how a terminal is, as far as this hub knows.
type Presence struct {
	Terminal string
	Online   bool
	Since    time.Time // when it came, or went
	Version  string
	State    tunnel.State  // as it told last
	ToldAt   time.Time     // when, by the hub's clock; zero: it told nothing yet
	ClockOff time.Duration // how far its clock was ahead of the hub's then
	Caught   time.Time     // up to then its records are all here; zero: nobody knows
	Serial   uint64        // of its newest change
}

// Attendant looks after a link.
type Attendant interface {
	// Look is called when the terminal has news, one call at a time; after an error it is called again. It ends when the link does.
	Look() error
	// Leave is called once the link is over.
	Leave()
}

// Board has the links. Its methods may be called from anywhere.
type Board struct {
	attend func(context.Context, *Board, Link) Attendant
	stop   context.CancelFunc
	ctx    context.Context
	work   sync.WaitGroup

	mu      sync.Mutex
	entries map[string]*entry
	serial  uint64 // of the newest change
	changed bell.Bell
	closed  bool
}

type entry struct {
	Presence
	link      Link
	elsewhere bool // it hangs at another hub
}

// New returns a board without links. attend says who looks after a new one; what that one does ends when the link is over or the context
// is. nil: nobody does.
func New(attend func(context.Context, *Board, Link) Attendant) *Board {
	b := &Board{attend: attend, entries: map[string]*entry{}}
	if attend == nil {
		b.attend = func(context.Context, *Board, Link) Attendant { return nobody{} }
	}
	b.ctx, b.stop = context.WithCancel(context.Background())
	return b
}

type nobody struct{}

func (nobody) Look() error { return nil }
func (nobody) Leave()      {}

// Add takes a link on. An older one of the same terminal is closed: a terminal dials anew when it has given up the old one,
// which may look alive from here for some time.
func (b *Board) Add(link Link) {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		link.Close() //nolint:errcheck // nobody needs it any more
		return
	}
	e := b.entries[link.Terminal()]
	if e == nil {
		e = &entry{Presence: Presence{Terminal: link.Terminal()}}
		b.entries[link.Terminal()] = e
	}
	old := e.link
	e.link, e.elsewhere, e.Online, e.Since, e.Version = link, false, true, time.Now(), link.Version()
	b.tell(e)
	b.work.Add(1)
	b.mu.Unlock()
	if old != nil {
		old.Close() //nolint:errcheck // as above
	}
	by := b.attend(b.ctx, b, link)
	context.AfterFunc(link.Context(), func() { b.over(link, by) })
	link.OnNews(func() error { return b.look(by) })
}

// look has an attendant look, unless the board is closed: it waits for whoever looks.
func (b *Board) look(by Attendant) error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil
	}
	b.work.Add(1)
	b.mu.Unlock()
	defer b.work.Done()
	return by.Look()
}

// over lets go of a link that has ended.
func (b *Board) over(link Link, by Attendant) {
	defer b.work.Done()
	by.Leave()
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.entries[link.Terminal()]; e != nil && e.link == link {
		b.gone(e)
	}
}

func (b *Board) gone(e *entry) {
	e.link, e.Online, e.Since, e.State.Busy, e.State.Running = nil, false, time.Now(), false, ""
	b.tell(e)
}

// tell wakes who watches. The lock is held.
func (b *Board) tell(e *entry) {
	b.serial++
	e.Serial = b.serial
	b.changed.Ring()
}

// Find is the link of a terminal that is connected.
func (b *Board) Find(terminal string) (Link, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entries[terminal]
	if e == nil || e.link == nil {
		return nil, false
	}
	return e.link, e.link.Context().Err() == nil // one that is over may not have been let go of yet
}

// Route is the way to a terminal that is connected.
func (b *Board) Route(_ context.Context, terminal string) (http.RoundTripper, bool) {
	if link, is := b.Find(terminal); is {
		return link, true
	}
	return nil, false
}

// Drop ends the link of a terminal that may not connect any more, and forgets it.
func (b *Board) Drop(terminal string) {
	b.mu.Lock()
	e := b.entries[terminal]
	var link Link
	if e != nil && e.link != nil {
		link = e.link
		b.gone(e)
	}
	b.mu.Unlock()
	if link != nil {
		link.Close() //nolint:errcheck // it is over either way
	}
}

// Told keeps what a terminal says of itself.
func (b *Board) Told(link Link, state tunnel.State) {
	b.update(link, func(e *entry) {
		now := time.Now()
		e.State, e.ToldAt, e.ClockOff = state, now, state.Clock.Sub(now)
		if state.Version != "" {
			e.Version = state.Version
		}
	})
}

// CaughtUp notes that all records of a terminal up to a moment are here.
func (b *Board) CaughtUp(link Link, at time.Time) {
	b.update(link, func(e *entry) { e.Caught = at })
}

// Changed has watchers look at a terminal again: something else than its link is another, such as its name.
func (b *Board) Changed(terminal string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entries[terminal]
	if e == nil {
		e = &entry{Presence: Presence{Terminal: terminal}}
		b.entries[terminal] = e
	}
	b.tell(e)
}

// update changes what is known of a terminal, unless a newer link of it speaks now.
func (b *Board) update(link Link, change func(*entry)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.entries[link.Terminal()]; e != nil && e.link == link {
		change(e)
		b.tell(e)
	}
}

// Presence tells of one terminal. One that was never here since the hub started is not on-line, and that is all.
func (b *Board) Presence(terminal string) Presence {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.entries[terminal]; e != nil {
		return e.Presence
	}
	return Presence{Terminal: terminal}
}

// Online counts the links.
func (b *Board) Online() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, e := range b.entries {
		if e.link != nil {
			n++
		}
	}
	return n
}

// Serial is that of the newest change.
func (b *Board) Serial() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.serial
}

// Newest is the serial of the newest change of some terminals; 0: there was none.
func (b *Board) Newest(terminals []string) (serial uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, terminal := range terminals {
		if e := b.entries[terminal]; e != nil {
			serial = max(serial, e.Serial)
		}
	}
	return serial
}

// Next waits for changes after a serial, and returns who changed and the serial to ask for next. It is the context's error that ends
// the wait.
func (b *Board) Next(ctx context.Context, after uint64) ([]Presence, uint64, error) {
	for {
		b.mu.Lock()
		if b.serial > after {
			defer b.mu.Unlock()
			var changed []Presence
			for _, e := range b.entries {
				if e.Serial > after {
					changed = append(changed, e.Presence)
				}
			}
			return changed, b.serial, nil
		}
		woken := b.changed.Wait()
		b.mu.Unlock()
		select {
		case <-woken:
		case <-ctx.Done():
			return nil, after, ctx.Err()
		}
	}
}

// Close ends every link and returns when whoever attended them has ended too.
func (b *Board) Close() {
	b.mu.Lock()
	b.closed = true
	var open []Link
	for _, e := range b.entries {
		if e.link != nil {
			open = append(open, e.link)
		}
	}
	b.mu.Unlock()
	b.stop()
	for _, link := range open {
		link.Close() //nolint:errcheck // it is over either way
	}
	b.work.Wait()
}
