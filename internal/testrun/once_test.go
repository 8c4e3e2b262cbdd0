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
	"time"

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
	failsWithin = `package a

import "testing"

func TestFails(t *testing.T) {
	t.Run("within", func(t *testing.T) { t.Error("this is why") })
}
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
	noTest = `package a

import "testing"

func BenchmarkNothing(b *testing.B) {}
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

// inModule goes to a module that has these packages.
func inModule(t *testing.T, packages map[string]string) {
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
}

// reported runs suites of a module that has packages, and tells how the suites ended, what was said, and the error.
func reported(ctx context.Context, t *testing.T, packages map[string]string, suites ...suite) (ends map[string]string, said string, err error) {
	t.Helper()
	inModule(t, packages)
	var out bytes.Buffer
	err = once(ctx, &out, suites, t.TempDir(), false)
	ends = map[string]string{}
	for line := range strings.Lines(out.String()) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if e.isEnd() {
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
	for _, want := range []string{"  hub hub: 1 test in ", fmt.Sprintf("ok    1/%d  ", len(many)), fmt.Sprintf("ok   %[1]d/%[1]d  ", len(many))} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in:\n%s", want, said)
		}
	}
	for name, c := range map[string]struct {
		text, says string // in the events
		err        string
	}{
		"fails":          {fails, "this is why", errFailed.Error()},
		"noTest":         {noTest, "", "noTest ran no test"},
		"dies":           {dies, "signal: killed", errFailed.Error()},
		"endsSilently":   {endsSilently, "exit status 3", errFailed.Error()},
		"runsNothing":    {runsNothing, "", "runsNothing ended well without PASS"},
		"forgets":        {forgets, "this is why", "forgets ended well without PASS"},
		"doesNotCompile": {doesNotCompile, "", "doesNotCompile has no program"},
		"leftOutWhole":   {leftOutWhole, "", "leftOutWhole has no program"},
	} {
		it := suite{name: name, folder: "./" + name, race: name == "leftOutWhole"}
		ends, said, err := reported(t.Context(), t, map[string]string{"passes": passes, name: c.text}, it, suite{name: "passes", folder: "./passes"})
		if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(said, c.says) || ends["passes"] != "pass" || name != "noTest" && ends[name] == "pass" {
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

// A test that fails is named and counted in each round, and what the suite said is kept; a suite that only ends well has not passed.
func TestStress(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages")
	}
	t.Setenv("GOMAXPROCS", os.Getenv("GOMAXPROCS")) // as it was, afterwards
	packages := map[string]string{"passes": passes, "fails": failsWithin, "forgets": forgets, "runsNothing": runsNothing, "dies": dies}
	inModule(t, packages)
	var suites []suite
	for name := range packages {
		suites = append(suites, suite{name: name + " -race", folder: "./" + name})
	}
	var out bytes.Buffer
	if err := stress(t.Context(), &out, suites, t.TempDir(), 2, 1); !errors.Is(err, errFailed) {
		t.Errorf("red: %v", err)
	}
	want := "10 runs, 8 failed\n   2 × dies -race (the whole run)\n   2 × fails -race TestFails/within\n   2 × forgets -race TestFails\n   2 × runsNothing -race (the whole run)\n"
	if !strings.HasSuffix(out.String(), want) {
		t.Errorf("%s\nwant at its end\n%s", &out, want)
	}
	for file, says := range map[string]string{"fails-race-2": "this is why", "dies-race-1": "signal: killed", "runsNothing-race-1": "ended well without PASS"} {
		if text, err := os.ReadFile(filepath.Join(failuresDir, file+".txt")); err != nil || !strings.Contains(string(text), says) {
			t.Errorf("%s: %v\n%s", file, err, text)
		}
	}
	suites = slices.DeleteFunc(suites, func(s suite) bool { return s.folder != "./passes" })
	out.Reset()
	if err := stress(t.Context(), &out, suites, t.TempDir(), 3, 0); err != nil || !strings.HasSuffix(out.String(), "3 runs, 0 failed\n") {
		t.Errorf("green: %v\n%s", err, &out)
	}
}

// Events of suites side by side do not get into each other's lines, and each suite says at its end how it went.
func TestEvents(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var out bytes.Buffer
	var writing sync.WaitGroup
	const each = 500
	for _, name := range []string{"a", "another"} {
		writing.Go(func() {
			e := &events{mu: &mu, to: &out, of: func() string { return name }, began: time.Now()}
			test := fmt.Sprintf(`{"Action":"run","Package":%[1]q,"Test":"T"}`+"\n"+`{"Action":"skip","Package":%[1]q,"Test":"T"}`+"\n", name)
			rest := strings.Repeat(test, each) +
				fmt.Sprintf(`{"Action":"fail","Package":%[1]q,"Test":"U/v"}`+"\n"+`{"Action":"fail","Package":%[1]q,"Test":"U"}`+"\n"+`{"Action":"fail","Package":%[1]q}`+"\n", name)
			for size := 1; rest != ""; size = size%37 + 1 {
				piece := rest[:min(size, len(rest))]
				if n, err := e.Write([]byte(piece)); n != len(piece) || err != nil {
					t.Error(n, err)
				}
				rest = rest[len(piece):]
			}
			if e.passed() {
				t.Error("it failed")
			}
		})
	}
	writing.Wait()
	counts := map[string]int{}
	var said []string
	for line := range strings.Lines(out.String()) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		counts[e.Package+" "+e.Action]++
		if e.Output != "" {
			said = append(said, e.Output)
		}
	}
	if diff := cmp.Diff(map[string]int{"a run": each, "a skip": each, "a fail": 3, "a output": 1, "another run": each, "another skip": each, "another fail": 3, "another output": 1}, counts); diff != "" {
		t.Error(diff)
	}
	slices.Sort(said)
	for i, want := range []string{"FAIL a  a: 500 tests, 500 skipped, 1 failure in ", "FAIL another  another: 500 tests, 500 skipped, 1 failure in "} {
		if i >= len(said) || !strings.HasPrefix(said[i], want) {
			t.Errorf("said %q, want %q", said, want)
		}
	}
	if _, err := (&events{mu: &mu, to: &out}).Write([]byte("no event\n")); err == nil {
		t.Error("what is no event went through")
	}
}
