// Package metricstest reads Prometheus's text format, more strictly than Prometheus does.
package metricstest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Samples are the values by series, as `name{label="value",…}`, just as they were written.
type Samples map[string]float64

var (
	sample = regexp.MustCompile(`^([a-zA-Z_][a-zA-Z0-9_]*)(\{[^\n]*\})? (\S+)$`)
	label  = regexp.MustCompile(`^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(,|$)`)
)

type parser struct {
	samples  Samples
	kinds    map[string]string // of the families so far
	family   string            // the one we are in
	helped   string
	previous *bucket
}

type bucket struct {
	series string // without le
	most   float64
	count  float64
}

// Parse reads a whole answer. Every family must have its help and its type before its first sample and stand together,
// no series may come twice, no counter be negative, and every histogram add up.
func Parse(text string) (Samples, error) {
	p := &parser{samples: Samples{}, kinds: map[string]string{}}
	if !strings.HasSuffix(text, "\n") {
		return nil, errors.New("the last line has no end")
	}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("line %d: %w: %q", i+1, err, line)
		}
	}
	return p.samples, nil
}

func (p *parser) line(line string) error {
	if rest, ok := strings.CutPrefix(line, "# HELP "); ok {
		name, help, _ := strings.Cut(rest, " ")
		if p.helped = name; help == "" {
			return errors.New("no help")
		}
		return nil
	}
	if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
		name, kind, _ := strings.Cut(rest, " ")
		switch {
		case !slices.Contains([]string{"counter", "gauge", "histogram"}, kind):
			return errors.New("unknown type")
		case p.kinds[name] != "":
			return errors.New("the family comes twice")
		case p.helped != name:
			return errors.New("no help before it")
		case kind == "counter" && !strings.HasSuffix(name, "_total"):
			return errors.New("a counter is called _total")
		}
		p.kinds[name], p.family = kind, name
		return nil
	}
	return p.sample(line)
}

func (p *parser) sample(line string) error {
	m := sample.FindStringSubmatch(line)
	if m == nil {
		return errors.New("no sample")
	}
	name, labels := m[1], map[string]string{}
	for rest := strings.TrimSuffix(strings.TrimPrefix(m[2], "{"), "}"); rest != ""; {
		l := label.FindStringSubmatch(rest)
		if l == nil {
			return errors.New("bad label")
		}
		if _, twice := labels[l[1]]; twice {
			return errors.New("label twice")
		}
		labels[l[1]], rest = l[2], rest[len(l[0]):]
	}
	value, err := strconv.ParseFloat(m[3], 64)
	if err != nil {
		return err
	}
	kind := p.kinds[p.family]
	switch part := strings.TrimPrefix(name, p.family); {
	case kind == "histogram" && slices.Contains([]string{"_bucket", "_sum", "_count"}, part):
		if err := p.histogram(part, labels, value); err != nil {
			return err
		}
	case name != p.family || kind == "histogram":
		return errors.New("outside its family")
	case kind == "counter" && (value < 0 || math.IsNaN(value)):
		return errors.New("a counter below zero")
	}
	if _, twice := p.samples[m[1]+m[2]]; twice {
		return errors.New("series twice")
	}
	p.samples[m[1]+m[2]] = value
	return nil
}

func (p *parser) histogram(part string, labels map[string]string, value float64) error {
	le, hasBound := labels["le"]
	delete(labels, "le")
	series := fmt.Sprint(slices.Sorted(maps.Keys(labels)), slices.Sorted(maps.Values(labels)))
	before := p.previous
	switch {
	case part == "_sum":
		return nil
	case part == "_count":
		if before == nil || before.series != series || !math.IsInf(before.most, 1) || before.count != value {
			return errors.New("the count is not that of the last bucket")
		}
		return nil
	case !hasBound:
		return errors.New("a bucket without a bound")
	}
	most, err := strconv.ParseFloat(le, 64)
	if err != nil {
		return err
	}
	if before != nil && before.series == series && (most <= before.most || value < before.count) {
		return errors.New("buckets do not add up")
	}
	p.previous = &bucket{series, most, value}
	return nil
}
