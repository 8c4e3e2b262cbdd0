package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/counter"
)

// work is the callers' side of a shop: they sell, give back and ask until there were faults enough and every scene was played.
func (s *shop) work(ctx context.Context) error {
	for ctx.Err() == nil {
		done := s.figures.progress(s.config.Faults)
		if len(s.scenes) > 0 && s.scenes[0].at <= done {
			next := s.scenes[0]
			s.scenes = s.scenes[1:]
			if err := s.play(s.life, next); err != nil {
				return fmt.Errorf("shop %d: %s: %w", s.number, next.what, err)
			}
			continue
		}
		if done >= 1 {
			return nil
		}
		if err := s.turn(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// turn is one thing that a caller does.
func (s *shop) turn(ctx context.Context) error {
	if s.dice.IntN(6) == 0 {
		s.question(ctx)
		return nil
	}
	if open := s.pending(); len(open) > 0 && s.dice.IntN(3) > 0 {
		s.Wish(counter.Approve)
		return s.askAgain(ctx, open[max(0, len(open)-3):])
	}
	kind := []counter.Kind{counter.Paying, counter.Paying, counter.Reversing, counter.Returning}[s.dice.IntN(4)]
	acquirer := s.Acquirers[s.dice.IntN(len(s.Acquirers))]
	paid := s.paid(kind)
	var o *order
	if kind == counter.Paying || len(paid) == 0 {
		kind, o = counter.Paying, s.sell(acquirer)
	} else {
		o = paid[s.dice.IntN(len(paid))]
	}
	if err := s.prepare(ctx, o.Acquirer, kind); err != nil {
		return err
	}
	s.request(ctx, o, kind)
	return s.Forget(ctx)
}

// prepare has people and the other side end the operation somehow: well, as a rule.
func (s *shop) prepare(ctx context.Context, acquirer string, kind counter.Kind) error {
	ending := []counter.Ending{counter.Refuse, counter.Cancel, counter.Approve, counter.Approve, counter.Approve, counter.Approve}[s.dice.IntN(6)]
	s.Wish(ending)
	switch {
	case ending == counter.Approve:
	case acquirer == counter.TEF:
		command := map[counter.Kind]string{counter.Paying: intpos.Sale, counter.Reversing: intpos.Cancel}[kind]
		return tefsim.Steer(s.Folder("tef"), tefsim.Order{Command: command, Case: map[counter.Ending]tefsim.Case{counter.Refuse: tefsim.Refuse, counter.Cancel: tefsim.Cancel}[ending]})
	case ending == counter.Refuse && kind != counter.Paying:
		s.Order(ctx, counter.PIX, "/sim/next", map[string]any{"misbehaviour": "refund-refused"})
	}
	return nil
}

// askAgain finds out what became of what was not answered: a caller looks, or just asks again, as callers do.
func (s *shop) askAgain(ctx context.Context, open []*order) error {
	o := open[s.dice.IntN(len(open))]
	if s.dice.IntN(2) == 0 {
		s.look(ctx, o)
	}
	if o.Asking != "" {
		s.request(ctx, o, o.Asking)
	}
	return ctx.Err()
}

// calm has everybody behave, and comes back when nothing is open any more: callers know all, the terminal owes nothing, and the hub has
// every approval that a caller was told.
func (s *shop) calm(ctx context.Context) error {
	s.Wish(counter.Approve)
	s.Chaos = false
	if err := s.Forget(ctx); err != nil {
		return err
	}
	for _, acquirer := range s.Acquirers {
		if err := s.RestartOther(ctx, acquirer); err != nil {
			return err
		}
	}
	if err := until(ctx, "the callers know all", func() (bool, error) {
		open := s.pending()
		if len(open) == 0 {
			return true, nil
		}
		return false, s.askAgain(ctx, open)
	}); err != nil {
		return err
	}
	// What the manager charged without ever saying so is undone with the shop's next sale.
	if err := until(ctx, "a sale by TEF goes through", func() (bool, error) {
		o := s.sell(counter.TEF)
		a := s.request(ctx, o, counter.Paying)
		for o.Asking != "" && ctx.Err() == nil {
			if err := s.askAgain(ctx, []*order{o}); err != nil {
				return false, err
			}
		}
		return a.Status == http.StatusOK || o.Approved, nil
	}); err != nil {
		return err
	}
	if err := s.Recovered(ctx); err != nil {
		return err
	}
	return s.found(ctx)
}

// found waits until the hub has what callers were told.
func (s *shop) found(ctx context.Context) error {
	told := s.those(func(o *order) bool { return o.Approved })
	return until(ctx, "the hub knows what callers were told", func() (bool, error) {
		for len(told) > 0 {
			o := told[len(told)-1]
			var page struct{ Transactions []struct{ Status string } }
			if err := s.hubs.read(ctx, "GET", "/api/v1/transactions?referenceId="+o.Reference, nil, &page); err != nil {
				return false, err
			}
			if len(page.Transactions) == 0 || page.Transactions[0].Status != map[bool]string{false: "approved", true: "reversed"}[o.Reversed] {
				return false, nil
			}
			told = told[:len(told)-1]
		}
		return true, nil
	})
}
