package payment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
)

const (
	// receiptWait is how long a payment's receipts may take to print, all together: its caller waits for them.
	receiptWait = 5 * time.Second
	// receiptGrace is what is left of that when the service stops: enough for a short slip, and for the caller's answer.
	receiptGrace = 2 * time.Second
)

// ErrNotPrinted means that a copy is not on paper; the reason is wrapped beside it.
var ErrNotPrinted = errors.New("the receipt was not printed")

// ReceiptMode is what becomes of the receipt of an accepted payment or reversal.
type ReceiptMode string

// ReceiptAsk leaves it to whoever stands before the screen; NoPaper is where nothing could be printed.
const (
	NoPaper         ReceiptMode = ""
	ReceiptNone     ReceiptMode = "none"
	ReceiptCustomer ReceiptMode = "customer"
	ReceiptBoth     ReceiptMode = "both"
	ReceiptAsk      ReceiptMode = "ask"
)

// Copy is one side of the counter.
type Copy string

// The two sides.
const (
	CustomerCopy Copy = "customer"
	MerchantCopy Copy = "merchant"
)

// copies are those printed at once, the shop's first: the customer's is the one handed over at the end.
func (m ReceiptMode) copies() []Copy {
	switch m {
	case ReceiptCustomer:
		return []Copy{CustomerCopy}
	case ReceiptBoth:
		return []Copy{MerchantCopy, CustomerCopy}
	}
	return nil
}

// Of is the text of one side; empty when the acquirer gave none.
func (r Receipt) Of(c Copy) string {
	switch c {
	case CustomerCopy:
		return r.Customer
	case MerchantCopy:
		return r.Merchant
	}
	return ""
}

// Slip is one copy of a receipt, to be printed.
type Slip struct {
	Kind      Kind
	Reference string // of the transaction; may be empty
	Copy      Copy
	Text      string // the acquirer's
}

// Paper is how far the receipt of an ended operation is on its way to paper.
type Paper struct {
	Ask      bool // the person may have copies printed
	Printing bool
	Failed   bool // the last try did
	Printed  []Copy
}

// offer decides what becomes of an end's receipt and returns the copies to print at once.
func (v *View) offer(e *Ended) (now []Copy) {
	if v.receipts == nil || e == nil || e.Verdict != Accepted || e.Receipt == (Receipt{}) {
		return nil
	}
	mode := v.receipts.Mode()
	for _, c := range mode.copies() {
		if e.Receipt.Of(c) != "" {
			now = append(now, c)
		}
	}
	// Who opened the acquirer's menu asked for paper, whatever the shop wants printed after payments.
	e.Paper.Ask = mode == ReceiptAsk || e.Kind == Menu && mode != NoPaper && len(now) == 0
	e.Paper.Printing = len(now) > 0
	return now
}

// PrintCopy is the person asking for a copy of the receipt of the end that is shown. It returns when the copy is on
// paper; the gate's refusal is returned as it is, and ErrNotAsked means that the screen does not offer this copy.
func (v *View) PrintCopy(c Copy) error {
	if e, ok := v.Ended(); !ok || !e.Offers(c) {
		return ErrNotAsked
	}
	leave, err := v.gate.Enter()
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	started := v.tasks.start(func() {
		var err error
		if e := v.beginCopy(c); e == nil {
			err = ErrNotAsked
		} else {
			err = v.print(e, []Copy{c})
		}
		leave()
		done <- err
	})
	if !started {
		leave()
		return operation.ErrStopping
	}
	return <-done
}

// Offers reports whether the person may have this copy printed.
func (e *Ended) Offers(c Copy) bool { return e.Paper.Ask && e.Receipt.Of(c) != "" }

// beginCopy is the end that is shown, marked as printing; nil when it offers no such copy any more.
func (v *View) beginCopy(c Copy) *Ended {
	v.mu.Lock()
	e := v.ended
	if e == nil || !e.Offers(c) {
		v.mu.Unlock()
		return nil
	}
	e.Paper.Printing, e.Paper.Failed = true, false
	v.putEnded(e)
	v.mu.Unlock()
	v.changed()
	return e
}

// print puts copies on paper while the terminal is held, and then leaves the end on the screen for its time. What
// could not be printed is offered again. The outcome stands whatever happens here.
func (v *View) print(e *Ended, copies []Copy) error {
	printed, err := v.printAll(e, copies)
	v.mu.Lock()
	for _, c := range printed {
		if !slices.Contains(e.Paper.Printed, c) {
			e.Paper.Printed = append(e.Paper.Printed, c)
		}
	}
	e.Paper.Printing, e.Paper.Failed = false, err != nil
	e.Paper.Ask = e.Paper.Ask || err != nil
	if v.ended == e || err != nil { // a failure is shown also where the end was sent away meanwhile
		v.putEnded(e)
	}
	v.mu.Unlock()
	v.changed()
	return err
}

// printAll prints until the first failure: a printer that failed would fail again, and somebody waits.
func (v *View) printAll(e *Ended, copies []Copy) (printed []Copy, err error) {
	// Neither a caller hanging up nor a service that stops leaves half a slip in the printer.
	ctx, cancel := context.WithTimeout(context.Background(), receiptWait)
	defer cancel()
	defer context.AfterFunc(v.tasks.ctx, func() { time.AfterFunc(receiptGrace, cancel) })()
	for _, c := range copies {
		slip := Slip{Kind: e.Kind, Reference: e.Request.Reference, Copy: c, Text: e.Receipt.Of(c)}
		if err := v.printSlip(ctx, slip); err != nil {
			if v.unprinted != nil {
				v.unprinted(slip, err)
			}
			return printed, fmt.Errorf("%w: %w", ErrNotPrinted, err)
		}
		printed = append(printed, c)
	}
	return printed, nil
}

// printSlip turns a driver's panic into an error: the payment is approved, and stays so.
func (v *View) printSlip(ctx context.Context, s Slip) (err error) {
	defer recoverAs(&err)
	return v.receipts.Print(ctx, s)
}
