package guia_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/docs/guia"
	"github.com/maquininha/maquininha/internal/apptest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.parallel", "6") //nolint:errcheck // it is there; tests wait for other processes
	var err error
	if hubFolder, err = os.MkdirTemp("", "maquininha-hub-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := apptest.WithProgram(m)
	os.RemoveAll(hubFolder) //nolint:errcheck // what is left is seen there
	os.Exit(code)
}

// hubFolder is where the hub's program comes to be; every command finds programs there.
var hubFolder string

// hubProgram is the hub's, built once for the package, as go run would.
var hubProgram = sync.OnceValues(func() (path string, err error) {
	path = filepath.Join(hubFolder, "maquininha-hub")
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", path, "./cmd/maquininha-hub")
	build.Dir, build.Env = "../..", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

func hub(t *testing.T) string {
	t.Helper()
	apptest.OtherProcess(t)
	path, err := hubProgram()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// need finds a program; where it is missing nothing can be shown, which must not happen unseen.
func need(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil && os.Getenv("CI") != "" {
		t.Fatalf("%s is missing: make test installs it", program)
	}
	if err != nil {
		t.Skipf("%s is missing", program)
	}
	return path
}

// The commands of a chapter run in their order, in one shell, against a service that has just been started. The translation
// has the same: TestTranslationsHaveTheSameShape.
func TestCommands(t *testing.T) {
	t.Parallel()
	for _, c := range guia.Chapters {
		p := read(t, c.Portuguese)
		if !p.runs("sh") || c.Portuguese == manyShops {
			continue
		}
		t.Run(strings.TrimSuffix(c.Portuguese, ".md"), func(t *testing.T) {
			t.Parallel()
			bash := need(t, "bash")
			need(t, "curl")
			s := newStage(t, p.flags...)
			var script strings.Builder
			script.WriteString("set -eu\n")
			for i, b := range p.blocks {
				if b.lang == "sh" && !b.skipped() {
					fmt.Fprintf(&script, "exec >%q\n%s", s.output(i), s.here(b.text))
				}
			}
			said, err := s.run(bash, "-c", script.String())
			if err != nil {
				t.Errorf("%v\n%s", err, said)
			}
			s.compareOutputs(p.blocks)
		})
	}
}

// compareOutputs holds what the blocks show against what the command before each said.
func (s stage) compareOutputs(blocks []block) {
	s.t.Helper()
	last := -1
	for i, b := range blocks {
		if b.lang == "sh" {
			last = i
		}
		if b.remark == "output" {
			got, err := os.ReadFile(s.output(last))
			if err != nil {
				s.t.Fatalf("line %d shows what no command said: %v", b.line, err)
			}
			b.compare(s.t, string(got))
		}
	}
}

func (p page) runs(lang string) bool {
	for _, b := range p.blocks {
		if b.lang == lang && !b.skipped() {
			return true
		}
	}
	return false
}

func (b block) skipped() bool { return strings.HasPrefix(b.remark, "not run:") }

// stage is a folder with a service beside it.
type stage struct {
	t       *testing.T
	process *apptest.Process
	dir     string
	outputs string
	env     []string // beside what every stage has
}

func newStage(t *testing.T, flags ...string) stage {
	t.Helper()
	s := newFolder(t)
	s.process = apptest.StartProcess(t, flags...)
	note, err := os.ReadFile("../../internal/fiscal/testdata/nfce.xml")
	if err == nil {
		err = os.WriteFile(filepath.Join(s.dir, "nota.xml"), note, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newFolder is a stage without a service.
func newFolder(t *testing.T) stage {
	t.Helper()
	return stage{t, &apptest.Process{}, t.TempDir(), t.TempDir(), nil}
}

func (s stage) output(i int) string { return filepath.Join(s.outputs, fmt.Sprint(i)) }

// here is a command as it must be for this service.
func (s stage) here(text string) string {
	return strings.NewReplacer("http://localhost:9050", s.process.Base, "admin:", apptest.User+":", `"admin"`, `"`+apptest.User+`"`, "'admin'", "'"+apptest.User+"'",
		// The same story, told slower: on a busy machine a second is over before a request has arrived.
		`"delayMs": 3000`, `"delayMs": 20000`, "pdv -m 1 ", "pdv -m 10 ").Replace(text)
}

func (s stage) run(name string, args ...string) (string, error) {
	s.t.Helper()
	out, err := s.command(name, args...).CombinedOutput()
	return string(out), err
}

// runNew is run for somebody who has done no more than what the README says, where a password is chosen, and no user.
func (s stage) runNew(name string, args ...string) (string, error) {
	s.t.Helper()
	cmd := s.command(name, args...)
	cmd.Env = slices.DeleteFunc(cmd.Env, func(v string) bool { return strings.HasPrefix(v, "MAQUININHA_USERNAME=") })
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (s stage) command(name string, args ...string) *exec.Cmd {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), name, args...)
	cmd.Dir = s.dir
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(os.Environ(), "MAQUININHA_URL="+s.process.Base, "MAQUININHA_USERNAME="+apptest.User, "MAQUININHA_PASSWORD="+apptest.Password,
		"MAQUININHA_DATA="+s.process.Data, "LC_ALL=C.UTF-8", "CGO_ENABLED=0", // as the program was built: most is compiled already
		"PATH="+hubFolder+":"+filepath.Dir(apptest.Program(s.t))+":"+os.Getenv("PATH"))
	cmd.Env = append(cmd.Env, s.env...)
	return cmd
}

// compare holds what the guide shows against what was said.
func (b block) compare(t *testing.T, got string) {
	t.Helper()
	if b.lang == "json" {
		if diff := cmp.Diff(values(t, b.text), mask(values(t, b.text), values(t, got))); diff != "" {
			t.Errorf("line %d: the service says otherwise (-guide +service):\n%s", b.line, diff)
		}
		return
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(b.text)), "…", ".*")
	got = strings.ReplaceAll(strings.TrimPrefix(got, "\ufeff"), "\r\n", "\n")
	if !regexp.MustCompile("^" + pattern + "$").MatchString(strings.TrimSpace(got)) {
		t.Errorf("line %d: the guide shows\n%s\nand it was said\n%s", b.line, b.text, got)
	}
}

// values are the JSON values that stand one behind the other.
func values(t *testing.T, text string) (all []any) {
	t.Helper()
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var v any
		err := d.Decode(&v)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Errorf("%v in:\n%s", err, text)
			return all
		}
		all = append(all, v)
	}
}

// volatile values differ each time and are shown as an example.
var volatile = []string{"startedAt", "uptimeSeconds"}

// mask puts into what was said what the guide leaves open.
func mask(shown, said any) any {
	if shown == "…" {
		return "…"
	}
	switch said := said.(type) {
	case []any:
		if list, ok := shown.([]any); ok && len(list) == len(said) {
			for i := range said {
				said[i] = mask(list[i], said[i])
			}
		}
	case map[string]any:
		if object, ok := shown.(map[string]any); ok {
			for k := range said {
				if v, there := object[k]; there {
					said[k] = mask(v, said[k])
				}
			}
			for _, k := range volatile {
				if v, there := object[k]; there && said[k] != nil {
					said[k] = v
				}
			}
		}
	}
	return said
}
