package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/waittest"
)

func TestAskEndings(t *testing.T) {
	t.Parallel()
	m := start(t, android)
	m.reply("x").is(409, "Nenhuma pergunta em exibição!")
	m.call("POST", "/emulator/answer", `{"cancel":true}`).is(409, "Nenhuma pergunta em exibição!")
	for range 2 {
		m.call("POST", "/ask/cancel", nil).is(200, "Pergunta cancelada com sucesso")
	}
	first := m.ask(`{"id":1,"question":"Primeira"}`)
	m.holdOpen("/ask", `{"question":{"id":2}}`).answer().is(409, "Já existe uma pergunta em exibição!")
	m.holdOpen("/ask/form", `{"questions":[{"id":2}]}`).answer().is(409, "Já existe uma pergunta em exibição!")
	m.call("POST", "/ask", `{"question":{"type":"LIST"}}`).blames("question.options") // 400 before 409
	m.call("POST", "/emulator/answer", `{"cancel":true}`).is(200, "Resposta enviada com sucesso")
	first.answer().is(409, "Pergunta cancelada pelo usuário")

	second := m.ask(`{"id":2}`)
	m.call("POST", "/ask/cancel", nil).is(200, "Pergunta cancelada com sucesso")
	second.answer().is(409, "Pergunta cancelada pelo PDV")
	m.awaitScreen("an empty screen", notAsking)

	third := m.ask(`{"id":3}`)
	third.hangUp()
	m.awaitScreen("the question to leave", notAsking)

	fourth := m.ask(`{"id":4}`) // the screen is free again
	m.call("POST", "/restart", nil).ok()
	fourth.answer().is(503, "Serviço encerrando, tente novamente em instantes")

	fifth := m.ask(`{"id":5}`)
	m.stop()
	fifth.answer().is(503, "Serviço encerrando, tente novamente em instantes")
}

// A caller that says it will send no more has hung up, or has not: it must never take an empty 200 for an answer.
func TestAskHalfClosed(t *testing.T) {
	t.Parallel()
	m := start(t)
	conn, err := net.Dial("tcp", m.host())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(waittest.Limit)) //nolint:errcheck // a real socket takes it
	fmt.Fprint(conn, m.verbatim(asks("POST", "/ask", "Content-Length: 15")), `{"question":{}}`)
	m.awaitScreen("a question", asking)
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	m.awaitScreen("the question to leave", notAsking)
	if got, _ := io.ReadAll(conn); bytes.HasPrefix(got, []byte("HTTP/1.1 2")) {
		t.Errorf("nobody answered, but the caller reads %q", got)
	}
}

func TestAskAndPayments(t *testing.T) {
	t.Parallel()
	m := start(t)
	question := m.ask(`{"id":1,"type":"CPF"}`)
	payment := m.holdOpen("/transaction", `{"tPag":"03","amount":5.00,"referenceId":"r1"}`)
	s := m.awaitScreen("the payment", paying)
	if s.View != "payment" || s.Question == nil {
		t.Errorf("under the payment: %+v", s)
	}
	for _, body := range []string{`{"question":{"id":2}}`, `{`, ``} {
		m.call("POST", "/ask", bodyOf(body)).is(503, "Aplicativo ocupado realizando outra operação, tente mais tarde!")
		m.call("POST", "/ask/form", bodyOf(body)).is(503, "Aplicativo ocupado realizando outra operação, tente mais tarde!")
	}
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	payment.answer().is(200, "Transação aprovada")
	m.awaitScreen("the question back", func(s screenView) bool { return s.View == "question" && !s.Busy })
	m.reply("52998224725").ok()
	question.answer().ok().equals(`{"id":1,"value":"52998224725"}`)

	question = m.ask(`{"id":1}`)
	payment = m.holdOpen("/transaction", `{"tPag":"04","amount":5.00,"referenceId":"r2"}`)
	m.awaitScreen("the payment", paying)
	m.call("POST", "/ask/cancel", nil).is(200, "Pergunta cancelada com sucesso") // busy does not stop it
	question.answer().is(409, "Pergunta cancelada pelo PDV")
	m.call("POST", "/emulator/payment", `{"outcome":"cancel"}`).ok()
	payment.answer().is(403, "Transação cancelada")
}

func TestAskSuccessScreen(t *testing.T) {
	t.Parallel()
	m := start(t)
	h := m.holdOpen("/ask", `{"parameters":{"showSuccessMessage":true,"successMessage":"Valeu!","successMessageInterval":600000},"question":{"id":1}}`)
	m.awaitScreen("a question", asking)
	m.reply("x").ok()
	h.answer().ok().equals(`{"id":1,"value":"x"}`) // at once, not after ten minutes
	s := m.screenNow()
	if diff := cmp.Diff(map[string]any{"message": "Valeu!", "interval": json.Number("600000")}, s.Success); diff != "" || s.View != "success" {
		t.Errorf("view %s, success (-want +got):\n%s", s.View, diff)
	}
	h = m.ask(`{"id":2}`) // the next question takes its place
	m.reply("y").ok()
	h.answer().ok()
	if s := m.screenNow(); s.Success != nil || s.View != "idle" {
		t.Errorf("a success screen nobody asked for: %+v", s)
	}
	h = m.holdOpen("/ask", `{"parameters":{"showSuccessMessage":true,"successMessageInterval":50},"question":{}}`)
	m.awaitScreen("a question", asking)
	m.reply("x").ok()
	h.answer().ok()
	m.awaitScreen("the success screen to pass", func(s screenView) bool { return s.Success == nil })
}
