package pull

import (
	"context"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/links"
)

// refreshEach is how often it is written down of all who are on-line that they are: a hub that is killed can't do it at its end.
const refreshEach = time.Minute

// atOnce are written in one transaction: whoever else writes must not wait for ten thousand.
const atOnce = 200

// KeepSightings writes down how terminals are, many at once, until the context ends.
func (p *Puller) KeepSightings(ctx context.Context, b *links.Board) {
	var after uint64
	refreshed := time.Now()
	for {
		if time.Since(refreshed) >= refreshEach {
			after, refreshed = 0, time.Now()
		}
		waiting, cancel := context.WithTimeout(ctx, refreshEach)
		changed, next, err := b.Next(waiting, after)
		cancel()
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			after = next
			for some := range slices.Chunk(sightings(changed), atOnce) {
				if err := p.Fleet.Seen(ctx, some...); err != nil {
					p.Failed("", err)
					after = 0 // all of them again, when it can be written
					break
				}
			}
		}
		select {
		case <-time.After(p.SeenEach):
		case <-ctx.Done():
			return
		}
	}
}

func sightings(of []links.Presence) []fleet.Sighting {
	var all []fleet.Sighting
	for _, p := range of {
		if p.ToldAt.IsZero() {
			continue // it came and said nothing yet: what is known of it stands
		}
		s := p.State
		at := time.Now()
		if !p.Online {
			at = p.Since
		}
		all = append(all, fleet.Sighting{
			Terminal: p.Terminal, At: at, Version: p.Version,
			Condition: fleet.Condition{
				Clock: s.Clock, ReadAt: p.ToldAt, Busy: s.Busy, Running: s.Running, Foreground: s.Foreground, Printer: s.Printer,
				Trouble: s.Trouble, Unresolved: s.Unresolved, SaleOpen: s.SaleOpen,
			},
		})
	}
	return all
}
