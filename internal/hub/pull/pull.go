// Package pull reads the records of connected terminals into the hub's own: the ledger's history and the log, from where it
// stopped, page by page, and how each terminal is.
//
// Invariants: a page and its cursor are committed together, so that nothing is lost or doubled whatever dies; what a terminal
// says is bounded and checked before it is kept, since a stolen one may say anything; while the database is away the cursor
// stands, and everything is read later.
package pull

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/records"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// Records keep what is read. A batch that does not follow on the cursor changes nothing; Commit tells where the cursor is.
type Records interface {
	Resume(ctx context.Context, account, terminal, epoch string, origins []records.Origin) (map[records.Kind]records.Cursor, error)
	Claims(ctx context.Context, account, terminal, epoch string, origins []records.Origin) ([]records.Claim, error)
	Commit(ctx context.Context, b records.Batch) (records.Cursor, error)
}

// Fleet knows where terminals belong, and is told how they are.
type Fleet interface {
	Admit(ctx context.Context, terminal string) (fleet.Terminal, error)
	Seen(ctx context.Context, sightings ...fleet.Sighting) error
}

// Config is what a puller stands on, and how patient it is. Zero durations are the product's own.
type Config struct {
	Records Records
	Fleet   Fleet
	Failed  func(terminal string, err error) // told of each failure; nil: nobody is
	Kept    func(kind records.Kind, n int)   // told of records that were committed; nil: nobody is

	LookEach   time.Duration // positions are read no faster than this: a terminal of ours has news less often
	RecordEach time.Duration // records are read no faster than this, beyond RecordRoom of them
	RecordRoom int
	LogPause   time.Duration // entries of the log are read together for so long
	Retry      time.Duration // after the first failure; it doubles up to RetryMost
	RetryMost  time.Duration
	PageWait   time.Duration // for one page
	SeenEach   time.Duration // how often it is written down how terminals are
}

// Puller reads from all terminals. Its methods may be called from anywhere.
type Puller struct {
	Config
	pages   chan struct{} // as many as may be in memory at once
	paces   paces
	commits chan struct{} // as many as may commit at once
}

// New returns a puller.
func New(c Config) *Puller {
	c.LookEach = cmp.Or(c.LookEach, 100*time.Millisecond)
	c.RecordEach = cmp.Or(c.RecordEach, time.Millisecond)
	c.RecordRoom = cmp.Or(c.RecordRoom, 20_000)
	c.LogPause = cmp.Or(c.LogPause, 500*time.Millisecond)
	c.Retry = cmp.Or(c.Retry, time.Second)
	c.RetryMost = cmp.Or(c.RetryMost, 30*time.Second)
	c.PageWait = cmp.Or(c.PageWait, time.Minute)
	c.SeenEach = cmp.Or(c.SeenEach, 2*time.Second)
	if c.Failed == nil {
		c.Failed = func(string, error) {}
	}
	if c.Kept == nil {
		c.Kept = func(records.Kind, int) {}
	}
	const pages, together = 128, 16 // a page that comes over a slow line holds up others only when there are very many of them
	return &Puller{Config: c, pages: make(chan struct{}, pages), commits: make(chan struct{}, together)}
}

var (
	errNoFeed     = errors.New("the terminal has no records to read")
	errOtherEpoch = errors.New("the terminal's data was replaced meanwhile")
	errStuck      = errors.New("the terminal shows nothing of what it says there is")
	errTooLong    = errors.New("the terminal sends more than is taken")
)

// Attend reads from a terminal as long as its link lasts.
func (p *Puller) Attend(ctx context.Context, b *links.Board, link links.Link) links.Attendant {
	return &follower{Puller: p, ctx: ctx, board: b, link: link, wait: p.Retry}
}

// follower reads from one terminal.
type follower struct {
	*Puller
	ctx      context.Context // the board's
	board    *links.Board
	link     links.Link
	place    fleet.Place   // it may be moved meanwhile: the records know
	clockOff time.Duration // of the last position
	epoch    string        // empty: nothing was read since the last failure
	origins  []records.Origin
	cursors  *cursors      // of the epoch
	rest     time.Duration // before the next page
	wait     time.Duration // after the next failure
}

// Look reads what is new. After a failure it begins anew, with where the terminal belongs and what was read of it.
func (f *follower) Look() error {
	err := f.look()
	switch {
	case f.over():
		return nil
	case err == nil:
		return nil
	}
	if !errors.Is(err, tunnel.ErrNotSent) { // a terminal that stops takes no more requests, a little before its link ends
		f.Failed(f.link.Terminal(), err)
	}
	f.epoch = ""
	f.pause(f.wait/2 + rand.N(f.wait/2+1))
	f.wait = min(2*f.wait, f.RetryMost)
	return err
}

// Leave forgets what is not needed of a terminal that has gone.
func (f *follower) Leave() { f.paces.forget(f.link.Terminal(), f.RecordEach) }

func (f *follower) over() bool { return f.link.Context().Err() != nil || f.ctx.Err() != nil }

// pause lets time pass; false: there is nothing more to do.
func (f *follower) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-f.link.Context().Done():
	case <-f.ctx.Done():
	}
	return false
}

// cursors are no map: there is one for each terminal, and the map would be four times as large.
type cursors struct{ ledger, log records.Cursor }

func (c *cursors) of(kind records.Kind) *records.Cursor {
	if kind == records.Ledger {
		return &c.ledger
	}
	return &c.log
}

// look reads what is new, until the hub has all of it.
func (f *follower) look() error {
	if f.epoch == "" {
		t, err := f.Fleet.Admit(f.ctx, f.link.Terminal())
		if err != nil {
			return err
		}
		f.place = t.Place
	}
	for {
		at := time.Now()
		all, err := f.round()
		if err != nil {
			return err
		}
		if f.wait = f.Retry; all {
			f.board.CaughtUp(f.link, at)
			f.pause(f.LookEach - time.Since(at))
			return nil
		}
	}
}

// round asks for the position and reads what is behind it: the ledger, and a page of the log. A log of days takes minutes, and payments and
// how the terminal is must not wait for it. all tells that nothing is left.
func (f *follower) round() (all bool, err error) {
	pos, err := f.position(f.ctx)
	if err != nil {
		return false, err
	}
	state := cleanState(pos.State)
	f.board.Told(f.link, state)
	f.clockOff = clockOff(state.Clock, time.Now())
	if err := f.catchUp(f.ctx, pos); err != nil {
		return false, err
	}
	return f.cursors.log.Number >= pos.Log, nil
}

// clockTolerance is what a clock is not off by: a position may have waited for that long on its way.
const clockTolerance = time.Minute

// clockOff is how far a terminal's clock is ahead, by a position that came at a moment.
func clockOff(clock, at time.Time) time.Duration {
	if off := clock.Sub(at); !clock.IsZero() && off.Abs() >= clockTolerance {
		return off
	}
	return 0
}

// catchUp reads the ledger up to a position, and a page of the log, of which a few entries are read together with those that follow.
func (f *follower) catchUp(ctx context.Context, pos tunnel.Position) error {
	if pos.Epoch == "" || !printable(pos.Epoch) {
		return fmt.Errorf("%w: epoch", errBadPage)
	}
	if pos.Epoch != f.epoch {
		if err := f.resume(ctx, pos); err != nil {
			return err
		}
	}
	for f.cursors.ledger.Number < pos.Ledger {
		if err := f.read(ctx, records.Ledger); err != nil {
			return err
		}
	}
	left := pos.Log - f.cursors.log.Number
	if left <= 0 {
		return nil
	}
	if left < pageLimit && !f.pause(f.LogPause) {
		return io.EOF
	}
	return f.read(ctx, records.Log)
}

// resume finds where to read on. A terminal that has less than was read of it has older data and does not know; one that has as many
// payments' steps may have sold others since. Asked for what comes next, it begins a new epoch, before it writes other records under
// numbers that are known here.
func (f *follower) resume(ctx context.Context, pos tunnel.Position) error {
	f.origins = nil
	for _, o := range pos.Origins {
		f.origins = append(f.origins, records.Origin{Epoch: o.Epoch, Ledger: o.Ledger, Log: o.Log})
	}
	read, err := f.Records.Resume(ctx, f.place.Account, f.link.Terminal(), pos.Epoch, f.origins)
	if err == nil && read[records.Ledger].At.IsZero() {
		if err = f.prove(ctx, pos); err == nil {
			read, err = f.Records.Resume(ctx, f.place.Account, f.link.Terminal(), pos.Epoch, f.origins)
		}
	}
	if err != nil {
		return err
	}
	f.cursors = &cursors{read[records.Ledger], read[records.Log]}
	for kind, last := range map[records.Kind]int64{records.Ledger: pos.Ledger, records.Log: pos.Log} {
		if at := *f.cursors.of(kind); at.Number > last || kind == records.Ledger && at.Number == last && last > 0 {
			if _, err := f.page(ctx, at, 1); err != nil {
				return err
			}
		}
	}
	f.epoch = pos.Epoch
	return nil
}
