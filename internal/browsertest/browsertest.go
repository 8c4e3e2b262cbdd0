// Package browsertest is for tests in a real browser: it finds one, opens pages in it, and does to them what people
// do: look, tap, type, turn away and come back.
//
// A page is a chromedp context. Each page has a window of its own, so that several can be in sight at once and each
// can be hidden by itself. Most of a test's time is waiting for a page: let tests run in parallel.
package browsertest

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// lifetime is how long a page may be used before everything in it fails; no test goes on for so long.
const lifetime = time.Hour

// Option says how a page is opened.
type Option func(*settings)

type settings struct {
	width, height int64
	scale         float64
	touch         bool
	moving        bool
}

// Window is the size of the page in CSS pixels; 1280×900 unless said otherwise.
func Window(width, height int) Option {
	return func(s *settings) { s.width, s.height = int64(width), int64(height) }
}

// Dense gives the page so many device pixels to each CSS pixel, as handheld screens have.
func Dense(scale float64) Option { return func(s *settings) { s.scale = scale } }

// Touch makes the page a touch screen's.
func Touch(s *settings) { s.touch = true }

// Moving shows what moves on its way. Without it the page is that of somebody who asked the system for less motion: pictures on their way
// to where they are seen are a fifth of what a browser has to do in these tests, which wait for where they arrive.
func Moving(s *settings) { s.moving = true }

func settled(options []Option) settings {
	s := settings{width: 1280, height: 900, scale: 1}
	for _, o := range options {
		o(&s)
	}
	return s
}

// Start opens a blank page in a browser. Tests that run side by side share the browser, but nothing in it: each has its
// own storage, its own windows and its own processes. Where none is installed the test is skipped; never under CI, where
// a skipped test proves nothing.
func Start(t testing.TB, options ...Option) context.Context {
	t.Helper()
	path := find(t, windowless)
	s := settled(options)
	browser, err := shared.enter(path)
	if err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	t.Cleanup(shared.leave)
	own, err := target.CreateBrowserContext().Do(inBrowser(browser))
	if err != nil {
		t.Fatalf("opening a page: %v", err)
	}
	t.Cleanup(func() {
		if err := target.DisposeBrowserContext(own).Do(inBrowser(browser)); err != nil {
			t.Errorf("leaving the browser: %v", err)
		}
	})
	page, _ := open(t, browser, own, s)
	page, cancel := context.WithTimeout(page, lifetime)
	t.Cleanup(cancel)
	return page
}

// Alone opens a blank page in a browser of its own, as people have it, for a test that needs it started in a way of its own.
func Alone(t testing.TB, flags ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	path := find(t, whole)
	var browser sharedBrowser
	if err := browser.start(path, flags...); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	t.Cleanup(browser.stop)
	page, cancel := context.WithTimeout(browser.ctx, lifetime)
	t.Cleanup(cancel)
	return page
}

// People's browsers, and the same Chromium without windows, menus, address bar and permissions: all of the page, and a quarter less to compute.
// The program itself is better than Debian's script for it: a browser dies with the tests that started it, but the script's child does not. Its
// page then looked for its terminal at a port that another test's terminal had by now, and was the customer there.
var (
	whole      = []string{"chromium", "google-chrome", "chromium-browser"}
	windowless = append([]string{"/usr/lib/chromium/chromium-headless-shell", "chromium-headless-shell"}, whole...)
)

func find(t testing.TB, names []string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts another process")
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatal("no browser found: make test installs one")
	}
	t.Skip("no browser found: make test installs one")
	return ""
}

// NewPage opens one more page beside another of the same person, in a window of its own; both stay in sight. Closing it is
// what a person does who closes the tab; a test's end does it, too.
func NewPage(t testing.TB, other context.Context, options ...Option) (page context.Context, closePage func()) {
	t.Helper()
	owner, err := ownerOf(other)
	if err != nil {
		t.Fatalf("opening one more page: %v", err)
	}
	return open(t, other, owner, settled(options))
}

// ownerOf is what the pages of one test have in common.
func ownerOf(page context.Context) (cdp.BrowserContextID, error) {
	info, err := target.GetTargetInfo().WithTargetID(chromedp.FromContext(page).Target.TargetID).Do(inBrowser(page))
	if err != nil {
		return "", err
	}
	return info.BrowserContextID, nil
}

// open makes a window, which chromedp would not.
func open(t testing.TB, beside context.Context, owner cdp.BrowserContextID, s settings) (page context.Context, closePage func()) {
	t.Helper()
	id, err := target.CreateTarget("about:blank").WithBrowserContextID(owner).WithNewWindow(true).Do(inBrowser(beside))
	if err != nil {
		t.Fatalf("opening a window: %v", err)
	}
	page, closePage = chromedp.NewContext(beside, chromedp.WithTargetID(id))
	t.Cleanup(closePage)
	made := s.viewport()
	if !s.moving {
		made = append(made, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}))
	}
	if err := chromedp.Run(page, made); err != nil {
		t.Fatalf("opening a page: %v", err)
	}
	return page, closePage
}

// inBrowser is for commands that are the browser's, not a page's.
func inBrowser(ctx context.Context) context.Context {
	return cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser)
}

// viewport makes the page as large as asked; windows can't be made as small as a handheld's screen.
func (s settings) viewport() chromedp.Tasks {
	touch := emulation.SetTouchEmulationEnabled(s.touch)
	if s.touch {
		touch = touch.WithMaxTouchPoints(5)
	}
	return chromedp.Tasks{emulation.SetDeviceMetricsOverride(s.width, s.height, s.scale, false), touch}
}

// Resize gives an open page another size, density or kind of screen.
func Resize(options ...Option) chromedp.Action { return settled(options).viewport() }
