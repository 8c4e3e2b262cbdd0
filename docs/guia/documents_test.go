package guia_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var (
	makeForm   = regexp.MustCompile("`make ([a-z-]+)")
	targetForm = regexp.MustCompile(`(?m)^([a-z-]+):`)
	provedForm = regexp.MustCompile("`((?:Test|Fuzz)[A-Z][A-Za-z0-9]*)[`*]")
	proofForm  = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9_]*)\(`)
)

// proofs are the names of all tests and fuzz targets, a line each.
func proofs(t *testing.T) string {
	t.Helper()
	var names strings.Builder
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range proofForm.FindAllStringSubmatch(string(text), -1) {
			names.WriteString("\n" + m[1] + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names.String()
}

// What a document tells to make, make knows; the tests it names as proof and the files it links to are there.
func TestDocuments(t *testing.T) {
	tests := proofs(t)
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, m := range targetForm.FindAllStringSubmatch(string(makefile), -1) {
		known = append(known, m[1])
	}
	names, err := filepath.Glob("../*.md")
	if err != nil || len(names) < 5 {
		t.Fatalf("only %d documents: %v", len(names), err)
	}
	for _, name := range append(names, readme.English, readme.Portuguese) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range makeForm.FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(known, m[1]) {
				t.Errorf("%s: make knows no %s", name, m[1])
			}
		}
		for _, m := range provedForm.FindAllStringSubmatch(string(text), -1) {
			proof := "\n" + m[1]
			if strings.HasSuffix(m[0], "`") { // or any that begins so
				proof += "\n"
			}
			if !strings.Contains(tests, proof) {
				t.Errorf("%s: there is no %s", name, m[0])
			}
		}
		for _, m := range linkForm.FindAllStringSubmatch(codeForm.ReplaceAllString(string(text), ""), -1) {
			file, _, _ := strings.Cut(m[3], "#")
			if file == "" || strings.Contains(file, "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), file)); err != nil {
				t.Errorf("%s: %s leads nowhere", name, m[3])
			}
		}
	}
}

// A stranger finds the decision he needs: every subject is in the table of contents, and no entry is longer than two lines.
func TestDecisions(t *testing.T) {
	const name, widest = "../decisions.md", 150
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	contents, subjects, _ := strings.Cut(string(text), "\n## ")
	var listed, there []string
	for _, m := range linkForm.FindAllStringSubmatch(contents, -1) {
		listed = append(listed, strings.TrimPrefix(m[3], "#"))
	}
	for _, h := range read(t, name).headings[1:] {
		there = append(there, h.id)
	}
	if diff := cmp.Diff(there, listed); diff != "" {
		t.Errorf("%s: the table of contents is another (-subjects +contents):\n%s", name, diff)
	}
	lines := 0 // of the entry
	for line := range strings.Lines(subjects) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "- "):
			lines = 1
		case strings.HasPrefix(line, "  "):
			lines++
		}
		if lines > 2 || utf8.RuneCountInString(line) > widest {
			t.Errorf("%s: an entry is too long: %s", name, line)
		}
	}
}
