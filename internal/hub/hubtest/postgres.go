//go:build linux

// Package hubtest has what tests of the hub share: a PostgreSQL of their own.
package hubtest

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/maquininha/maquininha/internal/waittest"
)

// Postgres is a private cluster that goes with the test. It listens on a socket in its folder only.
type Postgres struct {
	Durable bool // it syncs, for tests that kill it; set before Start

	folder    string
	as        *syscall.Credential // nil: who runs the test
	server    *exec.Cmd
	ended     chan struct{}
	databases atomic.Int64
}

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
	p := &Postgres{}
	var err error
	if p.folder, err = os.MkdirTemp("", "pg-"); err != nil { // short: the socket's path may have 107 bytes
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(p.folder) }) //nolint:errcheck // it is temporary
	if os.Getuid() == 0 {
		p.as = postgresUser(t)
		if err := os.Chown(p.folder, int(p.as.Uid), int(p.as.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	init := p.command(t, "initdb", "--pgdata", p.folder+"/data", "--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync")
	if out, err := init.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	return p
}

// postgresUser is who runs PostgreSQL where the test is root's: it refuses root.
func postgresUser(t testing.TB) *syscall.Credential {
	t.Helper()
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Skip("root needs a user postgres to run PostgreSQL as")
	}
	uid, _ := strconv.ParseUint(u.Uid, 10, 32) // numbers, on Linux
	gid, _ := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), NoSetGroups: true}
}

// command is one of PostgreSQL's own programs.
func (p *Postgres) command(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath(name)
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name); len(found) > 0 { // where Debian puts them, outside of PATH
		path, err = found[len(found)-1], nil
	}
	if err != nil {
		t.Skipf("PostgreSQL is not installed: no %s", name)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = p.folder
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "PGTZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.as, Pdeathsig: syscall.SIGQUIT}
	return cmd
}

// Start runs the cluster until it is stopped, killed, or the test ends.
func (p *Postgres) Start(t testing.TB) {
	t.Helper()
	sync := "off"
	if p.Durable {
		sync = "on"
	}
	var said bytes.Buffer
	p.server = p.command(t, "postgres", "-D", p.folder+"/data", "-k", p.folder, "-c", "listen_addresses=", "-c", "fsync="+sync, "-c", "shared_buffers=16MB", "-c", "max_connections=50")
	p.server.Stdout, p.server.Stderr = &said, &said
	started := make(chan error, 1)
	p.ended = make(chan struct{})
	go func() {
		defer close(p.ended)
		// It dies with the thread that has started it: another test may end one that it was lent.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.server.Start()
		if started <- err; err == nil {
			p.server.Wait() //nolint:errcheck // it is stopped by a signal
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Signal(syscall.SIGQUIT) })
	waittest.Until(t, "PostgreSQL answers", func() bool {
		select {
		case <-p.ended:
			t.Fatalf("PostgreSQL ended:\n%s", said.String())
		default:
		}
		c, err := pgx.Connect(context.Background(), p.address("postgres"))
		if err != nil {
			return false
		}
		return c.Close(context.Background()) == nil
	})
}

// Signal ends the cluster: SIGINT in peace, SIGQUIT at once, SIGKILL by force. It returns when it has ended.
func (p *Postgres) Signal(s syscall.Signal) {
	p.server.Process.Signal(s) //nolint:errcheck // it may have ended
	<-p.ended
}

// Database makes an empty database and gives its address.
func (p *Postgres) Database(t testing.TB) string {
	t.Helper()
	c, err := pgx.Connect(context.Background(), p.address("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	name := fmt.Sprintf("hub%d", p.databases.Add(1))
	if _, err := c.Exec(context.Background(), "CREATE DATABASE "+name+""); err != nil {
		t.Fatal(err)
	}
	return p.address(name)
}

func (p *Postgres) address(database string) string {
	return "postgres:///" + database + "?" + url.Values{"host": {p.folder}, "user": {"postgres"}}.Encode()
}
