package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Method is how a transaction is paid.
type Method string

// The ways to pay that the terminal knows. With AnyMethod it asks the customer.
const (
	Credit    Method = "03"
	Debit     Method = "04"
	PIX       Method = "17"
	AnyMethod Method = "99"
)

// Plan is who bears the interest of installments.
type Plan string

// Plans of installments.
const (
	Single Plan = "single"
	Seller Plan = "seller"
	Buyer  Plan = "buyer"
)

// Payment asks for money. Give every one a Reference of its own, kept before Pay is called: without it a lost answer can't be
// recovered, and the payment can't be looked up or reversed.
type Payment struct {
	Method       Method  `json:"tPag"`
	Amount       Decimal `json:"amount"`
	Reference    string  `json:"referenceId,omitempty"`
	Installments int     `json:"installments,omitempty"`
	Plan         Plan    `json:"installmentType,omitempty"`
	Timeout      int     `json:"timeout,omitempty"` // seconds, 10 to 3600, until a payment that nobody makes is ErrCancelled; 0: never
	Details      any     `json:"details,omitempty"` // an object of the caller's own, given back as Details.Request
}

// Status is how a transaction stands.
type Status string

// The states of a transaction. A pending one is being worked on, and has a Step, or nobody knows how it ended.
const (
	Approved  Status = "approved"
	Refused   Status = "refused"
	Cancelled Status = "cancelled"
	Reversed  Status = "reversed"
	Pending   Status = "pending"
)

// Step is where a pending transaction is while the terminal works on it; empty: it does not.
type Step string

// The steps of a transaction under way.
const (
	Choosing   Step = "choosing" // the method or the installments
	Card       Step = "card"
	PIN        Step = "pin"
	Processing Step = "processing"
	ReadingPIX Step = "pix"
	Confirming Step = "confirming"
	Settling   Step = "settling" // the acquirer is asked what became of it
)

// Transaction is a payment as the terminal keeps it.
type Transaction struct {
	NSU     string  `json:"nsu"`
	Message string  `json:"message"`
	Details Details `json:"details"`
}

// Details are what the terminal and the acquirer tell of a transaction; what does not apply is empty.
type Details struct {
	Status        Status          `json:"status"`
	Step          Step            `json:"step"`
	Reference     string          `json:"referenceId"`
	Method        Method          `json:"tPag"`
	Amount        Decimal         `json:"amount"`
	Installments  int             `json:"installments"`
	Plan          Plan            `json:"installmentType"`
	CreatedAt     time.Time       `json:"createdAt"`
	UpdatedAt     time.Time       `json:"updatedAt"`
	Authorization string          `json:"cAut"`
	Brand         string          `json:"tBand"`
	AcquirerCNPJ  string          `json:"cnpj"`
	TxID          string          `json:"txid"`
	EndToEndID    string          `json:"endToEndId"`
	Reversal      *Reversal       `json:"reversal"`
	Reversals     []MadeReversal  `json:"reversals"`
	Reversed      Decimal         `json:"reversed"` // the sum of Reversals
	Request       json.RawMessage `json:"request"`
	Receipt       *Receipt        `json:"receipt"`
	Late          *LateMoney      `json:"late"` // nil: none came
}

// LateMoney is what a customer paid after the transaction had ended without it. It does not count, and goes back.
type LateMoney struct {
	Amount     Decimal    `json:"amount"`
	EndToEndID string     `json:"endToEndId"`
	At         time.Time  `json:"at"`
	ReturnedAt *time.Time `json:"returnedAt"` // nil: not yet
}

// Reversal is when and under which number the last of a payment was given back.
type Reversal struct {
	NSU string    `json:"nsu"`
	At  time.Time `json:"at"`
}

// MadeReversal is money that went back, of a part or of all that was left.
type MadeReversal struct {
	ID     string    `json:"reversalId"`
	NSU    string    `json:"nsu"`
	Amount Decimal   `json:"amount"`
	At     time.Time `json:"at"`
}

// Refund asks for part of a payment to be given back. Give every one an ID of its own, kept before ReversePart is called: without
// it a lost answer can't be recovered, and asking again gives back again.
type Refund struct {
	Amount Decimal `json:"amount"`
	ID     string  `json:"reversalId,omitempty"`
}

// Receipt is the acquirer's slip, ready for a printer of the caller's own.
type Receipt struct {
	Customer string `json:"customer"`
	Merchant string `json:"merchant"`
}

// Transaction looks a payment up.
func (c *Client) Transaction(ctx context.Context, reference string) (Transaction, error) {
	var t Transaction
	err := c.get(ctx, path("transaction", reference), &t)
	return t, err
}

// TransactionFilter narrows a list; the zero value lists everything.
type TransactionFilter struct {
	Limit  int
	Since  time.Time
	Status Status
}

// Transactions lists payments, oldest first.
func (c *Client) Transactions(ctx context.Context, f TransactionFilter) ([]Transaction, error) {
	q := url.Values{}
	if f.Limit > 0 {
		q.Set("limit", strconv.Itoa(f.Limit))
	}
	if !f.Since.IsZero() {
		q.Set("since", f.Since.Format(time.RFC3339Nano))
	}
	if f.Status != "" {
		q.Set("status", string(f.Status))
	}
	var all []Transaction
	err := c.send(ctx, call{method: http.MethodGet, path: "/transaction", query: q}, nil, &all)
	return all, err
}
