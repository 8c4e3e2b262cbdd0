//go:build !race || everything

package screenui_test

import (
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/tunnel/tunneltest"
	"github.com/maquininha/maquininha/internal/waittest"
)

// The idle screen tells how the printer and the link to a hub are.
func TestPanelBreaksThePrinter(t *testing.T) {
	t.Parallel()
	hub := tunneltest.New(t)
	m := start(t, func(c *app.Config) { c.Timeouts.HubLook = 10 * time.Millisecond })
	p := bench(t, m)
	p.click("tab-simulate")
	p.finds(`[data-status="printer"][data-mood="good"]`)
	p.lacks(`[data-status="hub"]`)
	if _, err := app.JoinHub(t.Context(), m.config.Data, tunnel.Invitation{Address: hub.URL, Code: tunneltest.Code, Pin: hub.Pin()}); err != nil {
		t.Fatal(err)
	}
	p.says(`[data-status="hub"][data-mood="good"]`, "Hub conectado")
	hub.Revoke()
	waittest.Receive(t, "the terminal at the hub", hub.Accepted).Close()
	p.says(`[data-status="hub"][data-mood="warn"]`, "Terminal revogado no hub")
	p.click("printer-paperOut")
	p.says(`[data-status="printer"][data-mood="bad"]`, "Impressora sem papel")
	if a := m.call("POST", "/print/text", printed("CUPOM")); a.status != 500 || a.object()["message"] != "Erro ao imprimir" {
		t.Errorf("printing without paper: %d %s", a.status, a.body)
	}
	p.lacks("[data-paper]")
	m.must("POST", "/sale", object{})
	p.says(".bar-trouble", "Sem papel")
	if a := m.call("POST", "/drawer", nil); a.status != 500 {
		t.Errorf("a drawer at a printer without paper: %d %s", a.status, a.body)
	}
	p.says("[data-drawer]", "Gaveta fechada")
	p.click("printer-ok")
	p.lacks(".bar-trouble")
	m.must("POST", "/print/text", printed("CUPOM"))
	p.says(`[data-do="paper"]`, "1 cupom") // it does not come out over the total of an open sale
	p.click("paper")
	p.finds("[data-paper]")

	p.lacks(`[data-do="drawer-close"]`)
	for n := 1; n <= 2; n++ {
		m.must("POST", "/drawer", nil)
		p.finds(fmt.Sprintf(`[data-drawer="1"][data-open="true"][data-openings="%d"]`, n))
	}
	p.says(`[data-section="printer"]`, "gaveta aberta")
	p.says("[data-drawer]", "2 aberturas")
	p.click("drawer-close")
	p.finds(`[data-drawer="1"][data-open="false"]`)
	p.says("[data-drawer]", "Gaveta fechada · última abertura às ")
	p.lacks(`[data-drawer="2"]`)
	m.must("POST", "/print/acbr", "<abre_gaveta>2</abre_gaveta>")
	p.says(`[data-drawer="2"]`, "2ª gaveta aberta às ")
}

func TestPanelSendsTheAppAway(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := bench(t, m)
	m.until("in sight, the app is active", m.active)
	p.click("tab-simulate")
	p.click("app-false")
	p.finds(`.screen [data-view="home"]`)
	if m.active() {
		t.Error("minimised, the app is active")
	}
	held := m.hold("/transaction", paying("03", 10))
	p.says(`[data-do="notification"]`, "Comando recebido Restaure o aplicativo")
	p.finds(`[data-view="home"]`)
	p.still(held)
	p.click("notification")
	p.step("card")
	m.until("restored, the app is active", m.active)
	p.click("card-visa")
	p.step("pin")
	p.sees("document.activeElement === document.body") // the card is in: its button lets go of the keyboard
	p.do(browsertest.Type(pin), browsertest.Press("Enter"))
	m.paid(held, 200, "Transação aprovada")

	p.click("app-false")
	p.finds(`[data-view="home"]`)
	p.click("launch")
	p.lacks(`[data-view="home"]`)
	m.until("launched, the app is active", m.active)
}

func TestPanelScriptsTheAcquirer(t *testing.T) {
	t.Parallel()
	m := start(t, lasting)
	p := bench(t, m)
	p.click("tab-simulate")
	p.finds(`[data-do="card-visa"]:disabled`)
	p.click("times-more")
	p.click("acquirer-refuse")
	p.says(`.panel`, "Na fila: 2× recusa")
	for range 2 {
		held := m.hold("/transaction", paying("03", 10))
		p.step("card")
		p.click("entry-tap")
		p.click("card-visa")
		p.finds(`[data-view="result"][data-verdict="refused"]`)
		if a := m.ends(held); a.status != 403 {
			t.Errorf("as scripted: %d %s", a.status, a.body)
		}
	}
	held := m.hold("/transaction", paying("17", 10))
	p.step("pix")
	p.click("pay-pix")
	m.paid(held, 200, "Transação aprovada")

	// Back to normal means that what was queued is forgotten, and that the magic amounts count again.
	p.click("acquirer-refuse")
	p.click("acquirer-offline")
	p.says(`.panel`, "Na fila: 2× fora do ar")
	p.click("acquirer-normal")
	p.says(`.panel`, "Fila esvaziada")
	held = m.hold("/transaction", paying("17", 10))
	p.step("pix")
	p.click("pay-pix")
	m.paid(held, 200, "Transação aprovada")
	held = m.hold("/transaction", paying("03", 0.51))
	p.step("card")
	p.click("card-visa")
	m.paid(held, 403, "Saldo insuficiente")

	held = m.hold("/transaction", paying("03", 10))
	p.step("card")
	p.click("reset")
	m.paid(held, 403, "Transação cancelada")
}

func TestPanelShowsWhatCallersDo(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := bench(t, m)
	p.finds("[data-log]")
	m.must("POST", "/sale", object{"customerName": "Ana"})
	const row = `[...document.querySelectorAll(".log-row")]`
	p.sees(`%s.some(r => r.innerText.includes("/sale"))`, row)
	p.says(`.request`, "POST /sale 200")
	if a := m.call("POST", "/sale", object{}); a.status != 409 {
		t.Fatalf("a second sale: %d", a.status)
	}
	p.says(`.request:first-child`, "POST /sale 409")
	p.do(browsertest.Click(`.request:first-child`))
	p.says(".requests", "Já existe uma venda ativa!")

	// What the terminal was told to say stays here when it has gone from the screen.
	p.says(`[data-section="notifications"]`, "Nenhuma notificação do PDV.")
	said := 0
	tell := func(message string) {
		m.must("POST", "/notification", object{"title": "Caixa 3", "message": message})
		said++
		p.says(fmt.Sprintf(`[data-announcements="%d"] li:first-child`, said), message)
	}
	const newest = `[data-announcements] li:first-child`
	// A page that is late with its beat counts as gone, and what came meanwhile as unseen for good: the caller says it again.
	for seen := false; !seen; seen = browsertest.Eval[bool](t, p.ctx, `document.querySelector("`+newest+`").dataset.seen === "true"`) {
		m.until("a page is in sight", m.active)
		tell("Chame o gerente")
	}
	p.says(newest, "Caixa 3 Chame o gerente na tela")
	p.hide()
	m.until("no page is in sight", func() bool { return !m.active() })
	tell("Ele vem")
	p.show()
	p.says(newest+`[data-seen="false"]`, "Caixa 3 Ele vem sem tela à vista")

	// Filtered, only what passes is there, also of what comes later.
	p.do(browsertest.Click(`[data-key="log-text"]`), browsertest.Type("estórno"))
	p.sees(`%s.length === 0`, row)
	m.must("POST", "/sale/item", item("Café"))
	m.must("POST", "/sale/payment", object{"tPag": "money", "value": 1})
	p.sees(`document.querySelector(".requests").innerText.includes("/sale/payment")`)
	p.sees(`%s.length === 0`, row)
	p.do(chromedp.Evaluate(`document.querySelector("[data-key=log-text]").select()`, nil), browsertest.Type("/SALE/pay"))
	p.sees(`%[1]s.length > 0 && %[1]s.every(r => r.innerText.includes("/sale/payment"))`, row)
	p.click("log-clear")
	p.sees(`%s.length === 0`, row)
}

func TestPanelIsADrawerOnSmallScreens(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	p.lacks(`[data-do="panel"]`) // a kiosk has none
	p.do(chromedp.Navigate(m.screen + "/"))
	p.push("panel")
	p.finds(".side .panel")
	p.push("tab-simulate")
	p.push("printer-coverOpen")
	p.press("Escape")
	p.lacks(".side")
	p.says(`[data-status="printer"]`, "Tampa da impressora aberta")
}

// A newcomer sees the terminal live without leaving the page: each press is what a caller would send, with its curl line and the answer.
func TestPanelTriesRequests(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := bench(t, m)
	const curl = `[data-tried] li:last-child code`
	const place = `document.querySelector("[data-do=try-cpf]").getBoundingClientRect().top`
	before := browsertest.Eval[float64](t, p.ctx, place)
	p.click("try-open")
	p.finds(`[data-tried="4"]`)
	if now := browsertest.Eval[float64](t, p.ctx, place); now != before {
		t.Errorf("what was sent and answered pushed the buttons from %v to %v", before, now)
	}
	p.says(`[data-view="sale"]`, "Café torrado 500 g")
	p.says(curl, fmt.Sprintf(`curl -u %s:SENHA -X POST %s/sale/item -d '{"id":"3","code":"7896065880069","description":"Água sem gás"`, testUser, m.api))
	p.says(`.request:first-child`, "POST /sale/item 200")
	p.agree(http.StatusConflict, "/try/sale")
	p.click("try-open") // what is refused is said, and what would come after it is not sent
	p.says(`[data-tried="1"] .said.bad`, "409")
	p.says(`[data-tried="1"]`, "Já existe uma venda ativa!")
	p.click("try-finish")
	p.finds(`[data-view="closing"]`)

	p.click("try-cpf")
	p.finds(`[data-view="question"]`)
	p.says(`[data-tried="1"]`, "A requisição fica aberta até alguém responder no terminal.")
	m.must("POST", "/emulator/answer", object{"value": "52998224725"})
	p.says(`[data-tried="1"] .panel-json`, `"value": "52998224725"`)

	p.click("try-credit")
	p.step("card")
	p.click("entry-tap")
	p.click("card-visa")
	p.says(`[data-tried="1"] .panel-json`, "Transação aprovada")

	p.click("try-coupon")
	p.says(`[data-tried="1"]`, "Impressão realizada com sucesso")
	p.says(curl, "-H 'Content-Type: text/xml' --data-binary @nfce.xml")
	p.finds("[data-paper]")
	p.do(chromedp.Evaluate(`void (navigator.clipboard.writeText = async text => { window.copied = text })`, nil))
	p.click("copy-curl")
	p.sees(`window.copied === document.querySelector(%q).innerText`, curl)
}

// Whoever sends what the tab sends gets what the tab shows: each line of curl is run as it stands, with the password.
func TestPanelLinesRunInAShell(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := bench(t, m)
	p.click("try-open")
	p.sees(`document.querySelectorAll("[data-tried] .said").length === 4`) // all are answered: the sale is not cancelled under the last
	lines := browsertest.Eval[[]string](t, p.ctx, `[...document.querySelectorAll("[data-tried] code")].map(c => c.innerText)`)
	m.must("POST", "/sale/cancel", object{})
	for _, line := range lines {
		out, err := exec.CommandContext(t.Context(), "sh", "-c", strings.Replace(line, "SENHA", testPassword, 1)+" -s -w ' %{http_code}'").CombinedOutput()
		if err != nil || !strings.HasSuffix(string(out), " 200") {
			t.Errorf("%s: %v %s", line, err, out)
		}
	}
	p.says(`[data-view="sale"]`, "Água sem gás")
}

// On the usual small desk everything of the panel is in sight at once, and in a narrow window a tab away.
func TestPanelFitsTheDesk(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := bench(t, m)
	inSight := func(selector string) {
		t.Helper()
		p.sees(`(r => r.height > 80 && r.top >= 0 && r.bottom <= innerHeight && r.right <= innerWidth)(document.querySelector(%q)?.getBoundingClientRect() ?? {})`, selector)
	}
	p.do(browsertest.Resize(browsertest.Window(1366, 768)))
	inSight(".log")
	inSight(".requests")
	p.finds(`[data-do="card-visa"]`)
	p.finds(`[data-do="try-cpf"]`)
	p.lacks(`[data-do="tab-records"]`)
	p.do(browsertest.Resize(browsertest.Window(1024, 768)))
	p.lacks(".log")
	p.click("tab-records")
	p.finds(".log")
	p.finds(".requests")
	p.sees(`document.documentElement.scrollWidth <= innerWidth`)
}
