//go:build !race || everything

package httpapi_test

import (
	"strings"
	"testing"

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
