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
		chromedp.WaitVisible(operation, chromedp.ByQuery),
		chromedp.Title(&title),
		chromedp.Evaluate(`document.querySelectorAll(".opblock").length`, &operations),
		// Authorize, as a person would.
		chromedp.Click(".btn.authorize", chromedp.ByQuery),
		chromedp.WaitVisible("#auth-basic-username", chromedp.ByQuery),
		chromedp.SendKeys("#auth-basic-username", testUser, chromedp.ByQuery),
		chromedp.SendKeys("#auth-basic-password", testPassword, chromedp.ByQuery),
		chromedp.Click(".auth-btn-wrapper .authorize", chromedp.ByQuery),
		chromedp.Click(".auth-btn-wrapper .btn-done", chromedp.ByQuery),
		// Try it out.
		chromedp.Click(operation+" .opblock-summary-control", chromedp.ByQuery),
		chromedp.WaitVisible(operation+" .execute", chromedp.ByQuery),
		chromedp.Click(operation+" .execute", chromedp.ByQuery),
		chromedp.WaitVisible(operation+" .live-responses-table .response-col_status", chromedp.ByQuery),
		chromedp.Text(operation+" .live-responses-table", &answered, chromedp.ByQuery),
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
