package leases_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/hub/leases"
)

var errAway = errors.New("away")

// book is one in memory, with the clock of the test.
type book struct {
	mu        sync.Mutex
	away      bool
	draws     int
	last      int64
	hubs      map[string]time.Time // by run, until when
	locations map[string]leases.Location
}

func newBook() *book {
	return &book{hubs: map[string]time.Time{}, locations: map[string]leases.Location{}}
}

// open locks the book; what it returns is for the end.
func (b *book) open() (func(), error) {
	b.mu.Lock()
	if b.away {
		b.mu.Unlock()
		return nil, errAway
	}
	return b.mu.Unlock, nil
}

func (b *book) setAway(away bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.away = away
}

func (b *book) holds(run string) bool { return time.Now().Before(b.hubs[run]) }

func (b *book) Take(_ context.Context, h leases.Hub, lasts time.Duration) error {
	shut, err := b.open()
	if err != nil {
		return err
	}
	defer shut()
	b.hubs[h.Run] = time.Now().Add(lasts)
	return nil
}

func (b *book) Renew(_ context.Context, run string, lasts time.Duration) (mine []leases.Location, err error) {
	shut, err := b.open()
	if err != nil {
		return nil, err
	}
	defer shut()
	if !b.holds(run) {
		return nil, leases.ErrLost
	}
	b.hubs[run] = time.Now().Add(lasts)
	for _, l := range b.locations {
		if l.Run == run {
			mine = append(mine, l)
		}
	}
	return mine, nil
}

func (b *book) Leave(_ context.Context, run string) error {
	shut, err := b.open()
	if err != nil {
		return err
	}
	defer shut()
	delete(b.hubs, run)
	return nil
}

func (b *book) Draw(context.Context) (int64, error) {
	time.Sleep(time.Millisecond) // as a database takes
	shut, err := b.open()
	if err != nil {
		return 0, err
	}
	defer shut()
	b.draws++
	b.last++
	return b.last, nil
}

func (b *book) Claim(_ context.Context, l leases.Location) error {
	shut, err := b.open()
	if err != nil {
		return err
	}
	defer shut()
	switch {
	case !b.holds(l.Run):
		return leases.ErrLost
	case b.locations[l.Terminal].Number >= l.Number:
		return leases.ErrSuperseded
	}
	b.locations[l.Terminal] = l
	return nil
}

func (b *book) Release(_ context.Context, all []leases.Location) error {
	shut, err := b.open()
	if err != nil {
		return err
	}
	defer shut()
	for _, l := range all {
		if b.locations[l.Terminal] == l {
			b.locations[l.Terminal] = leases.Location{Terminal: l.Terminal, Number: l.Number}
		}
	}
	return nil
}

func (b *book) Locate(_ context.Context, terminal string) (leases.Location, leases.Hub, error) {
	shut, err := b.open()
	if err != nil {
		return leases.Location{}, leases.Hub{}, err
	}
	defer shut()
	l := b.locations[terminal]
	if l.Run == "" || !b.holds(l.Run) {
		return l, leases.Hub{}, leases.ErrNowhere
	}
	return l, leases.Hub{Run: l.Run}, nil
}

func (b *book) Elsewhere(context.Context, string) (map[string]time.Time, error) { return nil, nil }

func (b *book) Known(context.Context, []byte) error { return nil }

// hub is a desk that keeps its lease until the test ends.
func hub(t *testing.T, b *book) *leases.Desk {
	t.Helper()
	d := leases.NewDesk(b, leases.Hub{Identity: "hub"}, leases.Timing{}, func(error) {})
	if err := d.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	go d.Keep(t.Context())
	return d
}

// connection is one of a terminal: when it was closed, or zero.
type connection struct {
	mu     sync.Mutex
	closed time.Time
}

func (c *connection) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = time.Now()
}

func (c *connection) closedAt() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

func claim(t *testing.T, d *leases.Desk, terminal string) (*connection, int64) {
	t.Helper()
	number, err := d.Draw(t.Context())
	c := &connection{}
	if err == nil {
		err = d.Claim(t.Context(), terminal, number, c.close)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c, number
}

// A hub that is cut off from the book closes its connections before others may take its lease for over, and comes back as another run.
func TestCutOffFromTheBook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBook()
		d := hub(t, b)
		c, number := claim(t, d, "m")
		time.Sleep(time.Minute)
		run := d.Run()
		at := leases.Location{Terminal: "m", Run: run, Number: number}
		if run == "" || !c.closedAt().IsZero() || !d.Holds(at) || d.Holds(leases.Location{Terminal: "m", Run: run, Number: number - 1}) {
			t.Fatal("a lease that is renewed does not hold")
		}
		b.setAway(true)
		over := b.hubs[run]
		time.Sleep(time.Until(over))
		if closed := c.closedAt(); closed.IsZero() || over.Sub(closed) < 2*time.Second || d.Run() != "" || d.Holds(at) {
			t.Errorf("closed %v before the lease was over", over.Sub(c.closedAt()))
		}
		if err := d.Claim(t.Context(), "m", number+1, func() {}); !errors.Is(err, leases.ErrLost) {
			t.Error(err)
		}
		b.setAway(false)
		time.Sleep(5 * time.Second)
		if again := d.Run(); again == "" || again == run || d.Holds(at) {
			t.Errorf("the run after %q is %q", run, again)
		}
		claim(t, d, "m")
	})
}

// A process that was stopped must not use a connection before its clock has rung, either.
func TestStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBook()
		d := leases.NewDesk(b, leases.Hub{}, leases.Timing{}, func(error) {})
		if err := d.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, number := claim(t, d, "m")
		at := leases.Location{Terminal: "m", Run: d.Run(), Number: number}
		time.Sleep(12*time.Second - 2*time.Millisecond)
		if left := d.Left(); !d.Holds(at) || left <= 0 || left > 2*time.Millisecond {
			t.Error("over too soon", left)
		}
		time.Sleep(2 * time.Millisecond)
		if _, _, err := b.Locate(t.Context(), "m"); d.Holds(at) || d.Run() != "" || d.Left() != 0 || err != nil {
			t.Error("it holds as long as others believe it does", err)
		}
		if number, err := d.Draw(t.Context()); err != nil || !errors.Is(d.Claim(t.Context(), "n", number, func() {}), leases.ErrLost) {
			t.Error("a terminal is taken on without a lease", err)
		}
	})
}

// A terminal changes hubs: the newer connection counts, whoever is slow to write it down, and the hub of the older one lets go.
func TestTheNewestConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBook()
		one, other := hub(t, b), hub(t, b)
		first, _ := claim(t, one, "m")
		silent, _ := claim(t, one, "n")
		slow, err := one.Draw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		second, newest := claim(t, other, "m")
		claim(t, other, "n")
		if err := one.Claim(t.Context(), "m", slow, func() {}); !errors.Is(err, leases.ErrSuperseded) {
			t.Error("an older connection took the terminal back:", err)
		}
		time.Sleep(4 * time.Second)
		if at, _, err := one.Locate(t.Context(), "m"); err != nil || at.Run != other.Run() || at.Number != newest {
			t.Error(at, err)
		}
		if first.closedAt().IsZero() || silent.closedAt().IsZero() || !second.closedAt().IsZero() {
			t.Error("the hub of the older connection holds on to it, or that of the newer does not")
		}
	})
}

// What is over is released, also where it could not be written when it was.
func TestReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBook()
		d := hub(t, b)
		for _, away := range []bool{false, true} {
			_, number := claim(t, d, "m")
			b.setAway(away)
			d.Release("m", number)
			time.Sleep(time.Second)
			b.setAway(false)
			time.Sleep(4 * time.Second)
			if _, _, err := d.Locate(t.Context(), "m"); !errors.Is(err, leases.ErrNowhere) {
				t.Error(away, err)
			}
		}
		if err := d.Close(t.Context()); err != nil || d.Run() != "" {
			t.Error(err, d.Run())
		}
	})
}

// Those who come while a number is drawn share the next one, which was drawn after they came.
func TestDraws(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBook()
		d := hub(t, b)
		var all [100]int64
		var work sync.WaitGroup
		for i := range all {
			work.Go(func() { all[i], _ = d.Draw(t.Context()) })
		}
		work.Wait()
		slices.Sort(all[:])
		if b.draws > 2 || all[0] < 1 {
			t.Error(b.draws, all)
		}
		if later, err := d.Draw(t.Context()); err != nil || later <= all[99] {
			t.Error(later, err)
		}
		b.setAway(true)
		if _, err := d.Draw(t.Context()); !errors.Is(err, errAway) {
			t.Error(err)
		}
	})
}
