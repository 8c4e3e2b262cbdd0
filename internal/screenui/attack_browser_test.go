//go:build !race || everything

package screenui_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
)

// attack is what a web page tries that knows the terminal's address and everything on it. It collects what it got.
const attack = `async (screen, touches) => {
	const got = [];
	const soon = (p, name) => Promise.race([p, new Promise(done => setTimeout(done, 3000, "nothing"))]).then(v => v !== "nothing" && got.push(name + ": " + v), () => {});
	const tries = [];
	for (const [path, body] of touches) {
		const text = JSON.stringify(body);
		const url = screen + path;
		for (const credentials of ["omit", "include"]) {
			tries.push(soon(fetch(url, {method: "POST", mode: "no-cors", body: text, credentials, keepalive: true}).then(() => "nothing"), ""));
			tries.push(soon(fetch(url, {method: "POST", headers: {"Content-Type": "application/json"}, body: text, credentials}).then(r => r.status), "fetch " + path));
		}
		navigator.sendBeacon(url, text);
		const frame = document.createElement("iframe");
		frame.name = "f" + tries.length;
		const form = document.createElement("form");
		form.method = "POST"; form.enctype = "text/plain"; form.action = url; form.target = frame.name;
		const field = document.createElement("input"); // {"…":…,"x":"="}
		field.name = text.slice(0, -1) + (text === "{}" ? '' : ',') + '"x":"'; field.value = '"}';
		form.append(field);
		document.body.append(frame, form);
		form.submit();
	}
	for (const path of ["/feed", "/logs/stream"]) for (const withCredentials of [false, true]) tries.push(soon(new Promise((done, fail) => {
		const source = new EventSource(screen + path, {withCredentials});
		for (const name of ["hello", "state", "message", "open"]) source.addEventListener(name, () => (source.close(), done(name)));
		source.onerror = () => (source.close(), fail());
	}), "EventSource " + path));
	for (const path of ["/", "/feed", "/settings", "/emulator/screen", "/logs", "/emulator/requests"]) {
		tries.push(soon(fetch(screen + path).then(r => r.text()), "read " + path));
	}
	const loads = (tag, path) => soon(new Promise((done, fail) => {
		const e = document.createElement(tag);
		e.onload = () => done("loaded"); e.onerror = fail;
		if (tag === "link") { e.rel = "stylesheet"; e.href = screen + path; } else e.src = screen + path;
		document.body.append(e);
	}), tag + " " + path);
	tries.push(loads("img", "/qr/api.svg"), loads("img", "/icon-192.png"), loads("script", "/js/i18n.js"), loads("link", "/css/base.css"));
	const frame = document.createElement("iframe");
	frame.src = screen + "/";
	tries.push(new Promise(done => { frame.onload = done; })); // what is refused loads too, as an error; until then the frame is this page's own
	document.body.append(frame);
	await Promise.all(tries);
	try { got.push("frame: " + frame.contentDocument.body.innerText); } catch {}
	if (frame.contentWindow.length > 0) got.push("frame has frames");
	return got;
}`

func TestOtherPagesGetNowhere(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	m.cart(3)
	m.must("POST", "/print/text", printed("CUPOM"))
	asked := m.hold("/ask", object{"question": object{"question": "Seu CPF?", "type": "CPF"}})
	p.view("question")
	m.must("POST", "/display/text", object{"backgroundColor": "#fff", "content": []object{{"text": object{"value": "Aviso"}}}})
	paid := m.hold("/transaction", paying("99", 10))
	p.step("choose")

	screen := func() object { return m.must("GET", "/emulator/screen", nil) }
	before := screen()
	serial := func(of string) any { return before[of].(object)["serial"] }
	touches := [][]any{
		{"/payment/act", object{"serial": serial("payment"), "action": "cancel"}},
		{"/payment/act", object{"serial": serial("payment"), "action": "choose", "method": "pix"}},
		{"/question/answer", object{"serial": serial("question"), "index": 0, "value": "52998224725"}},
		{"/question/cancel", object{"serial": serial("question")}},
		{"/display/close", object{"id": 1}},
		{"/paper/tear", object{"n": 0}},
		{"/closing/dismiss", object{}},
		{"/settings/pin", object{"pin": "1234"}},
		{"/emulator/payment", object{"outcome": "approve"}},
		{"/emulator/card", object{"entry": "tap"}},
		{"/emulator/foreground", object{"active": false}},
		{"/emulator/printer", object{"state": "paperOut"}},
		{"/emulator/reset", object{}},
	}
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><title>Ganhe prêmios</title><body>")
	}))
	t.Cleanup(evil.Close)
	for _, address := range []string{evil.URL, strings.Replace(evil.URL, "127.0.0.1", "localhost", 1)} {
		ctx, _ := browsertest.NewPage(t, p.ctx)
		browsertest.Run(t, ctx, chromedp.Navigate(address))
		list, err := json.Marshal(touches)
		p.must(err)
		if got := browsertest.Eval[[]string](t, ctx, "("+attack+")("+quoted(m.screen)+", "+string(list)+")"); len(got) > 0 {
			t.Errorf("a page at %s got %q", address, got)
		}
	}

	after := screen()
	for _, key := range []string{"view", "payment", "question", "display", "sale"} {
		if quoted(after[key]) != quoted(before[key]) {
			t.Errorf("%s was %s, is %s", key, quoted(before[key]), quoted(after[key]))
		}
	}
	// A busy machine may have taken the page for dead: then it comes back.
	m.until("the foreground is as it was", func() bool { return quoted(screen()["foreground"]) == quoted(before["foreground"]) })
	f := m.follow()
	if f.part("printer")["state"] != "ok" || len(f.state["paper"].([]any)) != 1 || f.part("setup")["pin"] != false {
		t.Errorf("printer %v, paper %v, setup %v", f.state["printer"], f.state["paper"], f.state["setup"])
	}
	p.step("choose")
	p.push("cancel")
	m.paid(paid, 403, "Transação cancelada")
	p.view("question")
	p.pad("52998224725")
	p.push("confirm")
	if a := m.ends(asked); a.object()["value"] != "52998224725" {
		t.Errorf("the caller got %s", a.body)
	}
}

func TestLinkFromElsewhereOpensTheScreenAlone(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<!doctype html><a id=link target=_blank rel=opener href="`+m.screen+`/">maquininha</a>`)
	}))
	t.Cleanup(evil.Close)
	ctx, _ := browsertest.NewPage(t, p.ctx)
	browsertest.Run(t, ctx, chromedp.Navigate(evil.URL))
	browsertest.Eval[int](t, ctx, `(window.read = new Set(), window.opened = open(document.getElementById("link").href), setInterval(() => {
		try { read.add(opened.document.body.innerText); } catch {}
	}, 5), 0)`)
	browsertest.Run(t, ctx, browsertest.Wait("opened.closed")) // cut off
	if got := browsertest.Eval[[]string](t, ctx, `[...read].filter(text => text !== "")`); len(got) > 0 {
		t.Errorf("the page that opened the screen read %q", got)
	}
}

// TestWrongHost uses a name that browsers take for this machine without asking anybody, as a rebound name would be.
func TestWrongHost(t *testing.T) {
	t.Parallel()
	m := start(t)
	ctx := browsertest.Start(t)
	address := strings.Replace(m.screen, "127.0.0.1", "evil.localhost", 1)
	browsertest.Run(t, ctx, chromedp.Navigate(address), browsertest.Wait(`document.body.innerText.includes("Endereço não reconhecido")`))
	if status := browsertest.Eval[int](t, ctx, `fetch("/emulator/reset", {method: "POST", body: "{}"}).then(r => r.status)`); status != 403 {
		t.Errorf("a touch by another name: %d", status)
	}
	if browsertest.Eval[bool](t, ctx, `!!document.querySelector("[data-view]")`) {
		t.Error("by another name the screen is shown")
	}
}

func TestExposedScreenInABrowser(t *testing.T) {
	t.Parallel()
	m := start(t, exposed)
	ctx := browsertest.Start(t, browsertest.Window(480, 800))
	browsertest.Run(t, ctx, chromedp.Navigate(m.screen+"/"), browsertest.Wait(`document.body.innerText.includes("ainda não foi autorizado") && document.title === "maquininha"`))
	if browsertest.Eval[bool](t, ctx, `!!document.querySelector("[data-view]")`) {
		t.Error("without the token the screen is shown")
	}
	p := watched(t, m, ctx)
	p.agree(401, "/favicon.ico") // of the refusal
	p.agree(404, "/favicon.ico") // the same, asked for after the token has come
	p.do(chromedp.Navigate(m.screen + "/?token=" + tokenOf(t, m)))
	p.view("idle")
	if at := browsertest.Eval[string](t, ctx, "location.href"); at != m.screen+"/" {
		t.Errorf("the token stays in the address: %s", at)
	}
	if browsertest.Eval[string](t, ctx, "document.cookie") != "" {
		t.Error("scripts can read the token")
	}
	m.until("the page counts", m.active)
	m.must("POST", "/sale", object{"customerName": "Ana"})
	p.says(`[data-view="sale"]`, "Ana")
	p.do(chromedp.Reload())
	p.says(`[data-view="sale"]`, "Ana")
	p.check()
}
