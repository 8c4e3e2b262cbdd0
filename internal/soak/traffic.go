package main

import (
	"context"
	"net/http"
	"sync"
	"time"
)

const (
	followers = 6 // of the log, each coming and going
	pages     = 2
)

// trade is everybody at once, until the context ends.
func (s *shop) trade(ctx context.Context, p plan) {
	s.leaveNoSale(ctx)
	var people sync.WaitGroup
	for _, actor := range []struct {
		share float64 // of the requests
		round func(context.Context, func() bool)
	}{
		{0.50, s.sell},
		{0.28, s.look},
		{0.12, s.pay},
		{0.03, s.ask},
		{0.03, s.print},
		{0.04, s.display},
	} {
		people.Go(func() {
			pace, stop := paced(ctx, actor.share*float64(p.rate))
			defer stop()
			for ctx.Err() == nil {
				actor.round(ctx, pace)
			}
		})
	}
	for range followers {
		people.Go(func() { s.readLogs(ctx) })
	}
	for range pages {
		people.Go(func() { s.sitBefore(ctx) })
	}
	people.Go(func() {
		for between(ctx, 100*time.Millisecond, time.Second) {
			s.guess(ctx)
		}
	})
	if !p.calm {
		people.Go(func() { s.disturb(ctx, p) })
	}
	people.Wait()
}

// paced says when the next request is due: so many a second, none made up for later. False when the campaign is over.
func paced(ctx context.Context, rate float64) (pace func() bool, stop func()) {
	due := time.NewTicker(time.Duration(float64(time.Second) / rate))
	return func() bool {
		select {
		case <-ctx.Done():
			return false
		case <-due.C:
			return ctx.Err() == nil
		}
	}, due.Stop
}

// disturb restarts the service now and then, and has the acquirer fall silent. Twice in a short campaign, else every
// minute.
func (s *shop) disturb(ctx context.Context, p plan) {
	every := min(p.duration/3, time.Minute)
	for n := 1; between(ctx, every-every/10, every); n++ {
		if n%3 == 0 {
			s.silence(ctx)
			continue
		}
		s.call(ctx, http.MethodPost, "/restart", "")
	}
}
