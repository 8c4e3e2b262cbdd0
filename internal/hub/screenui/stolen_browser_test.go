package screenui_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/hub/hubtest"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// A person who is signed in looks at what a stolen terminal answers: it gets no hold of the session, nor of the browser's hub.
func TestAStolenTerminalsPageHasNoSession(t *testing.T) {
	t.Parallel()
	h := startHub(t)
	stolen := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Set-Cookie", "theirs=1; Path=/")
		io.WriteString(w, `<title>still</title><script>document.title = self.origin</script><p id="all">x`) //nolint:errcheck // a test
	})
	tenant := h.call(t, "POST", "/api/v1/tenants", `{"name":"Padaria"}`)
	shop := h.call(t, "POST", "/api/v1/shops", fmt.Sprintf(`{"tenant":%q,"name":"Centro"}`, tenant))
	line := h.call(t, "POST", "/api/v1/codes", fmt.Sprintf(`{"shop":%q,"name":"Caixa"}`, shop))
	terminal := hubtest.Join(t, tunnel.ReadLine(line), stolen)

	page := browsertest.Start(t)
	browsertest.Run(t, page, signIn(h, "pt-BR"), chromedp.Navigate(h.page+"/terminals/"+terminal.ID+"/docs"), browsertest.Wait(`document.querySelector("#all")`))
	if got := browsertest.Eval[string](t, page, `self.origin + " " + document.title`); got != "null still" {
		t.Errorf("its page has the origin and title %q", got)
	}
	browsertest.Run(t, page, chromedp.Navigate(h.page), browsertest.Wait(`document.querySelector(".hub-view h1")`))
	if got := browsertest.Eval[string](t, page, `document.cookie`); got != "" {
		t.Errorf("it has set %q", got)
	}
	if got := browsertest.Eval[string](t, page, `fetch("/terminals/`+terminal.ID+`/docs").then((r) => r.headers.get("Content-Security-Policy") ?? "none")`); got != "none" {
		t.Errorf("to a program it answers with the policy %q", got)
	}
}
