//go:build !race || everything

package screenui_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
)

// step waits for a step of a payment.
func (p *page) step(name string) {
	p.t.Helper()
	p.finds(`[data-view="payment"][data-step="` + name + `"]`)
}

// verdict waits for the end of one.
func (p *page) verdict(name, words string) {
	p.t.Helper()
	p.finds(`[data-view="result"][data-verdict="` + name + `"]`)
	p.says(`[data-view="result"]`, words)
}

// dismiss sends the end away, once it is there: that of a terminal where it is lasting.
func (p *page) dismiss() {
	p.t.Helper()
	const shown = `[data-view="result"]`
	p.sees(`!!document.querySelector(%q) && !("fresh" in document.documentElement.dataset)`, shown)
	p.do(chromedp.Evaluate(`document.querySelector("[data-do=dismiss]").click()`, nil))
	p.lacks(shown)
}

// paid checks what the caller got.
func (m *terminal) paid(held <-chan answer, status int, message string) object {
	m.t.Helper()
	a := m.ends(held)
	if a.status != status || a.object()["message"] != message {
		m.t.Fatalf("the caller got %d %s, want %d %s", a.status, a.body, status, message)
	}
	details, _ := a.object()["details"].(object)
	return details
}

// pin is one whose digits stand for nothing else here.
const pin = "8264"

func TestCardFromThePanelPays(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	p := bench(t, m)
	sent := followPosts(p.ctx)
	held := m.hold("/transaction", paying("03", 1234.5))
	p.step("card")
	p.says(".payment-amount", "R$ 1.234,50")
	p.click("card-visa")
	p.step("pin")
	before := sent.count()
	p.pad(pin[:2])
	p.pad("7")
	p.do(browsertest.Tap(`[data-key="back"]`))
	p.sees(`document.querySelector(".pin-dots").dataset.count === "2"`)
	p.finds(`[data-do="pin-ok"]:disabled`)
	p.pad(pin[2:])
	p.push("pin-ok")
	p.verdict("approved", "Aprovado")
	if d := m.paid(held, 200, "Transação aprovada"); d["tPag"] != "03" || d["installments"] != 1.0 {
		t.Errorf("details %v", d)
	}
	p.noPIN(sent.since(before))
	p.dismiss()
	p.finds(`[data-view="idle"]`)
}

// noPIN checks that the service heard that a PIN was typed, and nothing else of it.
func (p *page) noPIN(sent []post) {
	p.t.Helper()
	acts := 0
	for _, s := range sent {
		switch s.path {
		case "/page/beat", "/page/visible", "/result/dismiss":
		case "/payment/act":
			acts++
			if keys := slices.Sorted(maps.Keys(s.object())); !slices.Equal(keys, []string{"action", "serial"}) || s.object()["action"] != "pin" {
				p.t.Errorf("the page sent %s", s.body)
			}
		default:
			p.t.Errorf("the page sent %s %s", s.path, s.body)
		}
	}
	if acts != 1 {
		p.t.Errorf("the page acted %d times", acts)
	}
	if kept := browsertest.Eval[string](p.t, p.ctx, `JSON.stringify([{...sessionStorage}, {...localStorage}])`); len(kept) > 400 {
		p.t.Errorf("the page keeps %s", kept)
	}
}

func TestPINByKeyboard(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	p := handheld(t, m)
	sent := followPosts(p.ctx)
	held := m.hold("/transaction", paying("04", 10))
	p.step("card")
	m.must("POST", "/emulator/card", object{"entry": "insert"})
	p.step("pin")
	before := sent.count()
	p.do(browsertest.Press("Enter"), browsertest.Type(pin[:3]), browsertest.Press("Enter"), browsertest.Press("Backspace"))
	p.sees(`document.querySelector(".pin-dots").dataset.count === "2"`)
	p.do(browsertest.Type(pin[2:]), browsertest.Press("Enter"))
	p.verdict("approved", "Aprovado")
	m.paid(held, 200, "Transação aprovada")
	p.noPIN(sent.since(before))
	p.do(browsertest.Press("Escape"))
	p.finds(`[data-view="idle"]`)
}

func TestPaymentsThatFail(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	p := handheld(t, m)
	held := m.hold("/transaction", paying("03", 50))
	p.step("card")
	m.must("POST", "/emulator/card", object{"entry": "tap", "outcome": "refuse", "message": "Saldo insuficiente"})
	p.verdict("refused", "Saldo insuficiente")
	m.paid(held, 403, "Saldo insuficiente")

	held = m.hold("/transaction", paying("03", 50))
	p.step("card")
	p.push("cancel")
	p.verdict("cancelled", "R$ 50,00")
	m.paid(held, 403, "Transação cancelada")

	held = m.hold("/transaction", paying("04", 50))
	p.step("card")
	m.must("POST", "/emulator/card", object{"entry": "insert"})
	p.step("pin")
	p.do(browsertest.Press("Escape"))
	p.verdict("cancelled", "R$ 50,00")
	m.paid(held, 403, "Transação cancelada")

	held = m.hold("/transaction", paying("03", 50))
	p.step("card")
	m.must("POST", "/emulator/card", object{"entry": "tap", "outcome": "offline"})
	p.finds(`[data-view="result"]`)
	if a := m.ends(held); a.status == 200 {
		t.Errorf("a terminal off-line was paid: %s", a.body)
	}
}

func TestPersonChoosesHowToPay(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	p := handheld(t, m)
	held := m.hold("/transaction", paying("99", 100))
	p.step("choose")
	p.push("choose-credit")
	p.step("installments")
	p.says(`[data-do="installments-3"]`, "3x de R$ 33,33")
	p.push("installments-3")
	p.step("card")
	p.says(".payment-how", "3x")
	m.must("POST", "/emulator/card", object{"entry": "insert"})
	p.step("pin")
	p.pad(pin)
	p.push("pin-ok")
	if d := m.paid(held, 200, "Transação aprovada"); d["installments"] != 3.0 || d["tPag"] != "03" {
		t.Errorf("three instalments on credit: %v", d)
	}
	p.verdict("approved", "R$ 100,00")

	held = m.hold("/transaction", paying("99", 100)) // the result is still shown: the next payment replaces it
	p.step("choose")
	p.do(browsertest.Press("2"))
	p.step("card")
	m.must("POST", "/emulator/card", object{"entry": "insert"})
	p.step("pin")
	p.do(browsertest.Type(pin), browsertest.Press("Enter"))
	if d := m.paid(held, 200, "Transação aprovada"); d["installments"] != 1.0 || d["tPag"] != "04" {
		t.Errorf("debit: %v", d)
	}

	held = m.hold("/transaction", paying("99", 100))
	p.step("choose")
	p.do(browsertest.Press("End", "Enter"))
	p.step("pix")
	m.must("POST", "/emulator/payment", object{"outcome": "approve"})
	if d := m.paid(held, 200, "Transação aprovada"); d["tPag"] != "17" {
		t.Errorf("PIX: %v", d)
	}
}

func TestPixIsScannedFromTheScreen(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	p := handheld(t, m)
	held := m.hold("/transaction", paying("17", 45.67))
	p.step("pix")
	brCode := m.payment()["brCode"].(string)
	for _, size := range fiveSizes {
		p.do(browsertest.Resize(browsertest.Window(size[0], size[1])))
		p.scanned(brCode)
	}
	if shown := browsertest.Eval[string](t, p.ctx, `document.querySelector("[data-brcode]").textContent`); shown != brCode {
		t.Errorf("to copy: %q, the BR Code is %q", shown, brCode)
	}
	left := browsertest.Eval[int](t, p.ctx, `Number(document.querySelector(".pix-time").dataset.left)`)
	if left <= 0 || left > 300 { // how many have gone is the machine's affair
		t.Errorf("%d seconds left of five minutes", left)
	}
	p.sees(`Number(document.querySelector(".pix-time").dataset.left) < %d`, left)
	p.push("copy")
	p.says(`[data-do="copy"]`, "Copiado")
	m.must("POST", "/emulator/payment", object{"outcome": "approve"})
	p.verdict("approved", "R$ 45,67")
	if d := m.paid(held, 200, "Transação aprovada"); d["tPag"] != "17" || d["endToEndId"] == nil {
		t.Errorf("details %v", d)
	}
}

func TestReversal(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	p := handheld(t, m)
	body := paying("17", 20)
	body["referenceId"] = "venda-1"
	held := m.hold("/transaction", body)
	p.step("pix")
	m.must("POST", "/emulator/payment", object{"outcome": "approve"})
	m.paid(held, 200, "Transação aprovada")

	held = m.hold("/transaction/venda-1/reversal", nil)
	p.finds(`[data-view="payment"][data-kind="reversal"][data-step="confirm"]`)
	p.says(`[data-view="payment"]`, "R$ 20,00")
	p.push("cancel")
	p.finds(`[data-view="result"][data-kind="reversal"][data-verdict="cancelled"]`)
	m.paid(held, 403, "Estorno cancelado")

	for _, c := range []struct {
		body any
		say  []string
		ends string
	}{
		{object{"amount": 5, "reversalId": "troca-1"}, []string{"Estorno parcial", "R$ 5,00", "de R$ 20,00", "Estornar R$ 5,00?"}, "R$ 5,00"},
		{nil, []string{"Estorno parcial", "Estornar R$ 15,00?"}, "R$ 15,00"},
	} {
		held = m.hold("/transaction/venda-1/reversal", c.body)
		p.finds(`[data-view="payment"][data-kind="reversal"][data-step="confirm"]`)
		for _, text := range c.say {
			p.says(`[data-view="payment"]`, text)
		}
		p.push("confirm")
		p.finds(`[data-view="result"][data-kind="reversal"][data-verdict="approved"]`)
		p.says(`[data-view="result"]`, c.ends)
		m.paid(held, 200, "Estorno aprovado")
	}
}

func TestReloadInTheMiddleOfAPayment(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	p := handheld(t, m)
	held := m.hold("/transaction", paying("99", 60))
	for _, at := range []struct{ step, do string }{{"choose", "choose-credit"}, {"installments", "installments-2"}} {
		p.step(at.step)
		was := m.payment()["serial"]
		p.do(chromedp.Reload())
		p.step(at.step)
		if now := m.payment()["serial"]; now != was {
			t.Errorf("reloaded, prompt %v became %v", was, now)
		}
		p.says(".payment-amount", "R$ 60,00")
		p.push(at.do)
	}
	p.step("card")
	m.must("POST", "/emulator/card", object{"entry": "insert"})
	p.step("pin")
	p.pad("12")
	const colour = `getComputedStyle(document.querySelector('[data-key="%s"]')).backgroundColor`
	p.sees(colour+" === "+colour, "2", "5") // nobody need see which key a finger was on last
	p.do(chromedp.Reload())
	p.step("pin")
	p.sees(`document.querySelector(".pin-dots").dataset.count === "0"`)
	p.pad(pin)
	p.push("pin-ok")
	if d := m.paid(held, 200, "Transação aprovada"); d["installments"] != 2.0 {
		t.Errorf("details %v", d)
	}
	p.verdict("approved", "R$ 60,00")
	p.do(chromedp.Reload())
	p.finds("[data-view]")

	held = m.hold("/transaction", paying("17", 60))
	p.step("pix")
	code := m.payment()["brCode"].(string)
	p.do(chromedp.Reload())
	p.step("pix")
	p.scanned(code)
	m.must("POST", "/emulator/payment", object{"outcome": "approve"})
	m.paid(held, 200, "Transação aprovada")
}

func TestPaymentCoversAQuestion(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	asked := m.hold("/ask", object{"question": object{"question": "Seu CPF?", "type": "CPF", "required": true}})
	p.finds(`[data-view="question"]`)
	p.pad("5299")
	held := m.hold("/transaction", paying("03", 30))
	p.step("card")
	p.lacks(`[data-view="question"]`)
	m.must("POST", "/emulator/card", object{"entry": "tap"})
	m.paid(held, 200, "Transação aprovada")
	p.finds(`[data-view="question"][data-type="CPF"]`)
	p.says(`[data-view="question"]`, "529.9")
	p.pad("8224725")
	p.push("confirm")
	if a := m.ends(asked); a.object()["value"] != "52998224725" {
		t.Errorf("the caller got %s", a.body)
	}
}
