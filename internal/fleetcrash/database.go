package main

import (
	"context"
	"net"
)

// database is a PostgreSQL that the campaign may harm.
type database interface {
	address() string
	// through is the same by another way.
	through(address string) string
	// dial connects to it, for a hub whose way to it is in the campaign's hands.
	dial(context.Context) (net.Conn, error)
	// restart ends it, by force or at once, and starts it again after a while.
	restart(byForce bool, between func()) error
	// promote kills it, has its standby take its place after a while, and gives that a standby of its own.
	promote(between func()) error
	pause() error
	resume() error
	close()
}
