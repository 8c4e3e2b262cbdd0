package screen

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/maquininha/maquininha/internal/bell"
)

// Foreground knows whether the app is in front of a person: a visible page, or the autopilot that stands in
// while no page is open. An override outdoes both.
type Foreground struct {
	// Moved, if set before the foreground is used, is told when the app comes to the front or leaves it.
	Moved func(active bool)

	mu        sync.Mutex
	autopilot bool
	override  *bool
	open      int
	hasPages  atomic.Bool // open is not 0
	visible   int
	moved     bell.Bell
	changed   func()
}

// ForegroundState is what the foreground is made of.
type ForegroundState struct {
	Active       bool
	Override     *bool
	Pages        int
	VisiblePages int
	Autopilot    bool // stands in now
}

func newForeground(autopilot bool, changed func()) *Foreground {
	return &Foreground{autopilot: autopilot, changed: changed}
}

// State tells how things stand.
func (f *Foreground) State() ForegroundState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state()
}

func (f *Foreground) state() ForegroundState {
	s := ForegroundState{Override: f.override, Pages: f.open, VisiblePages: f.visible, Autopilot: f.autopilot && f.open == 0}
	if s.Active = s.Autopilot || f.visible > 0; f.override != nil {
		s.Active = *f.override
	}
	return s
}

// Active reports whether the app is in the foreground.
func (f *Foreground) Active() bool { return f.State().Active }

// HasPages reports whether any page is open, visible or not. It costs next to nothing.
func (f *Foreground) HasPages() bool { return f.hasPages.Load() }

// Wait returns nil once the app is in the foreground, or the context's error.
func (f *Foreground) Wait(ctx context.Context) error {
	for {
		f.mu.Lock()
		active, moved := f.state().Active, f.moved.Wait()
		f.mu.Unlock()
		if active {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Override puts the app in front or away, whatever pages say; nil gives it back to them.
func (f *Foreground) Override(active *bool) { f.change(func() { f.override = active }) }

func (f *Foreground) change(fn func()) {
	f.mu.Lock()
	before := f.state().Active
	fn()
	after := f.state().Active
	f.hasPages.Store(f.open > 0)
	f.moved.Ring()
	if f.Moved != nil && before != after {
		f.Moved(after) // under the lock, so that it is told in the order of what happened
	}
	f.mu.Unlock()
	f.changed()
}

// Page is one open screen page.
type Page struct {
	f       *Foreground
	visible bool
	closed  bool
}

// OpenPage counts a page that has just been opened, not visible yet.
func (f *Foreground) OpenPage() *Page {
	p := &Page{f: f}
	f.change(func() { f.open++ })
	return p
}

// SetVisible follows the page's visibility.
func (p *Page) SetVisible(visible bool) {
	p.f.change(func() { p.set(visible) })
}

func (p *Page) set(visible bool) {
	if p.closed || p.visible == visible {
		return
	}
	if p.visible = visible; visible {
		p.f.visible++
	} else {
		p.f.visible--
	}
}

// Close counts the page as gone.
func (p *Page) Close() {
	p.f.change(func() {
		if !p.closed {
			p.set(false)
			p.closed = true
			p.f.open--
		}
	})
}
