package main

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// sample is something measured at a moment of the campaign.
type sample struct {
	at    time.Duration // since its beginning
	value float64
}

// quarters are the medians of the first and the last quarter of what came after the warm-up, in the order of time. Medians, so
// that a moment's peak is no growth; quarters, so that growth has half of the samples in between to show.
func quarters(samples []sample, warm time.Duration) (first, last float64, ok bool) {
	var after []float64
	for _, s := range samples {
		if s.at >= warm {
			after = append(after, s.value)
		}
	}
	quarter := len(after) / 4
	if quarter == 0 {
		return 0, 0, false
	}
	return percentile(after[:quarter], 50), percentile(after[len(after)-quarter:], 50), true
}

func percentile(values []float64, p int) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, len(sorted)*p/100)]
}

func milliseconds(ms float64) string { return fmt.Sprintf("%.2f ms", ms) }

// tally is what callers saw; many write to it.
type tally struct {
	began time.Time

	mu       sync.Mutex
	routes   map[string][]sample // answer times in milliseconds
	refused  map[string]int      // the 503 of the contract, by message
	failures int
	problems map[string]int // by kind
}

func newTally() *tally {
	return &tally{began: time.Now(), routes: map[string][]sample{}, refused: map[string]int{}, problems: map[string]int{}}
}

func (t *tally) answered(route string, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.routes[route] = append(t.routes[route], sample{time.Since(t.began), float64(took) / float64(time.Millisecond)})
}

func (t *tally) busy(message string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refused[message]++
}

func (t *tally) failed(kind string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failures++
	if len(t.problems) < 20 || t.problems[kind] > 0 {
		t.problems[kind]++
	}
}

// routeFigures are one route's answer times, in milliseconds.
type routeFigures struct {
	name        string
	requests    int
	first, last float64
	p99         float64
	then, fresh float64 // afterwards, in turns with a fresh service
	judged      bool
	grew        bool
}

func (f routeFigures) remark() string {
	switch {
	case f.grew:
		return "GREW"
	case !f.judged:
		return "not judged"
	}
	return ""
}

// Held routes answer when people have done their part, and a restart when everything has stopped: that takes as long as
// it takes.
var heldRoutes = []string{"POST /ask", "POST /ask/form", "POST /transaction", "POST /transaction/{id}/reversal", "POST /restart", "wrong password"}

const enough = 40 // answers for a median that says something

// figures are the routes' answer times. One has grown when its median is twice a fresh service's and 1 ms more.
func (t *tally) figures(warm time.Duration, then [2]*tally) (all []routeFigures, requests int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, samples := range t.routes {
		f := routeFigures{name: name, requests: len(samples), p99: percentile(values(samples), 99)}
		f.first, f.last, _ = quarters(samples, warm)
		now, fresh := values(then[0].routes[name]), values(then[1].routes[name])
		f.then, f.fresh = percentile(now, 50), percentile(fresh, 50)
		f.judged = min(len(now), len(fresh)) >= enough && !slices.Contains(heldRoutes, name)
		f.grew = f.judged && f.then > 2*f.fresh+1
		all = append(all, f)
		requests += len(samples)
	}
	slices.SortFunc(all, func(a, b routeFigures) int { return b.requests - a.requests })
	return all, requests
}

func values(samples []sample) []float64 {
	all := make([]float64, len(samples))
	for i, s := range samples {
		all[i] = s.value
	}
	return all
}

// said is what went wrong, and what was refused as it may be.
func (t *tally) said() (problems []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for kind, n := range t.problems {
		problems = append(problems, fmt.Sprintf("error, %d times: %s", n, kind))
	}
	for message, n := range t.refused {
		problems = append(problems, fmt.Sprintf("503, %d times: %s", n, message))
	}
	slices.Sort(problems)
	return problems
}
