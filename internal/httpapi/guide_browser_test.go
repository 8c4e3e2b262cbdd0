//go:build !race || everything

package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/docs/guia"
	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/thorough"
)

// The guide reads on a phone and on a desk, in both languages, without the internet and without a complaint of the browser.
func TestGuideInTheBrowser(t *testing.T) {
	t.Parallel()
	directOnly(t, "the page's links begin at /, which is the hub's")
	apptest.OtherProcess(t)
	m := start(t)
	page := browsertest.Start(t, browsertest.Window(360, 720))
	record := browsertest.Watch(page)
	visit := func(path string) {
		t.Helper()
		browsertest.Run(t, page, chromedp.Navigate(m.base+path), browsertest.Wait(`[...document.images].every(i => i.complete && i.naturalWidth > 0)`))
		if wide := browsertest.Eval[int](t, page, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
			t.Errorf("%s is %d pixels wider than its window", path, wide)
		}
	}
	shown := func(selector string) bool {
		t.Helper()
		return browsertest.Eval[bool](t, page, fmt.Sprintf(`document.querySelector(%q).checkVisibility()`, selector))
	}
	visit("/docs/guia")
	if shown(".contents") {
		t.Error("the chapters are in the way on a phone")
	}
	browsertest.Run(t, page, chromedp.Click("aside label", chromedp.ByQuery), chromedp.Click(`.contents a[href="/docs/guia/inicio-rapido"]`, chromedp.ByQuery),
		browsertest.Wait(`document.title.startsWith("Início rápido")`),
		chromedp.Click(`header [hreflang="en"]`, chromedp.ByQuery), browsertest.Wait(`document.title.startsWith("Quick start")`),
		chromedp.Click(".beside .after", chromedp.ByQuery), browsertest.Wait(`document.title.startsWith("Guide by task")`))
	for _, c := range guia.Chapters[1:] {
		visit("/docs/guia/" + strings.TrimSuffix(c.Portuguese, ".md"))
		visit("/docs/guia/" + strings.TrimSuffix(c.English, ".md"))
	}
	browsertest.Run(t, page, browsertest.Resize(browsertest.Window(1280, 900)))
	visit("/docs/guia/erros")
	if !shown(".contents") {
		t.Error("the chapters are not beside the text")
	}
	browsertest.Run(t, page, browsertest.Click(".search input"), browsertest.Type("valores magicos"), browsertest.Press("Enter"),
		browsertest.Wait(`document.querySelector(".results mark")?.innerText === "Valores"`), browsertest.Click(".results a"),
		browsertest.Wait(`document.title.startsWith("Emulador") && location.hash`))
	for _, c := range record.Complaints() {
		t.Errorf("the browser complains: %s", c)
	}
	if strangers := record.Strangers(m.base); len(strangers) > 0 {
		t.Errorf("the guide asked the internet: %q", strangers)
	}
}

// The door, the guide and its search can be read by everybody, in light and dark, in the terminal's own font.
func TestPagesCanBeRead(t *testing.T) {
	t.Parallel()
	directOnly(t, "the page's links begin at /, which is the hub's")
	apptest.OtherProcess(t)
	m := start(t)
	page := browsertest.Start(t, browsertest.Window(400, 860))
	paths := []string{"/", "/docs/guia", "/docs/guia/emulador", "/docs/guia/busca?q=pix", "/docs/guia/busca?q=xyzzy", "/docs/guia/en/errors"}
	for _, path := range paths[:thorough.Rounds(len(paths)-1, len(paths))] { // the last is as the others, and long
		browsertest.Run(t, page, chromedp.Navigate(m.base+path), browsertest.Wait(`[...document.fonts].some(f => f.family === "Inter" && f.status === "loaded")`))
		for _, scheme := range []string{"light", "dark"} {
			browsertest.Run(t, page, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
			for _, v := range browsertest.Violations(t, page) {
				t.Errorf("%s in %s: %s", path, scheme, v)
			}
		}
	}
}
