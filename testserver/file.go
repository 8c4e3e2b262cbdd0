package testserver

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/httpapi/tefip"
	"github.com/maquininha/maquininha/internal/question"
)

// The keys of a scenario file.
var keys = slices.Concat(
	[]configfile.Setting{
		{Key: "delay", Kind: configfile.Duration},
		{Key: "foreground_wait", Kind: configfile.Duration},
		{Key: "platform"},
		{Key: "compat", Choices: []string{tefip.Name}},
		{Key: "ignore"},
	},
	table("answer",
		configfile.Setting{Key: "type", Choices: names(question.Types)}, configfile.Setting{Key: "prompt"}, configfile.Setting{Key: "value"},
		flag("cancel"), period("delay"), number("times"), flag("always")),
	table("payment", operation(configfile.Setting{Key: "type", Choices: []string{"03", "04", "17", "99"}},
		configfile.Setting{Key: "brand"}, configfile.Setting{Key: "authorization"},
		configfile.Setting{Key: "paid_with", Choices: []string{"03", "04", "17"}})...),
	table("reversal", operation()...),
	table("printer", number("job"), configfile.Setting{Key: "state", Choices: []string{"paperOut", "coverOpen", "offline"}}, number("failures")),
	table("busy", absence()...),
	table("background", absence()...),
	table("restart", configfile.Setting{Key: "request"}, number("number"), period("after")),
)

func table(name string, settings ...configfile.Setting) []configfile.Setting {
	for i := range settings {
		settings[i].Table, settings[i].Repeats = name, true
	}
	return settings
}

func flag(key string) configfile.Setting {
	return configfile.Setting{Key: key, Kind: configfile.Switch}
}

func number(key string) configfile.Setting {
	return configfile.Setting{Key: key, Kind: configfile.Number}
}

func period(key string) configfile.Setting {
	return configfile.Setting{Key: key, Kind: configfile.Duration}
}

func operation(more ...configfile.Setting) []configfile.Setting {
	return append([]configfile.Setting{
		{Key: "amount", Kind: configfile.Amount},
		{Key: "reference"},
		{Key: "outcome", Choices: []string{"approve", "refuse", "cancel", "timeout", "offline"}},
		{Key: "message"},
		period("delay"), period("bank_delay"), flag("lose_answer"), number("times"), flag("always"),
	}, more...)
}

func absence() []configfile.Setting {
	return []configfile.Setting{{Key: "request"}, number("number"), number("refusals"), period("for")}
}

func names(types []question.Type) (all []string) {
	for _, t := range types {
		all = append(all, string(t))
	}
	return all
}

// Read reads a scenario file. Its error has a line for everything that is wrong with it.
func Read(path string) (Scenario, error) {
	f, err := configfile.Open(path, keys)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Scenario{}, fmt.Errorf("o roteiro %s não existe", path)
	case err != nil:
		return Scenario{}, fmt.Errorf("o roteiro %s não pode ser lido: %w", path, err)
	}
	s := scenarioOf(f)
	s.Name = filepath.Base(path)
	return s, complaints(f)
}

func complaints(f *configfile.File) error {
	var all []error
	for _, line := range f.Complaints() {
		all = append(all, errors.New(line))
	}
	return errors.Join(all...)
}

// scenarioOf takes the file's values; what only the scenario can see wrong becomes a problem of the file.
func scenarioOf(f *configfile.File) Scenario {
	refuseNegatives(f)
	top := entry{f.Values}
	s := Scenario{Delay: top.span("delay"), ForegroundWait: top.span("foreground_wait"), Platform: top.text("platform"), Compat: top.text("compat")}
	for name := range strings.SplitSeq(top.text("ignore"), ",") {
		if name = strings.TrimSpace(name); name != "" {
			s.Ignore = append(s.Ignore, name)
		}
	}
	places := map[string][]configfile.Entry{}
	for _, read := range f.Entries {
		places[read.Table] = append(places[read.Table], read)
		e := entry{read.Values}
		switch read.Table {
		case "answer":
			value, given := e.values["value"]
			s.Answers = append(s.Answers, Answer{
				Type: e.text("type"), Prompt: e.text("prompt"), Value: value.Text, Empty: given && value.Text == "", Cancel: e.on("cancel"), Delay: e.delay(), Uses: e.uses(),
			})
		case "payment":
			s.Payments = append(s.Payments, e.operation())
		case "reversal":
			s.Reversals = append(s.Reversals, e.operation())
		case "printer":
			s.Printer = append(s.Printer, Jam{Job: e.count("job"), State: e.text("state"), Failures: e.count("failures")})
		case "busy":
			s.Busy = append(s.Busy, e.absence())
		case "background":
			s.Background = append(s.Background, e.absence())
		case "restart":
			s.Restarts = append(s.Restarts, Restart{When: e.when(), After: e.span("after")})
		}
	}
	for _, p := range s.problems() {
		setting := configfile.Setting{Table: p.kind, Key: p.key}
		line := f.Values[p.key].Line
		if p.kind != "" {
			at := places[p.kind][p.index]
			line = cmp.Or(at.Values[p.key].Line, at.Line)
		}
		f.Refuse(setting, line, p.what)
	}
	return s
}

// refuseNegatives does so for what is written in the file; in a Scenario some have a meaning, and zero is not to say.
func refuseNegatives(f *configfile.File) {
	look := func(table string, values map[string]configfile.Value) {
		for _, s := range keys {
			v, given := values[s.Key]
			if !given || s.Table != table {
				continue
			}
			n, _ := strconv.Atoi(v.Text)       // the reader has seen to both
			d, _ := time.ParseDuration(v.Text) // as above
			if s.Kind == configfile.Number && n < 1 {
				f.Refuse(s, v.Line, noCount)
			}
			if s.Kind == configfile.Duration && d < 0 {
				f.Refuse(s, v.Line, noPeriod)
			}
		}
	}
	look("", f.Values)
	for _, e := range f.Entries {
		look(e.Table, e.Values)
	}
}

// entry is a table's values, by key.
type entry struct{ values map[string]configfile.Value }

func (e entry) text(key string) string { return e.values[key].Text }
func (e entry) on(key string) bool     { return e.text(key) == "true" }

func (e entry) count(key string) int {
	n, _ := strconv.Atoi(e.text(key)) // the file's reader has seen to it
	return max(n, 0)
}

func (e entry) span(key string) time.Duration {
	d, _ := time.ParseDuration(e.text(key)) // as above
	return max(d, 0)
}

// delay tells none from not said.
func (e entry) delay() time.Duration {
	if d := e.span("delay"); d != 0 || e.text("delay") == "" {
		return d
	}
	return -1
}

func (e entry) uses() Uses { return Uses{Times: e.count("times"), Always: e.on("always")} }
func (e entry) when() When { return When{Request: e.text("request"), Number: e.count("number")} }

func (e entry) absence() Absence {
	return Absence{When: e.when(), Refusals: e.count("refusals"), For: e.span("for")}
}

func (e entry) operation() Operation {
	return Operation{
		Type: e.text("type"), Amount: e.text("amount"), Reference: e.text("reference"), Outcome: e.text("outcome"), Message: e.text("message"),
		Brand: e.text("brand"), Authorization: e.text("authorization"), PaidWith: e.text("paid_with"), Delay: e.delay(), BankDelay: e.span("bank_delay"),
		LoseAnswer: e.on("lose_answer"), Uses: e.uses(),
	}
}
