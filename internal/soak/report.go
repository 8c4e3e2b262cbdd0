package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// finding is one line of a report.
type finding struct {
	measure string
	value   string
	goal    string
	ok      bool
	// noisy findings depend on what else the machine does; tests look at the others.
	noisy bool
}

// report is what a campaign found.
type report struct {
	findings []finding
	routes   []routeFigures
	problems []string // the first of each kind, in words
}

func (r *report) add(f finding) { r.findings = append(r.findings, f) }

// held tells whether everything was as it should be.
func (r *report) held() bool {
	for _, f := range r.findings {
		if !f.ok {
			return false
		}
	}
	return true
}

func (r *report) print(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(r.routes) > 0 {
		fmt.Fprintln(t, "route\trequests\tp99\tmedian, first quarter\tlast quarter\tin turns\twith a fresh service\t")
		for _, f := range r.routes {
			fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", f.name, f.requests, milliseconds(f.p99), milliseconds(f.first), milliseconds(f.last),
				milliseconds(f.then), milliseconds(f.fresh), f.remark())
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintln(t, "measure\tvalue\tgoal\t")
	for _, f := range r.findings {
		ok := "ok"
		if !f.ok {
			ok = "MISSED"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", f.measure, f.value, f.goal, ok)
	}
	t.Flush() //nolint:errcheck // nobody is left to tell
	for _, p := range r.problems {
		fmt.Fprintln(w, p)
	}
}
