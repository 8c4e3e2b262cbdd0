package counter

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/maquininha/maquininha/internal/payment"
)

// Offence is what must not happen.
type Offence string

// The zeros of a campaign.
const (
	Unfindable Offence = "charges the caller can't find"
	Double     Offence = "double charges"
	TakenBack  Offence = "approvals and reversals taken back after a 200"
	Unresolved Offence = "unresolved after the recovery"
	Broken     Offence = "rules broken"
	Leaked     Offence = "card numbers leaked"
)

// Offences are all of them.
var Offences = []Offence{Unfindable, Double, TakenBack, Unresolved, Broken, Leaked}

// Finding is one that happened.
type Finding struct {
	Offence Offence
	Text    string
}

// Evidence is what each side says when all is over.
type Evidence struct {
	Sales      []*Sale
	Answers    map[string]Answer // the last look, by reference
	Attempts   []Attempt
	Charges    []Charge
	Complaints []string // of the other side, about what it was asked
}

// Attempt is one of the terminal's ledger.
type Attempt struct {
	payment.Transaction
	History []payment.Event
}

// Charge is money on the other side.
type Charge struct {
	Acquirer string
	Name     string // as the other side names it
	Attempt  int64  // 0: none of the terminal's ledger
	Amount   string // what stands of it
	Standing bool
	Open     bool // it may still change
}

// Compare finds what does not fit together.
func (e Evidence) Compare() (findings []Finding) {
	find := func(what Offence, format string, details ...any) {
		findings = append(findings, Finding{what, fmt.Sprintf(format, details...)})
	}
	attempts := map[int64]Attempt{}
	for _, a := range e.Attempts {
		attempts[a.ID] = a
		if !a.Resolved() {
			find(Unresolved, "attempt %d of %s is %s, unacknowledged %t", a.ID, a.Request.Reference, a.State, a.Unacknowledged)
		}
		if a.Left().Sign() < 0 {
			find(Broken, "attempt %d of %s: %s of %s went back", a.ID, a.Request.Reference, a.GivenBack(), a.Request.Amount)
		}
		if wrong := unlawful(a.History); wrong != "" {
			find(Broken, "attempt %d of %s: %s", a.ID, a.Request.Reference, wrong)
		}
	}
	standing := map[string][]Charge{} // by reference
	for _, c := range e.Charges {
		if c.Open {
			find(Unresolved, "%s %s is still open on the other side", c.Acquirer, c.Name)
		}
		if !c.Standing {
			continue
		}
		a, known := attempts[c.Attempt]
		if !known {
			find(Unfindable, "%s %s of %s is in no ledger of the terminal's", c.Acquirer, c.Name, c.Amount)
			continue
		}
		reference := a.Request.Reference
		standing[reference] = append(standing[reference], c)
		if told := e.Answers[reference]; told.State != "approved" {
			find(Unfindable, "%s %s stands, but %s is answered %d %s", c.Acquirer, c.Name, reference, told.Status, told.State)
		}
		if c.Amount != a.Left().Cents() {
			find(Broken, "%s %s has %s, and the ledger has %s left of %s", c.Acquirer, c.Name, c.Amount, a.Left(), a.Request.Amount)
		}
	}
	for _, s := range e.Sales {
		told, stands := e.Answers[s.Reference], standing[s.Reference]
		switch {
		case len(stands) > 1:
			find(Double, "%s stands %d times on the other side", s.Reference, len(stands))
		case len(stands) == 0 && told.State == "approved":
			find(TakenBack, "%s is answered approved, but nothing stands on the other side", s.Reference)
		}
		if told.Status != 200 && told.Status != 404 {
			find(Broken, "%s is answered %d %s", s.Reference, told.Status, told.Message)
		}
		if told.State == "pending" {
			find(Unresolved, "%s is answered pending", s.Reference)
		}
		for _, text := range s.Taken {
			find(TakenBack, "%s: %s", s.Reference, text)
		}
	}
	for _, text := range e.Complaints {
		find(Broken, "%s", text)
	}
	return findings
}

// unlawful is the first step of a history that must not follow on the one before.
func unlawful(history []payment.Event) string {
	var from payment.State
	for _, e := range history {
		_, reversal, _ := strings.Cut(e.Operation, "-r")
		reversals, _ := strconv.Atoi(reversal) // none: the payment
		if e.State == payment.StateReversing {
			reversals-- // it is the one that begins
		}
		if !e.State.MayFollow(from, reversals) {
			return fmt.Sprintf("%q follows on %q", e.State, from)
		}
		from = e.State
	}
	if from == "" {
		return "it has no history"
	}
	return ""
}

// Table is the table of a campaign: its rows, each a name and what is in it, then how often each of the offences happened, and what
// was found.
func Table(of []Offence, findings []Finding, rows func(row func(name string, values ...any))) string {
	times := map[Offence]int{}
	for _, f := range findings {
		times[f.Offence]++
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(name string, values ...any) {
		fmt.Fprintln(w, name+"\t"+strings.TrimSpace(fmt.Sprintln(values...)))
	}
	rows(row)
	w.Flush()
	fmt.Fprintln(&b)
	for _, what := range of {
		row(string(what), times[what])
	}
	w.Flush()
	for _, f := range findings {
		fmt.Fprintf(&b, "FOUND  %s: %s\n", f.Offence, f.Text)
	}
	return b.String()
}
