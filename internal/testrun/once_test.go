package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
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
func reported(t *testing.T, packages map[string]string, suites []suite) (ends map[string]string, said string, err error) {
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
	err = once(t.Context(), &out, suites, t.TempDir(), false)
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
	hub := suite{name: "hub hub", folder: "./hub", hub: true, only: "^TestHub$"}
	green := map[string]string{"passes": passes, "hub": throughTheHub}
	ends, said, err := reported(t, green, []suite{{name: "passes", folder: "./passes"}, hub})
	if err != nil || len(ends) != 2 || ends["passes"] != "pass" || ends["hub hub"] != "pass" {
		t.Errorf("green: %v, %v\n%s", err, ends, said)
	}
	for name, c := range map[string]struct{ text, says string }{
		"fails":        {fails, "this is why"},
		"dies":         {dies, "signal: killed"},
		"endsSilently": {endsSilently, "exit status 3"},
	} {
		ends, said, err := reported(t, map[string]string{"passes": passes, name: c.text}, []suite{{name: name, folder: "./" + name}, {name: "passes", folder: "./passes"}})
		if !errors.Is(err, errFailed) || len(ends) != 2 || ends[name] != "fail" || ends["passes"] != "pass" || !strings.Contains(said, c.says) {
			t.Errorf("%s: %v, %v\n%s", name, err, ends, said)
		}
	}
	ends, said, err = reported(t, map[string]string{"passes": passes, "fails": fails, "broken": doesNotCompile},
		[]suite{{name: "broken", folder: "./broken"}, {name: "fails", folder: "./fails"}, {name: "passes", folder: "./passes"}})
	if err == nil || errors.Is(err, errFailed) || len(ends) != 2 || ends["fails"] != "fail" || ends["passes"] != "pass" {
		t.Errorf("broken: %v, %v\n%s", err, ends, said)
	}
}

// Events of suites side by side do not get into each other's lines.
func TestLines(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var out bytes.Buffer
	a, b := &lines{mu: &mu, to: &out}, &lines{mu: &mu, to: &out}
	for _, w := range []struct {
		to   *lines
		text string
	}{{a, "one "}, {b, "first\nsec"}, {a, "line\n\nand "}, {b, "ond\n"}, {a, "another\n"}} {
		if n, err := w.to.Write([]byte(w.text)); n != len(w.text) || err != nil {
			t.Error(n, err)
		}
	}
	if want := "first\none line\n\nsecond\nand another\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
