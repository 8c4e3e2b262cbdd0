package browsertest

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/debugger"
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

// Hang stops the page in the middle of its scripts, as one that never ends would: it stays connected and in sight, but nobody can touch it.
// It returns once the page stands still.
func Hang(page context.Context) error {
	ctx, cancel := context.WithTimeout(page, waittest.Limit)
	defer cancel()
	stands := make(chan struct{}, 1)
	chromedp.ListenTarget(ctx, func(event any) {
		if _, paused := event.(*debugger.EventPaused); paused {
			stands <- struct{}{}
		}
	})
	enable := chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := debugger.Enable().Do(ctx)
		return err
	})
	// Asking the debugger to pause would stop at whatever comes next, whosever it is.
	if err := chromedp.Run(ctx, enable, chromedp.Evaluate(`void setTimeout(() => { debugger; })`, nil)); err != nil {
		return err
	}
	select {
	case <-stands:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the page does not stand still: %w", ctx.Err())
	}
}

// GoOn lets a page that hangs go on.
func GoOn(page context.Context) error { return chromedp.Run(page, debugger.Disable()) }

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
