package browsertest

import (
	"context"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/inspector"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/waittest"
)

// Hide puts the page's window away, as a person does who turns to another program; it returns once the page knows.
func Hide(page context.Context) error {
	return chromedp.Run(page, window(browser.WindowStateMinimized), Wait(`document.visibilityState === "hidden"`))
}

// Show brings the page's window back; it returns once the page knows.
func Show(page context.Context) error {
	return chromedp.Run(page, window(browser.WindowStateNormal), cdppage.BringToFront(), Wait(`document.visibilityState === "visible"`))
}

func window(state browser.WindowState) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		id, _, err := browser.GetWindowForTarget().WithTargetID(chromedp.FromContext(ctx).Target.TargetID).Do(inBrowser(ctx))
		if err != nil {
			return err
		}
		return browser.SetWindowBounds(id, &browser.Bounds{WindowState: state}).Do(inBrowser(ctx))
	})
}

// Freeze stops the page's scripts and timers, as phones do with pages out of sight: its connections stay open, but
// nothing in it moves.
func Freeze(page context.Context) error {
	return chromedp.Run(page, cdppage.SetWebLifecycleState(cdppage.SetWebLifecycleStateStateFrozen))
}

// Thaw lets a frozen page go on, still hidden until Show.
func Thaw(page context.Context) error {
	// The browser has not noticed that the page is out of sight, and would not show it again.
	return chromedp.Run(page, cdppage.SetWebLifecycleState(cdppage.SetWebLifecycleStateStateActive), window(browser.WindowStateMinimized))
}

// Kill ends the page's process at once, without a word to the page. Nothing can be done with the page afterwards.
func Kill(page context.Context) {
	ctx, cancel := context.WithTimeout(page, waittest.Limit)
	defer cancel()
	chromedp.ListenTarget(ctx, func(event any) {
		if _, dead := event.(*inspector.EventTargetCrashed); dead {
			cancel() // and what is dead does not answer
		}
	})
	_ = chromedp.Run(ctx, chromedp.Navigate("chrome://kill"))
}
