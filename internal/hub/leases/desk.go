package leases

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"time"
)

// Timing is how leases go. Zero is the product's own.
type Timing struct {
	Lasts  time.Duration // how long a lease holds for others, by the book's clock
	Renew  time.Duration // how often it is renewed
	Margin time.Duration // how much sooner it is over for the hub itself: links must be closed by then
}

func (t Timing) filled() Timing {
	return Timing{cmp.Or(t.Lasts, 15*time.Second), cmp.Or(t.Renew, 3*time.Second), cmp.Or(t.Margin, 3*time.Second)}
}

// Desk holds the lease of this hub, and the terminals that hang here. Its methods may be called from anywhere; Keep by one.
type Desk struct {
	book   Book
	self   Hub // without a run
	timing Timing
	failed func(error)

	numbers *draws
	gone    chan struct{} // full while there are terminals to release

	mu       sync.Mutex
	run      string // of the lease; empty: there is none
	until    time.Time
	held     map[string]held
	released []Location // to be written down
	closed   bool
}

// held is a terminal's connection here.
type held struct {
	number  int64
	drop    func() // closes it
	written bool   // the book has it
}

// NewDesk is the desk of a hub. failed is told of each renewal that did not succeed.
func NewDesk(b Book, self Hub, t Timing, failed func(error)) *Desk {
	return &Desk{book: b, self: self, timing: t.filled(), failed: failed, numbers: newDraws(b.Draw), gone: make(chan struct{}, 1), held: map[string]held{}}
}

// Take takes a lease. The hub has none, or a lost one.
func (d *Desk) Take(ctx context.Context) error {
	hub := d.self
	hub.Run = rand.Text()
	sent := time.Now() // the book's clock runs from later on
	if err := d.book.Take(ctx, hub, d.timing.Lasts); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.run, d.until = hub.Run, sent.Add(d.timing.Lasts-d.timing.Margin)
	return nil
}

// Run is that of the lease that holds; empty: none does.
func (d *Desk) Run() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.holding()
}

// holding is the run of the lease that holds. The lock is held.
func (d *Desk) holding() string {
	if !time.Now().Before(d.until) { // a process that was stopped may come here before the clock of Keep has rung
		return ""
	}
	return d.run
}

// Left is for how long the lease still holds; 0: it is lost.
func (d *Desk) Left() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.run == "" {
		return 0
	}
	return max(0, time.Until(d.until))
}

// Draw is the number of a connection that a terminal begins.
func (d *Desk) Draw(ctx context.Context) (int64, error) { return d.numbers.take(ctx) }

// Claim takes a terminal on, whose connection has a number that was drawn before the terminal proved itself. drop closes the connection; it
// is called when the terminal turns out to hang elsewhere, or the lease is lost.
func (d *Desk) Claim(ctx context.Context, terminal string, number int64, drop func()) error {
	d.mu.Lock()
	run := d.holding()
	if run == "" || d.closed {
		d.mu.Unlock()
		return ErrLost
	}
	before := d.held[terminal]
	if before.number >= number {
		d.mu.Unlock()
		return ErrSuperseded
	}
	d.held[terminal] = held{number: number, drop: drop} // before it is written: what is written and not held is released
	d.mu.Unlock()
	err := d.book.Claim(ctx, Location{terminal, run, number})
	if err == nil && !d.markWritten(run, terminal, number) {
		err = ErrLost
	}
	if err != nil {
		d.Release(terminal, number) // it may have been written all the same
		if before.drop != nil {
			before.drop() // the terminal has given it up, and nobody looks after it any more
		}
	}
	return err
}

// markWritten notes that the book has a connection; false: it counts no more.
func (d *Desk) markWritten(run, terminal string, number int64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	h, is := d.held[terminal]
	if !is || h.number != number || d.holding() != run {
		return false
	}
	h.written = true
	d.held[terminal] = h
	return true
}

// Release notes that a terminal's connection is over. It is written down soon; until then others ask here in vain.
func (d *Desk) Release(terminal string, number int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if h, is := d.held[terminal]; !is || h.number != number {
		return // a newer connection of it came here
	}
	delete(d.held, terminal)
	d.release(Location{terminal, d.run, number})
}

// release has what is over written down. The lock is held.
func (d *Desk) release(over ...Location) {
	d.released = append(d.released, over...)
	select {
	case d.gone <- struct{}{}:
	default:
	}
}

// Holds tells whether a terminal hangs here, on the connection that others know of.
func (d *Desk) Holds(l Location) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	h, is := d.held[l.Terminal]
	return is && h.number == l.Number && l.Run != "" && l.Run == d.holding()
}

// Locate is where a terminal hangs. ErrNowhere: nowhere, as far as anybody knows.
func (d *Desk) Locate(ctx context.Context, terminal string) (Location, Hub, error) {
	return d.book.Locate(ctx, terminal)
}

// Elsewhere are the terminals that hang at other hubs, and since when.
func (d *Desk) Elsewhere(ctx context.Context) (map[string]time.Time, error) {
	return d.book.Elsewhere(ctx, d.Run())
}

// Known tells whether a hub that runs has this key.
func (d *Desk) Known(ctx context.Context, keyHash []byte) error { return d.book.Known(ctx, keyHash) }

// Keep renews the lease until the context ends. One that is lost has all connections closed, and another taken.
func (d *Desk) Keep(ctx context.Context) {
	renew := time.NewTicker(d.timing.Renew)
	defer renew.Stop()
	for {
		over := time.NewTimer(time.Until(d.end()))
		select {
		case <-ctx.Done():
		case <-over.C:
			d.dropAll()
			d.again(ctx)
		case <-renew.C:
			d.renew(ctx)
		case <-d.gone:
			d.writeReleased(ctx)
		}
		over.Stop()
		if ctx.Err() != nil {
			return
		}
	}
}

// end is when the lease ends for this hub.
func (d *Desk) end() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.until
}

// renew renews the lease, and lets go of what hangs elsewhere by now. It gives up when the lease ends.
func (d *Desk) renew(ctx context.Context) {
	d.mu.Lock()
	run, until := d.holding(), d.until
	before := make(map[string]held, len(d.held))
	for terminal, h := range d.held {
		if h.written {
			before[terminal] = h
		}
	}
	d.mu.Unlock()
	if run == "" {
		return // Keep's own clock is about to ring
	}
	trying, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	sent := time.Now()
	mine, err := d.book.Renew(trying, run, d.timing.Lasts)
	switch {
	case errors.Is(err, ErrLost):
		d.failed(err)
		d.mu.Lock()
		d.until = time.Now()
		d.mu.Unlock()
	case err != nil:
		if ctx.Err() == nil {
			d.failed(err)
		}
	default:
		d.mu.Lock()
		d.until = sent.Add(d.timing.Lasts - d.timing.Margin)
		d.mu.Unlock()
		d.compare(before, mine)
	}
}
