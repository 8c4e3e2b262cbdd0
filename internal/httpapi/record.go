package httpapi

import "github.com/maquininha/maquininha/internal/payment"

// Record is a transaction as exports write it: all that the interface tells of it, under the same names, and its number in
// the ledger.
type Record struct {
	ID      int64  `json:"id"`
	NSU     string `json:"nsu"`
	Message string `json:"message"`
	detailsBody
}

// RecordOf is the record of a transaction.
func RecordOf(t payment.Transaction) Record {
	body := transactionOf(payment.Found{Transaction: t})
	return Record{t.ID, body.NSU, body.Message, body.Details}
}
