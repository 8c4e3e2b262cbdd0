package metricstest_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/metrics/metricstest"
)

// A parser that takes anything proves nothing.
func TestParseRefuses(t *testing.T) {
	const counter = "# HELP a_total A.\n# TYPE a_total counter\n"
	const histogram = "# HELP h H.\n# TYPE h histogram\n"
	for name, text := range map[string]string{
		"no end":               counter + "a_total 1",
		"no type":              "a_total 1\n",
		"no help":              "# TYPE a_total counter\na_total 1\n",
		"another family":       counter + "b_total 1\n",
		"twice":                counter + "a_total 1\na_total 2\n",
		"family twice":         counter + counter,
		"below zero":           counter + "a_total -1\n",
		"no number":            counter + "a_total um\n",
		"a timestamp":          counter + "a_total 1 2\n",
		"a quote in a label":   counter + "a_total{l=\"a\"b\"} 1\n",
		"a label twice":        counter + "a_total{l=\"a\",l=\"b\"} 1\n",
		"no comma":             counter + "a_total{l=\"a\"m=\"b\"} 1\n",
		"an escape of its own": counter + "a_total{l=\"\\x00\"} 1\n",
		"falling buckets":      histogram + "h_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\n",
		"another count":        histogram + "h_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 2\n",
		"no last bucket":       histogram + "h_bucket{le=\"1\"} 1\nh_sum 1\nh_count 1\n",
		"a plain sample":       histogram + "h 1\n",
	} {
		if got, err := metricstest.Parse(text); err == nil {
			t.Errorf("%s: taken as %v", name, got)
		}
	}
}
