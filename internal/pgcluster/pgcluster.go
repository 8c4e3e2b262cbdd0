//go:build linux

// Package pgcluster is a private PostgreSQL for tests and campaigns. It listens on a socket in its folder only.
package pgcluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrNone tells that there can't be a cluster here: PostgreSQL, or who could run it, is missing.
var ErrNone = errors.New("no PostgreSQL here")

// Cluster is one. Its methods are for one goroutine, but for Database.
type Cluster struct {
	Durable bool // it syncs, so that it may be killed; set before Start

	folder    string
	as        *syscall.Credential // nil: who runs the program
	server    *exec.Cmd
	ended     chan struct{}
	said      bytes.Buffer
	databases atomic.Int64
}

// New makes a cluster. Remove is for its end.
func New() (*Cluster, error) {
	c := &Cluster{}
	if err := c.open(); err != nil {
		return nil, err
	}
	if err := c.run("initdb", "--pgdata", c.data(), "--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync"); err != nil {
		return nil, errors.Join(err, c.Remove())
	}
	return c, nil
}

func (c *Cluster) data() string { return filepath.Join(c.folder, "data") }

// open makes the folder, for who will run it.
func (c *Cluster) open() (err error) {
	if c.folder, err = os.MkdirTemp("", "pg-"); err != nil { // short: the socket's path may have 107 bytes
		return err
	}
	if os.Getuid() == 0 { // PostgreSQL refuses root
		u, err := user.Lookup("postgres")
		if err != nil {
			return errors.Join(fmt.Errorf("%w: root needs a user postgres to run it as", ErrNone), c.Remove())
		}
		uid, _ := strconv.ParseUint(u.Uid, 10, 32) // numbers, on Linux
		gid, _ := strconv.ParseUint(u.Gid, 10, 32)
		c.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), NoSetGroups: true}
		if err := os.Chown(c.folder, int(uid), int(gid)); err != nil {
			return errors.Join(err, c.Remove())
		}
	}
	return nil
}

// run has one of PostgreSQL's own programs do its work.
func (c *Cluster) run(name string, args ...string) error {
	cmd, err := c.command(name, args...)
	if err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// Remove deletes the cluster, which has ended.
func (c *Cluster) Remove() error { return os.RemoveAll(c.folder) }

// command is one of PostgreSQL's own programs.
func (c *Cluster) command(name string, args ...string) (*exec.Cmd, error) {
	path, err := exec.LookPath(name)
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name); len(found) > 0 { // where Debian puts them, outside of PATH
		path, err = found[len(found)-1], nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: no %s", ErrNone, name)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = c.folder
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "PGTZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.as, Pdeathsig: syscall.SIGQUIT}
	return cmd, nil
}

// startPatience is longer than anything takes, however busy the machine is.
const startPatience = 5 * time.Minute

// Start runs the cluster until it is stopped, and returns when it answers. One that was killed by force may leave others of it behind,
// which end by themselves: until then it is started again.
func (c *Cluster) Start() error {
	for limit := time.Now().Add(startPatience); ; time.Sleep(50 * time.Millisecond) {
		err := c.launch()
		if err != nil {
			return err
		}
		if err = c.answers(limit); err == nil || time.Now().After(limit) {
			return err
		}
	}
}

func (c *Cluster) launch() error {
	sync := "off"
	if c.Durable {
		sync = "on"
	}
	// Memory that its processes share lies in its folder, which goes with it, however it ends.
	cmd, err := c.command("postgres", "-D", c.data(), "-k", c.folder, "-c", "listen_addresses=", "-c", "fsync="+sync, "-c", "shared_buffers=16MB",
		"-c", "dynamic_shared_memory_type=mmap")
	if err != nil {
		return err
	}
	c.said.Reset()
	cmd.Stdout, cmd.Stderr = &c.said, &c.said
	started := make(chan error, 1)
	ended := make(chan struct{})
	c.server, c.ended = cmd, ended
	go func() {
		defer close(ended)
		// It dies with the thread that has started it: another test may end one that it was lent.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if started <- err; err == nil {
			cmd.Wait() //nolint:errcheck // it is stopped by a signal
		}
	}()
	return <-started
}

// answers waits until it does, or has ended.
func (c *Cluster) answers(limit time.Time) error {
	for time.Now().Before(limit) {
		select {
		case <-c.ended:
			return fmt.Errorf("PostgreSQL ended:\n%s", c.said.String())
		default:
		}
		if conn, err := pgx.Connect(context.Background(), c.Address("postgres")); err == nil {
			return conn.Close(context.Background())
		}
		time.Sleep(10 * time.Millisecond)
	}
	return errors.New("PostgreSQL does not answer")
}

// Signal ends the cluster: SIGINT in peace, SIGQUIT at once, SIGKILL by force. It returns when it has ended.
func (c *Cluster) Signal(s syscall.Signal) {
	c.server.Process.Signal(s) //nolint:errcheck // it may have ended
	<-c.ended
}

// Pause has all of the cluster stand still until Resume.
func (c *Cluster) Pause() { c.signalAll(syscall.SIGSTOP) }

// Resume has it go on.
func (c *Cluster) Resume() { c.signalAll(syscall.SIGCONT) }

// signalAll reaches the processes that serve connections too: each is a group of its own.
func (c *Cluster) signalAll(s syscall.Signal) {
	pid := c.server.Process.Pid
	c.server.Process.Signal(s) //nolint:errcheck // it may have ended
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for _, text := range strings.Fields(string(children)) {
		if child, err := strconv.Atoi(text); err == nil {
			syscall.Kill(child, s) //nolint:errcheck // as above
		}
	}
}

// Database makes an empty database and gives its address.
func (c *Cluster) Database() (string, error) {
	conn, err := pgx.Connect(context.Background(), c.Address("postgres"))
	if err != nil {
		return "", err
	}
	defer conn.Close(context.Background())
	name := fmt.Sprintf("hub%d", c.databases.Add(1))
	_, err = conn.Exec(context.Background(), "CREATE DATABASE "+name)
	return c.Address(name), err
}

// Address is where a database of the cluster is.
func (c *Cluster) Address(database string) string {
	return "postgres:///" + database + "?" + url.Values{"host": {c.folder}, "user": {"postgres"}}.Encode()
}
