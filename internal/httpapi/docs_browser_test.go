//go:build !race || everything

package httpapi_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/apptest"
	"github.com/maquininha/maquininha/internal/browsertest"
)

func TestDocsPageWorksWithoutTheInternet(t *testing.T) {
	t.Parallel()
	directOnly(t, "the page's links begin at /, which is the hub's")
	apptest.OtherProcess(t)
	m := start(t)
	page := browsertest.Start(t)
	record := browsertest.Watch(page)

	const operation = "#operations-Dispositivo-getStatus"
	var answered, title string
	var operations int
	err := chromedp.Run(page,
		chromedp.Navigate(m.base+"/docs"),
		browsertest.Wait(`document.querySelector("`+operation+`")`),
		chromedp.Title(&title),
		chromedp.Evaluate(`document.querySelectorAll(".opblock").length`, &operations),
		// Authorize, as a person would.
		browsertest.Click(".btn.authorize"),
		browsertest.Click("#auth-basic-username"), browsertest.Type(testUser),
		browsertest.Click("#auth-basic-password"), browsertest.Type(testPassword),
		browsertest.Click(".auth-btn-wrapper .authorize"),
		browsertest.Click(".auth-btn-wrapper .btn-done"),
		// Try it out.
		browsertest.Click(operation+" .opblock-summary-control"),
		browsertest.Click(operation+" .execute"),
		browsertest.Wait(`document.querySelector("`+operation+` .live-responses-table .response-col_status")`),
		chromedp.Evaluate(`document.querySelector("`+operation+` .live-responses-table").innerText`, &answered),
	)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(title, "maquininha") {
		t.Errorf("title %q", title)
	}
	if operations < 40 {
		t.Errorf("%d operations shown", operations)
	}
	if !strings.Contains(answered, "200") || !strings.Contains(answered, "uptimeSeconds") {
		t.Errorf("trying GET /status out answered: %s", answered)
	}
	if strangers := record.Strangers(m.base); len(strangers) > 0 {
		t.Errorf("the page asked the internet: %q", strangers)
	}
}

// faint lists the methods whose names can hardly be read, and lines that are too long to follow.
const faint = `(() => {
	const light = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map((v) => v / 255).map((v) => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
	const wrong = new Set();
	for (const e of document.querySelectorAll(".opblock-summary-method")) {
		const style = getComputedStyle(e);
		const [a, b] = [light(style.color), light(style.backgroundColor)].sort((a, b) => b - a);
		const contrast = (a + .05) / (b + .05);
		if (contrast < 4.5) wrong.add(e.innerText + " " + contrast.toFixed(1));
	}
	for (const e of document.querySelectorAll(".info p")) if (e.offsetWidth > 800) wrong.add("a line of " + e.offsetWidth + " px");
	return [...wrong];
})()`

func TestDocsPageCanBeRead(t *testing.T) {
	t.Parallel()
	directOnly(t, "the page's links begin at /, which is the hub's")
	m := start(t)
	page := browsertest.Start(t)
	for _, scheme := range []string{"light", "dark"} {
		var wrong []string
		var dark bool
		err := chromedp.Run(page,
			emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
			browsertest.Resize(browsertest.Window(1920, 1080)),
			chromedp.Navigate(m.base+"/docs"),
			browsertest.Wait(`document.querySelectorAll(".opblock-patch .opblock-summary-method").length > 0`),
			chromedp.Evaluate(faint, &wrong),
			chromedp.Evaluate(`document.documentElement.classList.contains("dark-mode")`, &dark),
		)
		if err != nil || len(wrong) > 0 || dark != (scheme == "dark") {
			t.Errorf("%s: dark %t, %q, %v", scheme, dark, wrong, err)
		}
	}
}
