package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/counter"
)

const (
	// hubRest and shopRest are about how long the hub and a shop are left alone between two faults; all shops suffer from the hub's.
	hubRest  = 8 * time.Second
	shopRest = 3 * time.Second
	// longestFault is how long one lasts that ends by itself.
	longestFault = 3 * time.Second
	// longSilence is longer than a link may be silent without being noticed.
	longSilence = 35 * time.Second
)

// fault is something that goes wrong, and is put right again.
type fault struct {
	name   string
	weight int
	do     func(context.Context) error
}

// strike has faults happen at a place, until there were enough of them.
func (c *campaign) strike(ctx context.Context, place func() []fault, rest time.Duration, dice *rand.Rand, harm func(func() error) error) error {
	if c.config.Short {
		rest /= 4
	}
	for {
		if err := wait(ctx, rest/4+counter.Moment(dice, rest)); err != nil {
			return nil //nolint:nilerr // the campaign has ended
		}
		faults := place()
		total := 0
		for _, f := range faults {
			total += f.weight
		}
		pick := dice.IntN(total)
		for _, f := range faults {
			if pick -= f.weight; pick >= 0 {
				continue
			}
			err := harm(func() error {
				certain := len(faults) == 1
				if c.figures.progress(c.config.Faults) >= 1 && !certain || ctx.Err() != nil {
					return errEnough
				}
				c.figures.count(func(x *Figures) { x.Faults[f.name]++ })
				if c.config.Progress != nil {
					c.config.Progress(c.figures.faults())
				}
				return f.do(c.life)
			})
			switch {
			case errors.Is(err, errEnough), ctx.Err() != nil:
				return nil
			case err != nil:
				return fmt.Errorf("%s: %w", f.name, err)
			}
			break
		}
	}
}

var errEnough = errors.New("there were faults enough")

// rejoins is the fault that a short campaign has for certain.
const rejoins = "terminals that leave and join again"

// next are those that the shop's next fault is chosen of.
func (s *shop) next() []fault {
	all := s.faults()
	if len(s.certain) > 0 {
		name := s.certain[0]
		s.certain = s.certain[1:]
		return slices.DeleteFunc(all, func(f fault) bool { return f.name != name })
	}
	return all
}

// faults are those of a shop.
func (s *shop) faults() []fault {
	pause := func() time.Duration { return counter.Moment(s.Dice, longestFault) }
	return []fault{
		{"kills -9 of a terminal", 4, func(ctx context.Context) error {
			if err := s.KillService(); err != nil {
				return err
			}
			if s.Dice.IntN(3) == 0 {
				wait(ctx, pause()) //nolint:errcheck // it starts all the same
			}
			return s.StartService(ctx)
		}},
		{"pauses of a terminal", 3, func(ctx context.Context) error {
			return during(ctx, pause(), s.Service.Pause, s.Service.Resume)
		}},
		{"kills -9 of the other side", 2, func(ctx context.Context) error {
			return s.RestartOther(ctx, s.Acquirers[s.Dice.IntN(len(s.Acquirers))])
		}},
		{"cuts of a link", 3, func(context.Context) error {
			s.link.cut()
			return nil
		}},
		{"silences of a link", 3, func(ctx context.Context) error {
			d := pause()
			if s.Dice.IntN(12) == 0 && !s.config.Short {
				d = longSilence
			}
			defer s.link.speak()
			s.link.hush()
			wait(ctx, d) //nolint:errcheck // it ends all the same
			if s.Dice.IntN(2) == 0 {
				s.link.cut()
			}
			return nil
		}},
		{rejoins, 1, s.rejoin},
		{"slow links", 1, func(ctx context.Context) error {
			s.link.slow(counter.Moment(s.Dice, 300*time.Millisecond))
			defer s.link.slow(0)
			wait(ctx, pause()) //nolint:errcheck // as above
			return nil
		}},
	}
}

// rejoin has the terminal leave the hub and join again with the same data, while callers go on: with another id.
func (s *shop) rejoin(ctx context.Context) error {
	runs := s.Dice.IntN(2) == 0
	if !runs {
		if err := s.KillService(); err != nil {
			return err
		}
	}
	if err := s.leave(ctx); err != nil {
		return err
	}
	if s.Dice.IntN(2) == 0 {
		wait(ctx, counter.Moment(s.Dice, longestFault)) //nolint:errcheck // it joins all the same
	}
	if err := s.join(ctx); err != nil || runs {
		return err
	}
	return s.StartService(ctx)
}

func (s *shop) leave(ctx context.Context) error {
	if said, err := exec.CommandContext(ctx, s.Binary, "leave", "--data", s.Data()).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	return nil
}

// hubFaults are those of a hub and of its database.
func (c *campaign) hubFaults() []fault {
	pause := func() time.Duration { return counter.Moment(c.dice, longestFault) }
	h := c.hubs.all[c.dice.IntN(len(c.hubs.all))]
	all := []fault{
		{"kills -9 of the hub", 4, func(ctx context.Context) error {
			if err := h.running().Kill(); err != nil {
				return err
			}
			if c.dice.IntN(3) == 0 {
				wait(ctx, pause()) //nolint:errcheck // it starts all the same
			}
			return h.start(ctx)
		}},
		{"pauses of the hub", 3, func(ctx context.Context) error {
			return during(ctx, pause(), h.running().Pause, h.running().Resume)
		}},
	}
	if h.wire != nil {
		all = append(all, c.faultsAmongHubs(h, pause)...)
	}
	if c.database == nil {
		return all
	}
	return append(all,
		fault{"kills -9 of PostgreSQL", 2, func(ctx context.Context) error { return c.database.restart(true, func() { wait(ctx, pause()) }) }},         //nolint:errcheck // as above
		fault{"immediate stops of PostgreSQL", 2, func(ctx context.Context) error { return c.database.restart(false, func() { wait(ctx, pause()) }) }}, //nolint:errcheck // as above
		fault{"pauses of PostgreSQL", 2, func(ctx context.Context) error {
			return during(ctx, pause(), c.database.pause, c.database.resume)
		}},
	)
}

// longLapse is longer than a hub's lease: the others take its terminals for gone.
const longLapse = 18 * time.Second

// faultsAmongHubs are those of one of several: the others go on meanwhile.
func (c *campaign) faultsAmongHubs(h *hub, pause func() time.Duration) []fault {
	all := []fault{
		{"orderly restarts of a hub", 2, func(ctx context.Context) error {
			if err := h.running().Stop(); err != nil {
				return err
			}
			return h.start(ctx)
		}},
		{"promotions of the standby of PostgreSQL", 1, func(ctx context.Context) error {
			return c.database.promote(func() { wait(ctx, pause()) }) //nolint:errcheck // it ends all the same
		}},
		{"cuts between a hub and the database", 2, func(context.Context) error {
			h.wire.cut()
			return nil
		}},
		{"silences between a hub and the database", 2, func(ctx context.Context) error {
			defer h.wire.speak()
			h.wire.hush()
			wait(ctx, pause()) //nolint:errcheck // it ends all the same
			return nil
		}},
	}
	if c.config.Short {
		return all
	}
	return append(all,
		fault{"pauses of a hub past its lease", 1, func(ctx context.Context) error {
			return during(ctx, longLapse, h.running().Pause, h.running().Resume)
		}},
		fault{"silences between a hub and the database past its lease", 1, func(ctx context.Context) error {
			defer h.wire.speak()
			h.wire.hush()
			wait(ctx, longLapse) //nolint:errcheck // as above
			return nil
		}},
	)
}

// during has something be so for a while.
func during(ctx context.Context, d time.Duration, begin, end func() error) error {
	if err := begin(); err != nil {
		return err
	}
	wait(ctx, d) //nolint:errcheck // it ends all the same
	return end()
}
