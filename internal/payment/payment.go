// Package payment moves money through an acquirer and keeps the ledger of every attempt.
//
// Invariants: an attempt is in the Ledger before money can move, and so is each step of it; one operation at a time; a
// reference that was approved never moves money again; an attempt without an answer stays pending until its acquirer has
// settled it, and no other goes to that acquirer before; one that nobody was told of is never silently approved; a
// person's cancel is taken only where the prompt offers it, and never once the operation is processing.
package payment

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
)

// What an operation can fail with.
var (
	ErrBackground    = errors.New("the terminal stayed in the background")
	ErrUnknown       = errors.New("outcome unknown")
	ErrNotFound      = errors.New("no transaction of this reference")
	ErrReferenceUsed = errors.New("reference used for another transaction")
	ErrReversed      = errors.New("already reversed")
	ErrNotReversible = errors.New("only an approved transaction can be reversed")
	ErrAboveLeft     = errors.New("more than is left of the payment")
	ErrWholeOnly     = errors.New("the acquirer of this transaction gives back the whole payment only")
	ErrAtDevice      = errors.New("the acquirer of this transaction gives back at its device only")
	ErrReversalUsed  = errors.New("reversal id used for another amount")
	ErrNoAcquirer    = errors.New("no acquirer configured")
	ErrElsewhere     = errors.New("the acquirer of this transaction is not configured")
	ErrMethod        = errors.New("no acquirer takes this method")
	ErrUnresolved    = errors.New("an earlier attempt is still without an outcome")
)

// ErrTooFine means an amount with more decimals than cents have; an operation.FieldError says which field.
var ErrTooFine = errors.New("at most two decimals")

// Method is a way to be paid.
type Method string

// AnyMethod lets the person at the terminal choose.
const (
	Credit    Method = "credit"
	Debit     Method = "debit"
	Pix       Method = "pix"
	AnyMethod Method = "any"
)

// Plan says who carries the instalments.
type Plan string

// The plans of the interface.
const (
	Single Plan = "single"
	Seller Plan = "seller"
	Buyer  Plan = "buyer"
)

// Request is what the caller asks to be paid.
type Request struct {
	Method       Method
	Amount       money.Decimal
	Reference    string // empty: listed only
	Installments int
	Plan         Plan
	Extra        []byte // the caller's own details, kept as they came
	// Timeout is how long the customer has; what is not committed by then is called off. 0: for ever. The ledger does not keep it.
	Timeout time.Duration
}

var (
	maxAmount       = money.MustParse("9999999.99")
	maxInstallments = 99
)

// Check tells whether the request is one that may be sent.
func (r Request) Check() error {
	switch {
	case r.Amount.Sign() <= 0:
		return &operation.FieldError{Field: "amount", Err: operation.ErrNotPositive}
	case r.Amount.Places() > 2:
		return &operation.FieldError{Field: "amount", Err: ErrTooFine}
	case r.Amount.Cmp(maxAmount) > 0:
		return &operation.FieldError{Field: "amount", Err: operation.ErrTooLarge}
	case r.Installments < 1:
		return &operation.FieldError{Field: "installments", Err: operation.ErrNotPositive}
	case r.Installments > maxInstallments:
		return &operation.FieldError{Field: "installments", Err: operation.ErrTooLarge}
	}
	return nil
}

// Same reports whether two requests ask for the same payment.
func (r Request) Same(o Request) bool {
	return r.Method == o.Method && r.Amount.Cmp(o.Amount) == 0 && r.Installments == o.Installments && r.Plan == o.Plan
}

// Status is what the caller is told of a transaction.
type Status string

// The statuses of the interface.
const (
	Pending   Status = "pending"
	Approved  Status = "approved"
	Refused   Status = "refused"
	Cancelled Status = "cancelled"
	Reversed  Status = "reversed"
)

// Statuses are all of them.
var Statuses = []Status{Pending, Approved, Refused, Cancelled, Reversed}

// Verdict is how an acquirer ended an operation.
type Verdict string

// A cancellation is the person's, a refusal the acquirer's.
const (
	Accepted  Verdict = "accepted"
	Declined  Verdict = "declined"
	Abandoned Verdict = "abandoned"
)

// Outcome is an acquirer's final word on a payment or a reversal.
type Outcome struct {
	Verdict       Verdict
	Message       string // empty: the interface's own
	NSU           string
	Authorization string
	Brand         string // as fiscal documents number card brands
	AcquirerCNPJ  string
	TxID          string
	EndToEndID    string
	PaidWith      Method
	Installments  int    // as agreed at the terminal; 0: as requested
	Token         string // the acquirer's own: what it needs to confirm, undo or reverse; nobody else reads it
	Receipt       Receipt
}

// Receipt is the acquirer's text for both sides of the counter.
type Receipt struct{ Customer, Merchant string }

// Transaction is one attempt, as the ledger keeps it.
type Transaction struct {
	ID             int64
	Number         int64  // of the payment, for acquirers that know operations by one; 0: kept by a version without
	Acquirer       string // the way it went, by name; empty: nothing was sent
	Request        Request
	State          State
	Unacknowledged bool       // it counts, but its acquirer has yet to hear so
	Outcome        Outcome    // of the payment
	Reversals      []Reversal // all that were begun, oldest first: what was made of them, and the one under way
	InDoubt        bool       // see Doubted
	Late           Late       // what came in after its end
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Operation names what is under way with the transaction: its payment, or one particular reversal of it. An
// acquirer can tell a second reversal from a repeated first by it.
func (t Transaction) Operation() string {
	if len(t.Reversals) == 0 {
		return strconv.FormatInt(t.ID, 10)
	}
	return fmt.Sprintf("%d-r%d", t.ID, len(t.Reversals))
}

// OperationNumber is the number of what Operation names.
func (t Transaction) OperationNumber() int64 {
	if len(t.Reversals) == 0 {
		return t.Number
	}
	return t.LastReversal().Number
}

// Method is how it was paid: as the person chose where the caller left that open.
func (t Transaction) Method() Method { return cmp.Or(t.Outcome.PaidWith, t.Request.Method) }

// Installments is how many were agreed on at the terminal, or requested.
func (t Transaction) Installments() int {
	return cmp.Or(t.Outcome.Installments, t.Request.Installments)
}

// Status is what the caller is told.
func (t Transaction) Status() Status { return t.State.Status() }

// Resolved tells that nothing is left to be done about it.
func (t Transaction) Resolved() bool { return !t.State.Open() && !t.Unacknowledged }

// begin is the transaction before anything was sent.
func begin(r Request, number int64) Transaction {
	t := Transaction{Request: r, Number: number}.to(StateBegun)
	t.CreatedAt = t.UpdatedAt
	return t
}
