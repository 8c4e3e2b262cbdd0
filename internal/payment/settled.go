package payment

import (
	"slices"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
)

// Settled is how an operation came out that had left the screen with its outcome unknown.
type Settled struct {
	ID        uint64 // no other has the same
	Kind      Kind
	Reference string // of the transaction; may be empty
	Amount    money.Decimal
	Made      bool // the customer was charged, or got the money back
}

// keptSettled is how many wait for somebody to read them; beyond that the oldest go. The ledger has them all.
const keptSettled = 20

// Settled returns the oldest that nobody has taken note of.
func (v *View) Settled() (Settled, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.settled) == 0 {
		return Settled{}, false
	}
	return v.settled[0], true
}

// DismissSettled takes one off the screen: the person has read it. One that is not there any more is no fault.
func (v *View) DismissSettled(id uint64) {
	v.mu.Lock()
	v.settled = slices.DeleteFunc(v.settled, func(s Settled) bool { return s.ID == id })
	v.mu.Unlock()
	v.changed()
}

// ForgetSettled is for a terminal that is put as it was at first.
func (v *View) ForgetSettled() {
	v.mu.Lock()
	v.settled = nil
	v.mu.Unlock()
	v.changed()
}

// settle tells how an attempt came out: in the place of the end that says nobody knows, where that is still shown.
func (v *View) settle(t Transaction) {
	s := Settled{operation.NewID(), Payment, t.Request.Reference, t.Moving(), t.State.Status() == Approved}
	if len(t.Reversals) > 0 {
		s.Kind, s.Made = Refund, t.LastReversal().Made()
	}
	v.mu.Lock()
	if e := v.ended; e != nil && e.Unknown && v.endedOf == t.Operation() {
		known := *e // others hold the one before
		known.Unknown, known.Settled, known.Verdict = false, true, Abandoned
		if s.Made {
			known.Verdict = Accepted
		}
		v.putEnded(&known)
	} else {
		v.settled = append(v.settled, s)
		v.settled = v.settled[max(0, len(v.settled)-keptSettled):]
	}
	v.mu.Unlock()
	v.changed()
}
