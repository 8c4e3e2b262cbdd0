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

func TestPlan(t *testing.T) {
	if testing.Short() {
		t.Skip("starts another process")
	}
	t.Chdir("../..") // where its folders are looked for
	found, err := list(t.Context(), []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(ways)), hubToo) {
		if !slices.Contains(found, name) {
			t.Errorf("%s has no tests, or is not there", name)
		}
	}
	names := func(everything bool) (whole, parts []string) {
		t.Helper()
		suites, err := plan(found, everything)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range suites {
			if s.only != "" {
				parts = append(parts, s.name)
			} else {
				whole = append(whole, s.name)
			}
		}
		return whole, parts
	}
	whole, parts := names(false)
	for _, name := range longest {
		if !slices.Contains(whole, name) && !slices.Contains(parts, name) {
			t.Errorf("%s is not there", name)
		}
	}
	all, partsOfAll := names(true)
	for _, p := range found {
		if !slices.Contains(whole, p) && !slices.Contains(whole, p+" -race") {
			t.Errorf("%s is not tested", p)
		}
		if only, err := notRaced("./" + p); err != nil || ways[p] == raced && only != "" {
			t.Errorf("%s: not tested at all: %s, %v", p, only, err)
		}
		if !slices.Contains(all, p) || !slices.Contains(all, p+" -race") || len(partsOfAll) > 0 {
			t.Errorf("everything is not everything: %s, %v", p, partsOfAll)
		}
	}
}

// Each package is built once a way, and none over another of the same name.
func TestGroups(t *testing.T) {
	suites := []suite{{folder: "./app", race: true}, {folder: "./app"}, {folder: "./app", hub: true}, {folder: "./hub/app"}, {folder: "./sale"}, {folder: "./old/app"}}
	if diff := cmp.Diff([][]string{{"./app", "./sale"}, {"./hub/app"}, {"./old/app"}}, groups(suites, false)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"./app"}}, groups(suites, true)); diff != "" {
		t.Error(diff)
	}
}

// What the raced run leaves out of a package, and only that.
func TestNotRaced(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a_test.go": "//go:build !race || everything\n\npackage a\n\nfunc TestPlain(t *testing.T) {}\n\nfunc help(t *testing.T) {}\n\nfunc FuzzPlain(f *testing.F) {}\n",
		"d_test.go": "// Of whom.\n\n//go:build linux && !race\n\npackage a\n\nfunc TestBelow(t *testing.T) {}\n",
		"e_test.go": "package a\n\n//go:build !race\nfunc TestNoConstraint(t *testing.T) {}\n",
		"b_test.go": "//go:build unix\n\npackage a\n\nfunc TestRaced(t *testing.T) {}\n",
		"c_test.go": "// Package a says !race.\npackage a\n\nfunc TestRacedToo(t *testing.T) {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := notRaced(dir)
	if err != nil || got != "^(TestPlain|FuzzPlain|TestBelow)$" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := notRaced(t.TempDir()); err != nil || got != "" {
		t.Errorf("where there are none: %q, %v", got, err)
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

func TestAtLeastOneRound(t *testing.T) {
	t.Parallel()
	if n, err := atLeastOne("20"); n != 20 || err != nil {
		t.Errorf("20: %d, %v", n, err)
	}
	for _, text := range []string{"0", "-1", "x", "1.5", ""} {
		if n, err := atLeastOne(text); err == nil {
			t.Errorf("%q is %d rounds", text, n)
		}
	}
}
