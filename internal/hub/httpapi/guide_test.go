package httpapi

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// saidForm finds the words that a file answers with: arguments of what refuses, and constants.
	saidForm = regexp.MustCompile(`(?:reply\.Refuse|fail|invalid|wrong)\((?:w, )?[^,"]*(?:"[a-zA-Z]*")?, "([^"]+)"|(?m:^(?:const|\t)\s*(?:absentWords|lostWords|notRead|notSaved)\s*= "([^"]+)")|"message":"([^"+]+)"`)
	spanForm = regexp.MustCompile("`([^`]+)`")
)

// Whoever adds an error of the hub writes down what causes it and what helps.
func TestEveryErrorIsInTheGuide(t *testing.T) {
	var texts []string
	files, err := filepath.Glob("*.go")
	relay, failed := filepath.Glob("../relay/*.go")
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	for _, name := range append(append(files, relay...), "../../tunnel/accept.go") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, m := range saidForm.FindAllStringSubmatch(string(text), -1) {
			texts = append(texts, m[1]+m[2]+m[3])
		}
	}
	if len(texts) < 20 {
		t.Fatalf("only %d texts were found: %q", len(texts), texts)
	}
	for _, name := range []string{"erros.md", "en/errors.md"} {
		written, err := os.ReadFile(filepath.Join("../../../docs/guia", name))
		if err != nil {
			t.Fatal(err)
		}
		chapter := string(written)
		for _, f := range failures {
			if !strings.Contains(chapter, fmt.Sprintf("\n| %d | `%s` |", f.status, f.message)) {
				t.Errorf("%s has no row for %d %s", name, f.status, f.message)
			}
		}
		var spans []string
		for line := range strings.Lines(chapter) {
			if strings.HasPrefix(line, "| ") {
				for _, m := range spanForm.FindAllStringSubmatch(line, -1) {
					spans = append(spans, m[1])
				}
			}
		}
		for _, text := range append(texts, away) {
			if !slices.ContainsFunc(spans, func(span string) bool {
				begin, _, open := strings.Cut(span, "…")
				return strings.Contains(span, strings.TrimSpace(text)) || open && len(begin) > 5 && strings.HasPrefix(text, strings.TrimSpace(begin))
			}) {
				t.Errorf("%s does not explain %q", name, text)
			}
		}
	}
}
