package testserver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/testserver"
)

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "roteiro.toml")
	must(t, os.WriteFile(path, []byte(`
delay = "1s"
foreground_wait = "2s"
platform = "android"
compat = "tefip"
ignore = "busy-not-retried, polling-too-fast"
[[answer]]
type = "CPF"
prompt = "nota"
value = ""
delay = "0s"
[[answer]]
cancel = true
times = 3
[[payment]]
type = "99"
amount = 54.24
reference = "a"
outcome = "approve"
message = "m"
brand = "02"
authorization = "x"
paid_with = "17"
delay = "3s"
bank_delay = "4s"
lose_answer = true
always = true
[[reversal]]
outcome = "timeout"
[[printer]]
job = 2
state = "offline"
failures = 3
[[busy]]
request = "POST /ask"
number = 2
refusals = 4
for = "5s"
[[background]]
for = "6s"
[[restart]]
after = "7s"
`), 0o600))
	got, err := testserver.Read(path)
	must(t, err)
	want := testserver.Scenario{
		Name: "roteiro.toml", Delay: time.Second, ForegroundWait: 2 * time.Second, Platform: "android", Compat: "tefip", Ignore: []string{"busy-not-retried", "polling-too-fast"},
		Answers: []testserver.Answer{{Type: "CPF", Prompt: "nota", Empty: true, Delay: -1}, {Cancel: true, Uses: testserver.Uses{Times: 3}}},
		Payments: []testserver.Operation{{
			Type: "99", Amount: "54.24", Reference: "a", Outcome: "approve", Message: "m", Brand: "02", Authorization: "x", PaidWith: "17",
			Delay: 3 * time.Second, BankDelay: 4 * time.Second, LoseAnswer: true, Uses: testserver.Uses{Always: true},
		}},
		Reversals:  []testserver.Operation{{Outcome: "timeout"}},
		Printer:    []testserver.Jam{{Job: 2, State: "offline", Failures: 3}},
		Busy:       []testserver.Absence{{When: testserver.When{Request: "POST /ask", Number: 2}, Refusals: 4, For: 5 * time.Second}},
		Background: []testserver.Absence{{For: 6 * time.Second}},
		Restarts:   []testserver.Restart{{After: 7 * time.Second}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCheck(t *testing.T) {
	err := testserver.Scenario{
		Ignore: []string{"x"}, Compat: "x", Answers: []testserver.Answer{{}, {Type: "CPFF"}, {Cancel: true, Value: "1"}}, Payments: []testserver.Operation{{Outcome: "ok", Amount: "um"}},
		Printer: []testserver.Jam{{State: "ok"}, {Job: -1, Failures: -1}}, Restarts: []testserver.Restart{{When: testserver.When{Request: "/ask"}, After: -1}},
		Delay: -1, ForegroundWait: -1, Reversals: []testserver.Operation{{BankDelay: -1, Uses: testserver.Uses{Times: -1}}},
		Busy: []testserver.Absence{{Refusals: -1, For: -1, When: testserver.When{Number: -1}}},
	}.Check()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		"ignore: ", "compat: ", "[[answer]] 2: type: ", "[[answer]] 3: cancel: ", "[[payment]] 1: outcome: ", "[[payment]] 1: amount: ", "[[printer]] 1: state: ", "[[restart]] 1: request: ",
		"[[printer]] 2: job: ", "[[printer]] 2: failures: ", "[[restart]] 1: after: ", "delay: ", "foreground_wait: ", "[[reversal]] 1: bank_delay: ", "[[reversal]] 1: times: ",
		"[[busy]] 1: refusals: ", "[[busy]] 1: for: ", "[[busy]] 1: number: ",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
	if _, err := testserver.New(testserver.Options{Scenario: testserver.Scenario{Ignore: []string{"x"}}}); err == nil {
		t.Error("started")
	}
}

// What no terminal could do is refused where it is written.
func TestReadRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "roteiro.toml")
	must(t, os.WriteFile(path, []byte(`delay = "-1s"
[[answer]]
delay = "-5s"
times = -3
[[payment]]
times = 0
bank_delay = "-1ms"
[[busy]]
request = "POST /transacao"
refusals = 0
[[restart]]
request = "POST /imprimir/tudo"
after = "-1s"
`), 0o600))
	_, err := testserver.Read(path)
	want := `roteiro.toml:1: delay: não pode ser negativo
roteiro.toml:3: [answer] delay: não pode ser negativo
roteiro.toml:4: [answer] times: deve ser 1 ou mais
roteiro.toml:6: [payment] times: deve ser 1 ou mais
roteiro.toml:7: [payment] bank_delay: não pode ser negativo
roteiro.toml:9: [busy] request: não é uma rota do terminal; quis dizer "POST /transaction"?
roteiro.toml:10: [busy] refusals: deve ser 1 ou mais
roteiro.toml:12: [restart] request: deve ser uma rota do terminal, como "POST /transaction" ou "POST /print/*"
roteiro.toml:13: [restart] after: não pode ser negativo`
	if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
		t.Error(diff)
	}
}
