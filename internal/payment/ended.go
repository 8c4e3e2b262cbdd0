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
	Kind    Kind
	Request Request       // of the payment
	Amount  money.Decimal // that moved, or should have
	Verdict Verdict       // empty when unknown
	Unknown bool
	Message string // the acquirer's; may be empty
	Method  Method
	Receipt Receipt // the acquirer's; may be empty
	Paper   Paper
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
		v.endedTimer = time.AfterFunc(v.pace.ended(e), func() { v.takeEnded(e) })
	}
}

func (v *View) dropEnded() {
	if v.ended != nil {
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
	e := &Ended{Kind: s.Kind, Request: s.Request, Amount: s.Amount, Method: s.Method}
	switch {
	case errors.Is(err, ErrUnknown):
		e.Unknown = true
	case err != nil:
		return nil
	default:
		o := result.word()
		e.Verdict, e.Message, e.Method = cmp.Or(o.Verdict, Abandoned), o.Message, cmp.Or(o.PaidWith, s.Method)
		e.Receipt = o.Receipt
	}
	return e
}
