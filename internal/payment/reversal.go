package payment

import (
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
)

// Reversal is one time that a payment, or part of it, was to be given back.
type Reversal struct {
	ID     string // the caller's own name for it, among those of the payment; empty: none
	Amount money.Decimal
	Number int64 // for acquirers that know operations by one; 0: kept by a version without
	NSU    string
	Token  string    // as Outcome.Token, of the reversal
	At     time.Time // when it was made; zero: it was not, or not yet
}

// Made tells that the money went back.
func (r Reversal) Made() bool { return !r.At.IsZero() }

// RefundRequest is what the caller asks to be given back.
type RefundRequest struct {
	Reference string
	Amount    *money.Decimal // nil: all that is left
	ID        string         // the same one again is the same reversal; empty: each is another
}

// Check tells whether the request is one that may be asked.
func (r RefundRequest) Check() error {
	switch {
	case r.Amount == nil:
		return nil
	case r.Amount.Sign() <= 0:
		return &operation.FieldError{Field: "amount", Err: operation.ErrNotPositive}
	case r.Amount.Places() > 2:
		return &operation.FieldError{Field: "amount", Err: ErrTooFine}
	case r.Amount.Cmp(maxAmount) > 0:
		return &operation.FieldError{Field: "amount", Err: operation.ErrTooLarge}
	}
	return nil
}

// Reversing tells that a reversal of it is under way.
func (t Transaction) Reversing() bool { return len(t.Reversals) > 0 && t.State.Open() }

// LastReversal is the one that was begun last, perhaps under way; zero: none was.
func (t Transaction) LastReversal() Reversal {
	if len(t.Reversals) == 0 {
		return Reversal{}
	}
	return t.Reversals[len(t.Reversals)-1]
}

// Returned are the reversals that were made.
func (t Transaction) Returned() (made []Reversal) {
	for _, r := range t.Reversals {
		if r.Made() {
			made = append(made, r)
		}
	}
	return made
}

// GivenBack is the sum of what was returned.
func (t Transaction) GivenBack() money.Decimal {
	sum := money.Zero
	for _, r := range t.Returned() {
		sum = sum.Add(r.Amount)
	}
	return sum
}

// Left is what could still be given back of a payment that counts.
func (t Transaction) Left() money.Decimal { return t.Request.Amount.Sub(t.GivenBack()) }

// Moving is the amount of the operation that Operation names: of the payment, or of its newest reversal.
func (t Transaction) Moving() money.Decimal {
	if len(t.Reversals) == 0 {
		return t.Request.Amount
	}
	return t.LastReversal().Amount
}

// made is which reversal, counted from 1, was made under an id; 0: none.
func (t Transaction) made(id string) int {
	return slices.IndexFunc(t.Reversals, func(r Reversal) bool { return id != "" && r.ID == id && r.Made() }) + 1
}

// part is how much a request gives back of a payment that counts.
func (t Transaction) part(r RefundRequest) (money.Decimal, error) {
	left := t.Left()
	switch {
	case r.Amount == nil:
		return left, nil
	case r.Amount.Cmp(left) > 0:
		return money.Zero, ErrAboveLeft
	}
	return *r.Amount, nil
}

// reversing begins a reversal.
func (t Transaction) reversing(r Reversal) Transaction {
	if r.Amount.Sign() <= 0 || r.Amount.Cmp(t.Left()) > 0 {
		panic("payment: attempt " + t.Operation() + " can't give back " + r.Amount.String() + " of " + t.Left().String())
	}
	t = t.to(StateReversing)
	t.Reversals = append(slices.Clip(t.Reversals), r)
	return t
}

// reversed takes the acquirer's word on the reversal; all but an acceptance leaves what there was of the payment standing.
func (t Transaction) reversed(o Outcome) Transaction {
	if o.Verdict != Accepted {
		return t.to(StateConfirmed)
	}
	last, end := t.LastReversal(), StateReturned
	if t.Left().Cmp(last.Amount) <= 0 {
		end = StateReversed
	}
	t = t.to(end)
	last.NSU, last.Token, last.At = o.NSU, o.Token, t.UpdatedAt
	t.Reversals = append(slices.Clone(t.Reversals[:len(t.Reversals)-1]), last) // the old ones may be in other hands
	t.Unacknowledged = true
	return t
}
