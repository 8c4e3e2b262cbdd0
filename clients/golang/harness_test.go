package client_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/waittest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.parallel", "8") //nolint:errcheck // it is there; most tests wait, and need no processor of their own for it
	os.Exit(apptest.WithProgram(m))
}

// connect makes a client for the address, with patience that tests have.
func connect(t *testing.T, address string, opts ...client.Option) *client.Client {
	t.Helper()
	c, err := client.New(address, apptest.User, apptest.Password, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// start runs the program and connects to it.
func start(t *testing.T, args ...string) (*apptest.Process, *client.Client) {
	t.Helper()
	p := apptest.StartProcess(t, args...)
	return p, connect(t, p.Base)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wants(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v (%T), want %v", err, err, want)
	}
}

// outcome runs a call that is held, beside the test.
type outcome[T any] struct {
	value T
	err   error
}

func beside[T any](run func() (T, error)) <-chan outcome[T] {
	ch := make(chan outcome[T], 1)
	go func() {
		v, err := run()
		ch <- outcome[T]{v, err}
	}()
	return ch
}

// awaitQuestion returns when a question is on the screen, or when there is none: isBusy says nothing of questions.
func awaitQuestion(t *testing.T, p *apptest.Process, shown bool) {
	t.Helper()
	waittest.Until(t, fmt.Sprintf("a question on the screen: %t", shown), func() bool { // there is no event for a caller to wait for
		var screen struct{ Question any }
		p.Call("GET", "/emulator/screen", "", &screen)
		return (screen.Question != nil) == shown
	})
}

// awaitPending returns when the terminal has begun a payment: busy alone may be before.
func awaitPending(t *testing.T, c *client.Client, reference string) {
	t.Helper()
	waittest.Until(t, "a payment under way", func() bool {
		tx, err := c.Transaction(t.Context(), reference)
		return err == nil && tx.Details.Status == client.Pending
	})
}
