package metrics_test

import (
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/metrics"
	"github.com/maquininha/maquininha/internal/metrics/metricstest"
)

func parse(t *testing.T, m *metrics.Meter) metricstest.Samples {
	t.Helper()
	samples, err := metricstest.Parse(string(m.Text()))
	if err != nil {
		t.Fatalf("%v in\n%s", err, m.Text())
	}
	return samples
}

func TestText(t *testing.T) {
	m := metrics.New()
	paper := m.Totals("fails_total", "Uma \\ linha\nou duas.").Counter("reason", "paper")
	m.Totals("fails_total", "").Counter("reason", "cover").Inc()
	m.Gauges("size", "Tamanho.").Value(func() float64 { return 12345678901 })
	m.Gauges("info", "Quem.").Value(func() float64 { return 1 }, "name", "a \"b\" \\ \n\xff, c")
	m.Gauges("free", "Livre.").Value(math.NaN)
	paper.Inc()
	paper.Inc()
	got := parse(t, m)
	for series, want := range map[string]float64{
		`fails_total{reason="paper"}`: 2, `fails_total{reason="cover"}`: 1, `size`: 12345678901, `info{name="a \"b\" \\ \n` + "\uFFFD" + `, c"}`: 1,
	} {
		if value, there := got[series]; !there || value != want {
			t.Errorf("%s is %v, want %v; all: %v", series, value, want, got)
		}
	}
	if text := string(m.Text()); !strings.Contains(text, "size 12345678901\n") || !strings.Contains(text, "free NaN\n") {
		t.Errorf("numbers are not as Prometheus writes them:\n%s", text)
	}
}

func TestRoutes(t *testing.T) {
	m := metrics.New()
	m.Route("GET /never")
	r := m.Route("POST /ask")
	if m.Route("POST /ask") != r {
		t.Error("two routes of one name")
	}
	for _, took := range []time.Duration{0, time.Millisecond, 2 * time.Second, time.Hour} {
		r.Done(metrics.OK, took)
	}
	r.Done(metrics.Gone, 90*time.Second)
	got := parse(t, m)
	for series, want := range map[string]float64{
		`maquininha_requests_total{route="POST /ask",outcome="ok"}`: 4, `maquininha_requests_total{route="POST /ask",outcome="gone"}`: 1,
		`maquininha_request_seconds_bucket{route="POST /ask",le="0.001"}`: 2, `maquininha_request_seconds_bucket{route="POST /ask",le="0.5"}`: 2,
		`maquininha_request_seconds_bucket{route="POST /ask",le="2"}`: 3, `maquininha_request_seconds_bucket{route="POST /ask",le="300"}`: 4,
		`maquininha_request_seconds_count{route="POST /ask"}`: 5, `maquininha_request_seconds_sum{route="POST /ask"}`: 3692.001,
	} {
		if got[series] != want {
			t.Errorf("%s is %v, want %v", series, got[series], want)
		}
	}
	for series := range got {
		if strings.Contains(series, "/never") || strings.Contains(series, "refused") {
			t.Errorf("%s never happened", series)
		}
	}
}

func TestCountingTakesNoMemory(t *testing.T) {
	m := metrics.New()
	r, c := m.Route("GET /status"), m.Totals("a_total", "A.").Counter()
	if n := testing.AllocsPerRun(1000, func() { r.Done(metrics.OK, time.Millisecond); c.Inc() }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestCountingWhileRead(t *testing.T) {
	m := metrics.New()
	c := m.Totals("a_total", "A.").Counter()
	var counting sync.WaitGroup
	for range 4 {
		counting.Go(func() {
			for range 1000 {
				m.Route("GET /status").Done(metrics.OK, time.Second)
				c.Inc()
			}
		})
	}
	for range 20 {
		parse(t, m)
	}
	counting.Wait()
	got := parse(t, m)
	if got["a_total"] != 4000 || got[`maquininha_request_seconds_count{route="GET /status"}`] != 4000 {
		t.Errorf("got %v", got)
	}
}

func BenchmarkDone(b *testing.B) {
	r := metrics.New().Route("GET /status")
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			r.Done(metrics.OK, 10*time.Microsecond)
		}
	})
}
