package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/pgcluster"
	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/rig/figures"
	"github.com/maquininha/maquininha/internal/tunnel"
)

const (
	severalHubs = 3
	wrongGoal   = 0.5 // of the calls by the right hub
)

// several is hubs at one PostgreSQL, and their terminals: some dial the first hub, the others a balancer.
type several struct {
	*bench
	hubs      []*hub
	door      *balancer
	terminals *rig.Server
	members   []tunnel.Membership
}

// measureSeveral holds calls by the wrong hub against those by the right one, and counts until all terminals are back after a hub's death.
func (b *bench) measureSeveral() ([]figures.Row, error) {
	address, end, err := startDatabase()
	if errors.Is(err, pgcluster.ErrNone) {
		return []figures.Row{{Measure: "several hubs", Value: "not measured: " + err.Error()}}, nil
	}
	if err != nil {
		return nil, err
	}
	defer end()
	s := &several{bench: b}
	defer s.close()
	if err := s.open(address); err != nil {
		return nil, err
	}
	return b.each([]topic{{"wrong", s.wrong}, {"survivors", s.back}})
}

func (s *several) open(database string) error {
	for i := range severalHubs {
		data := filepath.Join(s.dir, fmt.Sprintf("several-%d", i+1))
		options := []string{"--database", database, "--peer-address", rig.FreeAddress()}
		if i > 0 {
			if err := app.ShareKeys(s.hubs[0].data, data); err != nil {
				return err
			}
		}
		h, err := s.newHub(data, options...)
		if err != nil {
			return err
		}
		s.hubs = append(s.hubs, h)
		if i == 0 {
			err = h.introduced()
		} else {
			h.authorization, h.password, h.pin = s.hubs[0].authorization, s.hubs[0].password, s.hubs[0].pin
		}
		if err != nil {
			return err
		}
	}
	began := time.Now()
	var err error
	if s.members, err = s.join(s.hubs[0], s.bench.terminals); err != nil {
		return err
	}
	s.report(fmt.Sprintf("  %d terminals have joined in %.1f s", len(s.members), time.Since(began).Seconds()))
	if s.door, err = openBalancer(s.hubs); err != nil {
		return err
	}
	for i := s.relayed / 2; i < len(s.members); i++ {
		s.members[i].Address = "https://" + s.door.address()
	}
	path, err := s.writeMembers("several.json", s.members)
	if err != nil {
		return err
	}
	if s.terminals, err = s.startTerminals(path); err != nil {
		return err
	}
	took, err := s.up("all links", func(n int) bool { return n == len(s.members) })
	if err == nil {
		s.report(fmt.Sprintf("  all are connected after %.1f s", took.Seconds()))
	}
	return err
}

func (s *several) close() {
	if s.terminals != nil {
		s.terminals.Kill() //nolint:errcheck // it knows no other way to end
	}
	if s.door != nil {
		s.door.close()
	}
	for _, h := range s.hubs {
		h.Stop() //nolint:errcheck // one was killed, and what the others answered is counted already
	}
}

// up waits for a number of links that are there, as the terminals say.
func (s *several) up(what string, met func(n int) bool) (time.Duration, error) {
	n := 0
	took, err := s.until(what, func() (bool, error) {
		said, err := rig.Send(s.terminals.Address, rig.Request("GET", "/up", ""))
		if err != nil {
			return false, err
		}
		_, err = fmt.Sscan(strings.TrimSpace(string(said)), &n)
		return met(n), err
	})
	if err != nil {
		err = fmt.Errorf("%w; %d are connected", err, n)
	}
	return took, err
}

// wrong is live calls for terminals of the first hub, at the second and at the first, by turns. A hub asks a second or two for the way to a
// terminal; on a machine that has none to give it answers that there is no way, which is counted.
func (s *several) wrong() ([]figures.Row, error) {
	requests := make([][]byte, s.relayed/2)
	for i := range requests {
		requests[i] = s.hubs[0].get("/terminals/" + s.members[i].Terminal + "/status")
	}
	right, wrong := s.hubs[0], s.hubs[1]
	if err := s.found(wrong, requests); err != nil {
		return nil, err
	}
	lost := int64(0)
	at := func(h *hub) func() (float64, error) {
		return func() (float64, error) {
			rate, refused, err := rig.DriveOn(h.Address, manyClients, func() []byte { return requests[rand.IntN(len(requests))] }, rig.During(s.round))
			lost += refused
			return rate, err
		}
	}
	duel, err := figures.Duel(s.ctx, s.rounds, at(wrong), at(right))
	if err != nil {
		return nil, err
	}
	r := figures.Row{
		Measure: fmt.Sprintf("live calls by the wrong hub, %d clients", manyClients), Value: figures.PerSecond(duel.First), Against: "by the right one: " + figures.PerSecond(duel.Second),
		Ratio: duel.Ratio, Goal: figures.AtLeast(wrongGoal), OK: duel.Ratio >= wrongGoal && lost == 0,
	}
	if lost > 0 {
		r.Value += fmt.Sprintf(", %d found no way", lost)
	}
	return []figures.Row{r}, nil
}

// found waits until every request was answered by a hub.
func (s *several) found(at *hub, requests [][]byte) error {
	for _, r := range requests {
		_, err := s.until("a way to a terminal of another hub", func() (bool, error) {
			_, err := rig.Send(at.Address, r)
			var refusal *rig.Refusal
			if errors.As(err, &refusal) {
				return false, nil
			}
			return err == nil, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// back kills a hub and counts until its terminals hang on the others.
func (s *several) back() ([]figures.Row, error) {
	dies := s.hubs[severalHubs-1]
	hung, err := dies.metric("maquininha_hub_terminals_online")
	if err != nil {
		return nil, err
	}
	s.door.without(dies)
	began := time.Now()
	if err := dies.Kill(); err != nil {
		return nil, err
	}
	if _, err := s.up("the terminals have noticed", func(n int) bool { return n < len(s.members) }); err != nil {
		return nil, err
	}
	_, late := s.up("all terminals back", func(n int) bool { return n == len(s.members) })
	took := time.Since(began)
	if late != nil && !errors.Is(late, errTooLong) {
		return nil, late
	}
	r := figures.Row{
		Measure: fmt.Sprintf("all of %s back after kill -9 of one of %d hubs", figures.Thousands(len(s.members)), severalHubs), Value: fmt.Sprintf("%.1f s", took.Seconds()),
		Against: fmt.Sprintf("%.0f hung there", hung), Goal: "≤ " + backGoal.String(), OK: took <= backGoal,
	}
	if late != nil {
		r.Value = "not after " + s.patience.String()
	}
	return []figures.Row{r}, nil
}
