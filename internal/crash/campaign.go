package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/counter"
)

// Config is a campaign.
type Config struct {
	Binary   string // the program, built with -tags faults
	Dir      string // for everything that it leaves behind
	Kills    int    // at least
	Stations int    // how many counters are open at once
	// Acquirers are those of each station, by turns: tef and pix share a terminal, the others have their own.
	Acquirers [][]string
	Bank      string // whose profile PIX goes by; empty: the Central Bank's text
	Manager   string // whose profile TEF goes by; empty: PayGo
	Seed      uint64
	// Patience is how long a terminal may take to its named point, if it ever gets there; 0: pointPatience.
	Patience time.Duration
	Chaos    bool   // the other sides misbehave now and then
	Loses    string // a step that the ledger is made to lose, to see that the campaign finds out
	Progress func(kills int)
}

// Campaign runs counters until the terminals were killed often enough, lets them recover, and compares both sides.
func Campaign(ctx context.Context, c Config) (*Figures, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	figures, began := newFigures(), time.Now()
	failures := make([]error, c.Stations)
	var running sync.WaitGroup
	for i := range c.Stations {
		s := newStation(c, i, figures)
		running.Go(func() {
			if failures[i] = s.run(ctx); failures[i] != nil {
				stop() // the others can't make up for it
			}
		})
	}
	running.Wait()
	figures.Took = time.Since(began)
	return figures, errors.Join(failures...)
}

func newStation(c Config, i int, figures *Figures) *station {
	c.Patience = cmp.Or(c.Patience, pointPatience)
	s := &station{
		Counter: &counter.Counter{
			Binary: c.Binary, Dir: filepath.Join(c.Dir, fmt.Sprintf("station-%d", i+1)), Acquirers: c.Acquirers[i%len(c.Acquirers)],
			Dice: rand.New(rand.NewPCG(c.Seed, uint64(i))), Chaos: c.Chaos, Bank: c.Bank, Manager: c.Manager,
		},
		config: c, number: i + 1, figures: figures, caller: newCaller(figures),
		client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, cents: 10000 * (i + 1),
	}
	s.Shown = s.shown
	return s
}

// run is a station's whole campaign.
func (s *station) run(ctx context.Context) error {
	if err := s.Open(ctx); err != nil {
		return errors.Join(err, s.Close())
	}
	plans := named(s.Acquirers)
	s.Dice.Shuffle(len(plans), func(i, j int) { plans[i], plans[j] = plans[j], plans[i] })
	for turn := 0; s.figures.Kills() < s.config.Kills && ctx.Err() == nil; turn++ {
		p := plans[turn/2%len(plans)]
		if turn%2 == 1 {
			p = anything(s.Dice, s.Acquirers)
		}
		if err := s.round(ctx, p); err != nil {
			return errors.Join(fmt.Errorf("%+v: %w", p, err), s.Close())
		}
		if s.config.Progress != nil {
			s.config.Progress(s.figures.Kills())
		}
	}
	e, err := s.settle(ctx)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	findings := append(e.Compare(), s.leaked()...)
	s.figures.count(func(f *Figures) {
		f.Attempts += len(e.Attempts)
		for _, c := range e.Charges {
			f.Charges++
			if c.Standing {
				f.Standing++
			}
		}
		for _, finding := range findings {
			finding.Text = fmt.Sprintf("station %d: %s", s.number, finding.Text)
			f.Findings = append(f.Findings, finding)
		}
	})
	return nil
}

// leaked are the card numbers in the terminal's folder, in what it said and in what it showed.
func (s *station) leaked() (findings []counter.Finding) {
	for _, place := range s.leaks {
		findings = append(findings, counter.Finding{Offence: counter.Leaked, Text: place})
	}
	for _, root := range []string{s.Data(), s.Folder("service.log")} {
		err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			for _, number := range planted.FindAll(text, -1) {
				findings = append(findings, counter.Finding{Offence: counter.Leaked, Text: fmt.Sprintf("%s: %s", path, number)})
			}
			return err
		})
		if err != nil {
			findings = append(findings, counter.Finding{Offence: counter.Leaked, Text: err.Error()})
		}
	}
	return findings
}
