package screenui

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/screen"
)

// beatTimeout is how long a visible page may be silent before it counts as gone: it beats every second. A hidden page
// need not, because browsers slow its timers down; it counts as open as long as its feed is.
const beatTimeout = 2500 * time.Millisecond

// maxPages bounds what the feeds cost; no shop counter has as many screens.
const maxPages = 64

// pages are the open ones, each as long as its feed.
type pages struct {
	foreground *screen.Foreground

	mu   sync.Mutex
	open map[string]*openPage
}

type openPage struct {
	page    *screen.Page
	visible bool
	report  int         // the number of the report that visible is from
	silence *time.Timer // ends the page; runs while it is visible
	end     context.CancelFunc
}

// enter counts a page; end is called when it is taken for dead. False means that there are too many.
func (p *pages) enter(end context.CancelFunc) (id string, leave func(), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.open) >= maxPages {
		return "", nil, false
	}
	id = rand.Text()
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

// show follows a page's visibility, by its newest report; false when there is no such page.
func (p *pages) show(id string, visible bool, report int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, ok := p.open[id]
	if !ok {
		return false
	}
	if report < o.report {
		return true // a newer one overtook it
	}
	o.visible, o.report = visible, report
	o.page.SetVisible(visible)
	o.restartTimeout()
	return true
}

// beat is a page's sign of life; false when there is no such page.
func (p *pages) beat(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, ok := p.open[id]
	if ok {
		o.restartTimeout()
	}
	return ok
}

// restartTimeout begins the wait for the next beat anew.
func (o *openPage) restartTimeout() {
	if o.visible {
		o.silence.Reset(beatTimeout)
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

// close stops waiting for beats; the feeds end by themselves.
func (p *pages) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, o := range p.open {
		o.silence.Stop()
	}
}
