package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/maquininha/maquininha/internal/payment"
)

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

// Answer is what GET /transaction/{referenceId} says of a transaction, for who reads it by its number: several attempts may share a
// reference.
func (api *API) Answer(t payment.Found) (json.RawMessage, error) {
	var body any = transactionOf(t)
	if api.compat.on {
		body = api.compat.answer(http.MethodGet, "/transaction/{referenceId}", body)
	}
	e := newEncoder()
	if err := e.Encode(body); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(e.Bytes(), []byte("\n")), nil
}
