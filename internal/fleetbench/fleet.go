package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
	"github.com/maquininha/maquininha/internal/rig/figures"
	"github.com/maquininha/maquininha/internal/tunnel"
)

// The goals of the table, as the fleet was designed for.
const (
	memoryGoal  = 512 // MiB
	backGoal    = 60 * time.Second
	callsGoal   = 0.6
	absentGoal  = 50 * time.Millisecond
	listGoal    = time.Second
	recordsGoal = 4000 // a second: 10,000 terminals at their peak; on a usual day 800
)

const (
	manyClients = 16
	absentees   = 100 // have joined and are not there
)

// fleet is a hub with its terminals, and the proxy that it is held against.
type fleet struct {
	*bench
	hub            *hub
	bare           *rig.Server
	terminals      *rig.Server
	members, bares []tunnel.Membership
	client         *http.Client
}

// measureFleet goes from many terminals that join to the hub's death.
func (b *bench) measureFleet() (rows []figures.Row, err error) {
	f, err := b.openFleet("hub", b.terminals, b.relayed)
	if err != nil {
		return nil, err
	}
	defer f.close()
	return b.each([]topic{
		{"memory", f.memory}, {"calls", f.calls}, {"absent", f.absent}, {"list", f.list}, {"page", f.page}, {"records", f.pull("SQLite")}, {"back", f.back},
	})
}

// openFleet starts a hub, has terminals join it, and returns when all are connected.
func (b *bench) openFleet(name string, terminals, bares int, more ...string) (f *fleet, err error) {
	data := filepath.Join(b.dir, name)
	if err := os.Mkdir(data, 0o700); err != nil {
		return nil, err
	}
	f = &fleet{bench: b, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: manyClients}}}
	defer func() {
		if err != nil {
			f.close()
		}
	}()
	if f.hub, err = b.startHub(data, more...); err != nil {
		return f, err
	}
	began := time.Now()
	if f.members, err = b.join(f.hub, terminals+absentees); err != nil {
		return f, err
	}
	b.report(fmt.Sprintf("  %d terminals have joined in %.1f s", len(f.members), time.Since(began).Seconds()))
	connected := slices.Clone(f.members[:terminals])
	if bares > 0 {
		if f.bare, f.bares, err = b.startBare(f.hub, bares); err != nil {
			return f, err
		}
		connected = append(connected, f.bares...)
	}
	path, err := b.writeMembers(name+".json", connected)
	if err != nil {
		return f, err
	}
	if f.terminals, err = b.startTerminals(path); err != nil {
		return f, err
	}
	took, err := b.online(f.hub, terminals)
	if err != nil {
		return f, err
	}
	b.report(fmt.Sprintf("  all are connected after %.1f s", took.Seconds()))
	_, err = b.until("all links", func() (bool, error) {
		up, err := rig.Send(f.terminals.Address, rig.Request("GET", "/up", ""))
		return string(up) == fmt.Sprint(len(connected)), err
	})
	return f, err
}

func (f *fleet) close() {
	f.client.CloseIdleConnections()
	for _, s := range []*rig.Server{f.terminals, f.bare} {
		if s != nil {
			s.Kill() //nolint:errcheck // it knows no other way to end
		}
	}
	if f.hub != nil && f.hub.Server != nil {
		f.hub.Stop() //nolint:errcheck // what it answered is counted already
	}
}

func (f *fleet) many() string { return figures.Thousands(f.effort.terminals) }

// memory is what the hub holds while all terminals are connected and nothing happens.
func (f *fleet) memory() ([]figures.Row, error) {
	if err := f.wait(f.rest); err != nil {
		return nil, err
	}
	r, err := f.resident("hub resident, " + f.many() + " joined")
	return []figures.Row{r}, err
}

func (f *fleet) resident(measure string) (figures.Row, error) {
	is, err := rig.Measure(f.hub.Process.Pid)
	if err != nil {
		return figures.Row{}, err
	}
	return figures.Row{
		Measure: measure, Value: fmt.Sprintf("%.0f MiB", is.MiB), Against: fmt.Sprintf("the most it was: %.0f MiB", is.PeakMiB), Goal: fmt.Sprintf("≤ %d MiB", memoryGoal),
		OK: is.MiB <= memoryGoal,
	}, nil
}

func (b *bench) wait(d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-b.ctx.Done():
		return b.ctx.Err()
	}
}

// calls are live ones through the hub, in turns with the same through a bare proxy: once over links of the same kind, which terminals
// dialled, and once by connections that the proxy itself dials, without TLS.
func (f *fleet) calls() (rows []figures.Row, err error) {
	through := func(s *rig.Server, request func(i int) []byte) func() (float64, error) {
		requests := make([][]byte, f.relayed)
		for i := range requests {
			requests[i] = request(i)
		}
		return func() (float64, error) {
			return rig.Drive(s.Address, manyClients, func() []byte { return requests[rand.IntN(len(requests))] }, rig.During(f.round))
		}
	}
	hub := through(f.hub.Server, func(i int) []byte { return f.hub.get("/terminals/" + f.members[i].Terminal + "/status") })
	for _, other := range []struct {
		name, header string
	}{{"over such links", ""}, {"of connections it dials", plainHeader + ": " + f.terminals.Address + "\r\n"}} {
		bare := through(f.bare, func(i int) []byte {
			request := string(f.hub.get("/terminals/" + f.bares[i].Terminal + "/status")) // as long as the other's
			return []byte(strings.TrimSuffix(request, "\r\n") + other.header + "\r\n")
		})
		s, err := figures.Duel(f.ctx, f.rounds, hub, bare)
		if err != nil {
			return rows, err
		}
		rows = append(rows, figures.Row{
			Measure: fmt.Sprintf("live calls, %d clients", manyClients), Value: figures.PerSecond(s.First), Against: "bare ReverseProxy " + other.name + ": " + figures.PerSecond(s.Second),
			Ratio: s.Ratio, Goal: figures.AtLeast(callsGoal), OK: s.Ratio >= callsGoal,
		})
	}
	return rows, nil
}

// timed measures how long requests take, some at once, in order of length.
func (f *fleet) timed(clients, n int, ask func(i int) error) ([]time.Duration, error) {
	took := make([]time.Duration, n)
	failures := make([]error, clients)
	done := make(chan struct{})
	for c := range clients {
		go func() {
			for i := c; i < n && failures[c] == nil && f.ctx.Err() == nil; i += clients {
				began := time.Now()
				failures[c] = ask(i)
				took[i] = time.Since(began)
			}
			done <- struct{}{}
		}()
	}
	for range clients {
		<-done
	}
	slices.Sort(took)
	return took, errors.Join(append(failures, f.ctx.Err())...)
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.3g ms", float64(d)/float64(time.Millisecond))
}

// absent is how soon a caller hears that a terminal is not there.
func (f *fleet) absent() ([]figures.Row, error) {
	gone := f.members[f.effort.terminals:]
	took, err := f.timed(manyClients, f.asked, func(i int) error {
		status, err := f.hub.ask(f.client, "POST", "/terminals/"+gone[i%len(gone)].Terminal+"/transaction", map[string]any{"amount": 1, "referenceId": "r"}, nil)
		if err == nil && status != http.StatusServiceUnavailable {
			err = fmt.Errorf("an absent terminal was answered with %d", status)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	p99 := took[len(took)*99/100]
	return []figures.Row{{
		Measure: fmt.Sprintf("absent terminal answered, p99, %d clients", manyClients), Value: milliseconds(p99), Against: "median " + milliseconds(took[len(took)/2]),
		Goal: "≤ " + absentGoal.String(), OK: p99 <= absentGoal,
	}}, nil
}

// list is what the page asks for first, and the whole list as a program may ask for it.
func (f *fleet) list() (rows []figures.Row, err error) {
	for _, limit := range []int{100, f.effort.terminals} {
		var said struct {
			Terminals []struct{} `json:"terminals"`
			Total     int        `json:"total"`
		}
		took, err := f.timed(1, max(5, f.asked/100), func(int) error {
			_, err := f.hub.ask(f.client, "GET", fmt.Sprintf("/api/v1/terminals?limit=%d", limit), nil, &said)
			return err
		})
		if err == nil && (said.Total != len(f.members) || len(said.Terminals) != min(limit, said.Total)) {
			err = fmt.Errorf("the list has %d of %d", len(said.Terminals), said.Total)
		}
		if err != nil {
			return rows, err
		}
		slowest := took[len(took)-1]
		rows = append(rows, figures.Row{
			Measure: fmt.Sprintf("list of %s, %s rows of it, slowest", figures.Thousands(said.Total), figures.Thousands(len(said.Terminals))), Value: milliseconds(slowest),
			Against: "median " + milliseconds(took[len(took)/2]), Goal: "≤ " + listGoal.String(), OK: slowest <= listGoal,
		})
	}
	return rows, nil
}

// pull is how fast records come in that all terminals make at once.
func (f *fleet) pull(database string) func() ([]figures.Row, error) {
	return func() ([]figures.Row, error) {
		const name = "maquininha_hub_records_total"
		before, err := f.hub.metric(name)
		if err != nil {
			return nil, err
		}
		began := time.Now()
		if _, err := rig.Send(f.terminals.Address, rig.Request("GET", fmt.Sprintf("/pay?terminals=%d&payments=%d", f.relayed, f.payments), "")); err != nil {
			return nil, err
		}
		made := f.relayed * f.payments * recordsEach
		_, err = f.until("records", func() (bool, error) {
			now, err := f.hub.metric(name)
			return int(now-before) >= made, err
		})
		if err != nil {
			return nil, err
		}
		rate := float64(made) / time.Since(began).Seconds()
		return []figures.Row{{
			Measure: "records read, " + database, Value: figures.PerSecond(rate), Against: fmt.Sprintf("%d payments of %d records at %d terminals at once", f.payments, recordsEach, f.relayed),
			Goal: "≥ " + figures.PerSecond(recordsGoal), OK: rate >= recordsGoal,
		}}, nil
	}
}

// back kills the hub and counts until all terminals are connected to the next one.
func (f *fleet) back() ([]figures.Row, error) {
	began := time.Now()
	if err := f.hub.restart(); err != nil {
		return nil, err
	}
	started := time.Since(began)
	_, late := f.online(f.hub, f.effort.terminals)
	took := time.Since(began)
	if late != nil && !errors.Is(late, errTooLong) {
		return nil, late
	}
	r := figures.Row{
		Measure: "all back after kill -9 of the hub", Value: fmt.Sprintf("%.1f s", took.Seconds()), Against: fmt.Sprintf("the hub answered after %.1f s", started.Seconds()),
		Goal: "≤ " + backGoal.String(), OK: took <= backGoal,
	}
	if late != nil {
		r.Value = "not after " + f.patience.String()
	}
	memory, err := f.resident("hub resident after that")
	return []figures.Row{r, memory}, err
}
