package figures

import (
	"context"
	"os/exec"

	"github.com/chromedp/chromedp"
)

// FindBrowser is where a browser is, people's own before one without windows; empty where there is none.
func FindBrowser() string {
	for _, name := range []string{"chromium", "chromium-headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

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
