package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/waittest"
)

// patience is how long a page may take to come to what is waited for. It proves nothing: a busy machine may need it.
const patience = waittest.Limit

// tick is how often a page that can't be asked is asked again.
const tick = 15 * time.Millisecond

// Run does the actions one after the other; the test ends with what the page shows if one can't be done.
func Run(t testing.TB, page context.Context, actions ...chromedp.Action) {
	t.Helper()
	if err := chromedp.Run(page, actions...); err != nil {
		t.Fatalf("%v\n%s", err, Describe(page))
	}
}

// Eval is what a JavaScript expression is worth in the page; a promise is awaited.
func Eval[T any](t testing.TB, page context.Context, expression string) (value T) {
	t.Helper()
	Run(t, page, chromedp.Evaluate(expression, &value, awaiting))
	return value
}

// Wait goes on once a JavaScript expression is true; its error says what the page shows instead.
func Wait(expression string) chromedp.Action { return WaitUpTo(patience, expression) }

// WaitUpTo is Wait with a patience of its own.
func WaitUpTo(limit time.Duration, expression string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		return poll(ctx, limit, func() (string, error) {
			var holds bool
			err := look(ctx, limit, "() => !!("+expression+")", &holds)
			if err == nil && holds {
				return "", nil
			}
			return "not so: " + expression, err
		})
	})
}

// looking waits in the page itself, where nothing that shows only for a moment is missed: a function is called at every
// change of the document, and now and then for what is no part of it, until what it returns is true or the time is up.
const looking = `((done, milliseconds) => new Promise((resolve, reject) => {
	const end = performance.now() + milliseconds;
	let timer = 0;
	const look = () => {
		clearTimeout(timer);
		try {
			const found = done();
			if (!found && performance.now() < end) timer = setTimeout(look, 100);
			else { changes.disconnect(); resolve(found); }
		} catch (fault) { changes.disconnect(); reject(fault); }
	};
	const changes = new MutationObserver(look);
	changes.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
	look();
}))`

// look gives the page a second at most: meanwhile it can't be told to stop.
func look(ctx context.Context, limit time.Duration, done string, found any) error {
	wait := min(limit, time.Second).Milliseconds()
	return chromedp.Evaluate(fmt.Sprintf("%s(%s, %d)", looking, done, wait), found, awaiting).Do(ctx)
}

// poll asks until there is nothing in the way any more. An error may be a page that is just being loaded.
func poll(ctx context.Context, limit time.Duration, obstacle func() (string, error)) error {
	deadline := time.Now().Add(limit)
	var what string
	for {
		now, err := obstacle()
		if now == "" && err == nil {
			return nil
		}
		if ctx.Err() == nil || what == "" { // a look that was cut short says less than the one before
			what = now
		}
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("after %v %s", limit, what), err, errors.New(Describe(ctx)))
		}
		select {
		case <-ctx.Done():
			return errors.Join(errors.New(what), err, ctx.Err())
		case <-time.After(tick):
		}
	}
}

// Describe is what the page shows, in words.
func Describe(page context.Context) string {
	ctx, cancel := context.WithTimeout(page, 2*time.Second)
	defer cancel()
	var text string
	err := chromedp.Run(ctx, chromedp.Evaluate(`[
		"the page at " + location.href + " is " + document.visibilityState,
		"views: " + [...document.querySelectorAll("[data-view]")].map(e => e.dataset.view).join(", "),
		"focus: " + (document.activeElement?.outerHTML ?? "none").slice(0, 160),
		(document.body?.innerText ?? "").replace(/\s*\n\s*/g, "\n").slice(0, 1500),
	].join("\n")`, &text))
	if err != nil {
		return "the page can't be looked at: " + err.Error()
	}
	return text
}

// Screenshot is what is in sight of the page, as a PNG.
func Screenshot(t testing.TB, page context.Context) (png []byte) {
	t.Helper()
	Run(t, page, chromedp.CaptureScreenshot(&png))
	return png
}

// SaveScreenshot puts a screenshot into a file, and makes the folder if need be.
func SaveScreenshot(t testing.TB, page context.Context, path string) {
	t.Helper()
	png := Screenshot(t, page)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, png, 0o644); err != nil {
		t.Fatal(err)
	}
}
