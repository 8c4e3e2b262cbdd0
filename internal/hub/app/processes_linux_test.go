package app_test

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/hub/leases"
	"github.com/maquininha/maquininha/internal/waittest"
)

// short is a lease that is soon over.
var short = leases.Timing{Lasts: 4 * time.Second, Margin: 2 * time.Second, Renew: 100 * time.Millisecond}

const processData, processDatabase = "HUB_TEST_DATA", "HUB_TEST_DATABASE"

// TestHubProcess is a hub in a process of its own, which other tests start.
func TestHubProcess(t *testing.T) {
	data := os.Getenv(processData)
	if data == "" {
		t.Skip("for other tests")
	}
	hub, err := app.New(t.Context(), app.Config{Listen: "127.0.0.1:0", Data: data, Database: os.Getenv(processDatabase), PeerAddress: "127.0.0.1:0", Lease: short})
	if err != nil {
		t.Fatal(err)
	}
	named := filepath.Join(data, "address")
	if err := os.WriteFile(named+".new", []byte(hub.Address().String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(named+".new", named); err != nil {
		t.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := hub.Run(ctx); err != nil {
		t.Error(err)
	}
}

// startProcess starts such a hub beside the others, as the last of them.
func (f *fleetOf) startProcess(t *testing.T, database string) *os.Process {
	t.Helper()
	c := app.Config{Data: filepath.Join(t.TempDir(), "data")}
	shareKeys(t, f.configs[0].Data, c.Data)
	cmd := exec.Command(os.Args[0], "-test.run=^TestHubProcess$")
	cmd.Env = append(os.Environ(), processData+"="+c.Data, processDatabase+"="+database)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill() //nolint:errcheck // it may have ended
		cmd.Wait()         //nolint:errcheck // it was killed
	})
	waittest.Until(t, "the process listens", func() bool {
		text, err := os.ReadFile(filepath.Join(c.Data, "address"))
		c.Listen = string(text)
		return err == nil
	})
	f.configs = append(f.configs, c)
	return cmd.Process
}

// hold sends a question by a hub, which the terminal holds, and gives how the way to it ended.
func (f *fleetOf) hold(t *testing.T, c *counter, i int) <-chan string {
	t.Helper()
	for len(c.held) > 0 {
		<-c.held
	}
	how := make(chan string, 1)
	go func() {
		resp, _, err := f.asks(context.Background(), "POST", f.at(i, "/ask"), strings.NewReader("{}"))
		if err != nil {
			how <- err.Error()
			return
		}
		how <- resp.Header.Get("X-Maquininha-Hub")
	}()
	waittest.Receive(t, "a question at the terminal", c.held)
	return how
}

// A hub stands still for longer than its lease: its terminal goes to another, and when it goes on it sends nothing on the old connection.
// Then it is killed.
func TestHubStandsStillAndDies(t *testing.T) {
	database := hubtest.StartPostgres(t).Database(t)
	counter := newCounter()
	f := startSeveral(t, 1, patient, func(int) string { return database }, counter)
	process := f.startProcess(t, database)
	send := func(s syscall.Signal) {
		if err := process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	move := func(to int, both bool) {
		f.door.point(f.configs[to].Listen)
		f.door.cut(both)
	}
	move(1, true)
	f.answers(t, "the terminal answers at the process", 1)
	f.answers(t, "the terminal answers by it", 0)

	held := f.hold(t, counter, 0)
	send(syscall.SIGSTOP)
	if how := waittest.Receive(t, "the answer when the other hub is silent", held); how != "broken" {
		t.Error(how)
	}
	f.fails(t, 0, http.StatusServiceUnavailable, "absent") // its lease is over
	move(0, false)
	f.answers(t, "the terminal answers where it went", 0)
	send(syscall.SIGCONT)
	waittest.Until(t, "the terminal answers at the process that goes on", func() bool {
		resp, _, err := f.asks(t.Context(), "GET", f.at(1, "/status"), nil)
		if err == nil && resp.StatusCode == http.StatusBadGateway {
			t.Fatal("it was asked on a connection that it has given up")
		}
		return err == nil && resp.StatusCode == http.StatusOK
	})

	move(1, true)
	waittest.Until(t, "the terminal is at the process again", func() bool {
		resp, _, err := f.asks(t.Context(), "GET", "https://"+f.configs[1].Listen+"/metrics", nil)
		return err == nil && resp.StatusCode == http.StatusOK
	})
	f.answers(t, "the terminal answers by it again", 0)
	held = f.hold(t, counter, 0)
	f.door.point(f.configs[0].Listen)
	send(syscall.SIGKILL)
	if how := waittest.Receive(t, "the answer when the other hub dies", held); how != "broken" {
		t.Error(how)
	}
	f.answers(t, "the terminal answers where it is now", 0)
}
