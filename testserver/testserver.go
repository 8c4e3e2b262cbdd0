// Package testserver starts a throwaway terminal for the tests of a point-of-sale system, plays a scenario at it, and says at the
// end what the caller did wrong.
//
//	func TestSale(t *testing.T) {
//		terminal := testserver.Start(t, testserver.Scenario{
//			Payments: []testserver.Operation{{Outcome: "refuse", Message: "Saldo insuficiente"}},
//		})
//		sell(terminal.URL, terminal.Username, terminal.Password)
//	}
//
// The terminal is the emulator itself, on a free port and with data of its own that go with it. The test fails if the caller
// gives up on a busy terminal, pays without a reference, finalizes before the approval, hangs up before 60 seconds, and so on;
// `maquininha test-server --help` lists the rules, and Scenario.Ignore leaves some out.
package testserver

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/witness"
)

// Options are how a terminal is started.
type Options struct {
	Scenario Scenario
	Listen   string // where callers come in; empty: a free port of this machine
	Version  string // what GET /info says
	Build    string
}

// Terminal is one that runs.
type Terminal struct {
	URL      string
	Username string
	Password string
	Screen   string // what a person would see, for a browser

	scenario Scenario
	started  time.Time
	data     string
	witness  *witness.Witness
	cast     *cast
	director *director
	stop     context.CancelFunc
	ended    chan error

	closing sync.Once
	result  Report
	err     error
}

// New starts a terminal. Close ends it.
func New(o Options) (*Terminal, error) {
	if err := o.Scenario.Check(); err != nil {
		return nil, err
	}
	data, err := os.MkdirTemp("", "maquininha-test-server-")
	if err != nil {
		return nil, err
	}
	t := &Terminal{
		Username: "teste", Password: rand.Text(), scenario: o.Scenario, started: time.Now(), data: data,
		witness: &witness.Witness{}, cast: newCast(o.Scenario), ended: make(chan error, 1),
	}
	t.director = newDirector(o.Scenario, t.cast)
	terminal, err := app.New(app.Config{
		Listen: cmp.Or(o.Listen, "127.0.0.1:0"), Screen: "127.0.0.1:0", Data: data, Mode: app.Emulator, Platform: o.Scenario.Platform, Compat: o.Scenario.Compat,
		Autopilot: true, AutopilotDelay: o.Scenario.Delay, Play: t.cast.play(), Username: t.Username, Password: t.Password,
		Printer: app.Printer{Address: "virtual"}, SkipSetup: true, LogKeep: 100_000, LogMaxAge: 24 * time.Hour,
		Version: cmp.Or(o.Version, "0.0.0-test"), Build: cmp.Or(o.Build, "0"),
		Echo:   func(logbook.Entry) {}, // what a scenario breaks is no news, and standard error is the command's
		Around: func(h http.Handler) http.Handler { return t.witness.Wrap(t.director.wrap(h), h) },
	})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(data))
	}
	t.director.terminal = terminal
	t.URL, t.Screen = terminal.URLs()
	var ctx context.Context
	ctx, t.stop = context.WithCancel(context.Background())
	go func() { t.ended <- terminal.Run(ctx) }()
	return t, nil
}

// Hang-ups of a caller that has ended may take so long to be noticed. It is waited for in steps: a machine that stands still
// for a while takes one of them, and the hang-ups are noticed in the next.
const (
	settleStep  = 100 * time.Millisecond
	settleSteps = 20
)

func (t *Terminal) settle() {
	for range settleSteps {
		ctx, cancel := context.WithTimeout(context.Background(), settleStep)
		quiet := t.witness.AwaitQuiet(ctx)
		cancel()
		if quiet {
			return
		}
	}
}

// Close judges what the caller did, stops the terminal and removes its data.
func (t *Terminal) Close() (Report, error) { return t.close(0) }

// Interrupt is Close for a caller that may be in the middle of something: what it did last is not held against it.
func (t *Terminal) Interrupt() (Report, error) { return t.close(5 * time.Second) }

func (t *Terminal) close(grace time.Duration) (Report, error) {
	t.closing.Do(func() {
		if grace == 0 {
			t.settle()
		}
		t.result = t.report(grace)
		t.director.close()
		t.stop()
		t.err = errors.Join(<-t.ended, os.RemoveAll(t.data))
	})
	return t.result, t.err
}

// TB is what Start needs of a *testing.T.
type TB interface {
	Helper()
	Cleanup(func())
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Start runs a terminal until the test ends, and fails the test for each fault of the caller.
func Start(t TB, s Scenario) *Terminal {
	t.Helper()
	terminal, err := New(Options{Scenario: s})
	if err != nil {
		t.Fatalf("terminal de teste: %v", err)
	}
	t.Cleanup(func() {
		t.Helper()
		report, err := terminal.Close()
		if err != nil {
			t.Errorf("terminal de teste: %v", err)
		}
		for _, note := range report.Notes {
			t.Logf("roteiro: %s", note)
		}
		for _, f := range report.Faults {
			t.Errorf("%s", fmt.Sprintf("%s\n\t%s\n\t→ %s", f, f.Title, f.Remedy))
		}
	})
	return terminal
}
