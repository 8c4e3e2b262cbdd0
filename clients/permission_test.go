package clients

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/browsertest"
)

// A page from outside reaches a plain HTTP terminal once the person has let it into the local network; until then the client says what is
// missing, and that nothing was sent.
func TestTypeScriptNeedsTheLocalNetwork(t *testing.T) {
	t.Parallel()
	p := apptest.StartProcess(t)
	shop := httptest.NewServer(http.FileServer(http.Dir("typescript")))
	t.Cleanup(shop.Close)
	_, port, err := net.SplitHostPort(shop.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	origin := "http://loja.example:" + port
	page := browsertest.Alone(t, chromedp.Flag("host-resolver-rules", "MAP loja.example 127.0.0.1"),
		chromedp.Flag("ip-address-space-overrides", "127.0.0.1:"+port+"=public"), chromedp.Flag("unsafely-treat-insecure-origin-as-secure", origin))
	const script = `(async () => {
  const { Client } = await import('/src/index.js');
  const terminal = new Client(ADDRESS, 'loja', 'segrêdo');
  const kind = (done) => done.then(() => 'yes', (e) => e.kind + (e.message.includes('local-network-access') ? ', with its name' : ''));
  return [await kind(terminal.status()), await kind(terminal.pay({ tPag: '17', amount: '7.10', referenceId: 'r' }))].join(' | ');
})()`
	patiently := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	try := func(want string) {
		t.Helper()
		var got string
		err := chromedp.Run(page, chromedp.Navigate(origin+"/package.json"),
			chromedp.Evaluate(strings.Replace(script, "ADDRESS", "'"+p.Base+"'", 1), &got, patiently))
		if err != nil || got != want {
			t.Errorf("got %q (%v), want %q", got, err, want)
		}
	}
	try("blocked, with its name | blocked, with its name")
	if n := p.Approved(); n != 0 {
		t.Errorf("%d payments approved without leave", n)
	}
	leave := browser.GrantPermissions([]browser.PermissionType{"localNetworkAccess", "localNetwork", "loopbackNetwork"}).WithOrigin(origin)
	if err := leave.Do(cdp.WithExecutor(page, chromedp.FromContext(page).Browser)); err != nil {
		t.Fatal(err)
	}
	try("yes | yes")
}
