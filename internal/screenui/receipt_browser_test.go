//go:build !race || everything

package screenui_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
)

// prints has receipts printed so, and asked about for as long as a test needs.
func prints(mode string) func(*app.Config) {
	return func(c *app.Config) { lasting(c); c.CardReceipt = mode }
}

// paysByCard has a customer pay; the page shows how it ended.
func (p *page) paysByCard(verdict string) {
	p.t.Helper()
	held := p.m.hold("/transaction", paying("03", 149.9))
	p.step("card")
	p.m.must("POST", "/emulator/card", object{"entry": "tap"})
	p.m.paid(held, 200, "Transação aprovada")
	p.verdict(verdict, "R$ 149,90")
}

func (p *page) receipt(says string) {
	p.t.Helper()
	p.finds(`[data-receipt="` + says + `"]`)
}

// lateAnswers keeps the answers about copies from the page: it hears first of all how they came out.
const lateAnswers = `void (() => {
	const send = window.fetch;
	window.fetch = (path, options) => path === "/result/print" ? send(path, options).then(() => new Promise(() => {})) : send(path, options);
})()`

func TestBrowserReceiptOnRequest(t *testing.T) {
	t.Parallel()
	m := start(t, prints("ask"))
	p := handheld(t, m)
	p.agree(http.StatusInternalServerError, "/result/print")
	p.paysByCard("approved")
	p.receipt("ask")
	p.says(`[data-do="print-customer"]`, "Imprimir via do cliente")
	p.says(`[data-do="print-merchant"]`, "Imprimir via do estabelecimento")
	p.says(`[data-do="dismiss"]`, "Não, obrigado")
	p.do(browsertest.Tap(".mark")) // a touch beside the buttons decides nothing
	p.push("print-customer")
	p.receipt("printed")
	p.says(`[data-do="paper"]`, "1 cupom")
	p.push("print-merchant")
	p.says(`[data-do="paper"]`, "2 cupons")

	m.must("POST", "/emulator/printer", object{"state": "paperOut"})
	p.do(chromedp.Evaluate(lateAnswers, nil))
	p.push("print-customer")
	p.receipt("failed")
	p.says(".result-receipt", "Sem papel")
	m.must("POST", "/emulator/printer", object{"state": "ok"})
	p.push("print-customer") // again
	p.says(`[data-do="paper"]`, "3 cupons")
	p.push("dismiss")
	p.finds(`[data-paper="3"] img`)
	p.push("tear-all")
	p.view("idle")
}

func TestBrowserReceiptByKeyboardInEnglish(t *testing.T) {
	t.Parallel()
	m := start(t, prints("ask"), func(c *app.Config) { c.Locale = "en" })
	p := openPage(t, m, browsertest.Window(1024, 768))
	p.paysByCard("approved")
	p.receipt("ask")
	p.press("Enter") // whoever confirmed a PIN with it wants no paper by it
	p.press("ArrowDown", "ArrowDown")
	p.wait(`document.activeElement.matches("[data-do=print-merchant]")`)
	p.says(`[data-do="print-merchant"]`, "Print merchant copy")
	p.press("Enter")
	p.receipt("printed")
	p.sees(`document.activeElement.matches("[data-do=print-merchant]")`)
	p.press("1")
	m.until("both copies are printed", func() bool { return len(m.jobs()) == 2 })
	p.press("Escape")
	p.finds(`[data-paper="2"]`)
}

func (m *terminal) jobs() (jobs []object) {
	m.t.Helper()
	if a := m.call("GET", "/emulator/printer/jobs", nil); a.status != http.StatusOK || json.Unmarshal(a.body, &jobs) != nil {
		m.t.Fatalf("jobs: %d %s", a.status, a.body)
	}
	return jobs
}

func TestBrowserReceiptWhileBusy(t *testing.T) {
	t.Parallel()
	fake := escpostest.Listen(t, 384)
	m := start(t, prints("ask"), func(c *app.Config) { c.Printer.Address = "tcp://" + fake.Address })
	p := handheld(t, m)
	p.agree(http.StatusConflict, "/result/print")
	p.paysByCard("approved")
	fake.Set(escpostest.Whims{Stall: 1000})
	coupon := m.hold("/print/text", printed(make([]string, 60)...))
	m.until("a coupon is printing", func() bool { return m.must("GET", "/emulator/screen", nil)["busy"] == true })
	p.push("print-customer")
	p.receipt("busy")
	fake.Set(escpostest.Whims{})
	if a := m.ends(coupon); a.status != http.StatusOK {
		t.Fatalf("the coupon: %d %s", a.status, a.body)
	}
	p.receipt("ask")
	p.push("print-customer")
	p.receipt("printed")
	if n := len(fake.Sheets()); n != 2 {
		t.Errorf("%d sheets, want the coupon and the receipt", n)
	}

	// The refusal comes to the page after the news that the terminal is free again: nobody else would take it away.
	p.do(chromedp.Evaluate(`const go = fetch;
		window.fetch = (path, ...rest) => !String(path).endsWith("/result/print") ? go(path, ...rest) :
			go(path, ...rest).then((answer) => new Promise((tell) => { window.tellRefusal = () => tell(answer); }))`, nil))
	fake.Set(escpostest.Whims{Stall: 1000})
	coupon = m.hold("/print/text", printed(make([]string, 60)...))
	m.until("another coupon is printing", func() bool { return m.must("GET", "/emulator/screen", nil)["busy"] == true })
	p.push("print-customer")
	p.wait(`"tellRefusal" in window`)
	fake.Set(escpostest.Whims{})
	m.ends(coupon)
	p.do(chromedp.Evaluate(`setTimeout(() => { tellRefusal(); setTimeout(() => { window.toldRefusal = true; }, 100); }, 300)`, nil))
	p.wait(`window.toldRefusal`)
	p.receipt("printed")
}

func TestBrowserReceiptsWithoutAsking(t *testing.T) {
	t.Parallel()
	m := start(t, prints("both"))
	p := handheld(t, m)
	p.paysByCard("approved")
	p.receipt("printed")
	p.lacks(`[data-do="print-customer"]`)
	p.says(`[data-do="paper"]`, "2 cupons")
	m.must("POST", "/emulator/printer", object{"state": "coverOpen"})
	p.paysByCard("approved")
	p.receipt("failed")
	p.says(".result-receipt", "Tampa aberta")
	m.must("POST", "/emulator/printer", object{"state": "ok"})
	p.push("print-merchant")
	p.receipt("printed")
	p.says(`[data-do="paper"]`, "3 cupons")
}

func TestBrowserReceiptFitsEveryScreen(t *testing.T) {
	t.Parallel()
	for _, locale := range app.Locales() {
		m := start(t, prints("ask"), func(c *app.Config) { c.Locale = locale })
		p := handheld(t, m)
		p.agree(http.StatusInternalServerError, "/result/print")
		held := m.hold("/transaction", paying("03", 1234567.89))
		p.step("card")
		m.must("POST", "/emulator/card", object{"entry": "tap"})
		p.step("pin")
		p.pad(pin)
		p.push("pin-ok")
		if a := m.ends(held); a.status != http.StatusOK {
			t.Fatalf("%s: %s", locale, a.body)
		}
		p.receipt("ask")
		p.fits(locale + " asking")
		m.must("POST", "/emulator/printer", object{"state": "paperOut"})
		p.push("print-customer")
		p.receipt("failed")
		p.fits(locale + " failed")
		p.scrollsNot(".result")
	}
}

// scrollsNot checks that the smallest screen shows all of it at once.
func (p *page) scrollsNot(selector string) {
	p.t.Helper()
	p.do(browsertest.Resize(browsertest.Window(320, 480), browsertest.Touch))
	p.sees(`innerWidth === 320 && (e => e.scrollHeight <= e.clientHeight)(document.querySelector(%s))`, quoted(selector))
}
