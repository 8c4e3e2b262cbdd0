package guia_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
)

var (
	commandForm = regexp.MustCompile(`(?m)^  ([a-z][a-z-]+) +[A-ZÀ-Ú]`)
	flagForm    = regexp.MustCompile(`--[a-z][a-z-]+`)
	ruleForm    = regexp.MustCompile(`(?m)^  ([a-z]+(?:-[a-z]+)+) +[A-ZÀ-Ú]`)
	metricForm  = regexp.MustCompile(`maquininha_[a-z_]+`)
	// others are flags of programs that are not ours.
	others = []string{"--data-binary", "--pinnedpubkey", "--now", "--cacert", "--allow-untrusted", "--input", "--detach", "--publish"}
)

// help is what the program says of a command and of those below it.
func help(t *testing.T, program string, command ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), program, append(slices.Clone(command), "--help")...).CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", command, err, out)
	}
	text := string(out)
	_, rest, _ := strings.Cut(text, "Comandos:\n")
	list, _, _ := strings.Cut(rest, "\n\n")
	for _, m := range commandForm.FindAllStringSubmatch(list, -1) {
		if len(command) > 0 || m[1] != "serve" { // whose page is the first, too
			text += help(t, program, append(slices.Clone(command), m[1])...)
		}
	}
	return text
}

// An option that a document names is one that the program has.
func TestFlagsExist(t *testing.T) {
	t.Parallel()
	known := flagForm.FindAllString(help(t, apptest.Program(t))+help(t, hub(t)), -1)
	if len(known) < 100 {
		t.Fatalf("the program has only %d flags", len(known))
	}
	for _, c := range documents {
		for _, name := range []string{c.Portuguese, c.English} {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, flag := range flagForm.FindAllString(strings.ReplaceAll(string(text), "<!--", ""), -1) {
				positive := strings.Replace(flag, "--no-", "--", 1)
				if !slices.Contains(known, flag) && !slices.Contains(known, positive) && !slices.Contains(others, flag) {
					t.Errorf("%s names %s, which no command has", name, flag)
				}
			}
		}
	}
}

// The rules of test-server and those that the guide explains are the same.
func TestRulesOfTheTestServer(t *testing.T) {
	t.Parallel()
	_, rest, _ := strings.Cut(help(t, apptest.Program(t), "test-server"), "Regras:\n")
	list, _, _ := strings.Cut(rest, "\n\n")
	rules := ruleForm.FindAllStringSubmatch(list, -1)
	if len(rules) == 0 {
		t.Fatal("test-server names no rules")
	}
	for _, name := range []string{"testes.md", "en/testing.md"} {
		text := written(t, name)
		for _, rule := range rules {
			if !strings.Contains(text, "\n| `"+rule[1]+"` | ") {
				t.Errorf("%s does not explain %s", name, rule[1])
			}
		}
	}
}

func TestMetricsExist(t *testing.T) {
	t.Parallel()
	p := apptest.StartProcess(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.Base+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(apptest.User, apptest.Password)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	metrics, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	text := written(t, "acompanhamento.md")
	for line := range strings.Lines(text) {
		for _, name := range metricForm.FindAllString(line, -1) {
			if strings.Contains(line, "grep") {
				continue // a pattern
			}
			if !strings.Contains(string(metrics), "# TYPE "+name+" ") {
				t.Errorf("there is no %s", name)
			}
		}
	}
}
