package httpapi_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/waittest"
)

// screenSeen is the part of the screen that these tests look at.
type screenSeen struct {
	View       string
	Active     bool
	Foreground struct {
		Override     *bool
		Pages        int
		VisiblePages int
		Autopilot    bool
	}
	Busy     bool
	Question *struct{ Index, Count int }
	Payment  *paymentSeen
	Result   *struct {
		Kind, Verdict, TPag string
		Message             *string
		Amount              json.Number
	}
	Display       []any
	Notifications []struct{ Title, Text, Command string }
}

type paymentSeen struct {
	Kind, Step, TPag, Method, InstallmentType string
	Serial                                    json.Number
	ReferenceID                               *string
	Amount                                    json.Number
	Methods                                   []string
	Installments                              int
	InstallmentOptions                        []int
	BRCode, ExpiresAt                         *string
	Cancellable                               bool
}

func (m *terminal) lookAtScreen() (s screenSeen) {
	m.t.Helper()
	m.call("GET", "/emulator/screen", nil).ok().into(&s)
	return s
}

// awaitStep waits until a payment or reversal on the screen has come to the step.
func (m *terminal) awaitStep(step string) (s screenSeen) {
	m.t.Helper()
	waittest.Until(m.t, "payment at step "+step, func() bool {
		s = m.lookAtScreen()
		return s.Payment != nil && s.Payment.Step == step
	})
	return s
}

func (m *terminal) awaitQuestion(index int) {
	m.t.Helper()
	waittest.Until(m.t, "a question on the screen", func() bool {
		s := m.lookAtScreen()
		return s.Question != nil && s.Question.Index == index
	})
}

// isInvalid checks for the 400 that names the field.
func (a *answer) isInvalid(names string) {
	a.t.Helper()
	text, _ := a.json()["message"].(string)
	if a.status != 400 || !strings.HasPrefix(text, "Requisição inválida: ") || !strings.Contains(text, names) {
		a.t.Errorf("%s: %d %s, want 400 `Requisição inválida: …` naming %s", a.what, a.status, a.body, names)
	}
}

func TestEmulatorForegroundOutdoesTheAutopilot(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, c := range []struct {
		body     string
		override *bool
		active   bool
	}{
		{`{"active":false}`, new(bool), false},
		{`{"active":true}`, new(true), true},
		{`{"active":false,"extra":1}`, new(false), false},
		{`{"active":null}`, nil, true},
	} {
		m.call("POST", "/emulator/foreground", c.body).is(200, "Primeiro plano alterado com sucesso")
		s := m.lookAtScreen()
		if diff := cmp.Diff(c.override, s.Foreground.Override); diff != "" || s.Active != c.active {
			t.Errorf("%s: active %v, override (-want +got):\n%s", c.body, s.Active, diff)
		}
		if got := m.call("GET", "/info", nil).ok().json()["isActive"]; got != c.active {
			t.Errorf("%s: isActive %v", c.body, got)
		}
	}
}

func TestWithoutAutopilotNobodyIsInFront(t *testing.T) {
	t.Parallel()
	m := start(t, human)
	isActive := func() any { return m.call("GET", "/info", nil).ok().json()["isActive"] }
	if isActive() != false {
		t.Error("in front with no page and no autopilot")
	}
	if m.lookAtScreen().Foreground.Autopilot {
		t.Error("an autopilot is there")
	}
	m.call("POST", "/emulator/foreground", `{"active":true}`).ok()
	if isActive() != true {
		t.Error("the override has no effect")
	}
	m.call("POST", "/emulator/foreground", `{"active":null}`).ok()
	if isActive() != false {
		t.Error("still in front after the override was removed")
	}
}

func TestEmulatorRefusesWrongBodies(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, c := range []struct{ path, body, names string }{
		{"foreground", ``, ""},
		{"foreground", `{}`, "active"},
		{"foreground", `{"active":"true"}`, "active"},
		{"foreground", `{"active":1}`, "active"},
		{"foreground", `[true]`, ""},
		{"answer", ``, ""},
		{"answer", `{}`, ""},
		{"answer", `{"cancel":false}`, ""},
		{"answer", `{"value":"a","values":["a"]}`, ""},
		{"answer", `{"value":"a","cancel":true}`, ""},
		{"answer", `{"value":12}`, "value"},
		{"answer", `{"values":"a"}`, "values"},
		{"answer", `{"values":["a",2]}`, "values[1]"},
		{"answer", `{"cancel":"true"}`, "cancel"},
		{"payment", ``, ""},
		{"payment", `{}`, "outcome"},
		{"payment", `{"outcome":"timeout"}`, "outcome"},
		{"payment", `{"outcome":true}`, "outcome"},
		{"payment", `{"outcome":"approve","tPag":"99"}`, "tPag"},
		{"payment", `{"outcome":"approve","tPag":3}`, "tPag"},
		{"payment", `{"outcome":"refuse","message":7}`, "message"},
		{"card", ``, ""},
		{"card", `{}`, "entry"},
		{"card", `{"entry":"throw"}`, "entry"},
		{"card", `{"entry":"tap","outcome":"maybe"}`, "outcome"},
		{"card", `{"entry":"tap","outcome":1}`, "outcome"},
		{"card", `{"entry":"tap","message":7}`, "message"},
		{"card", `{"entry":"tap","tPag":"17"}`, "tPag"},
		{"acquirer", ``, ""},
		{"acquirer", `{}`, "next"},
		{"acquirer", `{"next":"maybe"}`, "next"},
		{"acquirer", `{"next":"approve","times":0}`, "times"},
		{"acquirer", `{"next":"approve","times":1001}`, "times"},
		{"acquirer", `{"next":"approve","times":"2"}`, "times"},
		{"acquirer", `{"next":"approve","delayMs":-1}`, "delayMs"},
		{"acquirer", `{"next":"approve","delayMs":600001}`, "delayMs"},
		{"acquirer", `{"next":"approve","delayMs":1.5}`, "delayMs"},
		{"printer", ``, ""},
		{"printer", `{}`, "state"},
		{"printer", `{"state":"burning"}`, "state"},
		{"printer", `{"state":null}`, "state"},
		{"printer", `{"state":`, ""},
	} {
		m.call("POST", "/emulator/"+c.path, c.body).isInvalid(c.names)
	}
}

func TestEmulatorHasNothingToSettle(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, body := range []string{`{"value":"x"}`, `{"values":["x"]}`, `{"values":[]}`, `{"cancel":true}`} {
		m.call("POST", "/emulator/answer", body).is(409, "Nenhuma pergunta em exibição!")
	}
	for _, outcome := range []string{"approve", "refuse", "cancel"} {
		m.call("POST", "/emulator/payment", `{"outcome":"`+outcome+`"}`).is(409, "Nenhum pagamento em exibição!")
	}
}

func TestEmulatorAnswersQuestions(t *testing.T) {
	t.Parallel()
	m := start(t)
	ask := m.keepOpen("POST", "/ask", `{"question":{"id":7,"type":"CPF","required":true,"errorMessage":"Confira o CPF"}}`)
	m.awaitQuestion(0)
	m.call("POST", "/emulator/answer", `{"value":"11111111111"}`).is(422, "Confira o CPF")
	m.call("POST", "/emulator/answer", `{"values":["52998224725","x"]}`).isInvalid("values")
	ask.held()
	m.call("POST", "/emulator/answer", `{"value":"529.982.247-25"}`).is(200, "Resposta enviada com sucesso")
	if diff := cmp.Diff(map[string]any{"id": json.Number("7"), "value": "52998224725"}, ask.answer().ok().json()); diff != "" {
		t.Error(diff)
	}
	m.call("POST", "/emulator/answer", `{"value":"52998224725"}`).is(409, "Nenhuma pergunta em exibição!")

	cancelled := m.keepOpen("POST", "/ask", `{"question":{}}`)
	m.awaitQuestion(0)
	m.call("POST", "/emulator/answer", `{"cancel":true}`).is(200, "Resposta enviada com sucesso")
	cancelled.answer().is(409, "Pergunta cancelada pelo usuário")
}

func TestEmulatorAnswersAFormAtOnceOrOneByOne(t *testing.T) {
	t.Parallel()
	m := start(t)
	const form = `{"questions":[{"id":1,"required":true},{"id":2,"type":"NUMBER"},{"id":3,"type":"CEP"}]}`
	ask := m.keepOpen("POST", "/ask/form", form)
	m.awaitQuestion(0)
	m.call("POST", "/emulator/answer", `{"value":"Ana"}`).ok()
	m.awaitQuestion(1)
	for _, values := range []string{`[]`, `["1"]`, `["1","13083970","x"]`} {
		m.call("POST", "/emulator/answer", `{"values":`+values+`}`).isInvalid("values")
	}
	if a := m.call("POST", "/emulator/answer", `{"values":["12","1"]}`); a.status != 422 {
		t.Errorf("a bad CEP: %d %s", a.status, a.body)
	}
	ask.held()
	m.call("POST", "/emulator/answer", `{"values":["12","13083-970"]}`).ok()
	var got []struct {
		ID    int
		Value string
	}
	ask.answer().ok().into(&got)
	if len(got) != 3 || got[0].Value != "Ana" || got[1].Value != "12" || got[2].Value != "13083970" || got[2].ID != 3 {
		t.Errorf("answers %+v", got)
	}
}

func TestEmulatorScreenShowsThePayment(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	if s := m.lookAtScreen(); s.View != "idle" || s.Busy || s.Payment != nil {
		t.Errorf("before: %+v", s)
	}
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":30.50,"referenceId":"p1","installments":3,"installmentType":"seller"}`)
	s := m.awaitStep("card")
	p := s.Payment
	if s.View != "payment" || !s.Busy || p.Kind != "payment" || p.TPag != "03" || p.Amount != "30.50" || p.Installments != 3 ||
		p.InstallmentType != "seller" || p.ReferenceID == nil || *p.ReferenceID != "p1" || p.BRCode != nil {
		t.Errorf("screen %+v, payment %+v", s, *p)
	}
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).is(200, "Pagamento resolvido com sucesso")
	pay.answer().ok()
	if s := m.lookAtScreen(); s.View != "result" || s.Busy || s.Payment != nil {
		t.Errorf("after: %+v", s)
	}
	for _, c := range []struct{ tPag, step string }{{"17", "pix"}, {"99", "choose"}, {"04", "card"}} {
		pay := m.keepOpen("POST", "/transaction", `{"tPag":"`+c.tPag+`","amount":1}`)
		s := m.awaitStep(c.step)
		if isPix := c.step == "pix"; (s.Payment.BRCode != nil) != isPix {
			t.Errorf("%s: BR Code %v", c.tPag, s.Payment.BRCode)
		}
		m.call("POST", "/emulator/payment", `{"outcome":"cancel"}`).ok()
		pay.answer().is(403, "Transação cancelada")
	}
}

func TestCommandsNotifyTheOperatorAndReadsDoNot(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", nil).ok()
	m.call("POST", "/ask/cancel", nil).ok()
	m.call("GET", "/sale", nil).ok()
	m.call("GET", "/info", nil).ok()
	m.call("POST", "/print/image", nil).is(400, "Nenhuma imagem enviada")
	var commands []string
	for _, n := range m.lookAtScreen().Notifications {
		commands = append(commands, n.Command)
		if n.Title != "Comando recebido" || n.Text != "Restaure o aplicativo" {
			t.Errorf("notification %+v", n)
		}
	}
	if diff := cmp.Diff([]string{"POST /print/image", "POST /ask/cancel", "POST /sale"}, commands); diff != "" {
		t.Error(diff)
	}
}

func TestEmulatorReset(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.call("POST", "/sale", nil).ok()
	m.call("POST", "/transaction", `{"tPag":"03","amount":5,"referenceId":"kept"}`).ok()
	m.call("POST", "/print/text", `[{"text":{"value":"guardado"}}]`).ok()
	m.call("POST", "/display/text", `{"content":[{"text":{"value":"oi"}}],"backgroundColor":"#fff"}`).ok()
	m.call("POST", "/emulator/printer", `{"state":"paperOut"}`).ok()
	m.call("POST", "/emulator/acquirer", `{"next":"refuse","times":3}`).ok()
	m.call("POST", "/notification", `{"title":"Oi","message":"Tudo bem?"}`).ok()
	m.call("POST", "/emulator/foreground", `{"active":false}`).ok()

	m.call("POST", "/emulator/reset", nil).is(200, "Emulador reiniciado com sucesso")

	if s := m.lookAtScreen(); s.Foreground.Override != nil || !s.Active || len(s.Display) != 0 || len(s.Notifications) != 0 {
		t.Errorf("screen after the reset: %+v", s)
	}
	m.call("POST", "/print/text", `[{"text":{"value":"de novo"}}]`).is(200, "Impressão realizada com sucesso")
	m.call("POST", "/transaction", `{"tPag":"03","amount":5,"referenceId":"new"}`).is(200, "Transação aprovada")
	m.call("GET", "/sale", nil).ok()
	m.call("GET", "/transaction/kept", nil).is(200, "Transação aprovada")
	if jobs := m.printJobs(); len(jobs) != 2 {
		t.Errorf("%d print jobs, want 2", len(jobs))
	}
}

func TestProductionHasNoEmulator(t *testing.T) {
	t.Parallel()
	m := start(t, production)
	for _, path := range []string{"screen", "printer/jobs", "printer/jobs/1.png", "drawer"} {
		m.call("GET", "/emulator/"+path, nil).is(404, "Rota não encontrada")
	}
	for _, path := range []string{"foreground", "answer", "payment", "card", "acquirer", "printer", "drawer/close", "reset"} {
		m.call("POST", "/emulator/"+path, `{"active":true,"cancel":true,"outcome":"approve","next":"approve","state":"ok"}`).is(404, "Rota não encontrada")
	}
	info := m.call("GET", "/info", nil).ok().json()
	if info["mode"] != "production" || info["isActive"] != false {
		t.Errorf("info %v", info)
	}
}

func TestEmulatorAsksForCredentials(t *testing.T) {
	t.Parallel()
	m := start(t)
	anonymous := header{"Authorization", ""}
	var refused []int
	for _, path := range []string{"foreground", "answer", "payment", "card", "acquirer", "printer", "reset"} {
		refused = append(refused, m.call("POST", "/emulator/"+path, `{}`, anonymous).status)
	}
	refused = append(refused, m.call("GET", "/emulator/screen", nil, anonymous).status, m.call("GET", "/emulator/printer/jobs", nil, anonymous).status)
	if slices.ContainsFunc(refused, func(s int) bool { return s != 401 }) {
		t.Errorf("without credentials: %v", refused)
	}
}
