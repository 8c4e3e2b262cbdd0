package httpapi_test

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// browser starts a real one, or skips where there is none; never under CI, where a skipped test proves nothing.
func browser(t *testing.T) context.Context {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "google-chrome", "chromium-browser"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("no browser found: make test installs one")
		}
		t.Skip("no browser found: make test installs one")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.WindowSize(1280, 900))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	page, closePage := chromedp.NewContext(allocator)
	t.Cleanup(closePage)
	ctx, cancel := context.WithTimeout(page, 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func TestDocsPageWorksWithoutTheInternet(t *testing.T) {
	m := start(t)
	page := browser(t)

	var mu sync.Mutex
	var strangers []string
	chromedp.ListenTarget(page, func(event any) {
		sent, ok := event.(*network.EventRequestWillBeSent)
		if !ok {
			return
		}
		u, err := url.Parse(sent.Request.URL)
		if err == nil && (u.Scheme == "data" || u.Scheme == "blob" || "http://"+u.Host == m.base) {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		strangers = append(strangers, sent.Request.URL)
	})

	const operation = "#operations-Dispositivo-getStatus"
	var answered, title string
	var operations int
	err := chromedp.Run(page,
		network.Enable(),
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
	mu.Lock()
	defer mu.Unlock()
	if len(strangers) > 0 {
		t.Errorf("the page asked the internet: %q", strangers)
	}
}
