package screenui_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/tunnel"
	"github.com/maquininha/maquininha/internal/waittest"
)

// visit is a person at the page.
type visit struct {
	t      *testing.T
	hub    hub
	record *browsertest.Record
	do     func(...chromedp.Action)
	eval   func(expression string) string
	wrong  func() []string // what axe-core finds
}

// What a person does on the first day: signs in, makes a shop, joins a terminal, sees it come and go and change, finds its transactions
// and its log, makes a key, sees who did what, moves it and revokes it; in a window, on a telephone, in three languages.
func TestThePage(t *testing.T) {
	t.Parallel()
	h := startHub(t)
	p := browsertest.Start(t)
	v := &visit{t: t, hub: h, record: browsertest.Watch(p)}
	v.do = func(actions ...chromedp.Action) { t.Helper(); browsertest.Run(t, p, actions...) }
	v.eval = func(expression string) string { t.Helper(); return browsertest.Eval[string](t, p, expression) }

	v.wrong = func() []string { t.Helper(); return browsertest.Violations(t, p) }

	v.do(chromedp.Navigate(h.page), fill(`[name=name]`, "admin"), fill(`[name=password]`, "errada-errada"), browsertest.Tap(`[data-do=signin]`), shows("Wrong person or password"))
	v.do(fill(`[name=password]`, h.password), browsertest.Press("Enter"), shows("No terminal yet."), pick(".languages", "pt-BR"), shows("Nenhum terminal ainda."))
	v.makesAShop()
	terminal := v.joinsATerminal(func() []byte { return browsertest.Screenshot(t, p) })
	v.seesItChange(terminal)
	v.looksAtIt(terminal)
	v.looksAtAll()
	v.decidesSettings(terminal)
	v.narrowsWhileNewsWait(terminal)
	v.narrowsTwiceAtOnce()
	v.looksAtGaps(terminal)
	v.onATelephone(terminal)
	v.inThreeLanguages()
	v.do(goTo("#/terminals/"+terminal.ID), browsertest.Tap(`[data-do=revoke]`), browsertest.Tap(`[data-do=revoke-sure]`), shows("revogado"))
	v.do(goTo("#/transactions"), shows("Caixa da esquina")) // records of who was revoked still say whose they are
	for _, c := range v.record.Complaints() {
		if !strings.Contains(c, "/api/v1/session") && !strings.HasSuffix(c, "/api/v1/shops") && !strings.HasSuffix(c, "/api/v1/webhooks") { // nobody was signed in, a wrong password, a name twice, an address without TLS
			t.Errorf("the page complains: %s", c)
		}
	}
	if strangers := v.record.Strangers(h.page); len(strangers) > 0 {
		t.Errorf("the page asked strangers: %q", strangers)
	}
}

func (v *visit) makesAShop() {
	v.t.Helper()
	v.do(browsertest.Tap(`[data-nav=places]`), browsertest.Tap(`[data-do=new-tenant]`), browsertest.Wait(`document.activeElement.name === "place-name"`),
		browsertest.Type("Padaria"), browsertest.Press("Enter"), browsertest.Tap(`[data-tenant=Padaria] [data-do=new-shop]`), browsertest.Wait(`document.activeElement.name === "place-name"`), browsertest.Type("Centro"), browsertest.Press("Enter"))
	v.do(browsertest.Wait(`document.querySelector("[data-tenant=Padaria] [data-shop=Centro]")`), browsertest.Wait(`!document.querySelector("dialog")`))
	v.do(browsertest.Tap(`[data-tenant=Padaria] [data-do=new-shop]`), browsertest.Wait(`document.activeElement.name === "place-name"`), browsertest.Type("Centro"), browsertest.Press("Enter"), shows("Não foi feito: Já existe um com este nome"), browsertest.Press("Escape"))
}

// joinsATerminal does so with the code's line, which the picture has, too.
func (v *visit) joinsATerminal(picture func() []byte) *hubtest.Terminal {
	v.t.Helper()
	v.do(browsertest.Tap(`[data-tenant=Padaria] [data-shop=Centro] a`), browsertest.Wait(`document.querySelector("[data-total='0']")`), browsertest.Tap(`[data-do=join]`),
		fill(`[name=terminal-name]`, "Caixa 1"), browsertest.Press("Enter"), browsertest.Wait(`document.querySelector(".qr")?.naturalWidth > 0`))
	v.eval(browsertest.Rest + `.then(() => "")`) // it is drawn
	line := v.eval(`document.querySelector("[data-told=line]").textContent`)
	seen := picture()
	if text, err := browsertest.QRText(seen); err != nil || text != line {
		v.t.Errorf("the picture says %q (%v), the page %q; it is data:image/png;base64,%s", text, err, line, base64.StdEncoding.EncodeToString(seen))
	}
	terminal := v.hub.join(v.t, line)
	v.do(shows("Caixa 1 entrou."), browsertest.Tap(`[data-do=dialog-close]`), browsertest.Wait(`document.querySelector("[data-terminal] [data-online='1']")`), shows("Centro · Padaria"))
	return terminal
}

// seesItChange: what a terminal tells is in sight without anybody doing anything, and lists can be narrowed down to it.
func (v *visit) seesItChange(terminal *hubtest.Terminal) {
	v.t.Helper()
	now := time.Now()
	terminal.Tell(func(state *tunnel.State, steps *[]tunnel.Step, entries *[]tunnel.LogEntry) {
		state.Printer, state.Busy, state.Running, state.Unresolved = "paperOut", true, "payment", 1
		*steps = append(*steps, paid(1, "pedido-77", "credit", "1234.50", "approved", now))
		*entries = append(*entries, tunnel.LogEntry{ID: 1, At: now, Level: "warning", Source: "app", Message: "acabou o papel da impressora"})
	})
	v.do(shows("sem papel"), shows("em pagamento"), shows("1 sem desfecho"))
	total := func(n string) chromedp.Action {
		return browsertest.Wait(`document.querySelector("[data-total='` + n + `']")`)
	}
	for _, state := range []string{"online", "busy", "paperOut", "printer", "unresolved"} {
		v.do(browsertest.Tap(`[data-chip=state-`+state+`]`), browsertest.Wait(`location.hash.includes("state=`+state+`")`), total("1"))
	}
	v.do(browsertest.Tap(`[data-chip=state-clock]`), total("0"), shows("Nenhum terminal assim."))
	v.do(browsertest.Tap(`[data-chip=state-busy]`), total("1"), fill(`[name=search]`, "nada disso"), total("0"), chromedp.Evaluate(`document.querySelector("[name=search]").select()`, nil),
		browsertest.Type("CAIXA 1.2"), total("1"), pick("[name=away]", "h1"), total("0"), pick("[name=away]", ""), total("1"), pick("[name=place]", ""), total("1"))
	// Back from a terminal, the list is as it was.
	v.do(browsertest.Tap(`[data-terminal] a`), shows("pedido-77"), chromedp.Evaluate(`history.back()`, nil), total("1"), browsertest.Wait(`document.querySelector("[name=search]").value === "CAIXA 1.2"`),
		browsertest.Wait(`document.querySelector("[data-chip=state-busy]").ariaPressed === "true"`))
}

// looksAtIt: one terminal with its log as it comes, its transactions, another name, another shop.
func (v *visit) looksAtIt(terminal *hubtest.Terminal) {
	v.t.Helper()
	v.do(goTo("#/terminals/"+terminal.ID), shows("pedido-77"), shows("R$\u00a01.234,50"), shows("acabou o papel da impressora"), shows("1.2.3"), shows("em primeiro plano, em pagamento"))
	v.do(browsertest.Tap(`[data-do=details]`), shows("confirmada"), shows("O que aconteceu"), browsertest.Press("Escape"))
	terminal.Tell(func(state *tunnel.State, _ *[]tunnel.Step, entries *[]tunnel.LogEntry) {
		state.Printer, state.Busy, state.Running = "ok", false, ""
		*entries = append(*entries, tunnel.LogEntry{ID: 2, At: time.Now(), Level: "info", Source: "app", Message: "papel trocado"})
	})
	v.do(shows("papel trocado"), browsertest.Wait(`!document.body.innerText.includes("sem papel")`)) // by itself, too
	v.do(fill(`[name=words]`, "TROCADO"), browsertest.Wait(`!document.body.innerText.includes("acabou o papel")`), shows("papel trocado"))
	v.do(browsertest.Tap(`[data-do=rename]`), browsertest.Wait(`document.activeElement.name === "new-name"`), chromedp.Evaluate(`document.querySelector("[name=new-name]").select()`, nil), browsertest.Type("Caixa da esquina"), browsertest.Press("Enter"),
		browsertest.Wait(`document.querySelector("h1").textContent === "Caixa da esquina"`))
	other := v.hub.call(v.t, "POST", "/api/v1/tenants", `{"name":"Mercado"}`)
	shop := v.hub.call(v.t, "POST", "/api/v1/shops", `{"tenant":"`+other+`","name":"Norte"}`)
	v.do(goTo("#/terminals?shop="+shop), browsertest.Wait(`document.querySelector("[data-total='0']")`))
	v.hub.call(v.t, "PATCH", "/api/v1/terminals/"+terminal.ID, `{"shop":"`+shop+`"}`)               // somebody else moves it
	v.do(browsertest.Wait(`document.querySelector("[data-total='1']")`), shows("Caixa da esquina")) // without a reload
}

// looksAtAll are the lists across terminals, who gets in, and who did what.
func (v *visit) looksAtAll() {
	v.t.Helper()
	v.do(browsertest.Tap(`[data-nav=transactions]`), shows("pedido-77"), shows("Caixa da esquina"), browsertest.Tap(`[data-nav=closing]`), shows("Líquido"), shows("R$\u00a01.234,50"))
	v.do(browsertest.Wait(`document.querySelector("[data-do=export]").href.includes("/api/v1/closings.csv?since=")`))
	v.do(browsertest.Tap(`[data-nav=logs]`), fill(`[name=words]`, "acabou"), shows("acabou o papel"), browsertest.Wait(`!document.body.innerText.includes("papel trocado")`))
	v.do(browsertest.Tap(`[data-nav=operations]`), shows("Nenhuma operação."))
	v.do(browsertest.Tap(`[data-nav=access]`), browsertest.Tap(`[data-do=new-keys]`), fill(`[name=item-name]`, "PDV"), browsertest.Tap(`[data-do=save]`),
		browsertest.Wait(`document.querySelector("[data-told=secret]")?.textContent.length > 20`), browsertest.Tap(`[data-do=dialog-close]`), browsertest.Wait(`document.querySelector("[data-item=PDV]")`))
	v.do(browsertest.Tap(`[data-nav=webhooks]`), shows("Nenhum webhook ainda."), browsertest.Tap(`[data-do=new-webhook]`), fill(`[name=item-name]`, "Retaguarda"), fill(`[name=url]`, "http://aqui"), browsertest.Tap(`[data-do=save]`), shows("url deve ser um endereço https://"))
	v.do(chromedp.Evaluate(`document.querySelector("[name=url]").select()`, nil), browsertest.Type("https://127.0.0.1/eventos"), browsertest.Tap(`[data-do=save]`),
		browsertest.Wait(`document.querySelector("[data-told=secret]")?.textContent.startsWith("whsec_")`), browsertest.Tap(`[data-do=dialog-close]`), browsertest.Tap(`[data-item=Retaguarda] a`))
	v.do(browsertest.Tap(`[data-do=test-webhook]`), browsertest.Wait(`document.querySelector("[data-delivery='webhook.test']") || document.querySelector("[data-none]")`))
	waittest.Until(v.t, "the page says that nothing goes to the hub's own network", func() bool {
		v.do(chromedp.Reload(), browsertest.Wait(`document.querySelector("[data-do=test-webhook]") && !document.querySelector(".reading")`))
		return strings.Contains(v.eval(`document.body.innerText`), "não existe ou não é público")
	})
	v.do(browsertest.Tap(`[data-do=again]`), goTo("#/webhooks"), browsertest.Tap(`[data-do=revoke-webhook]`), browsertest.Tap(`[data-do=revoke-sure]`), shows("revogado"))
	v.do(browsertest.Tap(`[data-nav=audit]`), shows(`Chave "PDV" criada`), shows(`passou para a loja "Norte"`))
}

// clocksStop keeps the page's clocks of at least so many milliseconds; clocksRing has them ring at once, and the next ones run.
func clocksStop(from int) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf(`{
		window.waiting = [];
		window.soon ??= setTimeout;
		window.setTimeout = (ring, after, ...rest) => after >= %d ? waiting.push(ring) : soon(ring, after, ...rest);
	}`, from), nil)
}

var clocksRing = chromedp.Evaluate(`{ window.setTimeout = soon; waiting.forEach((ring) => ring()); }`, nil)

// narrowsWhileNewsWait wants another part of the log before it is read anew for news: that part is read then.
func (v *visit) narrowsWhileNewsWait(terminal *hubtest.Terminal) {
	v.t.Helper()
	const asked = `performance.getEntriesByType("resource").filter((e) => e.name.includes("/api/v1/logs?"))`
	v.do(clocksStop(500), goTo("#/logs?search=nada"), shows("Nenhuma entrada."))
	waittest.Until(v.t, "the page waits with the news", func() bool {
		terminal.Tell(func(state *tunnel.State, _ *[]tunnel.Step, _ *[]tunnel.LogEntry) { state.Busy = !state.Busy })
		return v.eval(`String(waiting.length)`) != "0"
	})
	v.do(goTo("#/logs?search=acabou"), shows("acabou o papel"))
	v.do(chromedp.Evaluate(`window.before = `+asked+`.length`, nil), clocksRing, browsertest.Wait(asked+`.length > before`))
	if last := v.eval(asked + `.at(-1).name`); !strings.Contains(last, "search=acabou&") {
		v.t.Errorf("news had %s read", last)
	}
}

// narrowsTwiceAtOnce picks a level while what was typed is not told of yet: both count.
func (v *visit) narrowsTwiceAtOnce() {
	v.t.Helper()
	v.do(goTo("#/logs"), shows("papel trocado"), clocksStop(200), fill(`[name=words]`, "acabou"), pick(`[name=level]`, "warning"),
		browsertest.Wait(`location.hash === "#/logs?level=warning"`), clocksRing, browsertest.Wait(`location.hash === "#/logs?search=acabou&level=warning"`))
}

// looksAtGaps are more than a page of them.
func (v *visit) looksAtGaps(terminal *hubtest.Terminal) {
	v.t.Helper()
	terminal.Tell(func(_ *tunnel.State, _ *[]tunnel.Step, entries *[]tunnel.LogEntry) {
		for n := range int64(101) {
			*entries = append(*entries, tunnel.LogEntry{ID: 4 + 2*n, At: time.Now(), Level: "info", Source: "app", Message: "entre lacunas"})
		}
	})
	v.do(goTo("#/terminals/"+terminal.ID), shows("entre lacunas"), goTo("#/logs"), shows("Faltam registros de 100+ trechos"), browsertest.Tap(`.gaps summary`), shows("log, do número 203 ao 203"))
	v.do(browsertest.Tap(`.gaps [data-do=more]`), shows("Faltam registros de 101 trechos"), shows("log, do número 3 ao 3"))
}

var everyView = []string{"terminals", "transactions", "closing", "logs", "operations", "places", "settings", "webhooks", "access", "audit", "more"}

// nameless are the things to press or fill that a screen reader has no name for.
const nameless = `[...document.querySelectorAll("a, button, input, select, summary")].filter((e) => e.checkVisibility() &&
	!(e.textContent.trim() && e.tagName !== "SELECT" || e.ariaLabel || e.labels?.length && e.labels[0].textContent.trim())).map((e) => e.outerHTML).join("\n")`

// onATelephone nothing has to be moved sideways, and everything that is pressed has a name.
func (v *visit) onATelephone(terminal *hubtest.Terminal) {
	v.t.Helper()
	v.do(browsertest.Resize(browsertest.Window(360, 740), browsertest.Touch), browsertest.Wait("innerWidth === 360"))
	for _, view := range append(everyView, "terminals/"+terminal.ID) {
		v.do(goTo("#/"+view), browsertest.Wait(`document.querySelector(".hub-view h1") && document.querySelector("[data-view='`+strings.Split(view, "/")[0]+`']") && !document.querySelector(".reading")`))
		v.do(browsertest.Wait(`document.documentElement.scrollWidth <= innerWidth && document.querySelector(".hub-view").scrollWidth <= innerWidth`))
		if without := v.eval(nameless); without != "" {
			v.t.Errorf("%s has things without a name:\n%s", view, without)
		}
		v.isAccessible(view + " on a telephone")
	}
	v.do(browsertest.Tap(`[data-nav=more]`), browsertest.Tap(`[data-more=audit]`), shows("Auditoria"), browsertest.Wait(`document.activeElement.id === "main"`))
	v.do(browsertest.Resize(browsertest.Window(1280, 800)))
}

func (v *visit) isAccessible(what string) {
	v.t.Helper()
	for _, found := range v.wrong() {
		v.t.Errorf("%s: %s", what, found)
	}
}

func (v *visit) inThreeLanguages() {
	v.t.Helper()
	for _, words := range [][]string{
		{"en", "Terminals", "Transactions", "Closing", "Logs", "Operations", "Tenants and shops", "Settings", "Webhooks", "API keys", "Audit", "More"},
		{"es", "Terminales", "Transacciones", "Cierre", "Logs", "Operaciones", "Clientes y tiendas", "Configuración", "Webhooks", "Claves de API", "Auditoría", "Más"},
		{"pt-BR", "Terminais", "Transações", "Fechamento", "Logs", "Operações", "Clientes e lojas", "Configurações", "Webhooks", "Chaves de API", "Auditoria", "Mais"},
	} {
		v.do(pick(".languages", words[0]), browsertest.Wait(`document.documentElement.lang === "`+words[0]+`"`))
		for i, view := range everyView {
			title, _ := json.Marshal(words[i+1])
			v.do(goTo("#/"+view), browsertest.Wait(`document.querySelector("[data-view=`+view+`] h1")?.textContent === `+string(title)), browsertest.Wait(`!document.querySelector(".reading")`))
			v.isAccessible(view + " in " + words[0])
		}
	}
}
