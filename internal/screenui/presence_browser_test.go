//go:build !race || everything

package screenui_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/browsertest"
)

// watchReports notes what the page says of its visibility while it is being told of a change: that is at once, on the fastest
// machine and the slowest.
const watchReports = `void (() => {
	window.reports = new Set();
	let changing = false;
	addEventListener("visibilitychange", () => { changing = true; }, true);
	addEventListener("visibilitychange", () => { changing = false; });
	const send = window.fetch;
	window.fetch = (path, options) => {
		if (path === "/page/visible" && changing) reports.add(JSON.parse(options.body).visible ? "shown" : "hidden");
		return send(path, options);
	};
})()`

// How soon the service has it in hand is TestForegroundFollowsThePagesAtOnce's.
func TestForegroundFollowsThePage(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	m.until("in sight, the app is active", m.active)
	p.do(chromedp.Evaluate(watchReports, nil))
	for range 3 {
		p.hide()
		m.until("hidden, the app is in the background", func() bool { return !m.active() })
		p.show()
		m.until("shown again, the app is active", m.active)
	}
	if got := browsertest.Eval[[]string](t, p.ctx, `[...reports].sort()`); !slices.Equal(got, []string{"hidden", "shown"}) {
		t.Errorf("at once the page said only %q", got)
	}

	other := p.another(browsertest.Window(480, 800))
	p.hide()
	m.until("with another page in sight, the app is active", m.active)
	other.hide()
	m.until("with both hidden, the app is in the background", func() bool { return !m.active() })
}

// How soon each is missed is TestSilentPageIsMissed's and TestForegroundFollowsThePagesAtOnce's.
func TestPageThatDiesIsMissed(t *testing.T) {
	t.Parallel()
	m := start(t)
	first := handheld(t, m)
	defer func() {
		if t.Failed() {
			t.Logf("the service counts %v", m.must("GET", "/emulator/screen", nil)["foreground"])
		}
	}()
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
		end.do(p)
		m.until(end.what+", a page is gone", func() bool { return !m.active() })
		first.show()
		m.until("the first is back", m.active)
	}

	first.must(browsertest.Freeze(first.ctx))
	m.until("frozen, a page is gone", func() bool { return !m.active() })
	first.must(browsertest.Thaw(first.ctx))
	first.show()
	m.until("thawed, it came back", m.active)

	first.must(browsertest.Hang(first.ctx))
	m.until("hung, a page is gone", func() bool { return !m.active() })
	first.must(browsertest.GoOn(first.ctx))
	m.until("it came back by itself", m.active)
	m.must("POST", "/sale", object{"customerName": "Ana"})
	first.says(`[data-view="sale"]`, "Ana")
	first.forgive()
}

const inBackground = "Aplicativo em segundo plano. Abra o app para concluir o pagamento."

// waits has payments wait for the app for another while than 15 s, which is tested in virtual time where payments are.
func waits(d time.Duration) func(*app.Config) {
	return func(c *app.Config) { c.Play = &app.Play{ForegroundWait: d} }
}

// hiddenPage is one that the service knows to be out of sight.
func hiddenPage(t *testing.T, m *terminal) *page {
	t.Helper()
	p := handheld(t, m)
	m.until("the service has seen it", m.active)
	p.hide()
	// A page that is only silent, or has not said anything yet, is not in sight either.
	m.until("the service knows that it is hidden", func() bool {
		f := m.must("GET", "/emulator/screen", nil)["foreground"].(object)
		return f["pages"] == 1.0 && f["visiblePages"] == 0.0
	})
	return p
}

func TestPaymentWaitsForThePage(t *testing.T) {
	t.Parallel()
	m := start(t, waits(time.Hour))
	p := hiddenPage(t, m)
	held := m.hold("/transaction", paying("03", 25))
	m.until("the payment waits", func() bool { return m.payment()["step"] == "waiting" })
	p.still(held)
	p.show()
	p.step("card")
	p.hide() // once it began it goes on, in sight or not
	p.show()
	p.step("card")
	m.must("POST", "/emulator/card", object{"entry": "tap"})
	m.paid(held, 200, "Transação aprovada")
}

func TestPaymentDoesNotWaitForEver(t *testing.T) {
	t.Parallel()
	const wait = time.Second
	m := start(t, waits(wait))
	p := hiddenPage(t, m)
	began := time.Now()
	m.paid(m.hold("/transaction", paying("03", 25)), 503, inBackground)
	if waited := time.Since(began); waited < wait {
		t.Errorf("never shown, the caller waited only %v", waited)
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

// glimpses waits for what does not stay: it is looked for from before it comes, in the page itself.
func (p *page) glimpses(expression string, bring func()) {
	p.t.Helper()
	p.do(chromedp.Evaluate(fmt.Sprintf(`void (window.glimpsed = false, new MutationObserver(() => { if (%s) glimpsed = true; })
		.observe(document, {subtree: true, childList: true, attributes: true, characterData: true}))`, expression), nil))
	bring()
	p.wait("glimpsed")
}

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

	// In the foreground a bell is enough: nobody need bring back what they look at.
	p.glimpses(`document.querySelector(".bar-bell") && !document.body.innerText.includes("Restaure")`, func() {
		m.must("POST", "/sale", object{})
	})
	p.sees("made.length === 0")
	p.lacks(".has-toast")
	// It can be seen on a bar of any colour.
	m.must("POST", "/sale/finalize", object{"messageInterval": 600000})
	p.view("closing")
	p.lacks(".has-toast")
	p.glimpses(`(b => b && getComputedStyle(b).color === getComputedStyle(b.closest(".bar")).color)(document.querySelector(".bar-bell"))`, func() {
		m.must("POST", "/emulator/printer", object{"state": "ok"})
		m.must("POST", "/drawer", nil)
	})
	m.must("POST", "/sale", object{})
	p.view("sale")
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
