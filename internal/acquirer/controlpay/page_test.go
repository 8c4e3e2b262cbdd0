package controlpay_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	repository = "../../.."
	page       = "docs/new-acquirer.md"
)

var (
	fragment = regexp.MustCompile("(?s)(?:<!-- from (\\S+) -->\n)?```go\n(.*?)```")
	command  = regexp.MustCompile("(?s)```sh\n(.*?)```")
)

func contents(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPageIsTrue holds the page about new acquirers against this package, which is its example: each of its blocks stands in the file that it
// names, its commands name tests that are there, and no file of the driver is left out.
func TestPageIsTrue(t *testing.T) {
	text := contents(t, page)
	fragments := fragment.FindAllStringSubmatch(text, -1)
	if len(fragments) < 8 {
		t.Fatalf("%d blocks of Go", len(fragments))
	}
	for _, f := range fragments {
		if f[1] == "" {
			t.Errorf("a block does not say where it is from:\n%s", f[2])
		} else if !strings.Contains(contents(t, f[1]), f[2]) {
			t.Errorf("%s has not, or not any more:\n%s", f[1], f[2])
		}
	}
	for _, at := range regexp.MustCompile("`((?:internal|docs|client|cmd)/[^`]+)`").FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(repository, at[1])); err != nil {
			t.Errorf("%s names what is not there: %v", page, err)
		}
	}
	if at := regexp.MustCompile("`(?:app|cli|portuguese|acquirer|payment|crash)/[^`]+`").FindAllString(text, -1); len(at) > 0 {
		t.Errorf("%s names places that nobody finds from the repository's root: %q", page, at)
	}
	tests := contents(t, "internal/acquirer/controlpay/conform_test.go")
	for _, c := range command.FindAllStringSubmatch(text, -1) {
		for _, name := range regexp.MustCompile(`Test\w+`).FindAllString(c[1], -1) {
			if !strings.Contains(tests, "func "+name+"(") {
				t.Errorf("there is no %s to run", name)
			}
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if file != "page_test.go" && file != "export_test.go" && !strings.Contains(text, file) {
			t.Errorf("%s says nothing of %s", page, file)
		}
	}
}
