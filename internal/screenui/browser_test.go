//go:build !race || everything

package screenui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
)

// page is the terminal's page in a real browser, and the person before it.
type page struct {
	t   testing.TB
	m   *terminal
	ctx context.Context
	*overheard
}

// overheard is what a page complained of, and how much of it has been looked at.
type overheard struct {
	record *browsertest.Record
	read   int
	agreed []string
	left   bool // and what it says from then on is nobody's concern
}

// openPage shows the terminal in a browser of its own, without the emulator's frame. When the test ends, the page must
// have complained of nothing and have asked nobody but the terminal.
func openPage(t testing.TB, m *terminal, options ...browsertest.Option) *page {
	t.Helper()
	return show(t, m, browsertest.Start(t, options...))
}

// another opens one more page in the same browser.
func (p *page) another(options ...browsertest.Option) *page {
	p.t.Helper()
	ctx, _ := browsertest.NewPage(p.t, p.ctx, options...)
	return show(p.t, p.m, ctx)
}

func show(t testing.TB, m *terminal, ctx context.Context) *page {
	t.Helper()
	p := watched(t, m, ctx)
	p.agree(http.StatusConflict, "/question/check") // an opinion that came too late to be asked for
	p.agreed = append(p.agreed, "network: Failed to load resource: net::ERR_INCOMPLETE_CHUNKED_ENCODING "+m.screen+"/feed")
	t.Cleanup(func() { p.check() })
	p.do(chromedp.Navigate(m.screen+"/?kiosk"), browsertest.Wait(`document.querySelector("[data-view]")`))
	p.do(dom.Disable()) // the page is asked for what is wanted; a copy of each of its changes is for nobody
	return p
}

// watched is a page whose complaints are heard. A machine with too much to do may let its signs of life come late: then it was
// taken for dead, is told so at whatever it says of itself, and comes back.
func watched(t testing.TB, m *terminal, ctx context.Context) *page {
	p := &page{t, m, ctx, &overheard{record: browsertest.Watch(ctx)}}
	for _, path := range []string{"/page/beat", "/page/visible", "/page/gone"} {
		p.agree(http.StatusNotFound, path)
	}
	return p
}

// in is the same page in a subtest, which answers for what the page complains of meanwhile.
func (p *page) in(t testing.TB) *page {
	m := *p.m
	m.t = t
	sub := &page{t, &m, p.ctx, p.overheard}
	t.Cleanup(func() {
		if t.Failed() {
			m.call("POST", "/ask/cancel", nil) // what is left on the screen must not fail the next one
		}
		sub.check()
	})
	return sub
}

// agree names what the browser will complain of by itself: it calls every answer of 400 or more a failure, though the
// page asked for the service's opinion and got it.
func (p *page) agree(status int, path string) {
	p.agreed = append(p.agreed, fmt.Sprintf("network: Failed to load resource: the server responded with a status of %d (%s) %s",
		status, http.StatusText(status), p.m.screen+path))
}

func (p *page) check() {
	p.t.Helper()
	if p.left {
		return
	}
	complaints := p.record.Complaints()
	for _, c := range complaints[p.read:] {
		if late := strings.Contains(c, "404 (Not Found) "+p.m.screen+"/qr/payment/"); !late && !slices.Contains(p.agreed, c) { // its payment had ended
			p.t.Errorf("the page complains: %s", c)
		}
	}
	p.read = len(complaints)
	if strangers := p.record.Strangers(p.m.screen); len(strangers) > 0 {
		p.t.Errorf("the page asked strangers: %q", strangers)
	}
}

func (p *page) do(actions ...chromedp.Action) {
	p.t.Helper()
	browsertest.Run(p.t, p.ctx, actions...)
}

func (p *page) wait(expression string) {
	p.t.Helper()
	p.do(browsertest.Wait(expression))
}

func (p *page) view(name string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.querySelector("[data-view]:not([hidden] *)")?.dataset.view === %s`, quoted(name)))
}

func (p *page) tap(selectors ...string) {
	p.t.Helper()
	for _, s := range selectors {
		p.do(browsertest.Tap(s))
	}
}

func (p *page) press(keys ...string) {
	p.t.Helper()
	p.do(browsertest.Press(keys...))
}

func quoted(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// text is what is read at a selector; "" when it is not there.
func text(selector string) string {
	return fmt.Sprintf(`(e => !e ? "" : e.matches("input") ? e.value : e.innerText.trim())(document.querySelector(%s))`, quoted(selector))
}

func (p *page) reads(selector, want string) {
	p.t.Helper()
	p.wait(text(selector) + " === " + quoted(want))
}

func (p *page) has(selector string) bool {
	p.t.Helper()
	return browsertest.Eval[bool](p.t, p.ctx, fmt.Sprintf("!!document.querySelector(%s)", quoted(selector)))
}

// typed is what has been typed so far, as it is shown; in the settings it stands in a field.
const typed = `(e => e.value ?? e.textContent)(document.querySelector("[data-typed], [data-field]"))`

func key(name string) string { return fmt.Sprintf(`[data-key=%s]`, quoted(name)) }

// tapText types on the keys of the screen, and turns to the letters or signs that are not in sight as a person does.
func (p *page) tapText(text string) {
	p.t.Helper()
	for _, c := range text {
		name := string(unicode.ToLower(c))
		if c == ' ' {
			name = "space"
		}
		if !p.has(key(name)) {
			p.tap(key(layerOf(c)))
		}
		if unicode.IsUpper(c) && p.has(key("shift")) {
			p.tap(key("shift"))
			p.wait(`document.querySelector("[data-key=shift]").ariaPressed === "true"`)
		}
		before := browsertest.Eval[string](p.t, p.ctx, typed)
		p.tap(key(name))
		p.wait(typed + " !== " + quoted(before))
	}
}

// layerOf is the key that brings a character into sight when it is not.
func layerOf(c rune) string {
	switch {
	case c > unicode.MaxASCII:
		return "accents"
	case unicode.IsLetter(c), c == ' ':
		return "letters"
	}
	return "digits"
}

// asks has the caller ask, and returns once the page shows it.
func (p *page) asks(question, parameters object) <-chan answer {
	p.t.Helper()
	held := p.m.hold("/ask", object{"question": question, "parameters": parameters})
	p.shows(question)
	return held
}

func (p *page) shows(question object) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.querySelector("[data-view=question]")?.dataset.type === %s`, quoted(question["type"])))
}

// answered is what the caller got, after which the page has nothing to show any more.
func (p *page) answered(held <-chan answer, want string) {
	p.t.Helper()
	a := p.m.ends(held)
	if a.status != http.StatusOK || a.object()["value"] != want {
		p.t.Errorf("the caller got %d %s, want %q", a.status, a.body, want)
	}
	p.view("idle")
}

const byPerson, byCaller = "Pergunta cancelada pelo usuário", "Pergunta cancelada pelo PDV"

func (p *page) cancelled(held <-chan answer, message string) {
	p.t.Helper()
	a := p.m.ends(held)
	if a.status != http.StatusConflict || a.object()["message"] != message {
		p.t.Errorf("the caller got %d %s, want 409 %q", a.status, a.body, message)
	}
	p.view("idle")
}

// still makes sure that the caller waits: what was just done must not have been an answer. The round trip to the
// service and back comes after whatever the page sent before. A machine too slow for the little while then sees less, and fails nothing.
func (p *page) still(held <-chan answer) {
	p.t.Helper()
	browsertest.Eval[int](p.t, p.ctx, `fetch("/icon.svg").then(r => r.status)`)
	select {
	case a := <-held:
		p.t.Fatalf("the caller got %d %s", a.status, strings.TrimSpace(string(a.body)))
	case <-time.After(20 * time.Millisecond):
	}
}
