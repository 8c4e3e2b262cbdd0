// Program testrun runs the project's tests, each package as it should be: with the race detector where goroutines of ours meet,
// without it where other processes, browsers, pictures or documents are tested (packages.go).
//
// It writes the events of go test -json, for gotestsum to show. With -stress it runs each package again and again with
// the processors taken away, and prints what failed how often.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	rounds := 0
	flag.Func("stress", "run each package so many `times` on a machine that is busy", func(text string) (err error) {
		rounds, err = atLeastOne(text)
		return err
	})
	busy := flag.Int("busy", 2, "with -stress: how many loops take the processors away")
	everything := flag.Bool("everything", false, "all tests in both ways, the long ones at full length")
	flag.Parse()
	// A pipe that breaks is that of who reads the events, or of who makes them.
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	defer cancel()
	context.AfterFunc(ctx, cancel) // a second one ends this at once
	err := run(ctx, rounds, *busy, *everything, flag.Args())
	if err != nil {
		if !errors.Is(err, errFailed) {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
}

// atLeastOne reads how many rounds somebody wants. None would be green and prove nothing.
func atLeastOne(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err == nil && n < 1 {
		err = errors.New("at least one round is needed")
	}
	return n, err
}

// errFailed is for tests that failed: what there is to say of them is said already.
var errFailed = errors.New("some tests failed")

func run(ctx context.Context, rounds, busy int, everything bool, patterns []string) error {
	if rounds > 0 && everything {
		return errors.New("-stress runs what runs at every change, -everything more")
	}
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	found, err := list(ctx, patterns)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("no package of %s has tests", strings.Join(patterns, " "))
	}
	suites, err := plan(found, everything)
	if err != nil {
		return err
	}
	if !everything { // which waits for the real disk
		if dir := quickTemp(); dir != "" {
			defer os.RemoveAll(dir)
			if err := os.Setenv("TMPDIR", dir); err != nil {
				return err
			}
		}
	}
	programs, err := os.MkdirTemp("", "programs-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(programs)
	if err := os.Chmod(programs, 0o755); err != nil { // some tests run theirs as somebody else
		return err
	}
	if rounds > 0 {
		return stress(ctx, os.Stdout, suites, programs, rounds, busy)
	}
	return once(ctx, os.Stdout, suites, programs, everything)
}
