package main

// database is a PostgreSQL that the campaign may harm.
type database interface {
	address() string
	// restart ends it, by force or at once, and starts it again after a while.
	restart(byForce bool, between func()) error
	pause() error
	resume() error
	close()
}
