package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWays(t *testing.T) {
	if testing.Short() {
		t.Skip("starts another process")
	}
	found, err := list(t.Context(), []string{module + "..."})
	if err != nil {
		t.Fatal(err)
	}
	for name := range maps.Keys(ways) {
		if !slices.Contains(found, "./"+name) {
			t.Errorf("%s has no tests, or is not there", name)
		}
	}
	for _, p := range hubToo {
		if !slices.Contains(found, p) {
			t.Errorf("%s is not there", p)
		}
	}
	withRace, without, rest := split(found, false)
	for _, p := range found {
		if !slices.Contains(withRace, p) && !slices.Contains(without, p) || slices.Contains(rest, p) && !slices.Contains(withRace, p) {
			t.Errorf("%s is not tested", p)
		}
	}
	withRace, without, rest = split(found, true)
	if !slices.Equal(withRace, found) || !slices.Equal(without, found) || len(rest) > 0 {
		t.Error("everything is not everything")
	}
}

// What the raced run leaves out of a package, and only that.
func TestNotRaced(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a_test.go": "//go:build !race || everything\n\npackage a\n\nfunc TestPlain(t *testing.T) {}\n\nfunc help(t *testing.T) {}\n\nfunc FuzzPlain(f *testing.F) {}\n",
		"b_test.go": "//go:build unix\n\npackage a\n\nfunc TestRaced(t *testing.T) {}\n",
		"c_test.go": "// Package a says !race.\npackage a\n\nfunc TestRacedToo(t *testing.T) {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := notRaced([]string{dir})
	if err != nil || got != "^(nothing|TestPlain|FuzzPlain)$" {
		t.Errorf("%q, %v", got, err)
	}
}

// The race detector must see what the packages that it does not watch synchronize with.
func TestNotWatched(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages")
	}
	cmd := goCommand(t.Context(), true, "list", append([]string{"-export", "-f", "{{.Export}}"}, notWatched...)...)
	cmd.Stderr = os.Stderr
	files, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	defined := regexp.MustCompile(` T ((?:internal/)?sync\.\(\*[A-Za-z]+\[.*)`)
	for _, file := range strings.Fields(string(files)) {
		symbols, err := exec.CommandContext(t.Context(), "go", "tool", "nm", file).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range defined.FindAllSubmatch(symbols, -1) {
			t.Errorf("%s has %s", file, found[1])
		}
	}
}

func TestNamed(t *testing.T) {
	for line, want := range map[string]string{
		`{"Action":"run","Package":"` + module + `internal/app","Test":"TestA"}`: `{"Action":"run","Package":"internal/app -race","Test":"TestA"}`,
		`{"ImportPath":"` + module + `internal/app","Action":"build-output"}`:    `{"ImportPath":"` + module + `internal/app","Action":"build-output"}`,
	} {
		if got := string(named([]byte(line), " -race")); got != want {
			t.Errorf("%s\nis named\n%s", line, got)
		}
	}
}

func TestFailedTests(t *testing.T) {
	for out, want := range map[string][]string{
		"--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\n    a_test.go:1: --- no\n--- FAIL: TestAB (1s)\nFAIL\n": {"TestA/b", "TestAB"},
		"panic: test timed out after 30m\n": {"(the whole run)"},
	} {
		if diff := cmp.Diff(want, failedTests(out)); diff != "" {
			t.Error(diff)
		}
	}
}
