package httpapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// methods are the interface's numbers for ways to be paid.
var methods = map[string]payment.Method{"03": payment.Credit, "04": payment.Debit, "17": payment.Pix, "99": payment.AnyMethod}

var methodCodes = map[payment.Method]string{payment.Credit: "03", payment.Debit: "04", payment.Pix: "17", payment.AnyMethod: "99"}

func (api *API) pay(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsFault)
	if err != nil {
		return nil, err
	}
	req, err := api.readTransaction(f)
	if err != nil {
		return nil, api.notPaid(r, payment.Payment, req, err)
	}
	t, err := api.Payments.Pay(r.Context(), req)
	switch {
	case errors.Is(err, payment.ErrBackground):
		return nil, api.notPaid(r, payment.Payment, req, errPaymentBackground)
	case err != nil:
		return nil, api.notPaid(r, payment.Payment, req, err)
	case t.Status() != payment.Approved:
		return nil, refused(messageOf(payment.Found{Transaction: t}))
	}
	return transactionOf(payment.Found{Transaction: t}), nil
}

// notPaid tells of a payment or a reversal that ends with an error.
func (api *API) notPaid(r *http.Request, kind payment.Kind, req payment.Request, err error) error {
	api.Story.NotPaid(r.Context(), kind, req, err, failureOf(err).message)
	return err
}

func (api *API) readTransaction(f *fields) (payment.Request, error) {
	var req payment.Request
	var tPag string
	choice(f, "tPag", &tPag, "", "03", "04", "17", "99")
	req.Method = methods[tPag]
	f.decimal("amount", &req.Amount)
	f.textOr("referenceId", &req.Reference, "", longestReference)
	f.whole("installments", &req.Installments, 1)
	api.timeout(f, &req.Timeout)
	choice(f, "installmentType", &req.Plan, payment.Single, payment.Single, payment.Seller, payment.Buyer)
	if m, _ := f.get("details"); m.value != nil {
		if _, ok := m.value.(object); !ok {
			f.wrong("details", "deve ser um objeto")
		}
		req.Extra = []byte(m.raw)
	}
	if f.err() != nil {
		return req, f.err()
	}
	return req, req.Check()
}

func (api *API) getTransaction(r *http.Request) (any, error) {
	reference := pathID(r, "referenceId")
	t, err := api.Payments.Find(reference)
	if errors.Is(err, payment.ErrNotFound) {
		return nil, neverTaken(reference, err)
	}
	if err != nil {
		return nil, err
	}
	return transactionOf(t), nil
}

// neverTaken says so of a reference that no payment can have. It is looked for first: older versions took longer ones.
func neverTaken(reference string, unknown error) error {
	if tooLong(reference, longestReference) {
		return invalid("referenceId", atMost(longestReference))
	}
	return unknown
}

func (api *API) listTransactions(r *http.Request) (any, error) {
	filter, err := readFilter(r)
	if err != nil {
		return nil, err
	}
	return list(func(emit func(any) error) error {
		return api.Payments.List(r.Context(), filter, func(t payment.Found) error { return emit(transactionOf(t)) })
	}), nil
}

func readFilter(r *http.Request) (payment.Filter, error) {
	q, err := readQuery(r)
	if err != nil {
		return payment.Filter{}, err
	}
	var f payment.Filter
	if f.Limit, err = q.limit(0); err != nil {
		return f, err
	}
	if f.Since, err = q.moment("since", false); err != nil {
		return f, err
	}
	if s := payment.Status(q.Get("status")); s != "" {
		if !slices.Contains(payment.Statuses, s) {
			return f, invalid("status", oneOf(payment.Statuses))
		}
		f.Status = s
	}
	return f, nil
}

// transactionBody is exactly what the interface shows; all else is in its details.
type transactionBody struct {
	NSU     string      `json:"nsu"`
	Message string      `json:"message"`
	Details detailsBody `json:"details"`

	of payment.Transaction // for who needs more than is shown
}

type detailsBody struct {
	Status          payment.Status  `json:"status"`
	Step            *string         `json:"step"`
	ReferenceID     *string         `json:"referenceId"`
	TPag            string          `json:"tPag"`
	Amount          money.Decimal   `json:"amount"`
	Installments    int             `json:"installments"`
	InstallmentType payment.Plan    `json:"installmentType"`
	CreatedAt       stamp           `json:"createdAt"`
	UpdatedAt       stamp           `json:"updatedAt"`
	CAut            *string         `json:"cAut"`
	TBand           *string         `json:"tBand"`
	CNPJ            *string         `json:"cnpj"`
	TxID            *string         `json:"txid"`
	EndToEndID      *string         `json:"endToEndId"`
	Reversal        *reversalBody   `json:"reversal"`
	Reversals       []returnedBody  `json:"reversals"`
	Reversed        money.Decimal   `json:"reversed"`
	Request         json.RawMessage `json:"request"`
	Receipt         *receiptBody    `json:"receipt"`
	Late            *lateBody       `json:"late,omitempty"`
}

// lateBody is money that came in after the transaction had ended without it.
type lateBody struct {
	Amount     money.Decimal `json:"amount"`
	EndToEndID *string       `json:"endToEndId"`
	At         stamp         `json:"at"`
	ReturnedAt *stamp        `json:"returnedAt"`
}

func lateOf(l payment.Late) *lateBody {
	if !l.Came() {
		return nil
	}
	body := &lateBody{Amount: l.Amount, EndToEndID: orNull(l.EndToEndID), At: stampOf(l.At)}
	if !l.Kept() {
		at := stampOf(l.ReturnedAt)
		body.ReturnedAt = &at
	}
	return body
}

type receiptBody struct {
	Customer string `json:"customer"`
	Merchant string `json:"merchant"`
}

func transactionOf(t payment.Found) transactionBody {
	d := detailsBody{
		Status: t.Status(), Step: orNull(string(t.Progress)), ReferenceID: orNull(t.Request.Reference), TPag: methodCodes[t.Method()], Amount: t.Request.Amount,
		Installments: t.Installments(), InstallmentType: t.Request.Plan, CreatedAt: stampOf(t.CreatedAt), UpdatedAt: stampOf(t.UpdatedAt),
		CAut: orNull(t.Outcome.Authorization), TBand: orNull(t.Outcome.Brand), CNPJ: orNull(t.Outcome.AcquirerCNPJ),
		TxID: orNull(t.Outcome.TxID), EndToEndID: orNull(t.Outcome.EndToEndID), Request: t.Request.Extra,
		Reversals: returnedOf(t.Transaction), Reversed: t.GivenBack(), Late: lateOf(t.Late),
	}
	if t.Status() == payment.Reversed {
		last := t.LastReversal()
		d.Reversal = &reversalBody{last.NSU, stampOf(last.At)}
	}
	if t.Outcome.Receipt != (payment.Receipt{}) {
		r := receiptBody(t.Outcome.Receipt)
		d.Receipt = &r
	}
	return transactionBody{NSU: t.Outcome.NSU, Message: messageOf(t), Details: d, of: t.Transaction}
}

// messageOf is how a transaction stands, in the interface's words.
func messageOf(t payment.Found) string {
	switch t.Status() {
	case payment.Approved:
		return "Transação aprovada"
	case payment.Refused:
		return cmp.Or(t.Outcome.Message, "Transação negada")
	case payment.Cancelled:
		return "Transação cancelada"
	case payment.Reversed:
		return reversalApproved
	}
	if t.Progress != "" {
		return "Transação em andamento"
	}
	return "Situação da transação desconhecida; consulte pelo referenceId."
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
