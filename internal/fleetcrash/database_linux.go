package main

import (
	"syscall"

	"github.com/maquininha/maquininha/internal/pgcluster"
)

type cluster struct {
	*pgcluster.Cluster
	at string
}

// newDatabase starts a PostgreSQL of the campaign's own.
func newDatabase() (database, error) {
	p, err := pgcluster.New()
	if err != nil {
		return nil, err
	}
	p.Durable = true
	c := &cluster{Cluster: p}
	if err := p.Start(); err != nil {
		return nil, err
	}
	c.at, err = p.Database()
	return c, err
}

func (c *cluster) address() string { return c.at }

func (c *cluster) restart(byForce bool, between func()) error {
	signal := syscall.SIGQUIT
	if byForce {
		signal = syscall.SIGKILL
	}
	c.Signal(signal)
	between()
	return c.Start()
}

func (c *cluster) pause() error {
	c.Pause()
	return nil
}

func (c *cluster) resume() error {
	c.Resume()
	return nil
}

func (c *cluster) close() {
	c.Signal(syscall.SIGQUIT)
	c.Remove() //nolint:errcheck // it is temporary
}
