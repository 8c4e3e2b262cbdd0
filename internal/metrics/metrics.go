// Package metrics counts what the terminal does, and writes it as Prometheus reads it, for those who watch many terminals.
//
// Every series is named when the service is put together, none by a request: nobody from outside can make one. Counting
// takes no lock and no memory. A Meter lives as long as a service: a restart counts from zero, which Prometheus knows how
// to read.
package metrics

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Counter only ever grows.
type Counter struct{ n atomic.Uint64 }

// Inc counts one more.
func (c *Counter) Inc() { c.n.Add(1) }

// Add counts several more.
func (c *Counter) Add(n int) { c.n.Add(uint64(max(0, n))) }

// Meter is everything that one service counts.
type Meter struct {
	mu       sync.Mutex
	families []*Family // in the order they were named
	routes   []*Route
}

// New returns a meter that has counted nothing.
func New() *Meter { return &Meter{} }

// Family is all the series of one name.
type Family struct {
	meter            *Meter
	name, kind, help string
	series           []series
}

// series is one value: looked up each time somebody asks, so that a gauge is never out of date.
type series struct {
	labels string
	value  func() float64
}

// Totals are values that only ever grow. Who names a family that there is already gets that one.
func (m *Meter) Totals(name, help string) *Family { return m.family(name, "counter", help) }

// Gauges are values that come and go.
func (m *Meter) Gauges(name, help string) *Family { return m.family(name, "gauge", help) }

func (m *Meter) family(name, kind, help string) *Family {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.IndexFunc(m.families, func(f *Family) bool { return f.name == name }); i >= 0 {
		return m.families[i]
	}
	f := &Family{meter: m, name: name, kind: kind, help: help}
	m.families = append(m.families, f)
	return f
}

// Counter is a new series that is counted up. It shows at once, as zero: who watches for the first of something must have
// seen that there was none. Labels are names and values in turn.
func (f *Family) Counter(labels ...string) *Counter {
	c := &Counter{}
	f.Value(func() float64 { return float64(c.n.Load()) }, labels...)
	return c
}

// Value is a new series that is looked up.
func (f *Family) Value(value func() float64, labels ...string) {
	f.meter.mu.Lock()
	defer f.meter.mu.Unlock()
	f.series = append(f.series, series{labelled(labels...), value})
}

// Text is everything as it is now, in Prometheus's text format.
func (m *Meter) Text() []byte {
	var b bytes.Buffer
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.families {
		head(&b, f.name, f.kind, f.help)
		for _, s := range f.series {
			line(&b, f.name+s.labels, s.value())
		}
	}
	writeRoutes(&b, m.routes)
	return b.Bytes()
}

func head(b *bytes.Buffer, name, kind, help string) {
	b.WriteString("# HELP " + name + " " + escapeHelp.Replace(help) + "\n# TYPE " + name + " " + kind + "\n")
}

func line(b *bytes.Buffer, name string, value float64) {
	b.WriteString(name + " ")
	b.Write(strconv.AppendFloat(b.AvailableBuffer(), value, 'f', -1, 64))
	b.WriteByte('\n')
}

// How Prometheus wants the text of a label and of a help line.
var (
	escapeLabel = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	escapeHelp  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
)

func labelled(labels ...string) string {
	if len(labels) == 0 {
		return ""
	}
	var pairs []string
	for i := 0; i+1 < len(labels); i += 2 {
		pairs = append(pairs, labels[i]+`="`+escapeLabel.Replace(strings.ToValidUTF8(labels[i+1], "\uFFFD"))+`"`)
	}
	return "{" + strings.Join(pairs, ",") + "}"
}
