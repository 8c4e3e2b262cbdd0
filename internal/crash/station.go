package main

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/maquininha/maquininha/internal/counter"
)

// station is a counter whose terminal is killed, with its caller.
type station struct {
	*counter.Counter
	config  Config
	number  int
	figures *Figures
	caller  *caller
	client  *http.Client
	cents   int    // of the next sale, so that no two have the same amount
	point   string // where the terminal that runs is to die; empty: nowhere

	mu    sync.Mutex
	leaks []string
}

// startService runs the terminal, to die at the point, if there is one. ErrDied: it did so before it was ready.
func (s *station) startService(ctx context.Context, point string) error {
	s.point = point
	s.Environment = []string{
		"MAQUININHA_USERNAME=" + user, "MAQUININHA_PASSWORD=" + password, "MAQUININHA_CRASH_AT=" + point, "MAQUININHA_LEDGER_LOSES=" + s.config.Loses,
		"MAQUININHA_LANDING=2s", // longer than simulators take that are slow
	}
	return s.StartService(ctx)
}

// restartOther kills the other side of an acquirer and starts it again, in another mood.
func (s *station) restartOther(ctx context.Context, acquirer string) error {
	s.figures.count(func(f *Figures) { f.OtherKills++ })
	return s.RestartOther(ctx, acquirer)
}

// start runs the terminal; false: it died at its point before it was ready.
func (s *station) start(ctx context.Context, point string) (bool, error) {
	err := s.startService(ctx, point)
	if errors.Is(err, counter.ErrDied) {
		return false, s.died()
	}
	return err == nil, err
}

// shown looks for card numbers in what a page is told.
func (s *station) shown(text string) {
	if found := cardNumbers(text); len(found) > 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.leaks = append(s.leaks, "the screen's feed: "+found[0])
	}
}
