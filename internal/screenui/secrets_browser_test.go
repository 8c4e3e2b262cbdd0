//go:build !race || everything

package screenui_test

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// heard is all that the service said to a page.
type heard struct {
	mu     sync.Mutex
	feed   strings.Builder
	bodies []network.RequestID
}

// listen starts anew, so that nothing was said before.
func listen(p *page) *heard {
	p.t.Helper()
	h := &heard{}
	chromedp.ListenTarget(p.ctx, func(event any) {
		h.mu.Lock()
		defer h.mu.Unlock()
		switch e := event.(type) {
		case *network.EventEventSourceMessageReceived:
			h.feed.WriteString(e.Data)
		case *network.EventLoadingFinished:
			h.bodies = append(h.bodies, e.RequestID)
		}
	})
	p.do(chromedp.Reload())
	p.wait(`document.querySelector("[data-view]")`)
	return h
}

// saysNone looks for secrets, and for what is kept of them, in everything the page was told.
func (h *heard) saysNone(p *page, secrets ...string) {
	p.t.Helper()
	h.mu.Lock()
	said, bodies := map[string]string{"feed": h.feed.String()}, slices.Clone(h.bodies)
	h.mu.Unlock() // the page speaks on meanwhile
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		for _, id := range bodies {
			if body, err := network.GetResponseBody(id).Do(ctx); err == nil { // an answer may have none
				said["answer "+string(id)] = string(body)
			}
		}
		return nil
	}))
	if len(said["feed"]) < 100 || len(said) < 10 {
		p.t.Fatalf("only %d answers were heard, and a feed of %d bytes", len(said), len(said["feed"]))
	}
	for _, secret := range append(secrets, quoted(newPIN), "$2a$", "$2b$") {
		for where, text := range said {
			if strings.Contains(text, secret) {
				p.t.Errorf("the %s says %q: %.200s", where, secret, text)
			}
		}
	}
}
