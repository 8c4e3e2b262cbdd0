package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What packages of a module of its own do, and how each must be reported.
const (
	passes = `package a

import "testing"

func TestPasses(t *testing.T) {}
`
	fails = `package a

import "testing"

func TestPasses(t *testing.T) {}

func TestFails(t *testing.T) { t.Error("this is why") }
`
	dies = `package a

import (
	"fmt"
	"os"
	"testing"
)

func TestDies(t *testing.T) {
	fmt.Print("in the middle of a li")
	self, _ := os.FindProcess(os.Getpid())
	self.Kill()
	select {}
}
`
	endsSilently = `package a

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(3) }
`
	runsNothing = `package a

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(0) }
`
	forgets = `package a

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	m.Run()
	os.Exit(0)
}

func TestFails(t *testing.T) { t.Error("this is why") }
`
	leftOutWhole = `//go:build !race

package a
`
	throughTheHub = `package a

import (
	"os"
	"testing"
)

func TestHub(t *testing.T) {
	if os.Getenv("MAQUININHA_TEST_THROUGH_HUB") == "" {
		t.Error("not through the hub")
	}
}

func TestHubNot(t *testing.T) { t.Error("only TestHub was asked for") }
`
	doesNotCompile = `package a

func help() { nothing }
`
)

// event is one of go test -json.
type event struct{ Action, Package, Test, Output string }

// reported runs suites of a module that has packages, and tells how the suites ended, what was said, and the error.
func reported(ctx context.Context, t *testing.T, packages map[string]string, suites ...suite) (ends map[string]string, said string, err error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range packages {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "a_test.go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/a\n\ngo 1.26\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	var out bytes.Buffer
	err = once(ctx, &out, suites, t.TempDir(), false)
	ends = map[string]string{}
	for line := range strings.Lines(out.String()) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if e.Test == "" && (e.Action == "pass" || e.Action == "fail") {
			if before, twice := ends[e.Package]; twice {
				t.Errorf("%s ended twice: %s, %s", e.Package, before, e.Action)
			}
			ends[e.Package] = e.Action
		}
		said += e.Output
	}
	return ends, said, err
}

// A run is green when every suite passed, and only then; who reads the events learns why one did not.
func TestOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages")
	}
	many := []suite{{name: "hub hub", folder: "./hub", hub: true, only: "^TestHub$"}}
	for i := range len(longest) + 2 { // some are built first
		many = append(many, suite{name: fmt.Sprint("passes ", i), folder: "./passes"})
	}
	ends, said, err := reported(t.Context(), t, map[string]string{"passes": passes, "hub": throughTheHub}, many...)
	if passed := slices.Collect(maps.Values(ends)); err != nil || len(ends) != len(many) || slices.Contains(passed, "fail") {
		t.Errorf("green: %v, %v\n%s", err, ends, said)
	}
	for name, c := range map[string]struct {
		text, says string // in the events
		err        string
	}{
		"fails":          {fails, "this is why", errFailed.Error()},
		"dies":           {dies, "signal: killed", errFailed.Error()},
		"endsSilently":   {endsSilently, "exit status 3", errFailed.Error()},
		"runsNothing":    {runsNothing, "", "runsNothing ended well without PASS"},
		"forgets":        {forgets, "this is why", "forgets ended well without PASS"},
		"doesNotCompile": {doesNotCompile, "", "doesNotCompile has no program"},
		"leftOutWhole":   {leftOutWhole, "", "leftOutWhole has no program"},
	} {
		it := suite{name: name, folder: "./" + name, race: name == "leftOutWhole"}
		ends, said, err := reported(t.Context(), t, map[string]string{"passes": passes, name: c.text}, it, suite{name: "passes", folder: "./passes"})
		if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(said, c.says) || ends["passes"] != "pass" || ends[name] == "pass" {
			t.Errorf("%s: %v, %v\n%s", name, err, ends, said)
		}
	}
}

// What is wrong with the run itself is not hidden by tests that failed, and an end from outside is no success.
func TestOnceSaysWhatElseIsWrong(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages")
	}
	ends, said, err := reported(t.Context(), t, map[string]string{"fails": fails, "broken": doesNotCompile},
		suite{name: "broken", folder: "./broken"}, suite{name: "fails", folder: "./fails"})
	if err == nil || errors.Is(err, errFailed) || len(ends) != 1 || ends["fails"] != "fail" {
		t.Errorf("%v, %v\n%s", err, ends, said)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := reported(ctx, t, map[string]string{"passes": passes}, suite{name: "passes", folder: "./passes"}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended from outside: %v", err)
	}
}

// Events of suites side by side do not get into each other's lines.
func TestLines(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var out bytes.Buffer
	var writing sync.WaitGroup
	const each = 500
	for _, text := range []string{"one line\n", "another one\n"} {
		writing.Go(func() {
			l := &lines{mu: &mu, to: &out}
			rest := strings.Repeat(text, each)
			for size := 1; rest != ""; size = size%17 + 1 {
				piece := rest[:min(size, len(rest))]
				if n, err := l.Write([]byte(piece)); n != len(piece) || err != nil {
					t.Error(n, err)
				}
				rest = rest[len(piece):]
			}
			if string(l.last) != text {
				t.Errorf("the last line: %q, want %q", l.last, text)
			}
		})
	}
	writing.Wait()
	counts := map[string]int{}
	for line := range strings.Lines(out.String()) {
		counts[line]++
	}
	if diff := cmp.Diff(map[string]int{"one line\n": each, "another one\n": each}, counts); diff != "" {
		t.Error(diff)
	}
}
