package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

const failuresDir = "bin/stress"

// stress runs every suite round after round, each with one processor's worth of goroutines at a time, beside busy loops, its tests in another
// order every time.
func stress(ctx context.Context, suites []suite, programs string, rounds, busy int) error {
	if err := build(ctx, suites, programs, false); err != nil {
		return err
	}
	if err := os.Setenv("GOMAXPROCS", "1"); err != nil {
		return err
	}
	if err := os.RemoveAll(failuresDir); err != nil {
		return err
	}
	for range busy {
		loop := exec.CommandContext(ctx, "sh", "-c", "while :; do :; done")
		if err := loop.Start(); err != nil {
			return err
		}
		defer loop.Wait() //nolint:errcheck // it was killed
		defer loop.Process.Kill()
	}
	t := &tally{failed: map[string]int{}}
	for round := 1; round <= rounds && ctx.Err() == nil; round++ {
		began := time.Now()
		all := make(chan suite, len(suites))
		for _, s := range suites {
			all <- s
		}
		close(all)
		inTurn(all, func(s suite) { t.run(ctx, s, round) })
		fmt.Printf("round %d of %d: %d suites in %v, %d failures so far\n", round, rounds, len(suites), time.Since(began).Round(time.Second), t.failures)
	}
	return errors.Join(ctx.Err(), t.verdict())
}

// tally is what failed how often.
type tally struct {
	mu       sync.Mutex
	runs     int
	failures int            // runs that failed
	failed   map[string]int // by suite and test
}

func (t *tally) run(ctx context.Context, s suite, round int) {
	var out bytes.Buffer
	err := s.run(ctx, time.Hour, &out, "-test.shuffle=on")
	if ctx.Err() != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs++
	if err == nil {
		return
	}
	t.failures++
	tests := failedTests(out.String())
	for _, test := range tests {
		t.failed[s.name+" "+test]++
	}
	fmt.Fprintln(&out, err)
	said, err := keep(s, round, out.Bytes())
	if err != nil {
		said = err.Error()
	}
	fmt.Printf("FAIL %s in round %d: %s (%s)\n", s.name, round, strings.Join(tests, ", "), said)
}

var failLine = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)

// failedTests are the names of those that failed, innermost only; a run that ended without naming one has one for all.
func failedTests(out string) (names []string) {
	for _, m := range failLine.FindAllStringSubmatch(out, -1) {
		names = append(names, m[1])
	}
	all := slices.Clone(names)
	names = slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(all, func(other string) bool { return strings.HasPrefix(other, name+"/") })
	})
	if len(names) == 0 {
		return []string{"(the whole run)"}
	}
	return names
}

// keep writes what a failed run said where it can be read.
func keep(s suite, round int, out []byte) (path string, err error) {
	if err := os.MkdirAll(failuresDir, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(failuresDir, fmt.Sprintf("%s-%d.txt", strings.NewReplacer("/", "-", " ", "").Replace(s.name), round))
	return path, os.WriteFile(path, out, 0o644)
}

func (t *tally) verdict() error {
	fmt.Printf("%d runs, %d failed\n", t.runs, t.failures)
	for _, name := range slices.Sorted(maps.Keys(t.failed)) {
		fmt.Printf("%4d × %s\n", t.failed[name], name)
	}
	if t.failures > 0 {
		return errFailed
	}
	return nil
}
