package httpapi

import (
	"cmp"
	"errors"
	"net/http"
	"slices"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// reversalApproved is the interface's word on a reversal that was made, of a part too.
const reversalApproved = "Estorno aprovado"

func (api *API) reverse(r *http.Request) (any, error) {
	req := payment.RefundRequest{Reference: pathID(r, "referenceId")}
	if err := api.readReversal(r, &req); err != nil {
		return nil, err
	}
	told := payment.Request{Reference: req.Reference}
	if req.Amount != nil {
		told.Amount = *req.Amount
	}
	result, err := api.Payments.Reverse(r.Context(), req)
	switch {
	case errors.Is(err, payment.ErrNotFound):
		return nil, neverTaken(req.Reference, err)
	case errors.Is(err, payment.ErrBackground):
		return nil, api.notPaid(r, payment.Refund, told, errReversalBackground)
	case err != nil:
		return nil, api.notPaid(r, payment.Refund, told, err)
	}
	switch result.Outcome.Verdict {
	case payment.Accepted:
		body := transactionOf(payment.Found{Transaction: result.Transaction})
		body.Message = reversalApproved // also where the rest of the payment stands
		return body, nil
	case payment.Declined:
		return nil, refused(cmp.Or(result.Outcome.Message, "Estorno negado"))
	}
	return nil, refused("Estorno cancelado")
}

// readReversal reads how much is to be given back, and under which name. Without a body it is all that is left. One that says
// something else than a name, and no amount, meant a part: it must not give back all.
func (api *API) readReversal(r *http.Request, req *payment.RefundRequest) error {
	f, err := api.readFields(r, emptyOrNullIsObject)
	if err != nil {
		return err
	}
	f.optionalDecimal("amount", &req.Amount)
	f.textOr("reversalId", &req.ID, "", longestReference)
	stranger := slices.ContainsFunc(f.members, func(m member) bool { return m.name != "reversalId" })
	if req.Amount == nil && stranger {
		f.wrong("amount", "deve ser o valor a devolver; sem corpo, devolve-se tudo o que resta")
	}
	if f.err() != nil {
		return f.err()
	}
	return req.Check()
}

// reversalBody is the reversal after which nothing of the payment was left.
type reversalBody struct {
	NSU string `json:"nsu"`
	At  stamp  `json:"at"`
}

// returnedBody is one that was made.
type returnedBody struct {
	ReversalID *string       `json:"reversalId"`
	NSU        string        `json:"nsu"`
	Amount     money.Decimal `json:"amount"`
	At         stamp         `json:"at"`
}

func returnedOf(t payment.Transaction) []returnedBody {
	list := []returnedBody{}
	for _, r := range t.Returned() {
		list = append(list, returnedBody{orNull(r.ID), r.NSU, r.Amount, stampOf(r.At)})
	}
	return list
}
