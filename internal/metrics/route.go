package metrics

import (
	"bytes"
	"strconv"
	"sync/atomic"
	"time"
)

// Outcome is how a request ended.
type Outcome int

// The outcomes of a request.
const (
	OK      Outcome = iota
	Refused         // the caller's fault, or a person's or an acquirer's no: 4xx
	Busy            // another operation held the terminal
	Failed          // the terminal's fault: any other 5xx
	Gone            // the caller hung up first
)

var outcomeNames = [...]string{OK: "ok", Refused: "refused", Busy: "busy", Failed: "failed", Gone: "gone"}

// bounds are those of the buckets: from what a read takes to what people take.
var bounds = [...]time.Duration{
	time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond,
	2 * time.Second, 10 * time.Second, time.Minute, 5 * time.Minute,
}

// Route counts the requests of one row of the interface. It has no lock: every poll of every caller would meet there.
type Route struct {
	name        string
	outcomes    [len(outcomeNames)]atomic.Uint64
	buckets     [len(bounds) + 1]atomic.Uint64
	nanoseconds atomic.Int64
}

// Route is that of a name, the same for each who asks for it.
func (m *Meter) Route(name string) *Route {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.routes {
		if r.name == name {
			return r
		}
	}
	r := &Route{name: name}
	m.routes = append(m.routes, r)
	return r
}

// Done counts a request.
func (r *Route) Done(o Outcome, took time.Duration) {
	bucket := 0
	for bucket < len(bounds) && took > bounds[bucket] {
		bucket++
	}
	r.outcomes[o].Add(1)
	r.buckets[bucket].Add(1)
	r.nanoseconds.Add(int64(took))
}

// writeRoutes leaves out what has never happened: most terminals use few of the routes.
func writeRoutes(b *bytes.Buffer, routes []*Route) {
	const requests, seconds = "maquininha_requests_total", "maquininha_request_seconds"
	head(b, requests, "counter", "Requisições, por rota e desfecho.")
	for _, r := range routes {
		for o, name := range outcomeNames {
			if n := r.outcomes[o].Load(); n > 0 {
				line(b, requests+labelled("route", r.name, "outcome", name), float64(n))
			}
		}
	}
	head(b, seconds, "histogram", "Duração das requisições, por rota.")
	for _, r := range routes {
		var upTo [len(bounds) + 1]uint64
		var count uint64
		for i := range upTo {
			count += r.buckets[i].Load()
			upTo[i] = count
		}
		if count == 0 {
			continue
		}
		for i, n := range upTo {
			most := "+Inf"
			if i < len(bounds) {
				most = strconv.FormatFloat(bounds[i].Seconds(), 'g', -1, 64)
			}
			line(b, seconds+"_bucket"+labelled("route", r.name, "le", most), float64(n))
		}
		line(b, seconds+"_sum"+labelled("route", r.name), float64(r.nanoseconds.Load())/1e9)
		line(b, seconds+"_count"+labelled("route", r.name), float64(count))
	}
}
