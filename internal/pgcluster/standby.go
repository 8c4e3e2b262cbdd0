//go:build linux

package pgcluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// standby is what a cluster calls the one that follows it.
const standby = "reserva"

// Standby starts a cluster that follows this one, which runs. From when it returns a commit is in both before it is answered.
func (c *Cluster) Standby() (*Cluster, error) {
	s := &Cluster{Durable: c.Durable}
	if err := s.open(); err != nil {
		return nil, err
	}
	from := fmt.Sprintf("host=%s user=postgres application_name=%s", c.folder, standby)
	if err := s.run("pg_basebackup", "--dbname", from, "--pgdata", s.data(), "--write-recovery-conf", "--checkpoint", "fast", "--no-sync"); err != nil {
		return nil, errors.Join(err, s.Remove())
	}
	if err := s.Start(); err != nil {
		return nil, errors.Join(err, s.Remove())
	}
	if err := c.exec("ALTER SYSTEM SET synchronous_standby_names = '"+standby+"'", "SELECT pg_reload_conf()"); err != nil {
		return s, err
	}
	for limit := time.Now().Add(startPatience); ; time.Sleep(10 * time.Millisecond) {
		follows, err := c.followed()
		if err != nil || follows {
			return s, err
		}
		if time.Now().After(limit) {
			return s, errors.New("the standby does not follow")
		}
	}
}

// Promote has a standby take the place of the one that it followed. Commits wait for no other until it has a standby of its own.
func (c *Cluster) Promote() error {
	return c.exec("SELECT pg_promote()", "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
}

func (c *Cluster) followed() (yes bool, err error) {
	conn, err := pgx.Connect(context.Background(), c.Address("postgres"))
	if err != nil {
		return false, err
	}
	defer conn.Close(context.Background())
	err = conn.QueryRow(context.Background(), "SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync'").Scan(&yes)
	return yes, err
}

// exec carries out statements, one by one: some may not be together with others.
func (c *Cluster) exec(statements ...string) error {
	conn, err := pgx.Connect(context.Background(), c.Address("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(context.Background())
	for _, s := range statements {
		if _, err := conn.Exec(context.Background(), s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}
