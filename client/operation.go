package client

import (
	"context"
	"iter"
	"time"
)

// OperationKind is what holds the terminal.
type OperationKind string

// The operations.
const (
	PaymentRuns  OperationKind = "payment"
	ReversalRuns OperationKind = "reversal"
	MenuRuns     OperationKind = "menu" // the payment manager's own, which the operator opened
	QuestionRuns OperationKind = "question"
	PrintRuns    OperationKind = "print"
)

// The steps of an operation that a transaction, when it is looked up, does not have.
const (
	Waiting      Step = "waiting" // for the terminal's application to come to the front
	Installments Step = "installments"
	MenuStep     Step = "menu"    // until the operator has left it
	ReceiptStep  Step = "receipt" // is printed
	Asking       Step = "asking"
	Printing     Step = "printing"
)

// Operation is what the terminal is doing; what does not apply is empty.
type Operation struct {
	ID          string        `json:"operationId"`
	Kind        OperationKind `json:"kind"`
	Reference   string        `json:"referenceId"`
	Method      Method        `json:"tPag"`
	Amount      Decimal       `json:"amount"`
	Step        Step          `json:"step"`
	Message     string        `json:"message"` // what the customer reads
	Since       time.Time     `json:"since"`
	Cancellable bool          `json:"cancellable"`
	Pix         *PixCode      `json:"pix"`      // at ReadingPIX
	Answered    int           `json:"answered"` // of a question
	Of          int           `json:"of"`
}

// PixCode is a code to be paid, for a screen of the caller's own.
type PixCode struct {
	Code      string    `json:"code"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// running is how the terminal tells of it.
type running struct {
	Operation *Operation `json:"operation"`
}

// Operation is what the terminal is doing now; nil: nothing.
func (c *Client) Operation(ctx context.Context) (*Operation, error) {
	var r running
	err := c.get(ctx, "/operation", &r)
	return r.Operation, err
}

// StreamOperation follows what the terminal is doing: how it is now, then every change; nil: nothing. It ends as StreamLogs does.
func (c *Client) StreamOperation(ctx context.Context) (iter.Seq2[*Operation, error], error) {
	events, err := stream[running](ctx, c, "/operation/stream", "da operação")
	if err != nil {
		return nil, err
	}
	return func(yield func(*Operation, error) bool) {
		for r, err := range events {
			if !yield(r.Operation, err) {
				return
			}
		}
	}, nil
}

// Wish names the operation to cancel: by its reference, or by its id where it has none. The zero value means a question.
type Wish struct {
	Reference string `json:"referenceId,omitempty"`
	ID        string `json:"operationId,omitempty"`
}

// CancelOperation asks for the end of what is running. It returns at once: how that ends, whoever called Pay, Reverse or Ask hears,
// and it may be an approval that was on its way. ErrNotFound: nothing runs. ErrConflict: something else does, or it is too late.
func (c *Client) CancelOperation(ctx context.Context, w Wish) error {
	return c.post(ctx, "/operation/cancel", w, nil)
}
