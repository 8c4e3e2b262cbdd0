package testserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/referee"
)

// Report is what a caller did, and what it did wrong.
type Report struct {
	Scenario  string    `json:"scenario"`
	StartedAt time.Time `json:"startedAt"`
	EndedAt   time.Time `json:"endedAt"`
	Faults    []Fault   `json:"faults"`
	Ignored   int       `json:"ignored"` // faults of rules that were to be ignored
	Notes     []string  `json:"notes"`   // about the scenario itself
	Requests  []Request `json:"requests"`
	Missed    int       `json:"missed"` // requests beyond those that could be remembered, not judged
	Command   *Command  `json:"command"`
}

// Fault is something that the caller did wrong.
type Fault struct {
	Rule    string    `json:"rule"`
	Title   string    `json:"title"` // the rule in words
	What    string    `json:"what"`  // what happened
	Remedy  string    `json:"remedy"`
	At      time.Time `json:"at"`
	Request int       `json:"request"` // its number in Requests; 0: of none
	Method  string    `json:"method"`
	Path    string    `json:"path"`
	Status  int       `json:"status"` // 0: it was not answered
}

// String is the fault in a line.
func (f Fault) String() string {
	if f.Request == 0 {
		return f.Rule + ": " + f.What
	}
	return fmt.Sprintf("%s: %s (requisição %d, %s %s)", f.Rule, f.What, f.Request, f.Method, f.Path)
}

// Request is one that the caller sent.
type Request struct {
	N          int       `json:"n"`
	At         time.Time `json:"at"`
	Method     string    `json:"method"`
	Path       string    `json:"path"`
	Status     int       `json:"status"` // 0: it was not answered
	Message    string    `json:"message,omitempty"`
	DurationMs int64     `json:"durationMs"`
	HungUp     bool      `json:"hungUp,omitempty"` // by the caller
	Lost       bool      `json:"lost,omitempty"`   // by the scenario
}

// Command is the program that was run against the terminal.
type Command struct {
	Args     []string `json:"args"`
	ExitCode int      `json:"exitCode"` // -1: a signal ended it
}

// report judges what was seen.
func (t *Terminal) report(grace time.Duration) Report {
	watch, missed := t.witness.Seen()
	watch.Start, watch.Grace = t.started, grace
	if missed > 0 {
		watch.Grace = max(grace, time.Minute)
	}
	r := Report{
		Scenario: t.scenario.Name, StartedAt: t.started, EndedAt: watch.End, Faults: []Fault{}, Requests: []Request{}, Missed: missed,
		Notes: t.cast.remarks(),
	}
	for _, f := range referee.Judge(watch) {
		if slices.Contains(t.scenario.Ignore, string(f.Rule)) {
			r.Ignored++
			continue
		}
		words := f.Rule.Words()
		fault := Fault{Rule: string(f.Rule), Title: words.Title, What: f.What, Remedy: words.Remedy, At: f.At, Request: f.Request}
		if f.Request > 0 {
			x := watch.Exchanges[f.Request-1]
			fault.Method, fault.Path, fault.Status = x.Method, x.Path, delivered(x)
		}
		r.Faults = append(r.Faults, fault)
	}
	for _, x := range watch.Exchanges {
		end := slices.MaxFunc([]time.Time{x.Answered, x.Left, x.Arrived}, time.Time.Compare)
		r.Requests = append(r.Requests, Request{
			N: x.N, At: x.Arrived, Method: x.Method, Path: x.Path, Status: delivered(x), Message: x.Message,
			DurationMs: end.Sub(x.Arrived).Milliseconds(), HungUp: !x.Left.IsZero(), Lost: x.Cut,
		})
	}
	return r
}

func delivered(x referee.Exchange) int {
	if x.Cut {
		return 0
	}
	return x.Status
}

// JSON writes the report for programs.
func (r Report) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// Text is the report for people, in Portuguese.
func (r Report) Text() string {
	var b strings.Builder
	took := strings.Replace(fmt.Sprintf("%.1f", r.EndedAt.Sub(r.StartedAt).Seconds()), ".", ",", 1)
	fmt.Fprintf(&b, "\nO chamador fez %s em %s s.\n", plural(len(r.Requests)+r.Missed, "requisição", "requisições"), took)
	for _, line := range r.summary() {
		b.WriteString("  " + line + "\n")
	}
	if r.Missed > 0 {
		fmt.Fprintf(&b, "Só as primeiras %d foram julgadas.\n", len(r.Requests))
	}
	for _, note := range r.Notes {
		b.WriteString("Roteiro: " + note + "\n")
	}
	switch c := r.Command; {
	case c == nil || c.ExitCode == 0:
	case c.ExitCode < 0:
		fmt.Fprintf(&b, "O comando %q foi interrompido.\n", strings.Join(c.Args, " "))
	default:
		fmt.Fprintf(&b, "O comando %q terminou com o código %d.\n", strings.Join(c.Args, " "), c.ExitCode)
	}
	if len(r.Faults) == 0 {
		b.WriteString("\n✓ Nenhuma falha do chamador.\n")
		return b.String()
	}
	fmt.Fprintf(&b, "\n✗ %s do chamador:\n", plural(len(r.Faults), "falha", "falhas"))
	for _, group := range r.groups() {
		fmt.Fprintf(&b, "\n%s (%s)\n", group[0].Title, group[0].Rule)
		for i, f := range group {
			if i == shown && len(group) > shown+1 {
				fmt.Fprintf(&b, "  … e mais %d\n", len(group)-shown)
				break
			}
			request := ""
			if f.Request > 0 {
				request = fmt.Sprintf("requisição %d  ", f.Request)
			}
			fmt.Fprintf(&b, "  %s  %s%s\n", f.At.Format("15:04:05.000"), request, f.What)
		}
		b.WriteString("  → " + group[0].Remedy + "\n")
	}
	return b.String()
}

// shown is how many faults of a rule the text lists.
const shown = 5

// groups are the faults by rule, as they first occurred.
func (r Report) groups() (all [][]Fault) {
	for _, f := range r.Faults {
		i := slices.IndexFunc(all, func(g []Fault) bool { return g[0].Rule == f.Rule })
		if i < 0 {
			all = append(all, nil)
			i = len(all) - 1
		}
		all[i] = append(all[i], f)
	}
	return all
}

// summary has a line for each kind of request and how they were answered.
func (r Report) summary() (lines []string) {
	statuses := map[string]map[string]int{}
	var order []string
	for _, q := range r.Requests {
		name := q.Method + " " + q.Path
		if strings.Count(q.Path, "/") > 1 && !strings.HasPrefix(q.Path, "/emulator") {
			parts := strings.SplitN(q.Path, "/", 4)
			switch {
			case parts[1] == "transaction":
				name = strings.TrimSuffix(q.Method+" /transaction/…/"+strings.Join(parts[3:], "/"), "/")
			case parts[1] == "sale" && len(parts) == 4:
				name = q.Method + " /sale/" + parts[2] + "/…"
			}
		}
		if statuses[name] == nil {
			statuses[name] = map[string]int{}
			order = append(order, name)
		}
		how := fmt.Sprint(q.Status)
		switch {
		case q.HungUp:
			how = "desligou"
		case q.Lost:
			how = "resposta perdida"
		case q.Status == 0:
			how = "em aberto"
		}
		statuses[name][how]++
	}
	for _, name := range order {
		var hows []string
		for _, how := range slices.SortedFunc(maps.Keys(statuses[name]), cmp.Compare) {
			hows = append(hows, fmt.Sprintf("%d× %s", statuses[name][how], how))
		}
		lines = append(lines, fmt.Sprintf("%-36s %s", name, strings.Join(hows, ", ")))
	}
	return lines
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
