package testserver_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/waittest"
	"github.com/maquininha/maquininha/testserver"
)

// start runs a scenario whose every step must happen, and whose caller must be without fault.
func start(t *testing.T, s testserver.Scenario) *client.Client {
	t.Helper()
	terminal := testserver.Start(t, s)
	t.Cleanup(func() { // before Start's own, which says the same again
		if report, _ := terminal.Close(); len(report.Notes) > 0 {
			t.Errorf("remarks: %q", report.Notes)
		}
	})
	c, err := client.New(terminal.URL, terminal.Username, terminal.Password)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	c := start(t, testserver.Scenario{Answers: []testserver.Answer{
		{Type: "CPF", Value: "111.444.777-35"},
		{Prompt: "TELEFONE", Cancel: true},
		{Prompt: "nome", Value: "Ana", Uses: testserver.Uses{Times: 2}},
		{Type: "TEXT", Empty: true},
		{Type: "EMAIL", Delay: time.Millisecond},
	}})
	ask := func(kind client.QuestionType, text string) string {
		t.Helper()
		a, err := c.Ask(t.Context(), client.Parameters{}, client.Question{Type: kind, Text: text})
		if err != nil {
			return err.Error()
		}
		return a.Value
	}
	var got []string
	got = append(got, ask("CPF", "CPF na nota?"), ask("CPF", "CPF na nota?"), ask("PHONE", "Seu telefone?"), ask("TEXT", "Seu nome?"), ask("TEXT", "Nome do meio?"),
		ask("TEXT", "E o nome do cachorro?"), ask("EMAIL", ""))
	want := []string{"11144477735", "52998224725", "Pergunta cancelada pelo usuário", "Ana", "Ana", "", "cliente@exemplo.com.br"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	form, err := c.AskForm(t.Context(), client.Parameters{}, client.Question{Type: "CPF"}, client.Question{Type: "CEP"})
	if err != nil || len(form) != 2 {
		t.Errorf("%v %v", form, err)
	}
}

// A person who opens the screen sees the paper that came out.
func TestPrintsShowOnTheScreen(t *testing.T) {
	t.Parallel()
	terminal := testserver.Start(t, testserver.Scenario{})
	c, err := client.New(terminal.URL, terminal.Username, terminal.Password)
	must(t, err)
	t.Cleanup(c.Close)
	must(t, c.PrintText(t.Context(), client.Write(client.Text{Value: "CUPOM"})))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, terminal.Screen+"/feed", nil)
	must(t, err)
	resp, err := http.DefaultClient.Do(req)
	must(t, err)
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if state := lines.Text(); strings.Contains(state, `"printer":`) {
			if !strings.Contains(state, `"printer":{"state":"ok"}`) || !strings.Contains(state, `"paper":[{`) {
				t.Errorf("the screen shows %s", state)
			}
			return
		}
	}
	t.Fatal("the feed says nothing of the printer: ", lines.Err())
}

func TestPayments(t *testing.T) {
	t.Parallel()
	c := start(t, testserver.Scenario{
		Payments: []testserver.Operation{
			{Amount: "12.00", Outcome: "refuse", Message: "Saldo insuficiente"},
			{Type: "17", Outcome: "cancel"},
			{Reference: "r", Outcome: "offline"},
			{Type: "99", PaidWith: "04", Brand: "02", Authorization: "XYZ", Delay: time.Millisecond},
			{Brand: "03", Uses: testserver.Uses{Always: true}},
		},
		Reversals: []testserver.Operation{{Reference: "c", Outcome: "refuse", Message: "Prazo esgotado"}},
	})
	pay := func(method client.Method, amount, reference string) string {
		t.Helper()
		tx, err := c.Pay(t.Context(), client.Payment{Method: method, Amount: client.Decimal(amount), Reference: reference})
		if err != nil {
			return err.Error()
		}
		return fmt.Sprintf("%s %s %s", tx.Details.Method, tx.Details.Brand, tx.Details.Authorization)
	}
	if got := pay(client.Credit, "12", "a"); got != "Saldo insuficiente" {
		t.Error(got)
	}
	if got := pay(client.PIX, "1", "b"); got != "Transação cancelada" {
		t.Error(got)
	}
	if got := pay(client.Debit, "1", "r"); got != "Adquirente fora do ar" {
		t.Error(got)
	}
	if got := pay(client.AnyMethod, "1", "c"); got != "04 02 XYZ" {
		t.Error(got)
	}
	if got := pay(client.Credit, "12", "d"); !strings.HasPrefix(got, "03 03 ") || got == "03 03 XYZ" {
		t.Error(got)
	}
	if _, err := c.Reverse(t.Context(), "c"); err == nil || err.Error() != "Prazo esgotado" {
		t.Error(err)
	}
	if _, err := c.Reverse(t.Context(), "c"); err != nil {
		t.Error(err)
	}
}

func TestPrinterFailsForAWhile(t *testing.T) {
	t.Parallel()
	c := start(t, testserver.Scenario{Printer: []testserver.Jam{{Job: 2, Failures: 2}, {Job: 5, State: "coverOpen"}}})
	var got []string
	for range 6 {
		if err := c.PrintText(t.Context(), client.Write(client.Text{Value: "Recibo"})); err != nil {
			got = append(got, err.Error())
		} else {
			got = append(got, "ok")
		}
	}
	const empty = "Erro ao imprimir (impressora sem papel)"
	if diff := cmp.Diff([]string{"ok", empty, empty, "ok", "Erro ao imprimir (tampa da impressora aberta)", "ok"}, got); diff != "" {
		t.Error(diff)
	}
}

// Busy for a time, and for refusals: both are over before the client's patience.
func TestBusy(t *testing.T) {
	t.Parallel()
	c := start(t, testserver.Scenario{Busy: []testserver.Absence{
		{When: testserver.When{Request: "POST /transaction", Number: 2}, Refusals: 2},
		{When: testserver.When{Request: "POST /print/*"}, For: 300 * time.Millisecond},
	}})
	for _, reference := range []string{"a", "b", "c"} {
		_, err := c.Pay(t.Context(), client.Payment{Method: client.Credit, Amount: "1", Reference: reference})
		must(t, err)
	}
	must(t, c.PrintText(t.Context(), client.Write(client.Text{Value: "Recibo"})))
	info, err := c.Info(t.Context())
	if err != nil || info.Busy {
		t.Errorf("%+v %v", info, err)
	}
}

// Away, and back by itself: the payment waits for it.
func TestBackgroundForAWhile(t *testing.T) {
	t.Parallel()
	c := start(t, testserver.Scenario{Background: []testserver.Absence{{For: 200 * time.Millisecond}}})
	_, err := c.Pay(t.Context(), client.Payment{Method: client.Credit, Amount: "1", Reference: "a"})
	must(t, err)
}

// The terminal starts anew under a question and a payment; the scenario goes on after it.
func TestRestart(t *testing.T) {
	t.Parallel()
	c := start(t, testserver.Scenario{
		Answers:  []testserver.Answer{{Delay: 10 * time.Minute}, {Type: "CPF", Value: "111.444.777-35"}},
		Payments: []testserver.Operation{{Delay: 10 * time.Minute}, {Brand: "02"}},
		Restarts: []testserver.Restart{{When: testserver.When{Request: "POST /ask"}}, {When: testserver.When{Request: "POST /transaction"}}},
	})
	a, err := c.Ask(t.Context(), client.Parameters{}, client.Question{Type: "CPF"})
	if err != nil || a.Value != "11144477735" {
		t.Errorf("%v %v", a, err)
	}
	p := client.Payment{Method: client.Credit, Amount: "1", Reference: "a"}
	// A payment that was under way is cancelled, one that had not begun is sent again by the client. Until the terminal is back,
	// a lost answer may be taken for that cancellation.
	var tx client.Transaction
	waittest.Until(t, "the payment is made after the restart", func() bool {
		tx, err = c.Pay(t.Context(), p)
		return err == nil
	})
	if tx.Details.Brand != "02" {
		t.Errorf("%v", tx)
	}
}

func TestLostAnswersAreFound(t *testing.T) {
	t.Parallel()
	c := start(t, testserver.Scenario{
		Payments:  []testserver.Operation{{LoseAnswer: true}, {Outcome: "refuse", Message: "Não", LoseAnswer: true}},
		Reversals: []testserver.Operation{{Amount: "0.40", LoseAnswer: true}, {LoseAnswer: true}},
	})
	_, err := c.Pay(t.Context(), client.Payment{Method: client.Credit, Amount: "1", Reference: "a"})
	must(t, err)
	if _, err := c.Pay(t.Context(), client.Payment{Method: client.Credit, Amount: "1", Reference: "b"}); err == nil || err.Error() != "Não" {
		t.Error(err)
	}
	part, err := c.ReversePart(t.Context(), "a", client.Refund{Amount: "0.40", ID: "troca-1"})
	if err != nil || part.Details.Status != client.Approved || !part.Details.Reversed.Equal("0.4") {
		t.Errorf("%v %v", part, err)
	}
	tx, err := c.Reverse(t.Context(), "a")
	if err != nil || tx.Details.Status != client.Reversed {
		t.Errorf("%v %v", tx, err)
	}
}

// The model with the slow customer is one at which a timeout below 60 s shows, and can be played: here in less time.
func TestTheSlowCustomer(t *testing.T) {
	t.Parallel()
	s, err := testserver.Read("../examples/scenarios/demora.toml")
	must(t, err)
	if s.Delay <= time.Minute {
		t.Errorf("%s is no proof", s.Delay)
	}
	s.Delay = 20 * time.Millisecond
	c := start(t, s)
	_, err = c.Ask(t.Context(), client.Parameters{}, client.Question{Type: client.AskCPF})
	must(t, err)
	_, err = c.Pay(t.Context(), client.Payment{Method: client.Credit, Amount: "1", Reference: "a"})
	must(t, err)
	_, err = c.Reverse(t.Context(), "a")
	must(t, err)
}

// complaints is a test that others watch.
type complaints struct {
	mu       sync.Mutex
	cleanups []func()
	errors   []string
}

func (c *complaints) Helper()           {}
func (c *complaints) Cleanup(fn func()) { c.cleanups = append(c.cleanups, fn) }
func (c *complaints) Logf(string, ...any) {
}

func (c *complaints) Errorf(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.errors = append(c.errors, fmt.Sprintf(format, args...))
}

func (c *complaints) Fatalf(format string, args ...any) { c.Errorf(format, args...) }

func TestStartFailsTheTest(t *testing.T) {
	t.Parallel()
	watched := &complaints{}
	terminal := testserver.Start(watched, testserver.Scenario{Name: "sem referência"})
	c, err := client.New(terminal.URL, terminal.Username, terminal.Password)
	must(t, err)
	defer c.Close()
	_, err = c.Pay(t.Context(), client.Payment{Method: client.Credit, Amount: "1"})
	must(t, err)
	for _, fn := range watched.cleanups {
		fn()
	}
	if len(watched.errors) != 1 || !strings.HasPrefix(watched.errors[0], "payment-without-reference: ") {
		t.Errorf("%q", watched.errors)
	}
	if c.PrintText(t.Context(), client.Divide()) == nil {
		t.Error("the terminal still answers")
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	terminal, err := testserver.New(testserver.Options{Scenario: testserver.Scenario{
		Name: "roteiro.toml", Answers: []testserver.Answer{{Type: "CPF", Value: "123"}}, Payments: []testserver.Operation{{}}, Ignore: []string{"finalize-uncovered"},
	}})
	must(t, err)
	c, err := client.New(terminal.URL, terminal.Username, terminal.Password)
	must(t, err)
	defer c.Close()
	_, err = c.Ask(t.Context(), client.Parameters{}, client.Question{Type: client.AskCPF, Text: "CPF?"})
	must(t, err, c.StartSale(t.Context(), client.Sale{}))
	_, err = c.AddItem(t.Context(), client.Item{Code: "1", Description: "Café", Quantity: "1", UnitPrice: "1", Total: "1"})
	must(t, err)
	_, err = c.FinalizeSale(t.Context(), client.Closing{})
	must(t, err)
	report, err := terminal.Close()
	must(t, err)
	var text strings.Builder
	must(t, report.JSON(&text))
	var got struct {
		Scenario string
		Ignored  int
		Notes    []string
		Faults   []any
		Requests []struct {
			N      int
			Path   string
			Status int
		}
	}
	must(t, json.Unmarshal([]byte(text.String()), &got))
	wantNotes := []string{
		`[[answer]] 1: a pergunta "CPF?" (CPF) não aceita "123"; foi respondida com um valor de exemplo`,
		"[[payment]] 1: este passo do roteiro não aconteceu",
	}
	if diff := cmp.Diff(wantNotes, got.Notes); diff != "" || got.Scenario != "roteiro.toml" || got.Ignored != 1 || got.Faults == nil || len(got.Faults) != 0 {
		t.Error(diff, text.String())
	}
	if len(got.Requests) != 4 || got.Requests[3].Path != "/sale/finalize" || got.Requests[3].Status != 200 {
		t.Errorf("%+v", got.Requests)
	}
	for _, want := range []string{"O chamador fez 4 requisições", "POST /sale/finalize", "1× 200", "✓ Nenhuma falha"} {
		if !strings.Contains(report.Text(), want) {
			t.Errorf("no %q in\n%s", want, report.Text())
		}
	}
	if again, err := terminal.Close(); err != nil || !again.EndedAt.Equal(report.EndedAt) {
		t.Errorf("closed twice: %v", err)
	}
}
