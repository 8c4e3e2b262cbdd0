package screenui_test

import (
	"context"
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
)

func TestForegroundFollowsThePage(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	m.until("in sight, the app is active", m.active)
	var slowest time.Duration
	for range 5 {
		began := time.Now()
		p.hide()
		m.until("hidden, the app is in the background", func() bool { return !m.active() })
		slowest = max(slowest, time.Since(began))
		began = time.Now()
		p.show()
		m.until("shown again, the app is active", m.active)
		slowest = max(slowest, time.Since(began))
	}
	t.Logf("slowest of ten, the window's own time included: %v (goal: 300 ms)", slowest)

	other := p.another(browsertest.Window(480, 800))
	p.hide()
	if !m.active() {
		t.Error("with another page in sight the app went to the background")
	}
	other.hide()
	m.until("with both hidden, the app is in the background", func() bool { return !m.active() })
}

func TestPageThatDiesIsMissed(t *testing.T) {
	t.Parallel()
	m := start(t)
	first := handheld(t, m)
	for _, end := range []struct {
		what string
		do   func(*page)
	}{
		{"killed", func(p *page) { browsertest.Kill(p.ctx) }},
		{"closed", func(p *page) { p.must(chromedp.Cancel(p.ctx)) }},
	} {
		p := first.another(browsertest.Window(480, 800))
		first.hide()
		m.until("a page is in sight", m.active)
		began := time.Now()
		end.do(p)
		m.until(end.what+", a page is gone", func() bool { return !m.active() })
		t.Logf("%s: gone after %v (goal: 3 s)", end.what, time.Since(began))
		first.show()
		m.until("the first is back", m.active)
	}

	first.must(browsertest.Freeze(first.ctx))
	m.until("frozen, a page is gone", func() bool { return !m.active() })
	first.must(browsertest.Thaw(first.ctx))
	first.show()
	m.until("thawed, it came back", m.active)

	// Hung, it stays connected and in sight, but nobody can touch it.
	first.do(chromedp.Evaluate(`void setTimeout(() => { for (const end = performance.now() + 5000; performance.now() < end;); })`, nil))
	began := time.Now()
	m.until("hung, a page is gone", func() bool { return !m.active() })
	t.Logf("hung: gone after %v (goal: 3 s)", time.Since(began))
	m.until("it came back by itself", m.active)
	m.must("POST", "/sale", object{"customerName": "Ana"})
	first.says(`[data-view="sale"]`, "Ana")
	first.forgive()
}

const inBackground = "Aplicativo em segundo plano. Abra o app para concluir o pagamento."

func TestPaymentWaitsForThePage(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	p.hide()
	m.until("the service knows that it is hidden", func() bool { return !m.active() })
	held := m.hold("/transaction", paying("03", 25))
	m.until("the payment waits", func() bool { return m.payment()["step"] == "waiting" })
	time.Sleep(2 * time.Second)
	p.still(held)
	p.show()
	p.step("card")
	p.hide() // once it began it goes on, in sight or not
	p.show()
	p.step("card")
	m.must("POST", "/emulator/card", object{"entry": "tap"})
	m.paid(held, 200, "Transação aprovada")

	p.hide()
	m.until("the service knows that it is hidden again", func() bool { return !m.active() })
	began := time.Now()
	held = m.hold("/transaction", paying("03", 25))
	select {
	case a := <-held:
		if waited := time.Since(began); a.status != 503 || a.object()["message"] != inBackground || waited < 15*time.Second {
			t.Errorf("never shown, the caller got %d %s after %v", a.status, a.body, waited)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("never shown, the caller waits for ever")
	}
	p.show()
	p.view("idle")
}

// recorder stands in for the system's notifications. Its answer to being asked is left to the test.
const recorder = `
	window.made = [];
	window.asked = 0;
	window.Notification = class {
		static permission = localStorage.getItem("test.permission") ?? "default";
		static async requestPermission() { window.asked++; return "default"; }
		constructor(title, options) { window.made.push(title + " / " + options.body); }
		close() {}
	};`

func TestCommandsAreNotified(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdppage.AddScriptToEvaluateOnNewDocument(recorder).Do(ctx)
		return err
	}), chromedp.Reload())
	p.view("idle")
	if n := browsertest.Eval[int](t, p.ctx, "asked"); n != 0 {
		t.Errorf("asked %d times before anybody touched the page", n)
	}
	p.tap(`[data-view="idle"] h1`)
	p.sees("asked === 1")
	p.tap(`[data-view="idle"] h1`)
	p.do(chromedp.Reload())
	p.view("idle")
	p.tap(`[data-view="idle"] h1`)
	p.sees("asked === 0 && made.length === 0") // asked for once, whatever was answered

	m.must("POST", "/sale", object{})
	p.says(".toast", "Comando recebido Restaure o aplicativo")
	p.sees("made.length === 0")
	p.lacks(".has-toast")

	p.do(chromedp.Evaluate(`localStorage.setItem("test.permission", "granted")`, nil), chromedp.Reload())
	p.view("sale")
	p.hide()
	m.must("POST", "/sale/item", item("Café"))
	p.sees(`made.join() === "Comando recebido / Restaure o aplicativo"`)
	p.show()
	p.says(`[data-view="sale"]`, "Café")
	p.sees("made.length === 1")
}
