package tefip

import (
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// Payment is what is read beside nsu, message and details of a payment or a reversal; what does not apply is null.
type Payment struct {
	CNPJ     *string `json:"cnpj"`
	CAut     *string `json:"cAut"`
	TxID     *string `json:"txid"`
	TBand    *string `json:"tBand"`
	TPag     string  `json:"tPag"`
	Acquirer *string `json:"acquirer"` // always null: nobody told which names are known
}

// Stored is what is read beside the same of a transaction that is looked up.
type Stored struct {
	Payment
	ReferenceID       *string       `json:"referenceId"`
	Type              string        `json:"type"`
	TransactionStatus string        `json:"transactionStatus"`
	InstallmentType   payment.Plan  `json:"installmentType"`
	Amount            money.Decimal `json:"amount"`
	Installments      int           `json:"installments"`
	CreatedAt         int64         `json:"createdAt"` // in seconds
	UpdatedAt         int64         `json:"updatedAt"`
	PaymentDetails    any           `json:"paymentDetails"`
	ReversalDetails   any           `json:"reversalDetails"` // null until all is given back
}

// statuses are its words for how a transaction stands. It has none for a refusal, and stops at a word it does not know.
var statuses = map[payment.Status]string{
	payment.Approved: "paid", payment.Reversed: "cancelled", payment.Cancelled: "cancelled", payment.Pending: "pending", payment.Refused: "unknown",
}

// StoredOf is a transaction as it is looked up. The code of its type, its details and its reversal are as the interface writes them.
func StoredOf(t payment.Transaction, same Payment, details, reversal any) Stored {
	s := Stored{
		Payment: same, ReferenceID: orNull(t.Request.Reference), Type: same.TPag, TransactionStatus: statuses[t.Status()], InstallmentType: t.Request.Plan,
		Amount: t.Request.Amount, Installments: t.Installments(), CreatedAt: t.CreatedAt.Unix(), UpdatedAt: t.UpdatedAt.Unix(), PaymentDetails: details,
	}
	if t.Status() == payment.Reversed {
		s.ReversalDetails = reversal
	}
	return s
}

// Log is an entry of the log.
type Log struct {
	ID        int64          `json:"id"`
	Level     logbook.Level  `json:"level"`
	Source    logbook.Source `json:"source"`
	Message   string         `json:"message"`
	Details   *string        `json:"details"`
	CreatedAt int64          `json:"createdAt"`
}

// LogOf is an entry with its details as the caller wants them.
func LogOf(e logbook.Entry, details *string) Log {
	return Log{e.ID, e.Level, e.Source, e.Message, details, e.At.Unix()}
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
