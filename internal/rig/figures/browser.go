package figures

import (
	"context"

	"github.com/chromedp/chromedp"
)

// OpenBrowser opens an empty page of the browser at a path.
func OpenBrowser(ctx context.Context, path string, width, height int) (page context.Context, closePage func()) {
	flags := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(width, height))
	allocator, stop := chromedp.NewExecAllocator(ctx, flags...)
	page, cancel := chromedp.NewContext(allocator)
	return page, func() {
		cancel()
		stop()
	}
}
