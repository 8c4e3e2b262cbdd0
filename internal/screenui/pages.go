package screenui

import (
	"context"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/screen"
)

// lifeSign is how long a visible page may be silent before it counts as gone: it says that it lives every second.
// A hidden page need not, because browsers put its clock to sleep; it lives as long as its feed.
const lifeSign = 2500 * time.Millisecond

// mostPages bounds what the feeds cost; no counter has as many screens.
const mostPages = 64

// pages are the open ones, each as long as its feed.
type pages struct {
	foreground *screen.Foreground

	mu   sync.Mutex
	open map[string]*openPage
}

type openPage struct {
	page    *screen.Page
	visible bool
	silence *time.Timer // ends the page; runs while it is visible
	end     context.CancelFunc
}

// enter counts a page; end is called when it is taken for dead. False means that there are too many.
func (p *pages) enter(end context.CancelFunc) (id string, leave func(), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.open) >= mostPages {
		return "", nil, false
	}
	id = randomText()
	o := &openPage{page: p.foreground.OpenPage(), end: end}
	o.silence = time.AfterFunc(time.Hour, end)
	o.silence.Stop()
	if p.open == nil {
		p.open = map[string]*openPage{}
	}
	p.open[id] = o
	return id, func() {
		p.mu.Lock()
		delete(p.open, id)
		o.silence.Stop()
		p.mu.Unlock()
		o.page.Close()
	}, true
}

// show follows a page's visibility; false when there is no such page.
func (p *pages) show(id string, visible bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, ok := p.open[id]
	if !ok {
		return false
	}
	o.visible = visible
	o.page.SetVisible(visible)
	o.listen()
	return true
}

// beat is a page's sign of life.
func (p *pages) beat(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, ok := p.open[id]
	if ok {
		o.listen()
	}
	return ok
}

func (o *openPage) listen() {
	if o.visible {
		o.silence.Reset(lifeSign)
	} else {
		o.silence.Stop()
	}
}

// gone ends a page's feed before its connection does.
func (p *pages) gone(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if o, ok := p.open[id]; ok {
		o.page.SetVisible(false)
		o.end()
	}
}

// close stops listening for signs of life; the feeds end by themselves.
func (p *pages) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, o := range p.open {
		o.silence.Stop()
	}
}
