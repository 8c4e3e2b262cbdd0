package httpapi_test

import (
	"context"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/waittest"
)

type appConfig = app.Config

const busyMessage = "Aplicativo ocupado realizando outra operação, tente mais tarde!"

func TestBusyDuringAPayment(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", nil).ok()
	if m.call("GET", "/info", nil).ok().json()["isBusy"] != false {
		t.Error("busy before")
	}
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"r"}`)
	m.awaitStep("card")
	stillBusy(m)
	pay.held()
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	pay.answer().is(200, "Transação aprovada")
	if m.call("GET", "/info", nil).ok().json()["isBusy"] != false {
		t.Error("busy after")
	}

	reversal := m.keepOpen("POST", "/transaction/r/reversal", nil)
	waittest.Until(t, "the reversal", func() bool { return m.lookAtScreen().Payment != nil })
	m.call("POST", "/sale", nil).ok()
	stillBusy(m)
	reversal.held()
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	reversal.answer().is(200, "Estorno aprovado")
}

// stillBusy checks every endpoint, with a sale open, against the list of what a busy terminal refuses.
func stillBusy(m *terminal) {
	m.t.Helper()
	for _, path := range []string{
		"/transaction", "/transaction/r/reversal", "/transaction/unknown/reversal", "/print/image", "/print/text", "/print/xml", "/print/acbr", "/drawer", "/ask", "/ask/form",
		"/display/image", "/display/text", "/display/carousel", "/display/clear", "/display/pop",
	} {
		for _, body := range []any{nil, `{"tPag":"03","amount":1,"referenceId":"r"}`, `{`} { // busy comes before 400 and 404
			m.call("POST", path, body).is(503, busyMessage)
		}
	}
	if m.call("GET", "/info", nil).ok().json()["isBusy"] != true {
		m.t.Error("isBusy is false")
	}
	for _, path := range []string{"/status", "/info", "/logs", "/logs/zip/download", "/docs", "/openapi.bundle.yaml", "/transaction", "/transaction/r", "/sale", "/emulator/screen"} {
		m.call("GET", path, nil).ok()
	}
	m.call("POST", "/restart", nil).is(403, "Reinicialização disponível apenas para dispositivos móveis")
	m.call("POST", "/ask/cancel", nil).is(200, "Pergunta cancelada com sucesso")
	m.call("GET", "/transaction/unknown", nil).is(404, "Transação não encontrada")
	for _, c := range []struct{ method, path, body string }{
		{"PATCH", "/sale", `{"customerName":"Ana"}`},
		{"POST", "/sale/item", `{"id":"1","code":"1","description":"x","quantity":1,"unitPrice":1,"total":1}`},
		{"PATCH", "/sale/item/1", `{"quantity":2,"total":2}`},
		{"POST", "/sale/item/1/cancel", ``},
		{"DELETE", "/sale/item/1", ``},
		{"POST", "/sale/payment", `{"id":"1","value":1}`},
		{"PATCH", "/sale/payment/1", `{"value":2}`},
		{"DELETE", "/sale/payment/1", ``},
		{"POST", "/sale/finalize", ``},
		{"POST", "/sale", ``},
		{"POST", "/sale/cancel", ``},
	} {
		var body any
		if c.body != "" {
			body = c.body
		}
		m.call(c.method, c.path, body).ok()
	}
	m.call("POST", "/sale", nil).ok() // as it was found
	m.call("POST", "/sale/cancel", nil).ok()
}

func TestPaymentGoesOnTopOfAQuestion(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	ask := m.keepOpen("POST", "/ask", `{"question":{"id":1}}`)
	m.awaitQuestion(0)
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":1}`)
	if s := m.awaitStep("card"); s.View != "payment" || s.Question == nil {
		t.Errorf("screen %+v", s)
	}
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	pay.answer().ok()
	if s := m.lookAtScreen(); s.View != "result" || s.Question == nil {
		t.Errorf("after the payment the screen shows %s", s.View)
	}
	ask.held()
	m.call("POST", "/emulator/answer", `{"value":"sim"}`).ok()
	ask.answer().ok()
}

func TestQuestionIsBackAfterAPayment(t *testing.T) {
	t.Parallel()
	m := start(t)
	ask := m.keepOpen("POST", "/ask", `{"question":{"id":1}}`)
	m.awaitQuestion(0)
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":1}`)
	m.awaitStep("card")
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	pay.answer().ok()
	waittest.Until(t, "the question is back after the result", func() bool { return m.lookAtScreen().View == "question" })
	ask.held()
	m.call("POST", "/emulator/answer", `{"value":"sim"}`).ok()
	ask.answer().ok()
}

func TestCallerHangsUpMidPayment(t *testing.T) {
	t.Parallel()
	m := start(t)
	ctx, hangUp := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	req := m.request("POST", "/transaction", `{"tPag":"17","amount":9.90,"referenceId":"lost","details":{"caixa":"3"}}`).WithContext(ctx)
	go func() {
		resp, err := m.client.Do(req)
		if err == nil {
			resp.Body.Close()
		}
		gone <- err
	}()
	m.awaitStep("pix")
	hangUp()
	if err := <-gone; err == nil {
		t.Fatal("the request was answered")
	}
	waittest.Until(t, "the hang-up in the log", func() bool { return len(m.entries("source=http&search=POST+/transaction")) > 0 })
	if s := m.lookAtScreen(); s.Payment == nil || !s.Busy {
		t.Fatalf("the payment left the screen with its caller: %+v", s)
	}
	if got := m.find("lost").Details.Status; got != "pending" {
		t.Errorf("meanwhile it is %s", got)
	}
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	waittest.Until(t, "the result", func() bool { return m.find("lost").Details.Status == "approved" })
	// The result is kept before the operation is over, and nobody is there to be told of that.
	waittest.Until(t, "the terminal being free", func() bool { return m.call("GET", "/info", nil).ok().json()["isBusy"] == false })
	if got := m.call("POST", "/transaction", `{"tPag":"17","amount":9.90,"referenceId":"lost"}`).is(200, "Transação aprovada").transaction(); got.NSU != m.find("lost").NSU {
		t.Errorf("asked again: %+v", got)
	}
}

func TestBackgroundPaymentWaitsForTheForeground(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.charge("r")
	for _, c := range []struct{ path, body, message string }{
		{"/transaction", `{"tPag":"03","amount":1,"referenceId":"w"}`, "Transação aprovada"},
		{"/transaction/r/reversal", ``, "Estorno aprovado"},
	} {
		m.call("POST", "/emulator/foreground", `{"active":false}`).ok()
		var body any
		if c.body != "" {
			body = c.body
		}
		call := m.keepOpen("POST", c.path, body)
		waittest.Until(t, "the terminal being busy", func() bool { return m.call("GET", "/info", nil).ok().json()["isBusy"] == true })
		m.call("POST", "/print/text", `[{"text":{"value":"x"}}]`).is(503, busyMessage) // the wait holds the slot
		call.held()
		m.call("POST", "/emulator/foreground", `{"active":true}`).ok()
		call.answer().is(200, c.message)
		m.call("POST", "/emulator/foreground", `{"active":null}`).ok()
	}
}

func TestSilentAcquirer(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot, silentBank)
	m.script(`{"next":"timeout"}`)
	const body = `{"tPag":"03","amount":4,"referenceId":"silent"}`
	m.call("POST", "/transaction", body).is(503, unknownOutcome)
	if p := m.find("silent"); p.Details.Status != "pending" || p.Message != unknownOutcome || p.NSU != "" {
		t.Errorf("meanwhile %+v", p)
	}
	if got := m.listed("status=pending"); len(got) != 1 {
		t.Errorf("%d pending", len(got))
	}
	m.call("POST", "/transaction", body).is(503, unknownOutcome)
	m.call("POST", "/transaction/silent/reversal", nil).is(503, unknownOutcome)
	if m.call("GET", "/info", nil).ok().json()["isBusy"] != false {
		t.Error("a pending transaction keeps the terminal busy")
	}

	m.call("POST", "/emulator/reset", nil).ok() // the acquirer speaks again
	m.charge("another")                         // first it is asked about the other one
	if p := m.find("silent"); p.Details.Status != "cancelled" || p.Message != "Transação cancelada" {
		t.Errorf("nobody was told of an approval, yet it is %+v", p)
	}
	m.call("POST", "/transaction/silent/reversal", nil).is(409, "Transação não pode ser estornada")
	m.call("POST", "/transaction", body).is(200, "Transação aprovada")
}

func TestSilentAcquirerSpeaksAgainByItself(t *testing.T) {
	t.Parallel()
	const silence = time.Second // that it is ten usually is TestSilenceLastsTenSeconds in the emulator's package
	m := start(t, autopilot, func(c *app.Config) { c.Play = &app.Play{Silence: silence} })
	began := time.Now()
	m.call("POST", "/transaction", `{"tPag":"04","amount":0.98,"referenceId":"098"}`).is(503, unknownOutcome)
	waittest.Until(t, "the recovery", func() bool { return m.find("098").Details.Status == "cancelled" })
	if took := time.Since(began); took < silence {
		t.Errorf("settled after %v, want %v at least", took, silence)
	}
}

func TestSilentAcquirerDuringAReversal(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot, silentBank)
	m.charge("r")
	m.script(`{"next":"timeout"}`)
	m.call("POST", "/transaction/r/reversal", nil).is(503, unknownOutcome)
	if p := m.find("r"); p.Details.Status != "pending" || p.Message != unknownOutcome {
		t.Errorf("meanwhile %+v", p)
	}
	m.call("POST", "/transaction/r/reversal", nil).is(503, unknownOutcome)
	m.call("POST", "/emulator/reset", nil).ok()
	waittest.Until(t, "the recovery", func() bool { return m.find("r").Details.Status != "pending" })
	if p := m.find("r"); p.Details.Status != "approved" || p.Details.Reversal != nil {
		t.Fatalf("a reversal that never was: %+v", p)
	}
	m.call("POST", "/transaction/r/reversal", nil).is(200, "Estorno aprovado")
}

func TestStopDuringAPayment(t *testing.T) {
	t.Parallel()
	m := start(t)
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":6,"referenceId":"cut"}`)
	m.awaitStep("card")
	m.stop()
	if a := pay.answer(); a.status != 503 {
		t.Errorf("the caller got %d %s, want 503 before the connection closes", a.status, a.body)
	}
	m = m.again(autopilot)
	waittest.Until(t, "the recovery", func() bool { return m.find("cut").Details.Status != "pending" })
	if got := m.find("cut").Details.Status; got != "cancelled" {
		t.Errorf("nobody was told of an approval, yet it is %s", got)
	}
	m.call("POST", "/transaction", `{"tPag":"03","amount":6,"referenceId":"cut"}`).is(200, "Transação aprovada")
}

func TestStopWhileAPaymentWaitsForTheForeground(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/emulator/foreground", `{"active":false}`).ok()
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":6,"referenceId":"early"}`)
	waittest.Until(t, "the terminal being busy", func() bool { return m.call("GET", "/info", nil).ok().json()["isBusy"] == true })
	m.stop()
	pay.answer().is(503, "Serviço encerrando, tente novamente em instantes")
	m = m.again()
	m.call("GET", "/transaction/early", nil).is(404, "Transação não encontrada") // nothing was sent
}

func TestStopWhileATransactionIsPending(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.script(`{"next":"timeout"}`)
	m.call("POST", "/transaction", `{"tPag":"03","amount":4,"referenceId":"silent"}`).is(503, unknownOutcome)
	m = m.again()
	waittest.Until(t, "the recovery at the next start", func() bool { return m.find("silent").Details.Status == "cancelled" })
}
