package payment

import (
	"context"
	"errors"

	"github.com/maquininha/maquininha/internal/cardnumber"
	"github.com/maquininha/maquininha/internal/operation"
)

// recorder keeps the steps of attempts: on disk first, then whoever listens is told.
type recorder struct {
	ledger Ledger
	moved  func(context.Context, Move) // may be nil
}

// Move is one step of an attempt, as the ledger has it now.
type Move struct {
	Before, After Transaction
	Word          Verdict // the acquirer's, where that brought it
	Note          string  // why, where the state does not say it
}

// attempt is a transaction that is worked on, as the ledger has it.
type attempt struct {
	recorder
	Transaction
	caller context.Context // whose operation it is; nobody's in the recovery
}

// record takes the attempt to its next step.
func (a *attempt) record(next Transaction, note string) error { return a.step(next, "", note) }

// recordAnswer is record for a step that the acquirer's word brings.
func (a *attempt) recordAnswer(next Transaction, o Outcome, note string) error {
	return a.step(next, o.Verdict, note)
}

func (a *attempt) step(next Transaction, v Verdict, note string) error {
	// Whoever said it may have been careless: no card's number stays.
	note, next.Outcome.Message = cardnumber.Mask(note), cardnumber.Mask(next.Outcome.Message)
	if err := a.ledger.Append(next, note); err != nil {
		return errors.Join(operation.ErrNotSaved, err)
	}
	before := a.Transaction
	a.Transaction = next
	if a.moved != nil {
		a.moved(a.caller, Move{before, next, v, note})
	}
	return nil
}

// recordSent is on disk before anything leaves that could move money. Who accepts an operation has been asked, whatever its
// driver said: it is recorded as sent then too.
func (a *attempt) recordSent() error {
	if a.State == StateSent {
		return nil
	}
	return a.record(a.to(StateSent), "")
}

// markUnknown notes that an operation ended without an answer. It is settled whether or not that could be noted.
func (a *attempt) markUnknown(cause error) {
	next := a.to(StateUnknown)
	var other *OtherAmountError
	if errors.As(cause, &other) && len(a.Reversals) == 0 {
		next.Outcome.NSU, next.Outcome.Message = other.NSU, other.Error() // for the person who has to find it at the acquirer
	}
	_ = a.record(next, cause.Error())
}

// charge is the attempt as its acquirer gets it.
func (a *attempt) charge(g *dialogue) Charge {
	sending := func() error {
		if g.off() {
			return errCalledOff
		}
		return a.recordSent()
	}
	return Charge{Transaction: a.Transaction, Sending: sending, CalledOff: g.calledOff, Show: g.show, Ask: g.ask}
}
