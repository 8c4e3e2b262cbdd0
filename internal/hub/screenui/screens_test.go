package screenui_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// paid is a step of the ledger that ends a payment.
func paid(n int64, reference, method, amount, status string, at time.Time) tunnel.Step {
	answer := fmt.Sprintf(`{"nsu":"%d","message":"ok","details":{"status":%q,"referenceId":%q,"amount":%s,"reversals":[]}}`, n, status, reference, amount)
	state := map[string]string{"approved": "confirmed", "pending": "unknown"}[status]
	if state == "" {
		state = status
	}
	return tunnel.Step{
		Number: n, Attempt: n, At: at, Operation: "payment", State: state, Reference: reference, Method: method, Amount: json.Number(amount).String(), Status: status, NSU: strconv.FormatInt(n, 10),
		Answer: json.RawMessage(answer),
	}
}

// aFleet has terminals in every state, with names long and short.
func aFleet(t *testing.T, h hub) (first *hubtest.Terminal) {
	t.Helper()
	bakery := h.call(t, "POST", "/api/v1/tenants", `{"name":"Padarias Reunidas do Vale do Paraíba S.A."}`)
	h.call(t, "POST", "/api/v1/tenants", `{"name":"Mercado Bom Preço"}`)
	mall := h.call(t, "POST", "/api/v1/shops", fmt.Sprintf(`{"tenant":%q,"name":"São José dos Campos — Shopping Vale Sul, piso 2"}`, bakery))
	centre := h.call(t, "POST", "/api/v1/shops", fmt.Sprintf(`{"tenant":%q,"name":"Centro"}`, bakery))
	h.call(t, "POST", "/api/v1/keys", fmt.Sprintf(`{"name":"PDV do shopping","role":"operates","tenant":%q,"shop":%q}`, bakery, mall))
	now := time.Now()
	for i, terminal := range []struct {
		name, shop string
		state      tunnel.State
	}{
		{"Caixa 1", centre, tunnel.State{Printer: "ok", Foreground: true, Busy: true, Running: "payment", SaleOpen: true}},
		{"Balcão do fundo, ao lado da padaria e da câmara fria número três", mall, tunnel.State{Printer: "paperOut", Trouble: []string{"tef", "pix"}, Unresolved: 3}},
		{"Caixa 2", mall, tunnel.State{Printer: "coverOpen", Foreground: true, Unresolved: 1}},
		{"Totem", mall, tunnel.State{Printer: "none", Foreground: true}},
		{"Quiosque", centre, tunnel.State{Printer: "offline", Foreground: true}},
	} {
		x := h.joins(t, terminal.shop, terminal.name)
		if first == nil {
			first = x
		}
		x.Tell(func(state *tunnel.State, steps *[]tunnel.Step, entries *[]tunnel.LogEntry) {
			*state, state.Version = terminal.state, fmt.Sprintf("0.%d.0", i%2+1)
			for n, status := range []string{"approved", "refused", "reversed", "pending", "cancelled"} {
				method, amount := []string{"credit", "debit", "pix"}[n%3], []string{"12.50", "1234.56", "8", "123456.78", "0.01"}[n]
				*steps = append(*steps, paid(int64(n+1), fmt.Sprintf("pedido-%d%d", i, n), method, amount, status, now.Add(time.Duration(n-10)*time.Minute)))
			}
			for n, level := range []string{"info", "warning", "error", "info"} {
				*entries = append(*entries, tunnel.LogEntry{ID: int64(n + 41), At: now.Add(time.Duration(n-10) * time.Minute), Level: level, Source: "app", Message: []string{
					"POST /transaction 200 em 4,2 s", "acabou o papel da impressora", "o adquirente não responde: a conexão com pix.exemplo.com.br caiu depois de 30 s, e o desfecho do pagamento pedido-3 ainda não é conhecido", "ok",
				}[n]})
			}
		})
	}
	for i, name := range []string{"Antigo", "Integração do ERP da matriz, em São José dos Campos", "Painel"} {
		id := h.call(t, "POST", "/api/v1/webhooks", fmt.Sprintf(`{"name":%q,"url":"https://erp.exemplo.com.br/maquininha/%d"}`, name, i))
		if i == 0 {
			h.call(t, "DELETE", "/api/v1/webhooks/"+id, "")
		} else {
			h.call(t, "POST", "/api/v1/webhooks/"+id+"/test", "{}")
		}
	}
	h.call(t, "POST", "/terminals/"+first.ID+"/print/text", `{}`, "Prefer", "respond-async", "Content-Type", "application/json")
	return first
}

// Every screen of the page at two sizes, to be looked at: make screens.
func TestScreensOfTheHub(t *testing.T) {
	dir := os.Getenv("MAQUININHA_SCREENS")
	if dir == "" {
		t.Skip("MAQUININHA_SCREENS is not set: make screens writes every screen to screens/")
	}
	h := startHub(t)
	p := browsertest.Start(t)
	do := func(actions ...chromedp.Action) { t.Helper(); browsertest.Run(t, p, actions...) }
	take := func(name string) {
		t.Helper()
		time.Sleep(700 * time.Millisecond) // what comes after the first drawing
		for _, size := range [][2]int{{360, 740}, {1280, 800}} {
			do(browsertest.Resize(browsertest.Window(size[0], size[1])))
			browsertest.SaveScreenshot(t, p, filepath.Join(dir, fmt.Sprintf("hub-%s-%dx%d.png", name, size[0], size[1])))
		}
	}
	do(chromedp.Navigate(h.page), browsertest.Wait(`document.querySelector("[name=password]")`))
	take("signin")
	do(signIn(h, "pt-BR"))
	take("fleet-empty")
	for _, view := range []string{"transactions", "closing", "logs", "operations", "places", "access", "audit", "more"} {
		do(goTo("#/" + view))
		take(view + "-empty")
	}
	first := aFleet(t, h)
	do(goTo("#/terminals"), shows("sem papel"))
	take("fleet")
	do(browsertest.Tap(`[data-chip=state-clock]`))
	take("fleet-none")
	do(goTo("#/terminals/"+first.ID), shows("pedido-00"))
	take("terminal")
	do(chromedp.Evaluate(`document.querySelector(".hub-view").scrollTop = 1e6`, nil))
	take("terminal-end")
	do(chromedp.Evaluate(`document.querySelector(".hub-view").scrollTop = 0`, nil))
	for _, dialog := range []string{"rename", "move", "revoke", "details"} {
		do(browsertest.Tap(`[data-do=` + dialog + `]`))
		take("terminal-" + dialog)
		do(browsertest.Tap(`[data-do=dialog-close]`))
	}
	for _, view := range []string{"transactions", "closing", "logs", "operations", "places", "access", "audit", "settings", "webhooks"} {
		do(goTo("#/" + view))
		take(view)
	}
	do(browsertest.Tap(`[data-item=Painel] .act`))
	take("webhook")
	do(goTo("#/logs"), browsertest.Tap(`.gaps summary`))
	take("logs-gaps")
	do(goTo("#/access"), browsertest.Tap(`[data-do=new-keys]`), fill(`[name=item-name]`, "PDV"))
	take("access-new")
	do(browsertest.Tap(`[data-do=save]`))
	take("access-secret")
	do(browsertest.Tap(`[data-do=dialog-close]`), goTo("#/terminals"), browsertest.Tap(`[data-do=join]`))
	take("join")
	do(browsertest.Tap(`[data-do=make-code]`), browsertest.Wait(`document.querySelector(".qr")?.naturalWidth > 0`))
	take("join-code")
	do(browsertest.Tap(`[data-do=dialog-close]`), goTo("#/terminals/nada"))
	take("terminal-unknown")
	for _, language := range []string{"en", "es"} {
		do(goTo("#/terminals"), pick(".languages", language))
		take("fleet-" + language)
		do(goTo("#/terminals/" + first.ID))
		take("terminal-" + language)
	}
}
