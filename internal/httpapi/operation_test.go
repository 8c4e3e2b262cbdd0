//go:build !race || everything

package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/waittest"
)

const (
	noneRunning = "Nenhuma operação em andamento"
	otherRuns   = "A operação em andamento é outra"
	tooLate     = "A operação já não pode ser cancelada"
)

type operationView struct {
	OperationID string
	Kind        string
	ReferenceID *string
	TPag        *string
	Amount      *json.Number
	Step        string
	Message     string
	Since       time.Time
	Cancellable bool
	Pix         *struct {
		Code      string
		ExpiresAt *time.Time
	}
	Answered, Of *int
}

func (m *terminal) operation() *operationView {
	m.t.Helper()
	var got struct{ Operation *operationView }
	m.call("GET", "/operation", nil).ok().into(&got)
	return got.Operation
}

// awaitOperation waits until the operation is at a step.
func (m *terminal) awaitOperation(step string) (o *operationView) {
	m.t.Helper()
	waittest.Until(m.t, "the operation to be at "+step, func() bool {
		o = m.operation()
		return o != nil && o.Step == step
	})
	return o
}

func (m *terminal) wish(body any) *answer {
	m.t.Helper()
	return m.call("POST", "/operation/cancel", body)
}

func (m *terminal) wishTaken(body any) {
	m.t.Helper()
	if a := m.wish(body); a.status != http.StatusAccepted || strings.TrimSpace(string(a.body)) != `{"message":"Cancelamento solicitado"}` {
		m.t.Fatalf("%d %s", a.status, a.body)
	}
}

// operations are the events of /operation/stream.
func (m *terminal) operations() (next func() *operationView) {
	m.t.Helper()
	ctx, cancel := context.WithCancel(m.t.Context())
	resp, err := m.client.Do(m.request("GET", "/operation/stream", nil).WithContext(ctx))
	if err != nil {
		cancel()
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { cancel(); resp.Body.Close() })
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("Cache-Control") != "no-cache" {
		m.t.Fatalf("%d %v", resp.StatusCode, resp.Header)
	}
	lines := bufio.NewScanner(resp.Body)
	return func() *operationView {
		m.t.Helper()
		defer time.AfterFunc(waittest.Limit, cancel).Stop()
		for lines.Scan() {
			data, is := strings.CutPrefix(lines.Text(), "data: ")
			if !is {
				continue
			}
			var got struct{ Operation *operationView }
			if err := json.Unmarshal([]byte(data), &got); err != nil {
				m.t.Fatal(err)
			}
			return got.Operation
		}
		m.t.Fatal("the stream ended")
		return nil
	}
}

func TestTheRunningOperation(t *testing.T) {
	t.Parallel()
	m := start(t)
	if o := m.operation(); o != nil {
		t.Errorf("nothing runs, yet %+v", o)
	}
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"99","amount":1234.5,"referenceId":"r1"}`)
	first := m.awaitOperation("choosing")
	if first.Kind != "payment" || *first.ReferenceID != "r1" || *first.TPag != "99" || first.Amount.String() != "1234.5" || first.Message != "Como deseja pagar?" ||
		!first.Cancellable || first.Pix != nil || first.Answered != nil || first.Of != nil || time.Since(first.Since) > waittest.Limit {
		t.Errorf("%+v", first)
	}
	m.wishTaken(map[string]string{"referenceId": "r1"})
	pay.answer().is(403, "Transação cancelada")

	pay = m.keepOpen("POST", "/transaction", `{"tPag":"17","amount":18.9,"referenceId":"r2"}`)
	o := m.awaitOperation("pix")
	shown := m.awaitStep("pix").Payment
	if o.Pix == nil || o.Pix.Code == "" || shown.BRCode == nil || o.Pix.Code != *shown.BRCode || o.Pix.ExpiresAt == nil || o.OperationID == first.OperationID {
		t.Errorf("%+v", o)
	}
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	pay.answer().ok()

	reversal := m.keepOpen("POST", "/transaction/r2/reversal", nil)
	if o := m.awaitOperation("confirming"); o.Kind != "reversal" || *o.ReferenceID != "r2" || o.Message != "Estornar R$ 18,90?" || *o.TPag != "17" {
		t.Errorf("%+v", o)
	}
	m.wishTaken(`{"referenceId":"r2"}`)
	reversal.answer().is(403, "Estorno cancelado")
	if p := m.find("r2"); p.Details.Status != "approved" {
		t.Errorf("%+v", p)
	}

	ask := m.keepOpen("POST", "/ask/form", `{"questions":[{"type":"CPF"},{"question":"Nome?"}]}`)
	if o := m.awaitOperation("asking"); o.Kind != "question" || *o.Answered != 0 || *o.Of != 2 || o.Message != "Digite o CPF" || o.ReferenceID != nil || o.Amount != nil {
		t.Errorf("%+v", o)
	}
	m.call("POST", "/emulator/answer", `{"value":"52998224725"}`)
	waittest.Until(t, "the second question", func() bool { o := m.operation(); return *o.Answered == 1 && o.Message == "Nome?" })
	m.wish(`{"referenceId":"r2"}`).is(409, otherRuns)
	m.wish(`{"operationId":"1"}`).is(409, otherRuns)
	m.wishTaken(nil)
	ask.answer().is(409, "Pergunta cancelada pelo PDV")
	for _, body := range []any{nil, `{}`, `{"referenceId":"r2"}`, `{"operationId":"` + o.OperationID + `"}`, `{"operationId":"nonsense"}`} {
		m.wish(body).is(404, noneRunning)
	}
	for _, body := range []string{`{"referenceId":7}`, `{"operationId":7}`, `[]`, `{`} {
		if a := m.wish(body); a.status != 400 {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
}

func TestWishesThatAreNotTaken(t *testing.T) {
	t.Parallel()
	m := start(t)
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":10,"referenceId":"r1"}`)
	o := m.awaitOperation("card")
	for _, body := range []any{
		nil, `{}`, `{"referenceId":"the last customer's"}`, `{"operationId":"1"}`, `{"operationId":"nonsense"}`, `{"operationId":"0` + o.OperationID + `"}`,
		`{"referenceId":"r1","operationId":"1"}`, `{"referenceId":"q","operationId":"` + o.OperationID + `"}`,
	} {
		m.wish(body).is(409, otherRuns)
	}
	m.call("POST", "/emulator/acquirer", `{"next":"approve","delayMs":600000}`).ok()
	m.presentCard(`{"entry":"tap"}`)
	if o := m.awaitOperation("processing"); o.Cancellable || o.Message != "Processando…" {
		t.Errorf("%+v", o)
	}
	m.wish(`{"referenceId":"r1"}`).is(409, tooLate)
	m.wish(`{"referenceId":"r2"}`).is(409, otherRuns)
	pay.hangUp()
}

func TestOperationWithoutReference(t *testing.T) {
	t.Parallel()
	directOnly(t, "the hub gives references")
	m := start(t)
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":10}`)
	o := m.awaitOperation("card")
	if o.ReferenceID != nil {
		t.Errorf("%+v", o)
	}
	m.wishTaken(map[string]string{"operationId": o.OperationID})
	pay.answer().is(403, "Transação cancelada")
	if all := m.listed("status=cancelled"); len(all) != 1 {
		t.Errorf("%d are listed", len(all))
	}
}

func TestCalledOffInTheBackground(t *testing.T) {
	t.Parallel()
	m := start(t, human)
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":10,"referenceId":"r1"}`)
	if o := m.awaitOperation("waiting"); o.Message != "Abra o aplicativo" {
		t.Errorf("%+v", o)
	}
	m.wishTaken(`{"referenceId":"r1"}`)
	pay.answer().is(403, "Transação cancelada")
	if p := m.find("r1"); p.Details.Status != "cancelled" {
		t.Errorf("%+v", p)
	}
	var told []string
	for _, e := range m.story("r1") {
		told = append(told, e.Message)
	}
	if diff := cmp.Diff([]string{"Pagamento pedido: R$ 10,00, crédito", "Cancelamento pedido pelo PDV", "Pagamento cancelado pelo PDV"}, told); diff != "" {
		t.Error(diff)
	}
}

func TestOperationStream(t *testing.T) {
	t.Parallel()
	m := start(t, func(c *app.Config) { c.Timeouts.API.KeepAlive = 20 * time.Millisecond })
	next := m.operations()
	if o := next(); o != nil {
		t.Fatalf("%+v", o)
	}
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"17","amount":10,"referenceId":"r1"}`)
	var o *operationView
	for o == nil || o.Step != "pix" {
		o = next()
	}
	late := m.operations()
	if seen := late(); seen == nil || seen.Pix == nil || seen.Pix.Code != o.Pix.Code {
		t.Errorf("who comes later sees %+v", seen)
	}
	m.wishTaken(`{"referenceId":"r1"}`)
	pay.answer().is(403, "Transação cancelada")
	for next() != nil {
	}
	for late() != nil {
	}
}

func TestPrintingIsAnOperation(t *testing.T) {
	t.Parallel()
	m := start(t)
	stop := make(chan struct{})
	var printing sync.WaitGroup
	defer printing.Wait()
	defer close(stop)
	printing.Go(func() { // until somebody has seen it
		for {
			select {
			case <-stop:
				return
			default:
			}
			if resp, err := m.client.Do(m.request("POST", "/print/image", encodedAs(t, "png", halfBlack(384, 2000)))); err == nil {
				resp.Body.Close()
			}
		}
	})
	waittest.Until(t, "printing to be refused as a thing to cancel", func() bool {
		o := m.operation()
		if o == nil {
			return false
		}
		if o.Kind != "print" || o.Step != "printing" || o.Message != "Imprimindo…" || o.Cancellable {
			t.Errorf("%+v", o)
		}
		a := m.wish(map[string]string{"operationId": o.OperationID})
		return a.status == 409 && a.json()["message"] == tooLate
	})
}

func shortSecond(c *app.Config) { c.Timeouts.API.Second = time.Millisecond }

func TestTimeoutOfSelfService(t *testing.T) {
	t.Parallel()
	m := start(t, shortSecond)
	m.call("POST", "/ask", `{"timeout":10,"question":{"type":"CPF"}}`).is(409, "Tempo esgotado")
	m.call("POST", "/ask/form", `{"timeout":10,"questions":[{"type":"CPF"},{"type":"CEP"}]}`).is(409, "Tempo esgotado")
	m.call("POST", "/transaction", `{"tPag":"03","amount":10,"referenceId":"r1","timeout":10}`).is(403, "Transação cancelada")
	if p := m.find("r1"); p.Details.Status != "cancelled" {
		t.Errorf("%+v", p)
	}
	if o := m.operation(); o != nil {
		t.Errorf("%+v", o)
	}
	m.counts(map[string]float64{`maquininha_questions_total{outcome="timed_out"}`: 2})
	for _, wrong := range []string{`9`, `3601`, `0`, `-10`, `10.5`, `"60"`, `true`, `1e99`} {
		for path, body := range map[string]string{
			"/ask": `{"timeout":%s,"question":{"type":"CPF"}}`, "/ask/form": `{"timeout":%s,"questions":[{"type":"CPF"}]}`,
			"/transaction": `{"tPag":"03","amount":10,"referenceId":"r2","timeout":%s}`,
		} {
			a := m.answer(m.request("POST", path, fmt.Sprintf(body, wrong)))
			if a.status != 400 || !strings.Contains(string(a.body), "Requisição inválida: timeout deve ") {
				t.Errorf("%s %s: %d %s", path, wrong, a.status, a.body)
			}
		}
	}
}

// What the caller is told the customer reads is what the page shows.
func TestOperationMessagesAreThePages(t *testing.T) {
	words, err := os.ReadFile("../screenui/page/js/payment/words.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{
		"Abra o aplicativo", "Resolvendo o pagamento anterior…", "Como deseja pagar?", "Em quantas vezes?", "Insira, aproxime ou passe o cartão",
		"Insira, aproxime ou passe o cartão do estorno", "Digite a senha", "Aponte a câmera do celular", "Estornar {amount}?", "Pagar {amount}?", "Processando…",
		"Estornando…", "Imprimindo o comprovante…", "Siga na maquininha: {device}",
	} {
		if !strings.Contains(string(words), `: "`+said+`"`) {
			t.Errorf("the page does not say %q", said)
		}
	}
}
