package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/rig"
)

// plan is how long and how hard a soak is.
type plan struct {
	duration time.Duration
	rate     int    // requests a second
	calm     bool   // nothing is restarted
	stacks   string // file, or none

	turn        time.Duration // how long each service trades at a time afterwards; 0: as befits the duration
	environment []string      // of the services, besides what there is
}

// What counts as growth. Between the two quarters lies half of the time: at 100 requests a second in an hour, 8 MiB
// are some 50 bytes a request, and a handle in every 10,000.
const (
	mostMiB     = 80 // ever
	growMiB     = 8
	growHeld    = 4 // MiB
	growHandles = 12
	growThreads = 8
	// More than a service that has just begun, when nobody is connected. The store opens its readers when they are first
	// needed at once, two files each.
	restHandles  = 12
	restRoutines = 6
)

// runSoak sends the traffic to one service, then holds it against a fresh one: in how fast it answers, taking turns, and
// in what it holds when everybody is gone.
func runSoak(ctx context.Context, binary, dir string, p plan) (*report, error) {
	soaked, err := open(ctx, p, binary, filepath.Join(dir, "soaked"))
	if err != nil {
		return nil, err
	}
	defer soaked.Process.Kill() //nolint:errcheck // it has ended, unless something failed
	t := newTally()
	samples, err := soak(ctx, soaked, p, t)
	if err != nil {
		return nil, err
	}
	fresh, err := open(ctx, p, binary, filepath.Join(dir, "fresh"))
	if err != nil {
		return nil, err
	}
	defer fresh.Process.Kill() //nolint:errcheck // as above
	then, err := takeTurns(ctx, p, soaked, fresh)
	if err != nil {
		return nil, err
	}
	var left [2]remains
	sockets := 0
	for i, s := range []*rig.Server{fresh, soaked} {
		if left[1-i], err = leave(ctx, s, sockets); err != nil {
			return nil, err
		}
		sockets = left[1-i].sockets
	}
	if p.stacks != "" {
		if err := os.WriteFile(p.stacks, []byte(left[0].stacks), 0o600); err != nil {
			return nil, err
		}
	}
	return judge(p, t, then, samples, left[0], left[1]), nil
}

func open(ctx context.Context, p plan, binary, data string) (*rig.Server, error) {
	if err := os.Mkdir(data, 0o700); err != nil {
		return nil, err
	}
	return rig.ServiceIn(ctx, append(slices.Clone(p.environment), "GODEBUG=gctrace=1"), binary, data, "--autopilot-delay", "0s", "--platform", "android")
}

// soak has a service under the traffic; samples are how it was on the way.
func soak(ctx context.Context, service *rig.Server, p plan, t *tally) (samples []glance, err error) {
	s := newShop(service, t)
	defer s.client.CloseIdleConnections()
	traffic, end := context.WithTimeout(ctx, p.duration)
	defer end()
	t.began = time.Now()
	var trading sync.WaitGroup
	trading.Go(func() { s.trade(traffic, p) })
	samples, err = watch(traffic, service.Process.Pid, p)
	trading.Wait()
	return samples, errors.Join(err, ctx.Err())
}

const turns = 6 // of each

// takeTurns has the two services trade alternately, so that whatever else the machine does falls on both: a first and a
// last quarter do not meet the same machine. Nothing is restarted meanwhile.
func takeTurns(ctx context.Context, p plan, services ...*rig.Server) (tallies [2]*tally, err error) {
	turn := plan{duration: cmp.Or(p.turn, min(max(p.duration/60, time.Second), 10*time.Second)), rate: p.rate, calm: true}
	for i := range tallies {
		tallies[i] = newTally()
	}
	for n := range 2 * turns {
		if _, err := soak(ctx, services[n%2], turn, tallies[n%2]); err != nil {
			return tallies, err
		}
	}
	return tallies, nil
}

// remains is what a service holds when its callers are gone.
type remains struct {
	rig.Footprint
	sockets    int
	goroutines int
	stacks     string
	held       []sample // memory, MiB, since it began
}

// leave ends a service that has come to rest, which one has with no more sockets than another had; 0: nobody knows.
func leave(ctx context.Context, service *rig.Server, sockets int) (r remains, err error) {
	r.Footprint, r.sockets, err = atRest(ctx, service.Process.Pid, sockets)
	if err != nil {
		return r, err
	}
	r.goroutines, r.stacks, err = service.Goroutines()
	r.held = held(r.stacks)
	return r, err
}

var collection = regexp.MustCompile(`(?m)^gc \d+ @([\d.]+s) .* \d+->\d+->(\d+) MB`)

// held is what a service still had a use for each time its garbage was collected, by what it wrote of it.
func held(said string) (series []sample) {
	for _, c := range collection.FindAllStringSubmatch(said, -1) {
		at, _ := time.ParseDuration(c[1])      // the pattern has a duration
		mib, _ := strconv.ParseFloat(c[2], 64) // and a number
		series = append(series, sample{at, mib})
	}
	return series
}

// sampled is how often a service is looked at, whatever the length of the campaign.
const sampled = 400

// glance is how a service was at a moment of the campaign.
type glance struct {
	at time.Duration
	rig.Footprint
}

func watch(ctx context.Context, pid int, p plan) (samples []glance, err error) {
	began := time.Now()
	every := time.NewTicker(p.duration / sampled)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return samples, nil
		case <-every.C:
			f, err := rig.Measure(pid)
			if err != nil {
				return nil, fmt.Errorf("the service is gone: %w", err)
			}
			samples = append(samples, glance{time.Since(began), f}) // on a busy machine some are left out
		}
	}
}

// atRest waits until a service has let go of its connections: until it has no more sockets than given, for a minute at
// most, and then until nothing has gone for a second. On a busy machine that takes longer.
func atRest(ctx context.Context, pid, sockets int) (last rig.Footprint, open int, err error) {
	began := time.Now()
	for still := 0; still < 10; {
		select {
		case <-ctx.Done():
			return last, open, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
		now, err := rig.Measure(pid)
		if err != nil {
			return now, open, err
		}
		if open, err = rig.Sockets(pid); err != nil {
			return now, open, err
		}
		held := sockets > 0 && open > sockets && time.Since(began) < time.Minute
		if still++; now.Handles != last.Handles || held {
			still = 0
		}
		last = now
	}
	return last, open, nil
}

// judge holds the figures against their goals.
func judge(p plan, t *tally, then [2]*tally, samples []glance, soaked, fresh remains) *report {
	warm := min(p.duration/10, 5*time.Minute) // caches, pools and files that grow are a matter of the start
	r := &report{problems: t.said()}
	requests := 0
	r.routes, requests = t.figures(warm, then)
	grown, judged := 0, 0
	for _, f := range r.routes {
		if f.judged {
			judged++
		}
		if f.grew {
			grown++
		}
	}
	for i, side := range then {
		t.failures += side.failures
		for _, problem := range side.said() {
			r.problems = append(r.problems, []string{"afterwards, ", "afterwards, fresh: "}[i]+problem)
		}
	}
	refused := 0
	for _, n := range t.refused {
		refused += n
	}
	r.add(finding{
		measure: fmt.Sprintf("errors in %v", p.duration), value: fmt.Sprintf("%d of %d requests (%.0f/s; %d refused with 503)", t.failures, requests, float64(requests)/p.duration.Seconds(), refused),
		goal: "none but the 503 of the contract", ok: t.failures == 0 && requests > 0,
	})
	r.add(finding{measure: "resident memory, most", value: fmt.Sprintf("%.1f MiB", soaked.PeakMiB), goal: fmt.Sprintf("≤ %d MiB", mostMiB), ok: soaked.PeakMiB <= mostMiB})
	for _, m := range []struct {
		name  string
		of    func(rig.Footprint) float64
		grows float64
		noisy bool
	}{
		// In seconds it is garbage that lies, and what only the start needed and the system got back; what is held shows when it is collected.
		{"resident memory, MiB", func(f rig.Footprint) float64 { return f.MiB }, growMiB, true},
		{"open files", func(f rig.Footprint) float64 { return float64(f.Handles) }, growHandles, false},
		// More are made whenever the disk or another program keeps those that there are; whoever holds one for ever is among the
		// goroutines at rest.
		{"threads", func(f rig.Footprint) float64 { return float64(f.Threads) }, growThreads, true},
	} {
		series := make([]sample, len(samples))
		for i, f := range samples {
			series[i] = sample{f.at, m.of(f.Footprint)}
		}
		first, last, ok := quarters(series, warm)
		r.add(finding{
			measure: m.name + ", first and last quarter", value: fmt.Sprintf("%.1f → %.1f", first, last),
			goal: fmt.Sprintf("at most %.0f more", m.grows), ok: ok && last <= first+m.grows, noisy: m.noisy,
		})
	}
	first, last, ok := quarters(soaked.held, warm)
	r.add(finding{
		measure: "memory held, MiB, first and last quarter of the collections", value: fmt.Sprintf("%.1f → %.1f", first, last),
		goal: fmt.Sprintf("at most %d more", growHeld), ok: ok && last <= first+growHeld,
	})
	r.add(finding{
		measure: "open files at rest", value: fmt.Sprintf("%d, a fresh service %d", soaked.Handles, fresh.Handles),
		goal: fmt.Sprintf("at most %d more", restHandles), ok: soaked.Handles <= fresh.Handles+restHandles,
	})
	r.add(finding{
		measure: "goroutines at rest", value: fmt.Sprintf("%d, a fresh service %d", soaked.goroutines, fresh.goroutines),
		goal: fmt.Sprintf("at most %d more", restRoutines), ok: soaked.goroutines <= fresh.goroutines+restRoutines,
	})
	r.add(finding{
		measure: "routes slower than a fresh service's", value: fmt.Sprintf("%d of %d", grown, judged), goal: "none", ok: grown == 0, noisy: true,
	})
	return r
}
