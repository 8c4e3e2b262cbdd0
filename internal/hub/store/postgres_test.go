//go:build !race || everything

package store_test

import "testing"

// The desks before it are the same with SQLite, where the race detector looks on.
func TestPostgres(t *testing.T) {
	if postgres == nil {
		t.Skip("no PostgreSQL here")
	}
	runAll(t, postgres(t))
}
