//go:build !race || everything

package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/browsertest"
)

// pays is what a page tries that knows the terminal's address, in a browser that remembers its password.
const pays = `async terminal => {
	const body = '{"tPag":"03","amount":1}', url = terminal + "/transaction";
	const soon = p => Promise.race([p, new Promise(done => setTimeout(done, 5000))]).catch(() => {});
	const tries = [];
	for (const credentials of ["include", "same-origin", "omit"]) {
		tries.push(soon(fetch(url, {method: "POST", mode: "no-cors", credentials, body})));
		tries.push(soon(fetch(url, {method: "POST", mode: "no-cors", credentials, body: new TextEncoder().encode(body)})));
		tries.push(soon(fetch(url, {method: "POST", credentials, body, headers: {"Content-Type": "application/json"}})));
	}
	navigator.sendBeacon(url, body);
	navigator.sendBeacon(url, new Blob([body]));
	await Promise.all(tries);
	return "tried";
}`

// submits sends a form of the page's; the browser shows what is answered.
const submits = `(url, enctype) => {
	const form = document.createElement("form"), field = document.createElement("input");
	form.method = "POST"; form.enctype = enctype; form.action = url;
	field.name = '{"tPag":"03","amount":1,"details":{"'; field.value = '":1}}';
	form.append(field);
	document.body.append(form);
	form.submit();
}`

// A page of another site moves no money, although the browser adds the password that it remembers.
func TestPagesOfOtherSitesMoveNoMoney(t *testing.T) {
	t.Parallel()
	directOnly(t, "a browser that remembers the terminal's own password")
	apptest.OtherProcess(t)
	m := start(t, autopilot)
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>evil</title><body>") //nolint:errcheck // it would show below
	}))
	defer evil.Close()
	page := browsertest.Start(t)
	var tried, remembered string
	err := chromedp.Run(page,
		// As somebody who has typed the password into the browser's own dialog.
		chromedp.Navigate(strings.Replace(m.base, "http://", fmt.Sprintf("http://%s:%s@", testUser, testPassword), 1)+"/status"),
		chromedp.Navigate(m.base+"/info"),
		chromedp.Evaluate(`document.body.innerText`, &remembered),
		chromedp.Navigate(strings.Replace(evil.URL, "127.0.0.1", "localhost", 1)),
		chromedp.Evaluate("("+pays+")("+fmt.Sprintf("%q", m.base)+")", &tried, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }),
	)
	if err != nil || tried != "tried" {
		t.Fatalf("%q, %v", tried, err)
	}
	if !strings.Contains(remembered, "appName") {
		t.Fatalf("the browser does not remember the password: %s", remembered)
	}
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"} {
		var answered string
		err := chromedp.Run(page,
			chromedp.Navigate(strings.Replace(evil.URL, "127.0.0.1", "localhost", 1)),
			chromedp.Evaluate(fmt.Sprintf("(%s)(%q, %q)", submits, m.base+"/transaction", kind), nil),
			browsertest.Wait(`document.querySelector("pre")?.innerText`),
			chromedp.Evaluate(`document.querySelector("pre").innerText`, &answered),
		)
		if err != nil || !strings.Contains(answered, "403") {
			t.Errorf("a form of %s: %s, %v", kind, answered, err)
		}
	}
	if list := string(m.call("GET", "/transaction", nil).ok().body); strings.Contains(list, "nsu") {
		t.Errorf("a page of another site has paid: %s", list)
	}
}
