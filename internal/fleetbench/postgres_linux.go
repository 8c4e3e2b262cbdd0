package main

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/maquininha/maquininha/internal/pgcluster"
	"github.com/maquininha/maquininha/internal/rig/figures"
)

// measurePostgres is how fast records come into a PostgreSQL of its own, which syncs as one in use does.
func (b *bench) measurePostgres() ([]figures.Row, error) {
	address, end, err := startDatabase()
	if errors.Is(err, pgcluster.ErrNone) {
		return []figures.Row{{Measure: "records read, PostgreSQL", Value: "not measured: " + err.Error(), Goal: "≥ " + figures.PerSecond(recordsGoal)}}, nil
	}
	if err != nil {
		return nil, err
	}
	defer end()
	f, err := b.openFleet("postgres", b.relayed, 0, "--database", address)
	if err != nil {
		return nil, fmt.Errorf("with PostgreSQL: %w", err)
	}
	defer f.close()
	return f.pull("PostgreSQL")()
}

// startDatabase starts a PostgreSQL that syncs, until end.
func startDatabase() (address string, end func(), err error) {
	cluster, err := pgcluster.New()
	if err != nil {
		return "", nil, err
	}
	cluster.Durable = true
	if err := cluster.Start(); err != nil {
		return "", nil, errors.Join(err, cluster.Remove())
	}
	address, err = cluster.Database()
	return address, func() {
		cluster.Signal(syscall.SIGQUIT)
		cluster.Remove() //nolint:errcheck // it is temporary
	}, err
}
