package screenui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// hub is a whole one, and what its first screen said.
type hub struct {
	*app.App
	page     string // of people, as a reverse proxy reaches it
	password string
}

func startHub(t *testing.T) hub {
	t.Helper()
	a, err := app.New(t.Context(), app.Config{Listen: "127.0.0.1:0", Plain: "127.0.0.1:0", Data: filepath.Join(t.TempDir(), "data"), Version: "9.9"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	said := regexp.MustCompile(`Senha\s+(\S+)`).FindStringSubmatch(a.Welcome())
	return hub{a, "http://localhost:" + portOf(a), said[1]}
}

func portOf(a *app.App) string {
	_, port, _ := strings.Cut(a.Plain().String(), ":")
	return port
}

// join uses a code as the line on the page says.
func (h hub) join(t *testing.T, line string) *hubtest.Terminal {
	t.Helper()
	parts := regexp.MustCompile(`^maquininha join (\S+) (\S+) --pin (\S+)$`).FindStringSubmatch(line)
	if parts == nil {
		t.Fatalf("no line that joins: %q", line)
	}
	return hubtest.Join(t, tunnel.Invitation{Address: parts[1], Code: parts[2], Pin: parts[3]}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "{}") //nolint:errcheck // a test
	}))
}

func shows(text string) chromedp.Action {
	quoted, _ := json.Marshal(text)
	return browsertest.Wait(fmt.Sprintf("document.body.innerText.includes(%s)", quoted))
}

func fill(selector, text string) chromedp.Action {
	return chromedp.Tasks{browsertest.Tap(selector), browsertest.Type(text)}
}

// What a person does on the first day: signs in, joins a terminal, sees it come and go and change, finds its transactions and its
// log, makes a key, sees who did what, and revokes it; in a window and on a telephone.
func TestThePage(t *testing.T) {
	t.Parallel()
	h := startHub(t)
	p := browsertest.Start(t)
	record := browsertest.Watch(p)
	do := func(actions ...chromedp.Action) { t.Helper(); browsertest.Run(t, p, actions...) }
	do(chromedp.Navigate(h.page), fill(`[name=name]`, "admin"), fill(`[name=password]`, "errada-errada"), browsertest.Tap(`[data-do=signin]`), shows("Wrong person or password"))
	do(fill(`[name=password]`, h.password), browsertest.Tap(`[data-do=signin]`), browsertest.Wait(`document.querySelector("[data-none]")`))
	do(chromedp.Evaluate(`(() => { const s = document.querySelector(".languages"); s.value = "pt-BR"; s.dispatchEvent(new Event("change")); })()`, nil), shows("Terminais"))

	do(browsertest.Tap(`[data-do=join]`), fill(`[name=terminal-name]`, "Caixa 1"), browsertest.Tap(`[data-do=make-code]`), browsertest.Wait(`document.querySelector(".qr")?.naturalWidth > 0`))
	line := browsertest.Eval[string](t, p, `document.querySelector("[data-told=line]").textContent`)
	if text, err := browsertest.QRText(browsertest.Screenshot(t, p)); err != nil || text != line {
		t.Errorf("the picture says %q (%v), the page %q", text, err, line)
	}
	terminal := h.join(t, line)
	do(browsertest.Tap(`[data-do=dialog-close]`), browsertest.Wait(`document.querySelector("[data-terminal] [data-online='1']")`), shows("Caixa 1"))

	now := time.Now()
	terminal.Tell(func(state *tunnel.State, steps *[]tunnel.Step, entries *[]tunnel.LogEntry) {
		state.Printer, state.Busy, state.Running = "paperOut", true, "payment"
		*steps = append(*steps, tunnel.Step{
			Number: 1, Attempt: 1, At: now, Operation: "payment", State: "confirmed", Reference: "pedido-77", Method: "credit", Amount: "1234.50", Status: "approved", NSU: "77",
			Answer: json.RawMessage(`{"nsu":"77","message":"ok","details":{"status":"approved","referenceId":"pedido-77","amount":1234.5,"reversals":[]}}`),
		})
		*entries = append(*entries, tunnel.LogEntry{ID: 1, At: now, Level: "warning", Source: "app", Message: "acabou o papel da impressora"})
	})
	do(shows("sem papel"), shows("em pagamento")) // by itself
	do(chromedp.Evaluate(`(() => { const s = document.querySelector("[name=filter]"); s.value = "printer"; s.dispatchEvent(new Event("change")); })()`, nil),
		browsertest.Wait(`document.querySelector("[data-total='1']")`), fill(`[name=search]`, "nada disso"), browsertest.Wait(`document.querySelector("[data-none]")`))
	do(chromedp.Evaluate(`location.hash = "#/terminals/`+terminal.ID+`"`, nil), shows("pedido-77"), shows("R$\u00a01.234,50"), shows("acabou o papel da impressora"), shows("1.2.3"))
	terminal.Tell(func(state *tunnel.State, _ *[]tunnel.Step, entries *[]tunnel.LogEntry) {
		state.Printer = "ok"
		*entries = append(*entries, tunnel.LogEntry{ID: 2, At: now, Level: "info", Source: "app", Message: "papel trocado"})
	})
	do(shows("papel trocado"), browsertest.Wait(`!document.body.innerText.includes("sem papel")`)) // by itself, too

	do(browsertest.Tap(`[data-nav=transactions]`), shows("pedido-77"), shows("Caixa 1"), browsertest.Tap(`[data-nav=closing]`), shows("Líquido"), shows("R$\u00a01.234,50"))
	do(browsertest.Tap(`[data-nav=logs]`), fill(`[name=words]`, "acabou"), shows("acabou o papel"), browsertest.Wait(`!document.body.innerText.includes("papel trocado")`))
	do(browsertest.Tap(`[data-nav=access]`), browsertest.Tap(`[data-do=new-keys]`), fill(`[name=item-name]`, "PDV"), browsertest.Tap(`[data-do=save]`),
		browsertest.Wait(`document.querySelector("[data-told=secret]")?.textContent.length > 20`), browsertest.Tap(`[data-do=dialog-close]`), browsertest.Wait(`document.querySelector("[data-item=PDV]")`))
	do(browsertest.Tap(`[data-nav=audit]`), shows(`Chave "PDV" criada`))

	do(browsertest.Resize(browsertest.Window(390, 800), browsertest.Touch))
	for _, view := range []string{"terminals", "transactions", "closing", "logs", "access", "audit", "terminals/" + terminal.ID} {
		do(chromedp.Evaluate(`location.hash = "#/`+view+`"`, nil), browsertest.Wait(`document.querySelector(".hub-view h1") && document.querySelector("[data-view='`+strings.Split(view, "/")[0]+`']")`))
		do(browsertest.Wait(`document.documentElement.scrollWidth <= innerWidth && document.querySelector(".hub-view").scrollWidth <= innerWidth`))
	}
	do(browsertest.Tap(`[data-do=revoke]`), browsertest.Tap(`[data-do=revoke-sure]`), shows("revogado"))
	for _, c := range record.Complaints() {
		if !strings.Contains(c, "/api/v1/session") { // nobody was signed in, and a wrong password
			t.Errorf("the page complains: %s", c)
		}
	}
	if strangers := record.Strangers(h.page); len(strangers) > 0 {
		t.Errorf("the page asked strangers: %q", strangers)
	}
}
