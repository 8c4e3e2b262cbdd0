package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/counter"
	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/rig"
)

// Config is a campaign.
type Config struct {
	Terminal, Hub string // the programs
	Dir           string // for everything that it leaves behind
	Faults        int    // at least
	Shops         int
	Scenes        [][]scene // of the shops, by turns
	Certain       []string  // faults that each shop suffers before those that chance chooses
	Postgres      bool      // the hub's records are in a PostgreSQL
	Hubs          int       // at one PostgreSQL; 0 is one
	Seed          uint64
	Chaos         bool // the other sides misbehave now and then
	Short         bool // nothing that takes half a minute
	Progress      func(faults int)
}

// campaign is one that runs.
type campaign struct {
	config   Config
	figures  *Figures
	hubs     *hubs
	database database // nil: SQLite
	dice     *rand.Rand
	shops    []*shop
	life     context.Context // of the processes: they outlive the faults
}

// Campaign has shops work through a hub until there were faults enough, lets all recover, and compares all books.
func Campaign(ctx context.Context, config Config) (figures *Figures, err error) {
	c := &campaign{
		config: config, figures: newFigures(), life: ctx, dice: rand.New(rand.NewPCG(config.Seed, 0)),
	}
	began := time.Now()
	defer func() {
		err = errors.Join(err, c.close())
		c.figures.Took = time.Since(began)
	}()
	if err := c.open(ctx); err != nil {
		return c.figures, err
	}
	if err := c.work(ctx); err != nil {
		return c.figures, err
	}
	return c.figures, c.judge(ctx)
}

func (c *campaign) open(ctx context.Context) (err error) {
	if c.config.Postgres {
		if c.database, err = newDatabase(c.config.Hubs > 1); err != nil {
			return err
		}
		c.figures.Database = "PostgreSQL"
	}
	if err := c.openHubs(ctx); err != nil {
		return err
	}
	for i := range c.config.Shops {
		l, err := newLink(c.hubs.dial)
		if err != nil {
			return err
		}
		seed := func(n int) *rand.Rand { return rand.New(rand.NewPCG(c.config.Seed, uint64(10*(i+1)+n))) }
		s := &shop{
			Counter: &counter.Counter{
				Binary: c.config.Terminal, Dir: filepath.Join(c.config.Dir, fmt.Sprintf("shop-%d", i+1)), Acquirers: []string{counter.TEF, counter.PIX},
				Dice: seed(0), Chaos: c.config.Chaos, Environment: []string{"MAQUININHA_HUB_PAUSE=1s", "MAQUININHA_PIX_EXPIRY=1m"}, // who walks away from a PIX keeps the terminal that long
			},
			campaign: c, number: i + 1, link: l, dice: seed(1), certain: c.config.Certain, scenes: c.config.Scenes[i%len(c.config.Scenes)], cents: 10000 * (i + 1),
		}
		c.shops = append(c.shops, s)
	}
	return c.each(func(s *shop) error { return s.open(ctx) })
}

// openHubs starts the hubs. The first makes the key and the certificate, which all have.
func (c *campaign) openHubs(ctx context.Context) error {
	c.hubs = newHubs()
	c.figures.Hubs = max(1, c.config.Hubs)
	for i := range c.figures.Hubs {
		h := &hub{binary: c.config.Hub, dir: filepath.Join(c.config.Dir, fmt.Sprintf("hub-%d", i+1)), address: rig.FreeAddress()}
		if err := os.MkdirAll(h.data(), 0o700); err != nil {
			return err
		}
		if c.database != nil {
			h.database = c.database.address()
		}
		if c.figures.Hubs > 1 {
			h.peer = rig.FreeAddress()
			var err error
			if h.wire, err = newLink(c.database.dial); err != nil {
				return err
			}
			h.database = c.database.through(h.wire.address)
		}
		if i > 0 {
			if err := app.ShareKeys(c.hubs.all[0].data(), h.data()); err != nil {
				return err
			}
		}
		c.hubs.all = append(c.hubs.all, h)
		if err := h.start(ctx); err != nil {
			return err
		}
		if i == 0 {
			c.hubs.user, c.hubs.key = h.user, h.key
		}
	}
	return nil
}

// each does something at all shops at once.
func (c *campaign) each(do func(*shop) error) error {
	failures := make([]error, len(c.shops))
	var all sync.WaitGroup
	for i, s := range c.shops {
		all.Go(func() { failures[i] = do(s) })
	}
	all.Wait()
	return errors.Join(failures...)
}

// work has the shops work and everything go wrong, until it is enough.
func (c *campaign) work(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	failures := make(chan error, len(c.shops)+1)
	var harm sync.WaitGroup
	strike := func(place func() []fault, rest time.Duration, dice *rand.Rand, alone func(func() error) error) {
		harm.Go(func() {
			if err := c.strike(ctx, place, rest, dice, alone); err != nil {
				failures <- err
				stop()
			}
		})
	}
	strike(c.hubFaults, hubRest, rand.New(rand.NewPCG(c.config.Seed, 1)), func(do func() error) error { return do() })
	for i, s := range c.shops {
		strike(s.next, shopRest, rand.New(rand.NewPCG(c.config.Seed, uint64(10*(i+1)+2))), func(do func() error) error {
			s.harm.Lock()
			defer s.harm.Unlock()
			return do()
		})
	}
	err := c.each(func(s *shop) error {
		err := s.work(ctx)
		if err != nil {
			stop() // the others can't make up for it
		}
		return err
	})
	harm.Wait()
	close(failures)
	for failure := range failures {
		err = errors.Join(failure, err)
	}
	return err
}

// close ends every process.
func (c *campaign) close() (err error) {
	for _, s := range c.shops {
		err = errors.Join(err, s.Close())
		s.link.close()
	}
	if c.hubs != nil {
		err = errors.Join(err, c.hubs.stop())
		for _, h := range c.hubs.all {
			if h.wire != nil {
				h.wire.close()
			}
		}
	}
	if c.database != nil {
		c.database.close()
	}
	return err
}
