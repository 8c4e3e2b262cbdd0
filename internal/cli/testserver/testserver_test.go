package testserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/waittest"
	"github.com/maquininha/maquininha/testserver"
)

func TestMain(m *testing.M) { clitest.Main(m) }

func TestTestServerTellsOfItsCommand(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("sh is missing")
	}
	const status = `curl -s -u "$MAQUININHA_USERNAME:$MAQUININHA_PASSWORD" "$MAQUININHA_URL/status" >/dev/null`
	const unreferenced = `curl -s -u "$MAQUININHA_USERNAME:$MAQUININHA_PASSWORD" -d '{"tPag":"03","amount":1}' "$MAQUININHA_URL/transaction" >/dev/null`
	for _, test := range []struct {
		script string
		code   int
		its    int
	}{
		{status, 0, 0},
		{status + "; exit 7", 3, 7},
		{`test -n "$MAQUININHA_URL" -a -n "$MAQUININHA_USERNAME" -a -n "$MAQUININHA_PASSWORD"`, 2, 0},
		{"exit 7", 4, 7},
		{"kill -9 $$", 3, -1},
		{unreferenced, 2, 0},
		{unreferenced + "; exit 5", 4, 5},
	} {
		t.Run(test.script, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath("curl"); err != nil && strings.HasPrefix(test.script, "curl") {
				t.Skip("curl is missing")
			}
			temp := t.TempDir()
			cmd := clitest.Program(t, "test-server", "--report", "-", "--", sh, "-c", test.script)
			cmd.Env = append(cmd.Env, "TMPDIR="+temp)
			var words bytes.Buffer
			cmd.Stderr = &words
			out, _ := cmd.Output()
			if code := cmd.ProcessState.ExitCode(); code != test.code {
				t.Errorf("exit code %d\n%s", code, &words)
			}
			var r testserver.Report
			if err := json.Unmarshal(out, &r); err != nil || r.Command == nil || r.Command.ExitCode != test.its || r.Command.Args[0] != sh {
				t.Errorf("%v: %s", err, out)
			}
			if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v %v", left, err)
			}
		})
	}
}

// A program that calls some other terminal must not pass for one that was tested.
func TestNothingWasTested(t *testing.T) {
	t.Parallel()
	s := openShop(t, "")
	s.send("GET", "/docs", "")
	report, code := s.end()
	if code != 2 || len(report.Faults) != 1 || report.Faults[0].Rule != "nothing-tested" || report.Faults[0].Request != 0 {
		t.Errorf("code %d, %+v", code, report.Faults)
	}
	if words := s.words.String(); !strings.Contains(words, "(nothing-tested)") || !strings.Contains(words, "MAQUININHA_URL") || strings.Contains(words, "requisição 0") {
		t.Error(words)
	}
	if report, code := openShop(t, "", "--ignore", "nothing-tested").end(); code != 0 || len(report.Faults) != 0 || report.Ignored != 1 {
		t.Errorf("ignored: code %d, %+v", code, report.Faults)
	}
}

// Standard error is the command's until its end: what the scenario breaks is not said there.
func TestTestServerIsQuiet(t *testing.T) {
	t.Parallel()
	s := openShop(t, "[[printer]]\n")
	s.must(500, "POST", "/print/text", `[{"text":{"value":"Recibo"}}]`)
	s.end()
	if words := s.words.String(); !strings.HasPrefix(words, "\nO chamador fez 1 requisição") {
		t.Error(words)
	}
}

func TestTestServerEndsWhenAsked(t *testing.T) {
	t.Parallel()
	s := openShop(t, "delay = '10m'\n", "--ready", filepath.Join(t.TempDir(), "pronto.json"))
	ready := s.cmd.Args[len(s.cmd.Args)-1]
	text, err := os.ReadFile(ready)
	var at place
	if err == nil {
		err = json.Unmarshal(text, &at)
	}
	if err != nil || at != s.place {
		t.Errorf("%v: %s", err, text)
	}
	// What the caller was in the middle of is not held against it.
	asked := make(chan int, 1)
	go func() {
		status, _ := s.send("POST", "/ask", quest)
		asked <- status
	}()
	s.await("question")
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if status := <-asked; status != 503 {
		t.Errorf("the question ended with %d", status)
	}
	report, code := s.end()
	if code != 0 || len(report.Faults) > 0 || !slices.ContainsFunc(report.Requests, func(r testserver.Request) bool { return r.Path == "/ask" }) {
		t.Errorf("code %d, %+v", code, report.Faults)
	}
}

// What is killed can't clean up; a folder for temporary files is all it leaves.
func TestTestServerKilled(t *testing.T) {
	t.Parallel()
	s := openShop(t, "")
	s.must(200, "POST", "/sale", "")
	s.cmd.Process.Kill()
	s.cmd.Wait()
	left, err := os.ReadDir(s.temp)
	if err != nil || len(left) != 1 || !strings.HasPrefix(left[0].Name(), "maquininha-test-server-") {
		t.Errorf("left behind: %v %v", left, err)
	}
	if _, err := os.Stat(s.report); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a report: %v", err)
	}
	again := openShop(t, "")
	again.must(200, "GET", "/status", "")
	again.end()
}

func TestTestServerRefusesABadScenario(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roteiro.toml")
	if err := os.WriteFile(path, []byte("delai = '1s'\n[[payment]]\noutcome = 'aprovar'\n[[busy]]\nrequest = 'transaction'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := `roteiro.toml:1: delai: chave desconhecida; quis dizer "delay"?
roteiro.toml:3: [payment] outcome: deve ser um de approve, refuse, cancel, timeout, offline
roteiro.toml:5: [busy] request: não é uma rota do terminal; quis dizer "POST /transaction"?
`
	if diff := cmp.Diff(want, clitest.Complaint(t, "test-server", "--scenario", path)); diff != "" {
		t.Error(diff)
	}
	if words := clitest.Complaint(t, "test-server", "--scenario", "nenhum.toml"); !strings.Contains(words, "nenhum.toml não existe") {
		t.Error(words)
	}
	if words := clitest.Complaint(t, "test-server", "--ignore", "tudo"); !strings.Contains(words, `"tudo" não é uma regra`) {
		t.Error(words)
	}
	if words := clitest.Complaint(t, "test-server", "--stdin", "--", "true"); !strings.Contains(words, "--stdin não vale com um comando") {
		t.Error(words)
	}
	if words := clitest.Complaint(t, "test-server", "--", filepath.Join(t.TempDir(), "nada")); !strings.Contains(words, "o comando não começou") {
		t.Error(words)
	}
}

// Asked to end, it passes that on and waits for its command to clean up.
func TestTestServerEndsItsCommand(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no signals here")
	}
	cleaned := filepath.Join(t.TempDir(), "limpo")
	cmd := clitest.Program(t, "test-server", "--", sh, "-c", `trap 'sleep 0.2; touch "$0"; exit 0' TERM; echo pronto; while :; do sleep 0.02; done`, cleaned)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "pronto\n" {
		t.Errorf("%q %v", line, err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() //nolint:errcheck // its code is looked at
	if code := cmd.ProcessState.ExitCode(); code != int(exitCommandFailed) {
		t.Errorf("exit code %d", code)
	}
	if _, err := os.Stat(cleaned); err != nil {
		t.Error(err)
	}
}

// What its command started ends with it, even if it will not hear, and if the command itself has gone before.
func TestTestServerLeavesNobodyBehind(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no signals here")
	}
	for name, script := range map[string]string{
		"the command is deaf too":  `trap "" TERM INT; sh -c 'echo $$; exec sleep 300'; true`,
		"the command ends at once": `(trap "" TERM INT; exec sh -c 'echo $$; exec sleep 300') & wait`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := clitest.Program(t, "test-server", "--", sh, "-c", script)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(out)
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			left, err := os.FindProcess(pid)
			if err != nil {
				t.Fatal(err)
			}
			mercy := time.AfterFunc(waittest.Limit, func() {
				t.Error("it lives on")
				left.Kill()
			})
			defer mercy.Stop()
			asking := make(chan struct{})
			var asked sync.WaitGroup
			asked.Go(func() {
				for { // two that come together may be one
					cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it may have ended
					select {
					case <-asking:
						return
					case <-time.After(50 * time.Millisecond):
					}
				}
			})
			if _, err := io.Copy(io.Discard, lines); err != nil { // whoever lives holds the other end
				t.Error(err)
			}
			close(asking)
			asked.Wait()
			cmd.Wait() //nolint:errcheck // a signal may have ended it
		})
	}
}
