package payment

import (
	"cmp"
	"errors"
	"time"

	"github.com/maquininha/maquininha/internal/money"
)

const (
	// endedInterval is how long the end of an operation stays on the screen. Its caller does not wait for that.
	endedInterval = 3 * time.Second
	// askingInterval is how long one stays that asks whether to print its receipt.
	askingInterval = 10 * time.Second
)

// Ended is how the last operation ended, for the person to see.
type Ended struct {
	Kind         Kind
	Request      Request       // of the payment
	Amount       money.Decimal // that moved, or should have
	Verdict      Verdict       // empty when unknown
	Unknown      bool
	Settled      bool   // it had been unknown, and was found out while that was shown
	Message      string // the acquirer's; may be empty
	Method       Method
	Installments int     // of a payment; 1: at once
	Receipt      Receipt // the acquirer's; may be empty
	Paper        Paper
}

// ended is how long an end is shown from now on. One that is printing is put anew when that is done.
func (p Pace) ended(e *Ended) time.Duration {
	switch {
	case e.Paper.Printing:
		return receiptWait + cmp.Or(p.Ended, endedInterval)
	case e.Paper.Ask:
		return cmp.Or(p.Ended, askingInterval)
	}
	return cmp.Or(p.Ended, endedInterval)
}

// AwaitsPerson tells that it stays on the screen until somebody has taken note of it: who looked away must not charge
// again.
func (e *Ended) AwaitsPerson() bool { return e.Unknown || e.Settled }

// Ended returns the end of the last operation while it is shown.
func (v *View) Ended() (Ended, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ended == nil {
		return Ended{}, false
	}
	return *v.ended, true
}

// DismissEnded takes it off the screen: the person has seen it.
func (v *View) DismissEnded() { v.takeEnded(nil) }

// YieldEnded takes it off the screen for something else that a person must do, unless nobody may overlook it.
func (v *View) YieldEnded() {
	if e, ok := v.Ended(); ok && !e.AwaitsPerson() {
		v.DismissEnded()
	}
}

// takeEnded takes one particular end off the screen, nil means any.
func (v *View) takeEnded(e *Ended) {
	v.mu.Lock()
	taken := v.ended != nil && (e == nil || v.ended == e)
	if taken {
		v.dropEnded()
	}
	v.mu.Unlock()
	if taken {
		v.changed()
	}
}

// putEnded and dropEnded are for those who hold the lock.
func (v *View) putEnded(e *Ended) {
	v.dropEnded()
	if e != nil && !v.closed {
		v.ended = e
		if !e.AwaitsPerson() {
			v.endedTimer = time.AfterFunc(v.pace.ended(e), func() { v.takeEnded(e) })
		}
	}
}

func (v *View) dropEnded() {
	if v.endedTimer != nil {
		v.endedTimer.Stop()
	}
	v.ended, v.endedTimer = nil, nil
}

// worded is an operation's result, with the acquirer's word on the operation.
type worded interface{ word() Outcome }

func (t Transaction) word() Outcome     { return t.Outcome }
func (r ReversalOutcome) word() Outcome { return r.Outcome }

// endOf is what there is to show of an operation's end; nil for one that never began.
func endOf(s Shown, result worded, err error) *Ended {
	e := &Ended{Kind: s.Kind, Request: s.Request, Amount: s.Amount, Method: s.Method, Installments: s.Installments}
	switch {
	case errors.Is(err, ErrUnknown):
		e.Unknown = true
		var other *OtherAmountError
		if errors.As(err, &other) {
			e.Message = other.Error()
		}
	case err != nil:
		return nil
	default:
		o := result.word()
		e.Verdict, e.Message, e.Method = cmp.Or(o.Verdict, Abandoned), o.Message, cmp.Or(o.PaidWith, s.Method)
		e.Receipt = o.Receipt
	}
	return e
}
