package payment

import (
	"fmt"
	"slices"
	"time"
)

// State is where an attempt is. Each change of it is a step in the ledger, and none is ever taken back.
type State string

// The states. Until StateSent nothing has left the terminal. StateApproved has the acquirer's yes on disk, and
// StateConfirmed the decision that it counts: only then may anybody be told. A payment without an answer is unknown, then
// undoing until its acquirer has taken it back. A reversal goes from StateReversing over StateSent too; StateReturned is
// after one that gave back a part: the rest counts.
const (
	StateBegun     State = "begun"
	StateSent      State = "sent"
	StateApproved  State = "approved"
	StateConfirmed State = "confirmed"
	StateRefused   State = "refused"
	StateCancelled State = "cancelled"
	StateUnknown   State = "unknown"
	StateUndoing   State = "undoing"
	StateUndone    State = "undone"
	StateReversing State = "reversing"
	StateReturned  State = "returned"
	StateReversed  State = "reversed"
)

// States are all of them.
var States = []State{
	StateBegun, StateSent, StateApproved, StateConfirmed, StateRefused, StateCancelled, StateUnknown, StateUndoing, StateUndone, StateReversing,
	StateReturned, StateReversed,
}

// What may follow on what: while the money is to come in, and while it is to be given back.
var (
	payingSteps = map[State][]State{
		"":             {StateBegun},
		StateBegun:     {StateSent, StateRefused, StateCancelled},
		StateSent:      {StateApproved, StateRefused, StateCancelled, StateUnknown, StateUndoing},
		StateUnknown:   {StateUndoing},
		StateApproved:  {StateConfirmed, StateUndoing},
		StateUndoing:   {StateUndone, StateRefused, StateApproved}, // approved: it can't be taken back any more
		StateConfirmed: {StateConfirmed, StateReversing},           // confirmed: the acquirer has acknowledged it
		StateRefused:   {StateRefused},                             // money came late, or went back: see Late
		StateCancelled: {StateCancelled},
		StateUndone:    {StateUndone},
	}
	reversingSteps = map[State][]State{
		StateReversing: {StateSent, StateConfirmed},
		StateSent:      {StateReversed, StateReturned, StateConfirmed, StateUnknown},
		StateUnknown:   {StateReversed, StateReturned, StateConfirmed},
		StateConfirmed: {StateConfirmed, StateReversing},
		StateReturned:  {StateReturned, StateReversing},
		StateReversed:  {StateReversed},
	}
)

// MayFollow tells whether an attempt, of which so many reversals were begun, may go from one state to another. Only data
// that were lost leave these ways: see Doubted.
func (s State) MayFollow(from State, reversals int) bool {
	if reversals > 0 {
		return slices.Contains(reversingSteps[from], s)
	}
	return slices.Contains(payingSteps[from], s)
}

// Open tells that the attempt has not come to its end.
func (s State) Open() bool { return s.Status() == Pending }

// Status is what the state means for the caller.
func (s State) Status() Status {
	switch s {
	case "":
		return "" // of nothing
	case StateConfirmed, StateReturned:
		return Approved
	case StateRefused:
		return Refused
	case StateCancelled, StateUndone:
		return Cancelled
	case StateReversed:
		return Reversed
	}
	return Pending
}

// Event is one line of an attempt's history.
type Event struct {
	At        time.Time
	Operation string
	State     State
	Note      string // why, where the state does not say it
}

// Line is a line of the whole ledger's history, with the attempt as it stood when the line was read.
type Line struct {
	Number int64 // each is above all before it
	Event
	Transaction Transaction
}

// to moves the attempt on. The steps are the desk's own, so one that is not allowed is a fault in it.
func (t Transaction) to(s State) Transaction {
	if !s.MayFollow(t.State, len(t.Reversals)) {
		panic(fmt.Sprintf("payment: attempt %s can't go from %q to %q", t.Operation(), t.State, s))
	}
	t.State, t.UpdatedAt = s, time.Now()
	return t
}

// confirmed is the decision that the payment counts. Its acquirer is to be told.
func (t Transaction) confirmed() Transaction {
	t = t.to(StateConfirmed)
	t.Unacknowledged = true
	return t
}

// acknowledged has nothing more to be told.
func (t Transaction) acknowledged() Transaction {
	t = t.to(t.State)
	t.Unacknowledged = false
	return t
}

// answered takes the acquirer's word on a payment it was asked for.
func (t Transaction) answered(o Outcome) Transaction { return t.settled(o, StateCancelled) }

// undone takes the acquirer's word on a payment that nobody was told of.
func (t Transaction) undone(o Outcome) Transaction { return t.settled(o, StateUndone) }

// settled is approved, refused or, where the acquirer knows of neither, what is left.
func (t Transaction) settled(o Outcome, left State) Transaction {
	t.Outcome = o
	switch o.Verdict {
	case Accepted:
		return t.to(StateApproved)
	case Declined:
		return t.to(StateRefused)
	}
	return t.to(left)
}
