//go:build !race || everything

package screenui_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/escpos/escpostest"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/tunnel/tunneltest"
	"github.com/maquininha/maquininha/internal/waittest"
)

const (
	newUser     = "caixa1"
	newPassword = "Pao-quente 7"
	newPIN      = "73915"
)

// unanswered is a terminal that nobody has set up yet.
func unanswered(c *app.Config) {
	c.SkipSetup, c.Username, c.Password, c.PaperWidth = false, "", "", 0
}

// admits tells whether callers get in with these.
func (m *terminal) admits(user, password string) bool {
	m.t.Helper()
	a := m.do("GET", m.api+"/status", nil, func(r *http.Request) { r.SetBasicAuth(user, password) })
	if a.status != http.StatusOK && a.status != http.StatusUnauthorized {
		m.t.Fatalf("GET /status: %d %s", a.status, a.body)
	}
	return a.status == http.StatusOK
}

func (p *page) setupStep(name string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.querySelector("[data-view=setup]")?.dataset.step === %s`, quoted(name)))
}

// inField is what the field of the step holds.
func (p *page) inField(field, want string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.querySelector("[data-field=%s]").value === %s`, field, quoted(want)))
}

func (p *page) tapPIN(pin string) {
	p.t.Helper()
	for i, c := range pin {
		p.tap(key(string(c)))
		p.wait(fmt.Sprintf(`document.querySelector("[data-typed]").dataset.typed === "%d"`, i+1))
	}
}

// tabTo moves the focus as a keyboard does.
func (p *page) tabTo(selector string) {
	p.t.Helper()
	at := fmt.Sprintf("document.activeElement.matches(%s)", quoted(selector))
	for range 20 {
		if browsertest.Eval[bool](p.t, p.ctx, at) {
			return
		}
		p.press("Tab")
	}
	p.t.Fatalf("no Tab leads to %s\n%s", selector, browsertest.Describe(p.ctx))
}

func TestBrowserSettingsBehindThePIN(t *testing.T) {
	t.Parallel()
	m := start(t, unanswered)
	first := m.touch("/settings/first", object{"user": newUser, "password": newPassword, "name": "Padaria", "pin": newPIN})
	if first.status != http.StatusNoContent {
		t.Fatalf("first start: %d %s", first.status, first.body)
	}
	p := openPage(t, m, browsertest.Window(320, 480), browsertest.Touch)
	p.agree(422, "/settings/unlock")
	told := listen(p)
	p.view("idle")
	p.tap("[data-do=settings]")
	p.setupStep("unlock")
	p.tapPIN("00000")
	p.tap("[data-do=pin-ok]")
	p.reads(".setup-error", "PIN incorreto")
	p.setupStep("unlock")
	p.tapPIN(newPIN)
	p.tap("[data-do=pin-ok]")
	p.setupStep("settings")
	p.tap("[data-do=edit-locale]")
	p.setupStep("locale")
	p.tap("[data-do=locale-en]", "[data-do=next]")
	p.setupStep("settings")
	p.reads(".page-head h1", "Settings")
	p.tap("[data-do=edit-name]")
	p.setupStep("name")
	p.inField("name", "Padaria")
	p.do(browsertest.Type(" Nova"), browsertest.Press("Enter"))
	p.setupStep("settings")
	p.tap("[data-do=edit-password]")
	p.setupStep("password")
	p.inField("password", "") // what it was is nobody's to see
	p.do(browsertest.Type("outra-Senha-9"), browsertest.Press("Enter"))
	p.setupStep("settings")
	if !m.admits(newUser, "outra-Senha-9") || m.admits(newUser, newPassword) {
		t.Error("the new password is not in use")
	}
	shown := browsertest.Eval[string](t, p.ctx, `fetch("/settings").then(r => r.text())`)
	if !strings.Contains(shown, "Padaria Nova") || strings.Contains(shown, "outra-Senha-9") || strings.Contains(shown, newPIN) {
		t.Errorf("the settings say %s", shown)
	}
	p.tap("[data-do=close]")
	p.view("idle")
	p.reads(".idle-name", "Padaria Nova")
	p.wait(`document.documentElement.lang === "en"`)

	// The door is shut again, and what comes next is in English.
	p.tap("[data-do=settings]")
	p.setupStep("unlock")
	p.reads(".setup-pin .setup-hint", "Type the operator PIN")
	p.tap("[data-do=close]")
	p.view("idle")
	told.saysNone(p, newPassword, "outra-Senha-9")
}

func TestBrowserSettingsFitEveryScreen(t *testing.T) {
	t.Parallel()
	m := start(t, unanswered)
	p := openPage(t, m, browsertest.Window(480, 800), browsertest.Touch)
	p.setupStep("welcome")
	p.fits("welcome")
	p.tap("[data-do=next]")
	for _, step := range []struct{ name, typed string }{{"user", ""}, {"password", newPassword}, {"name", "Padaria"}, {"printer", ""}, {"acquirer", ""}} {
		p.setupStep(step.name)
		p.fits(step.name)
		p.do(browsertest.Type(step.typed))
		p.tap("[data-do=next]")
	}
	p.setupStep("pin")
	p.fits("pin")
	for range 2 {
		p.tapPIN(newPIN)
		p.tap("[data-do=next]")
	}
	p.setupStep("done")
	p.fits("done")
	p.tap("[data-do=finish]")
	p.view("idle")
	p.fits("idle")
	p.tap("[data-do=settings]")
	p.setupStep("unlock")
	p.fits("unlock")
	p.tapPIN(newPIN)
	p.tap("[data-do=pin-ok]")
	p.setupStep("settings")
	p.fits("settings")
	p.tap("[data-do=edit-locale]")
	p.setupStep("locale")
	p.fits("locale")
	p.tap("[data-do=back]")
	p.joinsAHub(m)
}

// joinsAHub goes through what an operator does with a hub: joins it by hand, sees how the link is, leaves, and joins by its whole line.
func (p *page) joinsAHub(m *terminal) {
	p.t.Helper()
	hub := tunneltest.New(p.t)
	for range 5 {
		p.agree(422, "/settings/hub")
	}
	emptied := chromedp.Evaluate(`document.activeElement.select()`, nil)
	shows := func(text string) { p.t.Helper(); p.says("[data-hub] dd", text) }
	p.reads("[data-do=edit-hub] .setup-row-value", "Nenhum")
	p.tap("[data-do=edit-hub]")
	p.setupStep("hub")
	p.fits("hub")
	p.do(browsertest.Type("127.0.0.1:1 "+tunneltest.Code), browsertest.Press("Enter"))
	p.says(".setup-error", "Não foi possível entrar no hub")
	p.do(emptied, browsertest.Type(hub.URL), browsertest.Press("Enter"))
	p.inField("hubCode", "")
	p.fits("hub code")
	p.do(browsertest.Type("zzzz-9999"))
	p.tap("[data-do=next]")
	p.inField("hubPin", "") // the hub's certificate is its own
	p.fits("hub pin")
	p.do(browsertest.Type(hub.Pin()), browsertest.Press("Enter"))
	p.says(".setup-error", "O hub recusou: Código desconhecido ou vencido")
	p.do(emptied, browsertest.Type("abcd-2345"), browsertest.Press("Enter"))
	shows("Hub conectado, desde")
	p.fits("hub joined")
	p.tap("[data-do=leave]", "[data-do=leave-sure]")
	p.inField("hubAddress", "")
	p.do(browsertest.Type("maquininha join "+hub.URL+" "+tunneltest.Code+" --pin "+hub.Pin()), browsertest.Press("Enter"))
	shows("Hub conectado, desde")
	waittest.Receive(p.t, "the first link", hub.Accepted).Close()
	link := waittest.Receive(p.t, "the second link", hub.Accepted)
	p.isDecidedByAHub(link)
	hub.Revoke()
	link.Close()
	shows("Terminal revogado no hub")
	p.says("[data-why=revoked]", "O hub revogou este terminal")
	p.fits("hub revoked")
	p.tap("[data-do=back]")
	p.reads("[data-do=edit-hub] .setup-row-value", "Terminal revogado no hub")
}

// isDecidedByAHub: what the hub decides is on the screen, and can't be changed there.
func (p *page) isDecidedByAHub(link *tunnel.Conn) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), "PUT", "http://terminal"+tunnel.SettingsPath, strings.NewReader(`{"mark":"um","values":{"name":"Do hub"}}`))
	if err != nil {
		p.t.Fatal(err)
	}
	resp, err := link.RoundTrip(r)
	if err != nil || resp.Body.Close() != nil || resp.StatusCode != http.StatusOK {
		p.t.Fatalf("%v, %v", resp, err)
	}
	p.tap("[data-do=back]", "[data-do=close]")
	p.view("idle")
	p.reads(".idle-name", "Do hub")
	p.tap("[data-do=settings]")
	p.setupStep("unlock")
	p.tapPIN(newPIN)
	p.tap("[data-do=pin-ok]")
	p.setupStep("settings")
	p.says("[data-do=edit-name] .setup-row-note", "Definido pelo hub")
	p.wait(`document.querySelector("[data-do=edit-name]").disabled`)
	p.fits("decided by a hub")
	p.tap("[data-do=edit-hub]")
}

// openSettings sets the terminal up and goes through the door of its settings.
func openSettings(t *testing.T, m *terminal, options ...browsertest.Option) *page {
	t.Helper()
	first := m.touch("/settings/first", object{"user": newUser, "password": newPassword, "name": "Padaria", "pin": newPIN})
	if first.status != http.StatusNoContent {
		t.Fatalf("first start: %d %s", first.status, first.body)
	}
	p := openPage(t, m, options...)
	p.unlock()
	return p
}

func (p *page) unlock() {
	p.t.Helper()
	p.view("idle")
	p.tap("[data-do=settings]")
	p.setupStep("unlock")
	p.tapPIN(newPIN)
	p.tap("[data-do=pin-ok]")
	p.setupStep("settings")
}

func TestBrowserSettingsOfTheCardReceipt(t *testing.T) {
	t.Parallel()
	m := start(t, unanswered)
	p := openSettings(t, m, browsertest.Window(320, 480), browsertest.Touch)
	p.reads("[data-do=edit-cardReceipt] .setup-row-value", "Não imprimir")
	p.tap("[data-do=edit-cardReceipt]")
	p.setupStep("cardReceipt")
	p.fits("cardReceipt")
	p.do(browsertest.Resize(browsertest.Window(320, 480), browsertest.Touch))
	p.tap("[data-do=cardReceipt-ask]", "[data-do=next]")
	p.setupStep("settings")
	p.reads("[data-do=edit-cardReceipt] .setup-row-value", "Perguntar na tela")
	p.reads("[data-do=edit-cardReceipt] .setup-row-note", "Salvo")
	shown := browsertest.Eval[string](t, p.ctx, `fetch("/settings").then(r => r.json()).then(s => s.cardReceipt)`)
	if shown != "ask" {
		t.Errorf("kept: %s", shown)
	}
}

func TestBrowserSettingsOfANetworkPrinter(t *testing.T) {
	t.Parallel()
	fake := escpostest.Listen(t, 576)
	m := start(t, unanswered)
	p := openSettings(t, m, browsertest.Window(320, 480), browsertest.Touch)
	p.agree(422, "/settings")
	for n := range 100 { // a paper of the printer before, asked for after that has gone
		p.agree(404, fmt.Sprintf("/paper/%d.png", n))
	}
	p.tap("[data-do=edit-printer]")
	p.setupStep("printer")
	p.tap("[data-do=printer-network]", "[data-do=next]")
	p.inField("network", "")
	p.wait(`document.querySelector("[data-do=next]").disabled`)
	p.fits("network")
	p.do(browsertest.Resize(browsertest.Window(320, 480), browsertest.Touch))
	p.tapText("10.0.0.7:") // figures and signs are in sight at once
	p.inField("network", "10.0.0.7:")
	p.do(browsertest.Type("x"), browsertest.Press("Enter"))
	p.reads(".setup-error", "Escolha uma das opções, ou informe uma impressora de rede como tcp://192.168.0.50")
	p.fits("network refused")
	p.do(browsertest.Resize(browsertest.Window(320, 480), browsertest.Touch))
	p.tap("[data-do=back]")
	p.wait(`document.querySelector("[data-do=printer-network]").ariaChecked === "true"`) // where it was
	p.tap("[data-do=next]")
	p.inField("network", "")
	p.do(browsertest.Type(fake.Address), browsertest.Press("Enter"))
	p.setupStep("settings") // it is taken: while something prints, it would not be
	m.until("the printer is in use", func() bool {
		a := m.do("POST", m.api+"/print/text", printed("oi"), func(r *http.Request) { r.SetBasicAuth(newUser, newPassword) })
		return a.status == http.StatusOK && len(fake.Sheets()) > 0
	})
	p.tap("[data-do=close]")
	p.unlock()
	p.reads("[data-do=edit-printer] .setup-row-value", "Rede "+fake.Address)
}

// What the printer is taken for is chosen beside it, and a test page shows whether that is right.
func TestBrowserSettingsPrintATestPage(t *testing.T) {
	t.Parallel()
	m := start(t, unanswered)
	p := openSettings(t, m, browsertest.Window(480, 800), browsertest.Touch)
	p.reads("[data-do=edit-printerModel] .setup-row-value", "Automático, como ela diz que é")
	p.tap("[data-do=edit-printer]")
	p.setupStep("printer")
	p.reads(".setup-hint", "Onde os cupons são impressos.") // the search has ended
	p.tap("[data-do=back]")
	p.tap("[data-do=edit-printerModel]")
	p.setupStep("printerModel")
	p.fits("printerModel")
	p.do(browsertest.Resize(browsertest.Window(480, 800), browsertest.Touch))
	p.tap("[data-do=back]")
	p.tap("[data-do=test-page]")
	p.reads("[data-do=test-page] .setup-row-note", "Impressa") // its paper lies over the rest from now on
	if a := m.do("GET", m.api+"/emulator/printer/jobs", nil, func(r *http.Request) { r.SetBasicAuth(newUser, newPassword) }); a.status != http.StatusOK || !strings.Contains(string(a.body), `"n":1`) {
		t.Errorf("%d %s", a.status, a.body)
	}
}
