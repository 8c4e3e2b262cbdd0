package browsertest

import (
	"context"
	"sync"

	"github.com/chromedp/chromedp"

	"github.com/maquininha/maquininha/internal/waittest"
)

// sharedBrowser is a running one, and how many tests use it. It ends with the last of them, so that no package has to end it.
type sharedBrowser struct {
	mu    sync.Mutex
	users int
	ctx   context.Context
	stop  func()
}

var shared sharedBrowser

// enter is the browser of all tests that run now; whoever enters must leave.
func (b *sharedBrowser) enter(path string) (context.Context, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.users == 0 {
		if err := b.start(path); err != nil {
			return nil, err
		}
	}
	b.users++
	return b.ctx, nil
}

func (b *sharedBrowser) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.users--; b.users == 0 {
		b.stop()
	}
}

func (b *sharedBrowser) start(path string, more ...chromedp.ExecAllocatorOption) error {
	flags := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("disable-component-update", true), chromedp.WindowSize(1280, 900),
		chromedp.WSURLReadTimeout(waittest.Limit),         // a busy machine needs more than chromedp's 20 s to start it
		chromedp.DisableGPU,                               // there is none, and playing one costs more than drawing without
		chromedp.Flag("disable-field-trial-config", true), // what Chromium tries out is not what people have
		// Every page has a process of its own: one kept ready for the next is never used. Every page has a window, too, whose
		// address bar would be two more pages in one more process. The rest are chromedp's own.
		chromedp.Flag("disable-features", "SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,"+
			"site-per-process,Translate,BlinkGenPropertyTrees"))
	flags = append(flags, more...)
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), flags...)
	ctx, closeFirst := chromedp.NewContext(allocator)
	b.ctx, b.stop = ctx, func() {
		_ = chromedp.Cancel(ctx) // asked to end, it leaves no folder behind; one that can't be asked is killed
		closeFirst()
		stopAllocator()
	}
	if err := chromedp.Run(ctx); err != nil {
		b.stop()
		return err
	}
	return nil
}
