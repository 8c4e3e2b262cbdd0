package tef

import (
	"encoding/json"
	"fmt"

	"github.com/maquininha/maquininha/internal/acquirer/cardnames"
	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/payment"
)

// belated is the command of a debt to the ledger, not to the manager: an approval that can't be undone came when nobody waited for it
// any more.
const belated = "BELATED"

// kept are the fields of such an approval that go on disk: none has a card's number.
var kept = []string{
	intpos.Command, intpos.ID, intpos.Amount, intpos.Network, intpos.NSU, intpos.Authorization, intpos.Date, intpos.Time, intpos.OriginalNSU,
	intpos.OriginalTime, intpos.Key,
}

// oweLedger keeps an approval that stands until the ledger has it. A report from the menu moved nothing.
func (a *Acquirer) oweLedger(r intpos.Message) error {
	if isMenu(r) && r.Get(intpos.OriginalNSU) == "" {
		return nil
	}
	pairs := []string{intpos.Status, "0", intpos.MustConfirm, "1", intpos.Text, cardnames.Mask(r.Get(intpos.Text))}
	for _, number := range kept {
		if value, told := r.Lookup(number); told {
			pairs = append(pairs, number, value)
		}
	}
	d := debt{Command: belated, Of: a.config.Profile.tokenOf(r), Said: pairs}
	if err := a.config.Debts.Owe(a.config.Name, d.String()); err != nil {
		return fmt.Errorf("keeping that %s came late: %w", d.Of.ID, err)
	}
	return nil
}

// Belated are the approvals that came late, oldest first.
func (a *Acquirer) Belated() (all []payment.Belated, err error) {
	owed, err := a.config.Debts.Owed(a.config.Name)
	if err != nil {
		return nil, fmt.Errorf("looking up what is owed: %w", err)
	}
	for _, text := range owed {
		var d debt
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			return nil, fmt.Errorf("reading what is owed: %w", err)
		}
		if d.Command != belated {
			continue
		}
		r := intpos.Of(d.Said...)
		w := a.config.Profile.administered(r)
		w.Amount, _ = a.config.Profile.parseAmount(r.Get(intpos.Amount))
		all = append(all, payment.Belated{Number: d.Of.operation().Number, Administered: w, Line: text})
	}
	return all, nil
}

// Heeded forgets one that the ledger has.
func (a *Acquirer) Heeded(b payment.Belated) error { return a.config.Debts.Paid(a.config.Name, b.Line) }
