// Package leases knows which hubs share a database, and at which of them each terminal hangs.
//
// A hub holds a lease, which it renews. Invariants: a hub uses its links only while its lease holds by its own clock, and that ends before
// others may take the lease for over; of two connections of a terminal the one that was begun later is where it hangs, whoever is slow; a
// hub that still believes it has a terminal is told at the next renewal.
package leases

import (
	"context"
	"errors"
	"time"
)

var (
	// ErrLost means that a lease is over: what was written under it counts no more, and another one must be taken.
	ErrLost = errors.New("the lease of this hub is over")
	// ErrSuperseded means that a terminal has begun a newer connection elsewhere.
	ErrSuperseded = errors.New("the terminal hangs elsewhere by now")
	// ErrNowhere means that a terminal hangs at no hub that runs.
	ErrNowhere = errors.New("the terminal hangs nowhere")
	// ErrOtherIdentity means that hubs run at this database that terminals know by another key.
	ErrOtherIdentity = errors.New("the hubs at this database have another key")
	// ErrAlone means that a hub runs at this database that takes itself for the only one, or that this one would beside others.
	ErrAlone = errors.New("a hub at this database takes itself for the only one")
	// ErrStranger means that no hub that runs has this key.
	ErrStranger = errors.New("no hub of this database has this key")
)

// Hub is one that runs.
type Hub struct {
	Run      string // of its lease
	Identity string // by which terminals know it; one for all hubs
	Address  string // where the other hubs reach it
	KeyHash  []byte // of the key that it shows them
}

// Location is where a terminal hangs: which run of a hub has it, on which of its connections.
type Location struct {
	Terminal string
	Run      string
	Number   int64 // of the connection: the newer one has the higher
}

// Book keeps leases and locations. Any error but those above means that it can't be read or written now. Its clock alone says whether a
// lease is over.
type Book interface {
	// Take writes a lease that holds for so long. ErrOtherIdentity: hubs with another key run here. ErrAlone: one of those here, or this one, has
	// no address for others; a lease of the very same is over then.
	Take(ctx context.Context, h Hub, lasts time.Duration) error
	// Renew has a lease hold for so long from now on, and gives the terminals that hang there. ErrLost: it is over.
	Renew(ctx context.Context, run string, lasts time.Duration) ([]Location, error)
	// Leave ends a lease.
	Leave(ctx context.Context, run string) error
	// Draw is a number above all that were drawn before.
	Draw(ctx context.Context) (int64, error)
	// Claim writes where a terminal hangs. ErrSuperseded: one that is not lower is there; ErrLost: the run's lease is over.
	Claim(ctx context.Context, l Location) error
	// Release writes that terminals hang there no more. Those that hang elsewhere by now are left alone.
	Release(ctx context.Context, all []Location) error
	// Locate is where a terminal hangs, at a hub that runs. ErrNowhere: at none.
	Locate(ctx context.Context, terminal string) (Location, Hub, error)
	// Elsewhere are the terminals that hang at other hubs that run, and since when.
	Elsewhere(ctx context.Context, run string) (map[string]time.Time, error)
	// Known tells whether a hub that runs has this key. ErrStranger: none.
	Known(ctx context.Context, keyHash []byte) error
}
