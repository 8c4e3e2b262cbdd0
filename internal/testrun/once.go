package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// once runs every suite, and writes the events to out. Those that take long are built first, and the others while those run. What can't be
// built fails the whole, and the others are run all the same.
func once(ctx context.Context, out io.Writer, suites []suite, programs string, everything bool) error {
	limit := time.Hour
	if everything {
		limit = 3 * time.Hour
	}
	test2json, err := test2jsonPath(ctx)
	if err != nil {
		return err
	}
	ready := make(chan suite, len(suites))
	var building error
	go func() {
		defer close(ready)
		first := min(len(longest), len(suites))
		for _, some := range [][]suite{suites[:first], suites[first:]} {
			building = errors.Join(building, build(ctx, some, programs, everything))
			for _, s := range some {
				if s.binary != "" {
					ready <- s
				}
			}
		}
	}()
	var mu sync.Mutex // of what is written, and of these
	var red bool
	var broken error
	ended := 0
	of := func() string { // asked while mu is held
		ended++
		return fmt.Sprintf("%*d/%d", len(fmt.Sprint(len(suites))), ended, len(suites))
	}
	inTurn(ready, func(s suite) {
		if ctx.Err() != nil {
			return
		}
		passed, err := s.report(ctx, limit, test2json, &events{mu: &mu, to: out, of: of, began: time.Now()})
		mu.Lock()
		defer mu.Unlock()
		red = red || !passed
		broken = errors.Join(broken, err)
	})
	if err := errors.Join(building, ctx.Err(), broken); err != nil || !red {
		return err
	}
	return errFailed
}

// test2jsonPath is the program with which go test makes events of what tests say.
func test2jsonPath(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "tool", "-n", "test2json")
	cmd.Stderr = os.Stderr
	path, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("looking for test2json: %w", err)
	}
	return strings.TrimSpace(string(path)), nil
}

// atOnce is how many suites run side by side. More cost two processors more for the same tests, in caches and in looks at what had not come
// yet; fewer leave them waiting (docs/campaigns.md has the figures).
const atOnce = 5

// inTurn has each suite that comes run when there is room for it.
func inTurn(suites <-chan suite, run func(suite)) {
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			for s := range suites {
				run(s)
			}
		})
	}
	all.Wait()
}

// report runs the suite, writes its events, and tells whether it passed.
func (s suite) report(ctx context.Context, limit time.Duration, test2json string, out *events, args ...string) (passed bool, err error) {
	convert := exec.Command(test2json, "-t", "-p", s.name) // it ends when the suite has
	convert.Stdout, convert.Stderr = out, os.Stderr
	in, err := convert.StdinPipe()
	if err != nil {
		return false, err
	}
	if err := convert.Start(); err != nil {
		return false, err
	}
	failed := s.run(ctx, limit, in, append(args, "-test.v=test2json")...)
	if failed != nil {
		fmt.Fprintf(in, "\n%v\n\x16FAIL\t%s\n", failed, s.name) //nolint:errcheck // Wait says it
	}
	in.Close() //nolint:errcheck // as above
	if err := convert.Wait(); err != nil {
		return false, fmt.Errorf("the events of %s: %w", s.name, err)
	}
	switch {
	case failed != nil:
		return false, nil
	case !out.passed():
		return false, fmt.Errorf("%s ended well without PASS", s.name)
	case out.tests == 0:
		return false, fmt.Errorf("%s ran no test", s.name)
	}
	return true, nil
}

// patience is for a suite that is over its limit, and for those whom one leaves behind who hold on to what it wrote to.
const patience = time.Minute

// run runs the suite's program, which writes to out.
func (s suite) run(ctx context.Context, limit time.Duration, out io.Writer, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, limit+patience) // the program itself says more, if it can
	defer cancel()
	args = append(args, "-test.paniconexit0", "-test.timeout="+limit.String())
	if s.only != "" {
		args = append(args, "-test.run="+s.only)
	}
	cmd := exec.CommandContext(ctx, s.binary, args...)
	cmd.WaitDelay = patience
	cmd.Dir = s.folder
	cmd.Env = append(cmd.Environ(), "GORACE=atexit_sleep_ms=10") // of a whole second for each package that ends
	if s.hub {
		cmd.Env = append(cmd.Env, "MAQUININHA_TEST_THROUGH_HUB=1") // internal/apptest/behindhub reads it
	}
	cmd.Stdout = struct{ io.Writer }{out} // never a file itself: it would be theirs whom the program leaves behind
	cmd.Stderr = cmd.Stdout
	cmd.Cancel = func() error {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return cmd.Process.Signal(syscall.SIGQUIT) // it says where it is; who does not heed it is killed
		}
		return cmd.Process.Kill()
	}
	err := cmd.Run()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("it took longer than %v: %w", limit+patience, err)
	}
	return err
}
