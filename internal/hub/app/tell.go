package app

import (
	"context"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/links"
	"github.com/maquininha/maquininha/internal/hub/webhooks"
)

const (
	// usualAbsence is how long a terminal is away before anybody is told: it changes hubs, or its line is slow.
	usualAbsence = 30 * time.Second
	// lostEach is how often terminals are looked for that were told to be here, and are nowhere.
	lostEach = 10 * time.Second
)

// presence tells webhooks how terminals are.
type presence struct {
	*App
	away map[string]time.Time // since when
}

// watchPresence runs until the context ends.
func (a *App) watchPresence(ctx context.Context) {
	p := presence{a, map[string]time.Time{}}
	var after uint64
	var looked time.Time
	for ctx.Err() == nil {
		wanted, failed := a.webhooks.WantsPresence(ctx)
		if failed != nil || !wanted {
			if failed == nil {
				after = 0 // all of them, when somebody wants to know
			}
			a.pauseAfter(ctx, failed)
			continue
		}
		waiting, cancel := context.WithTimeout(ctx, time.Second)
		changed, next, err := a.board.Next(waiting, after)
		cancel()
		if err == nil {
			after = next
			if failed = p.observe(ctx, changed); failed != nil {
				after = 0
			}
		}
		if failed == nil && time.Since(looked) >= min(lostEach, a.absence()) {
			looked = time.Now()
			failed = p.lookForLost(ctx)
		}
		if failed == nil {
			failed = p.tellAway(ctx)
		}
		if failed != nil {
			a.pauseAfter(ctx, failed)
		}
	}
}

func (a *App) absence() time.Duration {
	if a.config.Absence > 0 {
		return a.config.Absence
	}
	return usualAbsence
}

func (a *App) pauseAfter(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		a.log.Warn("webhooks", "motivo", words(err))
	}
	select {
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
}

func (p presence) observe(ctx context.Context, changed []links.Presence) error {
	for _, c := range changed {
		switch {
		case !c.Online:
			if _, known := p.away[c.Terminal]; !known {
				p.away[c.Terminal] = time.Now()
			}
			continue
		case c.ToldAt.IsZero(): // it has said nothing yet, or hangs at another hub, which tells
			delete(p.away, c.Terminal)
			continue
		}
		delete(p.away, c.Terminal)
		s := c.State
		if err := p.tell(ctx, c.Terminal, webhooks.Condition{Online: true, Printer: s.Printer, Trouble: s.Trouble, Unresolved: s.Unresolved}); err != nil {
			return err
		}
	}
	return nil
}

// lookForLost finds who was told to be here, and is nowhere: the hub where it was has died, or this one has.
func (p presence) lookForLost(ctx context.Context) error {
	told, err := p.webhooks.ToldOnline(ctx)
	for _, id := range told {
		if _, known := p.away[id]; !known && !p.board.Presence(id).Online {
			p.away[id] = time.Now()
		}
	}
	return err
}

func (p presence) tellAway(ctx context.Context) error {
	for id, since := range p.away {
		switch {
		case p.board.Presence(id).Online:
			delete(p.away, id)
		case time.Since(since) >= p.absence():
			if err := p.tell(ctx, id, webhooks.Condition{}); err != nil {
				return err
			}
			delete(p.away, id)
		}
	}
	return nil
}

func (p presence) tell(ctx context.Context, terminal string, now webhooks.Condition) error {
	t, err := p.fleet.Known(ctx, terminal)
	switch {
	case errors.Is(err, fleet.ErrNotFound), err == nil && now.Online && !t.RevokedAt.IsZero(): // that one is just being cut off
		return nil
	case err == nil:
		err = p.webhooks.Observe(ctx, t, now)
	}
	if errors.Is(err, webhooks.ErrNotFound) {
		return nil // another hub has told
	}
	return err
}
