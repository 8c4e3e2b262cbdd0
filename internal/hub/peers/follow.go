package peers

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// Fleet tells what others have changed; a *fleet.Desk does.
type Fleet interface {
	LastChange(ctx context.Context) (int64, error)
	News(ctx context.Context, after int64) ([]fleet.Change, error)
	Forget(id string)
	Admit(ctx context.Context, terminal string) (fleet.Terminal, error)
	SeenAfter(ctx context.Context, at time.Time) ([]string, time.Time, error)
}

// Places tell which terminals hang elsewhere; a *leases.Desk does.
type Places interface {
	Elsewhere(ctx context.Context) (map[string]time.Time, error)
}

// Shown is where terminals are shown and dropped; a *links.Board does both.
type Shown interface {
	Drop(terminal string)
	Changed(terminal string)
	Elsewhere(all map[string]time.Time)
	SeenElsewhere(terminals []string)
}

// Follower has a hub know what the others have done: what they revoked works nowhere after a second, and where terminals hang is shown. It
// asks the database again and again: not everything that speaks PostgreSQL has a way to be told.
type Follower struct {
	Fleet  Fleet
	Places Places
	Board  Shown
	Failed func(error)

	change atomic.Int64 // the newest that is known
	seen   time.Time
}

const (
	changesEach = 400 * time.Millisecond
	placesEach  = 5 // times that
)

// Known is the number of the newest change of others that this hub knows.
func (f *Follower) Known() int64 { return f.change.Load() }

// Follow looks until the context ends.
func (f *Follower) Follow(ctx context.Context) {
	ticks := time.NewTicker(changesEach)
	defer ticks.Stop()
	f.change.Store(-1)
	f.seen = time.Now()
	for n := 0; ; n++ {
		err := f.learn(ctx)
		if err == nil && n%placesEach == 0 {
			err = f.show(ctx)
		}
		if err != nil && ctx.Err() == nil {
			f.Failed(err)
		}
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return
		}
	}
}

// lookWithin is how long the database may take to tell.
const lookWithin = 5 * time.Second

// learn takes over what others have changed. Before the first look nothing is remembered.
func (f *Follower) learn(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	if f.change.Load() < 0 {
		last, err := f.Fleet.LastChange(ctx)
		if err == nil {
			f.change.Store(last)
		}
		return err
	}
	news, err := f.Fleet.News(ctx, f.change.Load())
	if err != nil {
		return err
	}
	for _, c := range news {
		f.Fleet.Forget(c.Target)
		switch _, err := f.Fleet.Admit(ctx, c.Target); {
		case errors.Is(err, fleet.ErrRevoked):
			f.Board.Drop(c.Target)
			f.Board.Changed(c.Target)
		case err == nil:
			f.Board.Changed(c.Target)
		case !errors.Is(err, fleet.ErrNotFound): // it is no terminal
			return err
		}
		f.change.Store(c.Number)
	}
	return nil
}

// show puts terminals that hang elsewhere on the board.
func (f *Follower) show(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	all, err := f.Places.Elsewhere(ctx)
	if err != nil {
		return err
	}
	f.Board.Elsewhere(all)
	seen, latest, err := f.Fleet.SeenAfter(ctx, f.seen)
	if err != nil {
		return err
	}
	f.seen = latest
	f.Board.SeenElsewhere(seen)
	return nil
}
