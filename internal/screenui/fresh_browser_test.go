//go:build !race || everything

package screenui_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
)

// secondTap presses what lies at a spot as soon as a screen is another one: from outside the page, a busy machine would
// be too late for a nervous finger.
const secondTap = `((x, y, another) => {
	window.pressed = "";
	const changes = new MutationObserver(() => {
		if (!another()) return;
		changes.disconnect();
		const at = document.elementFromPoint(x, y);
		for (const kind of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
			at.dispatchEvent(new (kind.startsWith("p") ? PointerEvent : MouseEvent)(kind, {bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, detail: 2}));
		pressed = at.outerHTML;
	});
	changes.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
})`

// doubleTap presses the same spot twice, as fast as a nervous finger; the second time the screen is another.
func (p *page) doubleTap(selector, another string, then func()) {
	p.t.Helper()
	p.wait(`!("fresh" in document.documentElement.dataset)`)
	spot := browsertest.Eval[[]float64](p.t, p.ctx, `(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector(`+quoted(selector)+`).getBoundingClientRect())`)
	p.do(chromedp.Evaluate(fmt.Sprintf(`%s(%v, %v, () => %s)`, secondTap, spot[0], spot[1], another), nil))
	for _, kind := range []input.MouseType{input.MousePressed, input.MouseReleased} {
		p.do(input.DispatchMouseEvent(kind, spot[0], spot[1]).WithButton(input.Left).WithClickCount(1))
	}
	then()
	p.wait(`pressed !== ""`)
}

func TestBrowserDoubleTapChoosesNoInstalments(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	p := handheld(t, m)
	held := m.hold("/transaction", paying("99", 500))
	p.step("choose")
	p.doubleTap(`[data-do="choose-credit"]`, `document.querySelector("[data-step=installments]")`, func() { p.step("installments") })
	p.still(held)
	p.step("installments")
	p.push("cancel")
	m.paid(held, 403, "Transação cancelada")
}

func TestBrowserDoubleTapDoesNotAnswerTheNextCaller(t *testing.T) {
	t.Parallel()
	p := stage(t)
	first := p.asks(object{"type": "BUTTON", "options": yesOrNo, "required": true}, nil)
	var second <-chan answer
	p.doubleTap(`[data-value="S"]`, `document.querySelector(".q-prompt")?.innerText.includes("Doar")`, func() {
		p.answered(first, "S")
		second = p.asks(object{"type": "BUTTON", "question": "Doar R$ 50?", "options": yesOrNo, "required": true}, nil)
	})
	p.still(second)
	p.tap(`[data-value="N"]`)
	p.answered(second, "N")
}

func TestBrowserResultIsSeenBeforeTheQuestionComesBack(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	p := handheld(t, m)
	question := m.hold("/ask", object{"question": object{"type": "TEXT", "defaultValue": "aceito"}})
	p.view("question")
	pays := m.hold("/transaction", paying("03", 10))
	p.step("card")
	sent := followPosts(p.ctx)
	p.doubleTap(`[data-do="cancel"]`, `document.querySelector("[data-view=result]")`, func() {})
	m.paid(pays, 403, "Transação cancelada")
	p.still(question)
	for _, post := range sent.since(0) {
		if post.path == "/result/dismiss" {
			t.Error("the second tap has sent the result away")
		}
	}
	p.dismiss()
	p.view("question")
	p.still(question)
	m.must("POST", "/ask/cancel", nil)
	m.ends(question)
}

// A sale that covers the settings must not give them, unlocked, to whoever stands there after it.
func TestBrowserSettingsLockWhenCovered(t *testing.T) {
	t.Parallel()
	m := start(t, unanswered)
	p := openSettings(t, m)
	p.setupStep("settings")
	sale := func(path string) {
		t.Helper()
		if a := m.do("POST", m.api+path, "{}", func(r *http.Request) { r.SetBasicAuth(newUser, newPassword) }); a.status != 200 {
			t.Fatalf("POST %s: %d %s", path, a.status, a.body)
		}
	}
	sale("/sale")
	p.view("sale")
	sale("/sale/cancel")
	p.view("idle")
	if p.has(`[data-view="setup"]`) {
		t.Fatal("the settings came back by themselves")
	}
	if status := browsertest.Eval[int](t, p.ctx, `fetch("/settings").then(r => r.status)`); status != 403 {
		t.Errorf("GET /settings after the settings were covered: %d", status)
	}
	p.agree(403, "/settings")
}
