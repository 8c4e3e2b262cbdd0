package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// event is one of go test -json, as far as it is read here.
type event struct{ Action, Package, Test, Output string }

// isEnd tells whether it is the last of a package.
func (e event) isEnd() bool { return e.Test == "" && (e.Action == "pass" || e.Action == "fail") }

// events passes on those of a suite, in whole lines beside others who write to the same, and counts. Before a suite's last one it says in one
// line how it went.
type events struct {
	mu    *sync.Mutex // of what is written
	to    io.Writer
	of    func() string // how many of all suites have ended
	began time.Time

	rest           []byte // no whole line yet
	last           event
	tests, skipped int
	failed         []string
}

func (e *events) Write(text []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rest = append(e.rest, text...)
	end := bytes.LastIndexByte(e.rest, '\n') + 1
	var whole []byte
	for line := range bytes.Lines(e.rest[:end]) {
		e.last = event{}
		if err := json.Unmarshal(line, &e.last); err != nil {
			return 0, fmt.Errorf("no event: %q: %w", line, err)
		}
		e.count()
		if e.last.isEnd() {
			said, err := json.Marshal(event{Action: "output", Package: e.last.Package, Output: e.line()})
			if err != nil {
				return 0, err
			}
			whole = append(append(whole, said...), '\n')
		}
		whole = append(whole, line...)
	}
	e.rest = append(e.rest[:0], e.rest[end:]...)
	if _, err := e.to.Write(whole); err != nil {
		return 0, err
	}
	return len(text), nil
}

func (e *events) count() {
	if e.last.Test == "" {
		return
	}
	switch e.last.Action {
	case "run":
		e.tests++
	case "skip":
		e.skipped++
	case "fail":
		e.failed = append(e.failed, e.last.Test)
	}
}

// line says how the suite went, once it has ended.
func (e *events) line() string {
	text := map[string]string{"pass": "ok  ", "fail": "FAIL"}[e.last.Action] + " " + e.of() + "  " + e.last.Package + ": " + counted(e.tests, "test")
	if e.skipped > 0 {
		text += fmt.Sprintf(", %d skipped", e.skipped)
	}
	if n := len(e.innermost()); n > 0 {
		text += ", " + counted(n, "failure")
	}
	return text + fmt.Sprintf(" in %.1fs\n", time.Since(e.began).Seconds())
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}

// passed tells whether the last event is that of a package that passed.
func (e *events) passed() bool { return e.last.isEnd() && e.last.Action == "pass" }

// innermost are the tests that failed, without those that failed because of one within.
func (e *events) innermost() []string {
	return slices.DeleteFunc(slices.Clone(e.failed), func(name string) bool {
		return slices.ContainsFunc(e.failed, func(other string) bool { return strings.HasPrefix(other, name+"/") })
	})
}
