package clients

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/browsertest"
)

// script is a page's: a sale on a terminal of another origin, with an answer that is lost on the way.
const script = `(async () => {
  const { Client, MaquininhaError } = await import('/src/index.js');
  const terminal = new Client(ADDRESS, 'loja', 'segrêdo');
  await terminal.startSale({ customerName: 'Ana' });
  const id = await terminal.addItem({ id: 'a/b', code: '1', description: 'Café', quantity: '0.10', unitPrice: '7.10', total: '0.71' });
  await terminal.updateItem(id, { additionalInfo: 'x' }); // by a method that the terminal allows pages of other origins
  const { items } = await terminal.sale();
  const { value } = await terminal.ask({ type: 'CPF', defaultValue: '52998224725' });
  const logs = await terminal.streamLogs();
  const paid = await terminal.pay({ tPag: '17', amount: '7.10', referenceId: 'r' });
  const sold = await terminal.finalizeSale();
  await terminal.printText([{ text: { value: 'Recibo' } }]);
  const { value: entry } = await logs.next();
  await logs.return();
  const refused = await terminal.printImage(new Blob(['nada'])).catch((e) => e instanceof MaquininhaError && e.reason);
  return [items[0].additionalInfo, sold, items[0].quantity, value, paid.details.amount, /^(app|http)$/.test(entry.source), refused].join(' | ');
})()`

// TestTypeScriptInABrowser uses the client as a page does, from another origin.
func TestTypeScriptInABrowser(t *testing.T) {
	t.Parallel()
	apptest.OtherProcess(t)
	page := browsertest.Start(t)
	shop := httptest.NewServer(http.FileServer(http.Dir("typescript")))
	t.Cleanup(shop.Close)
	p := apptest.StartProcess(t)
	cutter := apptest.NewCutter(t, p.Base)
	cutter.Cut("POST /transaction", apptest.BeforeRequest, apptest.BeforeAnswer)
	var got string
	patiently := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	err := chromedp.Run(page, chromedp.Navigate(shop.URL+"/package.json"),
		chromedp.Evaluate(strings.Replace(script, "ADDRESS", "'"+cutter.URL+"'", 1), &got, patiently))
	if err != nil {
		t.Fatal(err)
	}
	if want := "x | 1 | 0.10 | 52998224725 | 7.10 | true | os bytes nao sao uma imagem PNG, JPEG, GIF, BMP ou WebP"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if n := p.Approved(); n != 1 {
		t.Errorf("%d payments approved", n)
	}
}
