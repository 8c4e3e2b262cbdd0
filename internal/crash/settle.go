package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/maquininha/maquininha/internal/counter"
)

// settle lets the terminal recover with everybody well behaved, and gathers what each side says.
func (s *station) settle(ctx context.Context) (counter.Evidence, error) {
	s.Chaos = false
	for _, acquirer := range s.Acquirers {
		if err := s.restartOther(ctx, acquirer); err != nil {
			return counter.Evidence{}, err
		}
	}
	s.Wish(counter.Approve)
	if err := s.startService(ctx, ""); err != nil {
		return counter.Evidence{}, err
	}
	if err := s.Recovered(ctx); err != nil {
		return counter.Evidence{}, err
	}
	var e counter.Evidence
	if !s.sellOnce(ctx) {
		e.Complaints = append(e.Complaints, "no sale by TEF goes through after the recovery")
	}
	if err := s.Recovered(ctx); err != nil {
		return counter.Evidence{}, err
	}
	e.Sales, e.Answers = s.caller.sales, map[string]counter.Answer{}
	for _, o := range s.caller.sales {
		e.Answers[o.Reference] = s.caller.look(ctx, s.Service.API, o)
	}
	s.searchAnswers(ctx)
	if err := s.Close(); err != nil {
		return counter.Evidence{}, err
	}
	return e, errors.Join(s.Read(&e), s.Charged(&e))
}

// sellOnce is the shop's next sale by TEF. What the manager charged without ever saying so in an answer is neither
// confirmed nor undone by the recovery, which can't name it; the network reports it as pending at the next sale, which it
// refuses, and has it undone then.
func (s *station) sellOnce(ctx context.Context) (sold bool) {
	const tries = 5
	sold = !s.Has(counter.TEF)
	for n := 0; !sold && n < tries; n++ {
		s.cents++
		sold = s.caller.pay(ctx, s.Service.API, s.caller.sell(s.number, counter.TEF, "03", s.cents)).Status == http.StatusOK
	}
	return sold
}
