package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
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
	if point == "" && s.dice.IntN(5) == 0 { // while it recovers
		return s.killAfter(moment(s.dice, longestMoment), func(f *Figures) { f.RecoveryKills++ })
	}
	if s.dice.IntN(2) == 0 && !s.askAgain(ctx) {
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
		if s.service.endsWithin(s.Patience) {
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
	if s.has(pixAcquirer) {
		(&person{client: s.client}).post(ctx, s.pspAt, "/sim/behave", nil)
	}
	if s.has(tefAcquirer) {
		if err := tefsim.Steer(s.folder("tef")); err != nil {
			return err
		}
	}
	if s.dice.IntN(8) == 0 {
		return s.restartOther(ctx, p.acquirer)
	}
	return nil
}

// start runs the terminal; false: it died at its point before it was ready.
func (s *station) start(ctx context.Context, point string) (bool, error) {
	err := s.startService(ctx, point)
	if errors.Is(err, errDied) {
		return false, s.died()
	}
	return err == nil, err
}

// died counts an end at a named point. An end without one is a fault that no campaign could excuse.
func (s *station) died() error {
	s.service.leave()
	point := s.service.point
	if point == "" || !s.service.killed() {
		return fmt.Errorf("station %d: the terminal ended by itself with %v: see %s", s.number, s.service.cmd.ProcessState, s.folder("service.log"))
	}
	s.figures.count(func(f *Figures) { f.Points[point]++ })
	return nil
}

// missed is for a point that was not on the way after all.
func (s *station) missed() error {
	s.figures.count(func(f *Figures) { f.Missed[s.service.point]++ })
	return s.killAfter(0, func(f *Figures) { f.RandomKills++ })
}

func (s *station) killAfter(d time.Duration, count func(*Figures)) error {
	time.Sleep(d)
	if !s.service.alive() {
		return s.died() // at the last moment
	}
	s.figures.count(count)
	s.service.leave()
	return s.service.kill()
}

// askAgain has the caller find out what became of the operations it was not answered on: it looks, or just asks again, as
// callers do. False: the terminal died.
func (s *station) askAgain(ctx context.Context) bool {
	s.wish(approve)
	open := s.caller.open()
	for _, o := range open[max(0, len(open)-3):] {
		looked := s.dice.IntN(2) == 0
		if looked {
			s.caller.look(ctx, s.service.api, o)
		}
		if o.Asking != "" && (!looked || s.dice.IntN(2) == 0) {
			s.request(ctx, o, o.Asking)
		}
		if !s.service.alive() {
			return false
		}
	}
	return true
}

// request asks for what the caller wants of the reference, again if need be. What is not known to be paid is paid first.
func (s *station) request(ctx context.Context, o *sale, k kind) answer {
	if k == paying || !o.Approved {
		return s.caller.pay(ctx, s.service.api, o)
	}
	return s.caller.reverse(ctx, s.service.api, o, k)
}

// operate carries out the plan's operation, during which the terminal dies.
func (s *station) operate(ctx context.Context, p plan) error {
	o := s.sale(ctx, p)
	if !s.service.alive() {
		return s.died()
	}
	if err := s.prepare(ctx, p); err != nil {
		return err
	}
	answered, told := make(chan struct{}), answer{}
	go func() {
		defer close(answered)
		told = s.request(ctx, o, p.kind)
	}()
	if s.service.point == "" && s.dice.IntN(2) == 0 { // the caller does not want it any more, and the terminal dies of something else
		time.Sleep(moment(s.dice, longestMoment))
		s.caller.callOff(ctx, s.service.api, o)
	}
	if s.dice.IntN(20) == 0 { // the other side goes down at the same time
		time.Sleep(moment(s.dice, longestMoment))
		if err := s.restartOther(ctx, p.acquirer); err != nil {
			return err
		}
	}
	err := s.strike(answered, &told)
	<-answered
	return err
}

// strike kills the terminal, or sees it die at its point. told is good once answered is closed.
func (s *station) strike(answered <-chan struct{}, told *answer) error {
	if s.service.point == "" {
		return s.killAfter(moment(s.dice, longestMoment), func(f *Figures) { f.RandomKills++ })
	}
	late := 100 * time.Millisecond // its point may come right after its answer
	select {
	case <-s.service.ended:
	case <-answered:
		if told.status == 0 { // the end of the connection, and so of the terminal, unless the caller has given up
			late = s.Patience
		}
	case <-time.After(s.Patience):
	}
	if s.service.endsWithin(late) {
		return s.died()
	}
	return s.missed()
}

// sale is the reference to work on: one that is paid for a reversal, or else a new one.
func (s *station) sale(ctx context.Context, p plan) *sale {
	paid := s.caller.paid(p.acquirer, p.kind)
	if p.kind != paying && len(paid) > 0 {
		return paid[s.dice.IntN(len(paid))]
	}
	tPag := map[string][]string{tefAcquirer: {"03", "04", "99"}, pixAcquirer: {"17"}, emulatorAcquirer: {"03", "04", "17", "99"}}[p.acquirer]
	s.cents++
	o := s.caller.sell(s.number, p.acquirer, tPag[s.dice.IntN(len(tPag))], s.cents)
	if p.kind != paying {
		s.wish(approve)
		s.caller.pay(ctx, s.service.api, o)
	}
	return o
}

// prepare has people and the other side end the operation as planned.
func (s *station) prepare(ctx context.Context, p plan) error {
	s.wish(p.ending)
	command := map[kind]string{paying: intpos.Sale, reversing: intpos.Cancel}[p.kind] // parts are not for TEF
	other := &person{client: s.client}
	switch p.acquirer {
	case tefAcquirer:
		answer := map[ending]tefsim.Case{refuse: tefsim.Refuse, cancel: tefsim.Cancel, silent: tefsim.NoResult}[p.ending]
		if answer != "" {
			return tefsim.Steer(s.folder("tef"), tefsim.Order{Command: command, Case: answer})
		}
	case pixAcquirer:
		switch {
		case p.ending == refuse && p.kind != paying:
			other.post(ctx, s.pspAt, "/sim/next", map[string]any{"misbehaviour": "refund-refused"})
		case p.ending == silent:
			other.post(ctx, s.pspAt, "/sim/next", map[string]any{"misbehaviour": "500", "times": 12})
		}
	}
	return nil
}
