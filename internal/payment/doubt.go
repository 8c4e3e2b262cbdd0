package payment

import "time"

// NoteLost is in the history of an attempt that was open in a ledger which lost its newest steps.
const NoteLost = "os dados perderam os passos seguintes: conferir com o adquirente"

// Doubted is an open attempt in a ledger that lost its newest steps, once a person has accepted that: it may have come to
// its end in what was lost, and somebody may have been told. So nothing is concluded from its state, and neither the
// recovery nor its acquirer ends it: undoing it could take an approval back. It waits for a person's word (Resolve).
// False: it is not open, or in doubt already.
func (t Transaction) Doubted() (Transaction, bool) {
	if !t.State.Open() || t.InDoubt {
		return t, false
	}
	t.State, t.InDoubt, t.UpdatedAt = StateUnknown, true, time.Now()
	return t, true
}
