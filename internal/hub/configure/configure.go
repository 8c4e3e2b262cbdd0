// Package configure brings to connected terminals what the hub decides of their settings, and writes down what they make of it.
//
// Invariants: a terminal is asked what it has on every new link, and sent what it lacks; nothing is written down that it has not said; one that
// is slow, busy or hostile holds up no other.
package configure

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/settings"
)

// Config is what a Configurer stands on.
type Config struct {
	Desk  *settings.Desk
	Fleet *fleet.Desk
	Board *links.Board
	Log   func(text string, err error)

	Each  time.Duration // how often changes are looked for; 0: every second
	Whole time.Duration // how often all terminals are looked at though nothing has changed, so that what was missed is made good; 0: every minute
}

// Configurer looks after all terminals that hang at this hub.
type Configurer struct {
	Config
	turns chan struct{} // as many as are spoken to at once
	wake  chan struct{} // somebody must be spoken to once more
	work  sync.WaitGroup

	number int64 // of the last change of the fleet that was looked at
	serial uint64
	newest settings.Newest
	whole  time.Time // when all were looked at

	mu     sync.Mutex
	stands map[string]*stand
}

// stand is how far a terminal is, on its link.
type stand struct {
	link    links.Link
	mark    string // of what is decided for it
	busy    bool   // it is being spoken to
	missed  bool   // something came up meanwhile: a new link, or another decision
	settled bool
	again   time.Time // not before
}

// New returns a Configurer.
func New(c Config) *Configurer {
	c.Each, c.Whole = cmp.Or(c.Each, time.Second), cmp.Or(c.Whole, time.Minute)
	const together = 32
	return &Configurer{Config: c, number: -1, turns: make(chan struct{}, together), wake: make(chan struct{}, 1), stands: map[string]*stand{}}
}

// Run works until the context ends.
func (c *Configurer) Run(ctx context.Context) {
	defer c.work.Wait()
	tick := time.NewTicker(c.Each)
	defer tick.Stop()
	for {
		if err := c.look(ctx); err != nil && ctx.Err() == nil {
			c.Log("configurações dos terminais", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-c.wake:
		}
	}
}

// look finds the terminals that must be spoken to: those whose link is new, those of which something else is decided now, and those that were to
// be asked again.
func (c *Configurer) look(ctx context.Context) error {
	moved, all, err := c.news(ctx)
	if err != nil {
		return err
	}
	after := c.serial
	if all {
		after = 0
	}
	over, cancel := context.WithCancel(ctx)
	cancel() // what there is, and no waiting for more
	changed, next, err := c.Board.Next(over, after)
	if err != nil {
		next = c.serial
	}
	again := c.due(time.Now())
	for _, p := range changed {
		again = append(again, p.Terminal)
	}
	for _, terminal := range append(again, moved...) {
		if err := c.consider(ctx, terminal, all || len(moved) > 0); err != nil {
			c.number = -1 // all of them again, when it can be read
			return err
		}
	}
	c.serial = next
	return nil
}

// news reads what is decided, where the fleet has changed: which terminals may belong elsewhere now, and whether all must be looked at.
func (c *Configurer) news(ctx context.Context) (moved []string, all bool, err error) {
	number, err := c.Fleet.LastChange(ctx)
	if err != nil {
		return nil, false, err
	}
	if all = c.number < 0 || time.Since(c.whole) >= c.Whole; number == c.number && !all {
		return nil, false, nil
	}
	if !all {
		changes, err := c.Fleet.News(ctx, c.number)
		if err != nil {
			return nil, false, err
		}
		for _, change := range changes {
			c.Fleet.Forget(change.Target) // another hub may have made it
			moved = append(moved, change.Target)
		}
	}
	newest, err := c.Desk.All(ctx)
	if err != nil {
		return nil, false, err
	}
	all = all || !newest.Same(c.newest)
	if c.newest, c.number = newest, number; all {
		c.whole = time.Now()
	}
	return moved, all, nil
}

// due are the terminals that were to be asked again by now, or were busy when something came up.
func (c *Configurer) due(now time.Time) (all []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for terminal, s := range c.stands {
		if !s.busy && (s.missed || !s.settled && !now.Before(s.again)) {
			all = append(all, terminal)
		}
	}
	return all
}

// consider has a terminal spoken to, if it must be. again: what is decided for it may be something else.
func (c *Configurer) consider(ctx context.Context, terminal string, again bool) error {
	link, connected := c.Board.Find(terminal)
	c.mu.Lock()
	s := c.stands[terminal]
	if !connected && (s == nil || !s.busy) {
		delete(c.stands, terminal)
	}
	known := s != nil && (s.busy || s.link == link && s.settled && !again && !s.missed)
	if s != nil {
		s.missed = s.busy
	}
	c.mu.Unlock()
	if !connected || known {
		return nil
	}
	t, err := c.Fleet.Admit(ctx, terminal)
	if errors.Is(err, fleet.ErrNotFound) || errors.Is(err, fleet.ErrRevoked) {
		return nil
	}
	if err != nil {
		return err
	}
	decided := c.newest.Of(t)
	if decided.Mark == "" {
		return nil
	}
	c.begin(ctx, t, link, decided)
	return nil
}

// begin speaks to a terminal beside others, unless it has been told already.
func (c *Configurer) begin(ctx context.Context, t fleet.Terminal, link links.Link, decided settings.Effective) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stands[t.ID]
	if s == nil {
		s = &stand{}
		c.stands[t.ID] = s
	}
	if s.link != link || s.mark != decided.Mark {
		s.link, s.mark, s.settled, s.again = link, decided.Mark, false, time.Time{}
	}
	if s.busy || s.settled || time.Now().Before(s.again) {
		return
	}
	s.busy = true
	c.work.Go(func() {
		pause := c.speak(ctx, conversation{terminal: t.ID, key: ed25519.PublicKey(t.PublicKey), link: link, decided: decided})
		c.mu.Lock()
		defer c.mu.Unlock()
		s.busy, s.settled, s.again = false, pause == 0, time.Now().Add(pause)
		if !s.missed {
			return
		}
		select {
		case c.wake <- struct{}{}:
		default: // somebody has
		}
	})
}
