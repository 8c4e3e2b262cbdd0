package payment

import (
	"context"
	"errors"
	"slices"
)

// Belated is an operation that stands at the acquirer, which told so when nobody waited for it any more: the ledger has it as not made.
type Belated struct {
	Number int64 // of the operation, or of the visit to a menu
	Administered
	Line string // the acquirer's own
}

// Belater is a Sweeper that may hear of such operations. It keeps them on disk until they are heeded.
type Belater interface {
	Sweeper
	Belated() ([]Belated, error)
	Heeded(Belated) error
}

// noteBelated is in the history of what the acquirer told late.
const noteBelated = "resposta tardia do adquirente"

// heed takes up what a way's acquirer heard late. What can't be taken up now is told again.
func (r *recovery) heed(w Way) {
	b, ok := w.Acquirer.(Belater)
	if !ok {
		return
	}
	all, err := b.Belated()
	if err != nil {
		return
	}
	for _, one := range all {
		if r.inTurn(func() error { return r.heedOne(w, one) }) == nil {
			_ = b.Heeded(one)
		}
	}
}

func (r *recovery) heedOne(way Way, b Belated) error {
	t, err := r.ledger.Numbered(b.Number)
	switch {
	case errors.Is(err, ErrNotFound):
		return r.heedMenu(way, b)
	case err != nil:
		return err
	}
	a, err := r.read(t.ID, true)
	switch {
	case err != nil:
		return err
	case a.State.Open():
		return ErrUnknown // its own settlement, or a person, has the word first
	case a.Number == b.Number:
		return r.heedPayment(a, way, b)
	}
	return r.heedReversal(a, way, b)
}

// heedPayment is money that came after the end. Nobody but a person can give it back: it is final at the acquirer.
func (r *recovery) heedPayment(a *attempt, way Way, b Belated) error {
	switch {
	case !a.endedUnpaid():
		r.stray(a.Acquirer, b)
		return nil
	case a.Late.Came():
		return nil // a kill came before it was heeded
	}
	_, menu := way.Acquirer.(Administrator)
	late := Late{EndToEndID: b.EndToEndID, Amount: b.Amount, ByHand: true, InMenu: menu}
	if late.Amount.Sign() == 0 {
		late.Amount = a.Request.Amount
	}
	note := noteBelated
	if b.NSU != "" {
		note += ", NSU " + b.NSU
	}
	next := a.receivedLate(late)
	next.Outcome.Token = b.Token // by which conclude knows it again
	return a.record(next, note)
}

// heedReversal is one that was made though the ledger has it as not made.
func (r *recovery) heedReversal(a *attempt, way Way, b Belated) error {
	made := slices.ContainsFunc(a.Reversals, func(v Reversal) bool { return v.Made() && v.Token == b.Token })
	switch {
	case made:
		return nil
	case a.Status() != Approved || b.Amount.Sign() > 0 && b.Amount.Cmp(a.Left()) != 0:
		r.stray(way.Name, b)
		return nil
	}
	number, err := r.numbers.next()
	if err != nil {
		return err
	}
	return r.reverseUnasked(context.Background(), a.ID, number, way, b.Outcome, noteBelated)
}

// heedMenu is what was done in a menu that was left before the answer came.
func (r *recovery) heedMenu(way Way, b Belated) error {
	m, err := r.ledger.Administration(b.Number)
	switch {
	case errors.Is(err, ErrNotFound):
		r.stray(way.Name, b)
		return nil
	case err != nil:
		return err
	case m.State != AdministrationDone:
		return ErrUnknown
	case m.Token == b.Token:
		return nil
	}
	return r.conclude(context.Background(), m, way, b.Administered)
}

// stray is one that people have to look for.
func (r *recovery) stray(way string, b Belated) {
	if r.strayed != nil {
		r.strayed(way, b)
	}
}
