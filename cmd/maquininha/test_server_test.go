package main

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

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/testserver"
)

const (
	lose  = "[[payment]]\nlose_answer = true\n"
	quest = `{"question":{"type":"CPF"}}`
)

// Each mistake, and the innocent who stands beside it.
func TestTheCallersFaults(t *testing.T) {
	for _, test := range []struct {
		name, scenario string
		caller         func(*shop)
		want           []string
	}{
		{"a whole sale", "", func(s *shop) {
			s.open()
			s.must(200, "POST", "/ask", quest)
			s.pay(200, "a", "10")
			s.finalize("credit")
			s.must(200, "POST", "/print/text", `[{"text":{"value":"Recibo"}}]`)
		}, nil},
		{"busy", "[[busy]]\n", func(s *shop) { s.pay(503, "a", "10") }, []string{"busy-not-retried"}},
		{"busy, tried again", "[[busy]]\n", func(s *shop) { s.pay(503, "a", "10"); s.pay(200, "a", "10") }, nil},
		{"busy, given up for the next sale", "[[busy]]\n", func(s *shop) { s.pay(503, "a", "10"); s.pay(200, "b", "25") }, []string{"busy-not-retried"}},
		{"busy, then paid in cash", "[[busy]]\n", func(s *shop) { s.open(); s.pay(503, "a", "10"); s.finalize("money") }, nil},
		{"busy, then cancelled", "[[busy]]\n", func(s *shop) {
			s.open()
			s.pay(503, "a", "10")
			s.must(200, "POST", "/sale/cancel", "")
			s.pay(200, "b", "25")
		}, nil},
		{"a question dropped", "[[busy]]\n", func(s *shop) {
			s.open()
			s.must(503, "POST", "/ask", quest)
			s.must(200, "POST", "/ask", `{"question":{"type":"CEP"}}`)
			s.pay(200, "a", "10")
			s.finalize("credit")
			s.must(200, "POST", "/ask", quest)
		}, []string{"busy-not-retried"}},
		{"a question asked again", "[[busy]]\n", func(s *shop) { s.must(503, "POST", "/ask", quest); s.must(200, "POST", "/ask", " "+quest) }, nil},
		{"a receipt dropped", "[[busy]]\n", func(s *shop) {
			s.must(503, "POST", "/print/text", `[{"text":{"value":"Recibo 1"}}]`)
			s.must(200, "POST", "/sale", "")
			s.must(200, "POST", "/print/text", `[{"text":{"value":"Recibo 2"}}]`)
		}, []string{"busy-not-retried"}},
		{"a receipt printed after all", "[[busy]]\n", func(s *shop) {
			s.must(503, "POST", "/print/text", `[{"text":{"value":"Recibo 1"}}]`)
			s.must(200, "POST", "/sale", "")
			s.must(200, "POST", "/print/text", `[{"text":{"value":"Recibo 1"}}]`)
		}, nil},
		{"background, then paid in cash", "foreground_wait = '50ms'\n[[background]]\n", func(s *shop) { s.open(); s.pay(503, "a", "10"); s.finalize("money") }, nil},
		{"background", "foreground_wait = '50ms'\n[[background]]\n", func(s *shop) { s.pay(503, "a", "10") }, []string{"background-not-retried"}},
		{"background, tried again", "foreground_wait = '50ms'\n[[background]]\n", func(s *shop) { s.pay(503, "a", "10"); s.pay(200, "a", "10") }, nil},
		{"no reference", "", func(s *shop) { s.must(200, "POST", "/transaction", `{"tPag":"03","amount":10}`) }, []string{"payment-without-reference"}},
		{"a reference twice", "", func(s *shop) { s.pay(200, "a", "10"); s.pay(409, "a", "11") }, []string{"reference-reused"}},
		{"a reference again after a refusal", "[[payment]]\noutcome = 'refuse'\n", func(s *shop) { s.pay(403, "a", "10"); s.pay(200, "a", "11") }, nil},
		{"one reference for two sales", "", func(s *shop) {
			for range 2 {
				s.open()
				s.pay(200, "a", "10")
				s.finalize("credit")
			}
		}, []string{"reference-reused"}},
		{"finalized as if it had been paid", "[[payment]]\noutcome = 'refuse'\n", func(s *shop) { s.open(); s.pay(403, "a", "10"); s.finalize("credit") }, []string{"finalize-unapproved"}},
		{"cash after a customer's cancellation", "[[payment]]\noutcome = 'cancel'\n", func(s *shop) { s.open(); s.pay(403, "a", "10"); s.finalize("money") }, nil},
		{"finalized unpaid", "", func(s *shop) { s.open(); s.finalize("") }, []string{"finalize-uncovered"}},
		{"finalized meanwhile", "[[payment]]\ndelay = '10m'\n", func(s *shop) {
			s.open()
			var paying sync.WaitGroup
			paying.Go(func() { s.pay(200, "a", "10") })
			s.await("payment")
			s.finalize("credit")
			s.must(200, "POST", "/emulator/payment", `{"outcome":"approve"}`)
			paying.Wait()
		}, []string{"finalize-during-payment"}},
		{"a question given up", "delay = '10m'\n", func(s *shop) { s.hangUp("question", "/ask", quest) }, []string{"timeout-too-short"}},
		{"a question cancelled", "delay = '10m'\n", func(s *shop) {
			var asking sync.WaitGroup
			asking.Go(func() { s.must(409, "POST", "/ask", quest) })
			s.await("question")
			s.must(200, "POST", "/ask/cancel", "")
			asking.Wait()
		}, nil},
		{"a question that the customer cancels", "[[answer]]\ncancel = true\n", func(s *shop) { s.must(409, "POST", "/ask", quest) }, nil},
		{"a payment given up", "delay = '10m'\n", func(s *shop) {
			s.hangUp("payment", "/transaction", `{"tPag":"17","amount":10,"referenceId":"a"}`)
		}, []string{"lost-answer-not-looked-up", "timeout-too-short"}},
		{"a lost answer", lose, func(s *shop) { s.pay(0, "a", "10") }, []string{"lost-answer-not-looked-up"}},
		{"a lost answer, looked up", lose, func(s *shop) { s.pay(0, "a", "10"); s.must(200, "GET", "/transaction/a", "") }, nil},
		{"a lost answer, found by the client", lose, func(s *shop) {
			terminal, err := client.New(s.URL, s.Username, s.Password)
			if err != nil {
				s.t.Fatal(err)
			}
			defer terminal.Close()
			s.open()
			if _, err := terminal.Pay(s.t.Context(), client.Payment{Method: client.Credit, Amount: "10", Reference: "a"}); err != nil {
				s.t.Error(err)
			}
			s.finalize("credit")
		}, nil},
		{"a lost answer, charged again", lose, func(s *shop) { s.pay(0, "a", "10"); s.pay(200, "b", "10") }, []string{"double-charge-danger"}},
		{"a lost answer, repeated", lose, func(s *shop) { s.pay(0, "a", "10"); s.pay(200, "a", "10") }, nil},
		{"the wrong password", "", func(s *shop) {
			for range 3 {
				s.sendFor(s.t.Context(), "GET", "/status", "", s.Username, "errada")
			}
		}, []string{"wrong-credentials"}},
		{"the challenge, answered", "", func(s *shop) {
			for range 5 {
				s.sendFor(s.t.Context(), "GET", "/status", "", "", "")
				s.must(200, "GET", "/status", "")
			}
		}, nil},
		{"a loop without a pause", "", func(s *shop) {
			for range 60 {
				s.must(200, "GET", "/info", "")
			}
		}, []string{"polling-too-fast"}},
		{"another sale's cart", "", func(s *shop) {
			s.open()
			s.must(409, "POST", "/sale", "")
			s.must(200, "POST", "/sale/item", `{"code":"2","description":"Pão","quantity":1,"unitPrice":1,"total":1}`)
		}, []string{"open-sale-ignored"}},
		{"an item that was refused", "", func(s *shop) {
			s.open()
			s.must(400, "POST", "/sale/item", `{"code":"2","description":"Pão","quantity":"1","unitPrice":1,"total":1}`)
			s.pay(200, "a", "11")
			s.must(200, "POST", "/sale/finalize", "")
		}, []string{"refused-item-charged"}},
		{"what is ignored", "ignore = 'payment-without-reference, finalize-uncovered'\n", func(s *shop) {
			s.open()
			s.must(200, "POST", "/transaction", `{"tPag":"03","amount":1}`)
			s.must(200, "POST", "/sale/finalize", "")
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := openShop(t, test.scenario)
			test.caller(s)
			report, code := s.end()
			var got []string
			for _, f := range report.Faults {
				got = append(got, f.Rule)
				if f.Title == "" || f.Remedy == "" || f.What == "" || f.Request < 1 || f.At.IsZero() {
					t.Errorf("%+v", f)
				}
				if !strings.Contains(s.words.String(), f.What) || !strings.Contains(s.words.String(), f.Remedy) {
					t.Errorf("not said: %s", f.What)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s\n%s", diff, &s.words)
			}
			if want := map[bool]int{false: 0, true: 2}[len(test.want) > 0]; code != want {
				t.Errorf("exit code %d", code)
			}
			if len(report.Notes) > 0 {
				t.Errorf("remarks: %q", report.Notes)
			}
		})
	}
}

func TestTestServerTellsOfItsCommand(t *testing.T) {
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
			cmd := program(t, "test-server", "--report", "-", "--", sh, "-c", test.script)
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
	s := openShop(t, "[[printer]]\n")
	s.must(500, "POST", "/print/text", `[{"text":{"value":"Recibo"}}]`)
	s.end()
	if words := s.words.String(); !strings.HasPrefix(words, "\nO chamador fez 1 requisição") {
		t.Error(words)
	}
}

func TestTestServerEndsWhenAsked(t *testing.T) {
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
	path := filepath.Join(t.TempDir(), "roteiro.toml")
	if err := os.WriteFile(path, []byte("delai = '1s'\n[[payment]]\noutcome = 'aprovar'\n[[busy]]\nrequest = 'transaction'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := `roteiro.toml:1: delai: chave desconhecida; quis dizer "delay"?
roteiro.toml:3: [payment] outcome: deve ser um de approve, refuse, cancel, timeout, offline
roteiro.toml:5: [busy] request: não é uma rota do terminal; quis dizer "POST /transaction"?
`
	if diff := cmp.Diff(want, complaint(t, "test-server", "--scenario", path)); diff != "" {
		t.Error(diff)
	}
	if words := complaint(t, "test-server", "--scenario", "nenhum.toml"); !strings.Contains(words, "nenhum.toml não existe") {
		t.Error(words)
	}
	if words := complaint(t, "test-server", "--ignore", "tudo"); !strings.Contains(words, `"tudo" não é uma regra`) {
		t.Error(words)
	}
	if words := complaint(t, "test-server", "--stdin", "--", "true"); !strings.Contains(words, "--stdin não vale com um comando") {
		t.Error(words)
	}
	if words := complaint(t, "test-server", "--", filepath.Join(t.TempDir(), "nada")); !strings.Contains(words, "o comando não começou") {
		t.Error(words)
	}
}

// Asked to end, it passes that on and waits for its command to clean up.
func TestTestServerEndsItsCommand(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no signals here")
	}
	cleaned := filepath.Join(t.TempDir(), "limpo")
	cmd := program(t, "test-server", "--", sh, "-c", `trap 'sleep 0.2; touch "$0"; exit 0' TERM; echo pronto; while :; do sleep 0.02; done`, cleaned)
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
			cmd := program(t, "test-server", "--", sh, "-c", script)
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
			mercy := time.AfterFunc(time.Minute, func() {
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
