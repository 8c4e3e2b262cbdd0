package main

import (
	"context"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/maquininha/maquininha/internal/pgcluster"
)

// cluster is a PostgreSQL, and the one that follows it where the hubs are several.
type cluster struct {
	mu       sync.Mutex // a promotion puts others in their place
	main     *pgcluster.Cluster
	standby  *pgcluster.Cluster // nil: none
	database string
}

// newDatabase starts a PostgreSQL of the campaign's own.
func newDatabase(followed bool) (database, error) {
	p, err := pgcluster.New()
	if err != nil {
		return nil, err
	}
	p.Durable = true
	c := &cluster{main: p}
	if err := p.Start(); err != nil {
		return nil, err
	}
	at, err := p.Database()
	if err != nil {
		return c, err
	}
	name, err := url.Parse(at)
	if err != nil {
		return c, err
	}
	c.database = strings.TrimPrefix(name.Path, "/")
	if followed {
		c.standby, err = p.Standby()
	}
	return c, err
}

func (c *cluster) now() *pgcluster.Cluster {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.main
}

func (c *cluster) address() string { return c.now().Address(c.database) }

func (c *cluster) through(address string) string {
	return "postgres://postgres@" + address + "/" + c.database + "?sslmode=disable"
}

func (c *cluster) dial(ctx context.Context) (net.Conn, error) {
	at, err := url.Parse(c.address())
	if err != nil {
		return nil, err
	}
	var dialer net.Dialer
	return dialer.DialContext(ctx, "unix", filepath.Join(at.Query().Get("host"), ".s.PGSQL.5432"))
}

func (c *cluster) promote(between func()) error {
	old := c.now()
	old.Signal(syscall.SIGKILL)
	between()
	if err := c.standby.Promote(); err != nil {
		return err
	}
	c.mu.Lock()
	c.main = c.standby
	c.mu.Unlock()
	if err := old.Remove(); err != nil {
		return err
	}
	next, err := c.main.Standby()
	c.standby = next
	return err
}

func (c *cluster) restart(byForce bool, between func()) error {
	signal := syscall.SIGQUIT
	if byForce {
		signal = syscall.SIGKILL
	}
	c.main.Signal(signal)
	between()
	return c.main.Start()
}

func (c *cluster) pause() error {
	c.main.Pause()
	return nil
}

func (c *cluster) resume() error {
	c.main.Resume()
	return nil
}

func (c *cluster) close() {
	for _, one := range []*pgcluster.Cluster{c.standby, c.main} {
		if one != nil {
			one.Signal(syscall.SIGQUIT)
			one.Remove() //nolint:errcheck // it is temporary
		}
	}
}
