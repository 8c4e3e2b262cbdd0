package tef

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// Debts keep on disk what the manager is still to be told and no attempt in the ledger speaks of. The name is the driver's in the
// ledger; what a debt says only this package reads.
type Debts interface {
	Owe(name, what string) error
	Paid(name, what string) error
	// Owed is oldest first.
	Owed(name string) ([]string, error)
}

// debt is a confirmation or an undoing that the manager has not acknowledged.
type debt struct {
	Command string `json:"command"`
	Of      token  `json:"of"`
	// Said is what the manager said, of a belated approval.
	Said []string `json:"said,omitempty"`
}

func (d debt) String() string {
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // nothing but texts
	}
	return string(text)
}

// owe has the manager told until it has acknowledged it: by this process, or by the next.
func (a *Acquirer) owe(command string, of token) error {
	if err := a.config.Debts.Owe(a.config.Name, debt{Command: command, Of: of}.String()); err != nil {
		return fmt.Errorf("keeping that %s %s is owed: %w", command, of.ID, err)
	}
	return nil
}

// undo takes an operation back, now or, after an error, with the next of the debts.
func (a *Acquirer) undo(ctx context.Context, of token) error {
	if err := a.owe(intpos.Undo, of); err != nil {
		return err
	}
	return a.pay(ctx, debt{Command: intpos.Undo, Of: of})
}

// payDebts tells the manager all that it has not acknowledged. One that takes what it is told without saying so is told again
// with the next operation, which it does not hold up.
func (a *Acquirer) payDebts(ctx context.Context) error {
	owed, err := a.config.Debts.Owed(a.config.Name)
	if err != nil {
		return fmt.Errorf("looking up what is owed: %w", err)
	}
	for _, text := range owed {
		var d debt
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			return fmt.Errorf("reading what is owed: %w", err)
		}
		if d.Command == belated {
			continue
		}
		if err := a.pay(ctx, d); err != nil && !errors.Is(err, errSilent) {
			return err
		}
	}
	return nil
}

func (a *Acquirer) pay(ctx context.Context, d debt) error {
	if err := a.tell(ctx, d.Command, d.Of); err != nil {
		return err
	}
	return a.config.Debts.Paid(a.config.Name, d.String())
}

// tell confirms or undoes an operation. Both may be repeated, and are until the manager has acknowledged them.
func (a *Acquirer) tell(ctx context.Context, command string, of token) error {
	if err := a.send(ctx, a.config.finishing(command, of)); err != nil {
		return fmt.Errorf("%s %s: %w", command, of.ID, err)
	}
	return nil
}
