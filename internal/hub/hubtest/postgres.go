//go:build linux

package hubtest

import (
	"errors"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/pgcluster"
)

// Postgres is a private cluster that goes with the test.
type Postgres struct{ *pgcluster.Cluster }

// StartPostgres makes a cluster and starts it, or skips the test where there can't be one.
func StartPostgres(t testing.TB) *Postgres {
	t.Helper()
	p := NewPostgres(t)
	p.Start(t)
	return p
}

// NewPostgres makes a cluster.
func NewPostgres(t testing.TB) *Postgres {
	t.Helper()
	if testing.Short() {
		t.Skip("starts another process")
	}
	c, err := pgcluster.New()
	if errors.Is(err, pgcluster.ErrNone) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Remove() }) //nolint:errcheck // it is temporary
	return &Postgres{c}
}

// Start runs the cluster until it is stopped, killed, or the test ends.
func (p *Postgres) Start(t testing.TB) {
	t.Helper()
	if err := p.Cluster.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Signal(syscall.SIGQUIT) })
}

// Database makes an empty database and gives its address. Connections to it may take longer than a hub would wait: a busy machine is not what
// these tests are about.
func (p *Postgres) Database(t testing.TB) string {
	t.Helper()
	address, err := p.Cluster.Database()
	if err != nil {
		t.Fatal(err)
	}
	return address + "&connect_timeout=60"
}
