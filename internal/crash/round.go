package main

import (
	"context"
	"fmt"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/counter"
)

const (
	// longestMoment is when the terminal is killed at the latest: an operation takes about that long.
	longestMoment = 1500 * time.Millisecond
	// pointPatience is how long the terminal may take to its named point.
	pointPatience = 12 * time.Second
)

// round starts the terminal, has the caller ask about what is open, and kills the terminal while the plan is carried out.
func (s *station) round(ctx context.Context, p plan) error {
	if err := s.unsettle(ctx, p); err != nil {
		return err
	}
	point := ""
	if len(p.points) > 0 {
		point = p.points[0]
	}
	alive, err := s.start(ctx, point)
	if err != nil || !alive {
		return err
	}
	if point == "" && s.Dice.IntN(5) == 0 { // while it recovers
		return s.killAfter(counter.Moment(s.Dice, longestMoment), func(f *Figures) { f.RecoveryKills++ })
	}
	if s.Dice.IntN(2) == 0 && !s.askAgain(ctx) {
		return s.died()
	}
	if err := s.operate(ctx, p); err != nil {
		return err
	}
	for _, next := range p.points[min(1, len(p.points)):] {
		alive, err := s.start(ctx, next)
		if err != nil || !alive {
			return err
		}
		if s.Service.EndsWithin(s.config.Patience) {
			err = s.died()
		} else {
			err = s.missed()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unsettle has the other side forget the last round's orders, or kills and starts it, while the terminal is down.
func (s *station) unsettle(ctx context.Context, p plan) error {
	if err := s.Forget(ctx); err != nil {
		return err
	}
	if s.Dice.IntN(8) == 0 {
		return s.restartOther(ctx, p.acquirer)
	}
	return nil
}

// died counts an end at a named point. An end without one is a fault that no campaign could excuse.
func (s *station) died() error {
	s.Service.Leave()
	point := s.point
	if point == "" || !s.Service.Killed() {
		return fmt.Errorf("station %d: the terminal ended by itself with %v: see %s", s.number, s.Service.State(), s.Folder("service.log"))
	}
	s.figures.count(func(f *Figures) { f.Points[point]++ })
	return nil
}

// missed is for a point that was not on the way after all.
func (s *station) missed() error {
	s.figures.count(func(f *Figures) { f.Missed[s.point]++ })
	return s.killAfter(0, func(f *Figures) { f.RandomKills++ })
}

func (s *station) killAfter(d time.Duration, count func(*Figures)) error {
	time.Sleep(d)
	if !s.Service.Alive() {
		return s.died() // at the last moment
	}
	s.figures.count(count)
	return s.KillService()
}

// askAgain has the caller find out what became of the operations it was not answered on: it looks, or just asks again, as
// callers do. False: the terminal died.
func (s *station) askAgain(ctx context.Context) bool {
	s.Wish(counter.Approve)
	open := s.caller.open()
	for _, o := range open[max(0, len(open)-3):] {
		looked := s.Dice.IntN(2) == 0
		if looked {
			s.caller.look(ctx, s.Service.API, o)
		}
		if o.Asking != "" && (!looked || s.Dice.IntN(2) == 0) {
			s.request(ctx, o, o.Asking)
		}
		if !s.Service.Alive() {
			return false
		}
	}
	return true
}

// request asks for what the caller wants of the reference, again if need be. What is not known to be paid is paid first.
func (s *station) request(ctx context.Context, o *counter.Sale, k counter.Kind) counter.Answer {
	if k == counter.Paying || !o.Approved {
		return s.caller.pay(ctx, s.Service.API, o)
	}
	return s.caller.reverse(ctx, s.Service.API, o, k)
}

// operate carries out the plan's operation, during which the terminal dies.
func (s *station) operate(ctx context.Context, p plan) error {
	o := s.sale(ctx, p)
	if !s.Service.Alive() {
		return s.died()
	}
	if err := s.prepare(ctx, p); err != nil {
		return err
	}
	answered, told := make(chan struct{}), counter.Answer{}
	go func() {
		defer close(answered)
		told = s.request(ctx, o, p.kind)
	}()
	if s.point == "" && s.Dice.IntN(2) == 0 { // the caller does not want it any more, and the terminal dies of something else
		time.Sleep(counter.Moment(s.Dice, longestMoment))
		s.caller.callOff(ctx, s.Service.API, o)
	}
	if s.Dice.IntN(20) == 0 { // the other side goes down at the same time
		time.Sleep(counter.Moment(s.Dice, longestMoment))
		if err := s.restartOther(ctx, p.acquirer); err != nil {
			return err
		}
	}
	err := s.strike(answered, &told)
	<-answered
	return err
}

// strike kills the terminal, or sees it die at its point. told is good once answered is closed.
func (s *station) strike(answered <-chan struct{}, told *counter.Answer) error {
	if s.point == "" {
		return s.killAfter(counter.Moment(s.Dice, longestMoment), func(f *Figures) { f.RandomKills++ })
	}
	late := 100 * time.Millisecond // its point may come right after its answer
	select {
	case <-s.Service.Ended():
	case <-answered:
		if told.Status == 0 { // the end of the connection, and so of the terminal, unless the caller has given up
			late = s.config.Patience
		}
	case <-time.After(s.config.Patience):
	}
	if s.Service.EndsWithin(late) {
		return s.died()
	}
	return s.missed()
}

// sale is the reference to work on: one that is paid for a reversal, or else a new one.
func (s *station) sale(ctx context.Context, p plan) *counter.Sale {
	paid := s.caller.paid(p.acquirer, p.kind)
	if p.kind != counter.Paying && len(paid) > 0 {
		return paid[s.Dice.IntN(len(paid))]
	}
	tPag := map[string][]string{counter.PIX: {"17"}, counter.Emulator: {"03", "04", "17", "99"}}[p.acquirer]
	if tPag == nil {
		tPag = []string{"03", "04", "99"}
	}
	s.cents++
	o := s.caller.sell(s.number, p.acquirer, tPag[s.Dice.IntN(len(tPag))], s.cents)
	if p.kind != counter.Paying {
		s.Wish(counter.Approve)
		s.caller.pay(ctx, s.Service.API, o)
	}
	return o
}

// prepare has people and the other side end the operation as planned.
func (s *station) prepare(ctx context.Context, p plan) error {
	s.Wish(p.ending)
	command := map[counter.Kind]string{counter.Paying: intpos.Sale, counter.Reversing: intpos.Cancel}[p.kind] // parts are not for TEF
	switch p.acquirer {
	case counter.TEF:
		answer := map[counter.Ending]tefsim.Case{counter.Refuse: tefsim.Refuse, counter.Cancel: tefsim.Cancel, counter.Silent: tefsim.NoResult}[p.ending]
		if answer != "" {
			return tefsim.Steer(s.Folder("tef"), tefsim.Order{Command: command, Case: answer})
		}
	case counter.PIX:
		switch {
		case p.ending == counter.Refuse && p.kind != counter.Paying:
			s.Order(ctx, p.acquirer, "/sim/next", map[string]any{"misbehaviour": "refund-refused"})
		case p.ending == counter.Silent:
			s.Order(ctx, p.acquirer, "/sim/next", map[string]any{"misbehaviour": "500", "times": 12})
		}
	case s.Device():
		switch {
		case p.ending == counter.Refuse && p.kind != counter.Paying:
			s.Order(ctx, p.acquirer, "/sim/next", map[string]any{"misbehaviour": "refund-refused"})
		case p.ending == counter.Silent && p.kind != counter.Paying: // the payment itself can be looked at, or nothing would be asked for
			s.Order(ctx, p.acquirer, "/sim/next", map[string]any{"misbehaviour": "500", "on": "refund", "times": 6})
		case p.ending == counter.Silent:
			s.Order(ctx, p.acquirer, "/sim/next", map[string]any{"misbehaviour": "500", "times": 12})
		}
	}
	return nil
}
