//go:build !race || everything

package screenui_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/browsertest"
)

// handheld opens the page as most people have it before them.
func handheld(t testing.TB, m *terminal, options ...browsertest.Option) *page {
	t.Helper()
	return openPage(t, m, append(options, browsertest.Window(480, 800), browsertest.Touch)...)
}

// bench opens it as whoever develops against the emulator has it: the device with the panel beside it.
func bench(t testing.TB, m *terminal) *page {
	t.Helper()
	p := openPage(t, m, browsertest.Window(1280, 900))
	p.do(chromedp.Navigate(m.screen + "/"))
	p.finds(".app.framed [data-view]")
	return p
}

// sees waits until a JavaScript expression is true.
func (p *page) sees(format string, args ...any) {
	p.t.Helper()
	p.wait(fmt.Sprintf(format, args...))
}

// finds waits until something is in sight.
func (p *page) finds(selector string) {
	p.t.Helper()
	p.sees("[...document.querySelectorAll(%s)].some(e => e.checkVisibility())", quoted(selector))
}

// lacks waits until it is no longer there.
func (p *page) lacks(selector string) {
	p.t.Helper()
	p.sees("!document.querySelector(%s)", quoted(selector))
}

// says waits until something reads so among other words; spaces of all kinds count as one.
func (p *page) says(selector, want string) {
	p.t.Helper()
	p.sees(`(document.querySelector(%s)?.innerText ?? "").replace(/\s+/g, " ").includes(%s)`, quoted(selector), quoted(want))
}

// scanned waits until a phone before the screen reads this.
func (p *page) scanned(want string) {
	p.t.Helper()
	p.m.until("a phone reads "+want, func() bool {
		got, err := browsertest.QRText(browsertest.Screenshot(p.t, p.ctx))
		return err == nil && got == want
	})
}

// push touches buttons by what they do.
func (p *page) push(does ...string) {
	p.t.Helper()
	for _, do := range does {
		p.tap(fmt.Sprintf("[data-do=%s]", quoted(do)))
	}
}

// click is push with the mouse.
func (p *page) click(do string) {
	p.t.Helper()
	p.do(browsertest.Click(fmt.Sprintf("[data-do=%s]", quoted(do))))
}

// pad touches the keys of the number pad, one after the other.
func (p *page) pad(digits string) {
	p.t.Helper()
	for _, digit := range digits {
		p.tap(key(string(digit)))
	}
}

func (p *page) hide() { p.t.Helper(); p.must(browsertest.Hide(p.ctx)) }
func (p *page) show() { p.t.Helper(); p.must(browsertest.Show(p.ctx)) }

func (p *page) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// forgive passes over that the service did not answer, so far.
func (p *page) forgive() {
	p.t.Helper()
	complaints := p.record.Complaints()
	for _, c := range complaints[p.read:] {
		if !strings.Contains(c, "net::ERR_") && !slices.Contains(p.agreed, c) {
			p.t.Errorf("the page complains: %s", c)
		}
	}
	p.read = len(complaints)
}

// leave ends the page of a test that took the service away under it, before it can complain of the end of the test too.
func (p *page) leave() {
	p.t.Helper()
	p.forgive()
	p.must(chromedp.Cancel(p.ctx))
	p.forgive()
	p.left = true
}

// payment is the one on the screen, as a script sees it.
func (m *terminal) payment() object {
	m.t.Helper()
	p, _ := m.must("GET", "/emulator/screen", nil)["payment"].(object)
	return p
}

// posts are what a page has sent.
type posts struct {
	mu   sync.Mutex
	list []post
}

type post struct{ path, body string }

func followPosts(page context.Context) *posts {
	p := &posts{}
	chromedp.ListenTarget(page, func(event any) {
		e, ok := event.(*network.EventRequestWillBeSent)
		if !ok || e.Request.Method != "POST" {
			return
		}
		var body strings.Builder
		for _, entry := range e.Request.PostDataEntries {
			text, err := base64.StdEncoding.DecodeString(entry.Bytes)
			if err != nil {
				text = []byte(entry.Bytes)
			}
			body.Write(text)
		}
		u, _ := url.Parse(e.Request.URL)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.list = append(p.list, post{u.Path, body.String()})
	})
	return p
}

// since are the posts from the nth on.
func (p *posts) since(n int) []post {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]post(nil), p.list[n:]...)
}

func (p *posts) count() int { return len(p.since(0)) }

func (p post) object() (o object) {
	_ = json.Unmarshal([]byte(p.body), &o) // no JSON is an empty object
	return o
}
