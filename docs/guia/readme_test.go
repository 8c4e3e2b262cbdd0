//go:build unix

package guia_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/apptest"
)

// What somebody types who has just found the repository: the service is started by the README's own command, and the others
// are given to it. make is only asked what it would do. The Portuguese README has the same: TestTranslationsHaveTheSameShape.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	apptest.OtherProcess(t)
	bash := need(t, "bash")
	need(t, "curl")
	need(t, "make")
	base, said := "", ""
	for _, b := range read(t, readme.English).blocks {
		switch {
		case b.remark == "output":
			b.compare(t, said)
		case b.lang != "sh":
			t.Errorf("line %d: nobody runs this", b.line)
		case strings.Contains(b.text, "go run "):
			base = startService(t, bash, b.text)
		default:
			script := "set -eu\nmake() { command make -n \"$@\"; }\n" + strings.ReplaceAll(b.text, "http://localhost:9050", base)
			cmd := exec.CommandContext(t.Context(), bash, "-c", script)
			cmd.Dir = "../.."
			var complaints strings.Builder
			cmd.Stderr = &complaints
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("line %d: %v\n%s%s", b.line, err, out, &complaints)
			}
			said = string(out)
		}
	}
}

// startService runs a command that starts the service, on ports that are free, and returns the API's address.
func startService(t *testing.T, bash, command string) string {
	t.Helper()
	cmd := exec.Command(bash, "-c", command)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "MAQUININHA_DATA="+t.TempDir(), "MAQUININHA_LISTEN=127.0.0.1:0", "MAQUININHA_SCREEN=127.0.0.1:0",
		"MAQUININHA_DESKTOP_NOTIFICATIONS=false", "CGO_ENABLED=0") // as the program was built: most is compiled already
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // to end what go run has started, too
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // it may have ended
		cmd.Wait()                                      //nolint:errcheck // it was killed
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if fields := strings.Fields(lines.Text()); len(fields) > 1 && fields[0] == "API" {
			go io.Copy(io.Discard, out) //nolint:errcheck // it must not wait for a reader
			return fields[1]
		}
	}
	cmd.Wait() //nolint:errcheck // what it said tells more
	t.Fatalf("the service said no address\n%s", &complaints)
	return ""
}

var (
	makeForm   = regexp.MustCompile("`make ([a-z-]+)")
	targetForm = regexp.MustCompile(`(?m)^([a-z-]+):`)
)

// What a document tells to make, make knows; what it links to is there.
func TestDocuments(t *testing.T) {
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
