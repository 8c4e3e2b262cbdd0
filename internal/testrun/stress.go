package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const failuresDir = "bin/stress"

// stress runs every suite round after round, each with one processor's worth of goroutines at a time, beside busy loops, its tests in another
// order every time.
func stress(ctx context.Context, out io.Writer, suites []suite, programs string, rounds, busy int) error {
	if err := build(ctx, suites, programs, false); err != nil {
		return err
	}
	test2json, err := test2jsonPath(ctx)
	if err != nil {
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
	t := &tally{out: out, test2json: test2json, failed: map[string]int{}}
	for round := 1; round <= rounds && ctx.Err() == nil; round++ {
		began := time.Now()
		all := make(chan suite, len(suites))
		for _, s := range suites {
			all <- s
		}
		close(all)
		inTurn(all, func(s suite) { t.run(ctx, s, round) })
		fmt.Fprintf(out, "round %d of %d: %d suites in %v, %d failures so far\n", round, rounds, len(suites), time.Since(began).Round(time.Second), t.failures)
	}
	return errors.Join(ctx.Err(), t.verdict())
}

// tally is what failed how often.
type tally struct {
	out       io.Writer
	test2json string
	mu        sync.Mutex
	runs      int
	failures  int            // runs that failed
	failed    map[string]int // by suite and test
}

func (t *tally) run(ctx context.Context, s suite, round int) {
	var out bytes.Buffer
	its := &events{mu: new(sync.Mutex), to: &out, of: func() string { return fmt.Sprint("round ", round) }, began: time.Now()}
	passed, broken := s.report(ctx, time.Hour, t.test2json, its, "-test.shuffle=on")
	if ctx.Err() != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs++
	if passed {
		return
	}
	t.failures++
	tests := its.innermost()
	if len(tests) == 0 {
		tests = []string{"(the whole run)"}
	}
	for _, test := range tests {
		t.failed[s.name+" "+test]++
	}
	where, err := keep(s, round, out.Bytes(), broken)
	if err != nil {
		where = err.Error()
	}
	fmt.Fprintf(t.out, "FAIL %s in round %d: %s (%s)\n", s.name, round, strings.Join(tests, ", "), where)
}

// keep writes what a failed run said where it can be read.
func keep(s suite, round int, all []byte, broken error) (path string, err error) {
	var text []byte
	for line := range bytes.Lines(all) {
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			return "", err
		}
		text = append(text, e.Output...)
	}
	if broken != nil {
		text = fmt.Appendln(text, broken)
	}
	if err := os.MkdirAll(failuresDir, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(failuresDir, fmt.Sprintf("%s-%d.txt", strings.NewReplacer("/", "-", " ", "").Replace(s.name), round))
	return path, os.WriteFile(path, text, 0o644)
}

func (t *tally) verdict() error {
	fmt.Fprintf(t.out, "%d runs, %d failed\n", t.runs, t.failures)
	for _, name := range slices.Sorted(maps.Keys(t.failed)) {
		fmt.Fprintf(t.out, "%4d × %s\n", t.failed[name], name)
	}
	if t.failures > 0 {
		return errFailed
	}
	return nil
}
