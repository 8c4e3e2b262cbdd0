package testserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/maquininha/maquininha/internal/cli/clitest"
	"github.com/maquininha/maquininha/internal/waittest"
	"github.com/maquininha/maquininha/testserver"
)

// shop is a caller of a test-server that runs as a process.
type shop struct {
	place
	t *testing.T

	client *http.Client // whoever has an address after it must not get its connections
	cmd    *exec.Cmd
	stdin  io.Closer
	report string
	words  bytes.Buffer
	temp   string // where it may put its data
}

func openShop(t *testing.T, scenario string, args ...string) *shop {
	t.Helper()
	s := &shop{t: t, client: &http.Client{Transport: &http.Transport{}}, report: filepath.Join(t.TempDir(), "report.json"), temp: t.TempDir()}
	script := filepath.Join(t.TempDir(), "roteiro.toml")
	if err := os.WriteFile(script, []byte(scenario), 0o600); err != nil {
		t.Fatal(err)
	}
	s.cmd = clitest.Program(t, append([]string{"test-server", "--stdin", "--scenario", script, "--report", s.report}, args...)...)
	s.cmd.Env = append(s.cmd.Env, "TMPDIR="+s.temp)
	s.cmd.Stderr = &s.words
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s.cmd.ProcessState == nil {
			s.cmd.Process.Kill()
			s.cmd.Wait()
		}
		s.client.CloseIdleConnections()
	})
	s.stdin = stdin
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		s.cmd.Wait()
		t.Fatalf("no line of its own: %v\n%s", err, &s.words)
	}
	if err := json.Unmarshal(line, &s.place); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return s
}

// end is the caller's own: it returns the report and the exit code.
func (s *shop) end() (testserver.Report, int) {
	s.t.Helper()
	s.client.CloseIdleConnections()
	s.stdin.Close()
	err := s.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	var r testserver.Report
	text, err := os.ReadFile(s.report)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		s.t.Fatalf("%v\n%s", err, &s.words)
	}
	if left, err := os.ReadDir(s.temp); err != nil || len(left) > 0 {
		s.t.Errorf("left behind: %v %v", left, err)
	}
	return r, s.cmd.ProcessState.ExitCode()
}

// send is a request with the right credentials; status 0: no answer came.
func (s *shop) send(method, path, body string) (int, string) {
	return s.sendFor(s.t.Context(), method, path, body, s.Username, s.Password)
}

func (s *shop) sendFor(ctx context.Context, method, path, body, user, password string) (int, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if user != "" {
		r.SetBasicAuth(user, password)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return 0, ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, ""
	}
	return answer.StatusCode, string(text)
}

// must is send with the answer it has to have.
func (s *shop) must(want int, method, path, body string) {
	s.t.Helper()
	if status, text := s.send(method, path, body); status != want {
		s.t.Fatalf("%s %s: %d %s, want %d", method, path, status, text, want)
	}
}

func (s *shop) pay(want int, reference, amount string) {
	s.t.Helper()
	s.must(want, "POST", "/transaction", `{"tPag":"03","amount":`+amount+`,"referenceId":"`+reference+`"}`)
}

func (s *shop) open() {
	s.t.Helper()
	s.must(200, "POST", "/sale", "")
	s.must(200, "POST", "/sale/item", `{"code":"1","description":"Café","quantity":1,"unitPrice":10,"total":10}`)
}

func (s *shop) finalize(tPag string) {
	s.t.Helper()
	if tPag != "" {
		s.must(200, "POST", "/sale/payment", `{"tPag":"`+tPag+`","value":10}`)
	}
	s.must(200, "POST", "/sale/finalize", "")
}

// await returns when the screen shows a question or a payment.
func (s *shop) await(what string) {
	s.t.Helper()
	waittest.Until(s.t, "the "+what+" on the screen", func() bool {
		status, text := s.send("GET", "/emulator/screen", "")
		if status != http.StatusOK {
			s.t.Fatalf("GET /emulator/screen: %d %s", status, text)
		}
		// A payment that waits for the foreground is not the acquirer's yet, and can't be settled.
		return !strings.Contains(text, `"`+what+`":null`) && !strings.Contains(text, `"step":"waiting"`)
	})
}

// hangUp gives up on a request as soon as the screen shows what it is about.
func (s *shop) hangUp(what, path, body string) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	var ended sync.WaitGroup
	ended.Go(func() { s.sendFor(ctx, "POST", path, body, s.Username, s.Password) })
	s.await(what)
	cancel()
	ended.Wait()
}
