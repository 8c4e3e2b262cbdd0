//go:build !race || everything

package screenui_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
)

func base64Of(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

var prompts = map[string]string{
	"TEXT": "Qual é o seu nome?", "NUMBER": "Número da mesa", "PHONE": "Seu telefone, com DDD", "CPF": "CPF na nota?", "CNPJ": "CNPJ da empresa",
	"CPFORCNPJ": "CPF ou CNPJ", "EMAIL": "Seu e-mail, para enviarmos a nota", "CEP": "CEP da entrega", "DATE": "Data de nascimento", "TIME": "Melhor horário para a entrega",
	"MONEY": "Quanto deseja doar?", "REGEX": "Placa do veículo", "LIST": "Como prefere receber?", "BUTTON": "Deseja a nota impressa?",
}

func TestScreensOfQuestions(t *testing.T) {
	t.Parallel()
	g := exhibit(t, fiveSizes)
	for _, s := range samples {
		question := s.asked(object{"question": prompts[s.name]})
		held := g.asks(question, object{"showCancelButton": true, "confirmAnswer": true, "showSuccessMessage": false})
		name := "question-" + strings.ToLower(s.name)
		g.take(name + "-empty")
		g.answerHalf(s, name)
		g.m.must("POST", "/ask/cancel", nil)
		g.cancelled(held, byCaller)
	}
}

// answerHalf gives a wrong answer, then a right one, up to the question whether it is right.
func (g *gallery) answerHalf(s sample, name string) {
	g.t.Helper()
	g.agree(422, "/question/answer")
	if s.chosen() {
		g.tap(fmt.Sprintf("[data-value=%q]", s.right))
		if s.name == "LIST" {
			g.take(name)
			g.push("confirm")
		}
	} else {
		g.do(browsertest.Type(s.wrong), browsertest.Press("Enter"))
		g.sees(`document.querySelector("[data-fault]")?.innerText || document.querySelector("[data-step=confirm]")`)
		if !g.has(`[data-step="confirm"]`) {
			g.take(name + "-error")
			for range len(s.wrong) {
				g.press("Backspace")
			}
			g.do(browsertest.Type(s.right))
			g.take(name)
			g.press("Enter")
		}
	}
	g.finds(`[data-step="confirm"]`)
	g.take(name + "-confirm")
}

func TestScreensOfForms(t *testing.T) {
	t.Parallel()
	g := exhibit(t, fiveSizes)
	options := make([]object, 25)
	for i := range options {
		options[i] = object{"id": i, "name": fmt.Sprintf("Opção de entrega número %d, com um nome bem comprido", i+1), "value": fmt.Sprint(i)}
	}
	held := g.m.hold("/ask/form", object{
		"parameters": object{"showCancelButton": true, "buttonText": "Continuar", "buttonCancelText": "Agora não", "showSuccessMessage": true, "successMessage": "Cadastro concluído. Bem-vinda!", "successMessageInterval": 600000},
		"questions": []object{
			{"id": 1, "type": "TEXT", "question": "Qual é o seu nome completo, como está no documento que será apresentado na retirada do pedido?", "defaultValue": "Ana"},
			{"id": 2, "type": "LIST", "question": "Onde entregar?", "options": options},
			{"id": 3, "type": "BUTTON", "question": "Como prefere?", "options": options[:6]},
		},
	})
	g.view("question")
	for i := range 3 {
		g.sees(`document.querySelector("[data-progress]").dataset.progress === "%d/3"`, i+1)
		g.take(fmt.Sprintf("form-%d", i+1))
		g.m.must("POST", "/emulator/answer", object{"value": map[int]string{0: "Ana", 1: "3", 2: "4"}[i]})
	}
	g.m.ends(held)
	g.view("success")
	g.take("success")
}

func TestScreensOfPayments(t *testing.T) {
	t.Parallel()
	g := exhibit(t, fiveSizes)
	m := g.m
	sight := func(is string) {
		g.do(chromedp.Evaluate(`Object.defineProperty(document, "visibilityState", {configurable: true, get: () => "`+is+`"}); document.dispatchEvent(new Event("visibilitychange"))`, nil))
	}
	sight("hidden") // the page says so, and can still be looked at
	m.until("the app is in the background", func() bool { return !m.active() })
	held := m.hold("/transaction", paying("99", 1299.9))
	g.step("waiting")
	g.take("payment-waiting")
	sight("visible")
	for _, at := range []struct{ step, do string }{{"choose", "choose-credit"}, {"installments", "installments-10"}} {
		g.step(at.step)
		g.take("payment-" + at.step)
		g.push(at.do)
	}
	g.step("card")
	g.take("payment-card")
	m.must("POST", "/emulator/acquirer", object{"next": "approve", "delayMs": 9000})
	m.must("POST", "/emulator/card", object{"entry": "insert"})
	g.step("pin")
	g.do(browsertest.Type("123"))
	g.take("payment-pin")
	g.do(browsertest.Type("4"), browsertest.Press("Enter"))
	g.step("processing")
	g.take("payment-processing")
	m.ends(held)

	body := paying("17", 45.67)
	body["referenceId"] = "venda-1"
	held = m.hold("/transaction", body)
	g.step("pix")
	g.take("payment-pix")
	m.must("POST", "/emulator/payment", object{"outcome": "approve"})
	m.ends(held)
	held = m.hold("/transaction/venda-1/reversal", nil)
	g.step("confirm")
	g.take("reversal-confirm")
	m.must("POST", "/emulator/acquirer", object{"next": "approve", "delayMs": 9000})
	g.push("confirm")
	g.step("processing")
	g.take("reversal-processing")
	m.ends(held)
}

// five are pages of all sizes at once.
func (g *gallery) five() []*gallery {
	g.t.Helper()
	all := []*gallery{{g.page, g.dir, fiveSizes[1:2], g.rest}}
	for _, size := range [][2]int{fiveSizes[0], fiveSizes[2], fiveSizes[3], fiveSizes[4]} {
		all = append(all, &gallery{g.another(browsertest.Window(size[0], size[1])), g.dir, [][2]int{size}, g.rest})
	}
	return all
}

func TestScreensOfReceipts(t *testing.T) {
	t.Parallel()
	g := exhibit(t, nil, prints("ask"))
	g.agree(500, "/result/print")
	all := g.five()
	take := func(said string) {
		t.Helper()
		for _, g := range all {
			g.receipt(said)
			g.snap("receipt-"+said, g.sizes[0])
		}
	}
	g.paysByCard("approved")
	take("ask")
	g.push("print-customer")
	take("printed")
	g.m.must("POST", "/emulator/printer", object{"state": "paperOut"})
	g.push("print-merchant")
	take("failed")
}

// TestScreensOfResults looks at five pages at once. A sixth would be one too many: a
// browser keeps six connections to a server, each page's feed is one, and the last is for all that they send.
func TestScreensOfResults(t *testing.T) {
	t.Parallel()
	g := exhibit(t, nil, lasting)
	m := g.m
	all := g.five()
	take := func(name, verdict string) {
		t.Helper()
		for _, g := range all {
			g.finds(`[data-view="result"][data-verdict="` + verdict + `"]`)
			g.snap(name, g.sizes[0])
		}
		g.push("dismiss")
	}
	for _, reversal := range []bool{false, true} {
		for verdict, card := range map[string]object{
			"approved": {"outcome": "approve"}, "refused": {"outcome": "refuse", "message": "Saldo insuficiente"}, "cancelled": {"outcome": "cancel"}, "unknown": {"outcome": "timeout"},
		} {
			body, path := paying("03", 149.9), "/transaction"
			body["referenceId"] = fmt.Sprint(verdict, reversal)
			name := "result-" + verdict
			if reversal {
				held := m.hold("/transaction", body)
				g.step("card")
				m.must("POST", "/emulator/card", object{"entry": "tap", "outcome": "approve"})
				m.ends(held)
				g.push("dismiss")
				path, body, name = "/transaction/"+body["referenceId"].(string)+"/reversal", nil, "result-reversal-"+verdict
				m.must("POST", "/emulator/acquirer", object{"next": card["outcome"], "message": card["message"]})
			}
			held := m.hold(path, body)
			if reversal {
				g.step("confirm")
				g.push("confirm")
			} else {
				g.step("card")
				card["entry"] = "tap"
				m.must("POST", "/emulator/card", card)
			}
			if verdict == "unknown" {
				g.finds("[data-view=result]")
			}
			take(name, verdict)
			<-held
		}
	}
}
