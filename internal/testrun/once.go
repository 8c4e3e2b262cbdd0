package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// once runs every suite, and writes the events to the standard output. Those that take long are built first, and the others while those run.
func once(ctx context.Context, suites []suite, programs string, everything bool) error {
	timeout := "60m"
	if everything {
		timeout = "3h"
	}
	path, err := exec.CommandContext(ctx, "go", "tool", "-n", "test2json").Output()
	if err != nil {
		return fmt.Errorf("looking for test2json: %w", err)
	}
	ready, building := make(chan suite, len(suites)), make(chan error, 1)
	go func() {
		defer close(ready)
		first := min(len(longest), len(suites))
		for _, some := range [][]suite{suites[:first], suites[first:]} {
			if err := build(ctx, some, programs, everything); err != nil {
				building <- err
				return
			}
			for _, s := range some {
				ready <- s
			}
		}
		building <- nil
	}()
	out := &events{to: os.Stdout}
	var mu sync.Mutex
	inTurn(ready, func(s suite) {
		args := append([]string{"-t", "-p", s.name, s.binary}, s.args("-test.v=test2json", "-test.timeout="+timeout)...)
		if failed := out.copyFrom(s.command(ctx, strings.TrimSpace(string(path)), args...)); failed != nil {
			mu.Lock()
			defer mu.Unlock()
			err = errors.Join(err, failed)
		}
	})
	return errors.Join(<-building, ctx.Err(), err)
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

// args are those of the suite's program, with others.
func (s suite) args(others ...string) []string {
	args := append([]string{"-test.paniconexit0"}, others...)
	if s.only != "" {
		args = append(args, "-test.run="+s.only)
	}
	return args
}

// command is for what runs the suite.
func (s suite) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = s.folder
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=10") // of a whole second for each package that ends
	if s.hub {
		cmd.Env = append(cmd.Env, "MAQUININHA_TEST_THROUGH_HUB=1") // internal/apptest/behindhub reads it
	}
	return cmd
}

// events is where all of them write, a line at a time.
type events struct {
	mu sync.Mutex
	to io.Writer
}

// copyFrom runs a suite and copies its events.
func (e *events) copyFrom(cmd *exec.Cmd) error {
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			if err := e.write(line); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	err = cmd.Wait()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && failed.ExitCode() == 1 {
		return errFailed
	}
	return err
}

func (e *events) write(line []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, err := e.to.Write(line)
	return err
}
