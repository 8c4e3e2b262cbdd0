package pointsim

import (
	"net/http"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/money"
)

func (a *Account) refundOrder(r *request) httpsim.Reply {
	o, none := a.find(r)
	if none != nil {
		return *none
	}
	_, known, no := a.before(r)
	switch {
	case no != nil:
		return *no
	case known:
		return httpsim.Reply{Status: http.StatusCreated, Body: o.json()}
	}
	amount, refusal := a.refundable(r, o)
	if refusal != nil {
		return *refusal
	}
	e := Event{
		Kind: Refunded, Order: o.made.Order, ID: newID("REF"), Number: newNumber(), Amount: amount.Cents(), Status: processed, Key: key(r), Sum: sum(r),
	}
	if m, ok := a.Whims.Take(OnRefund, refundsOnly); ok {
		end := processed
		if m.Kind != RefundSlowly {
			end = failed
		}
		if e.Status = end; m.Kind != RefundRefused {
			e.Status, e.Until, e.End = processing, time.Now().Add(m.Delay), end
		}
	}
	if err := a.happen(e); err != nil {
		return broken(err)
	}
	return a.tell(http.StatusCreated, o)
}

// refundable is how much a request gives back, or the reply that it can't.
func (a *Account) refundable(r *request, o *order) (money.Decimal, *httpsim.Reply) {
	amount := o.left()
	var no httpsim.Reply
	if len(r.Body) > 0 {
		var body struct {
			Transactions []struct {
				ID     string `json:"id"`
				Amount string `json:"amount"`
			} `json:"transactions"`
		}
		err := httpsim.Decode(r.Body, &body)
		switch {
		case err != nil:
			no = a.bad(r, http.StatusBadRequest, "invalid_payload", err.Error())
			return amount, &no
		case len(body.Transactions) != 1 || !amountPattern.MatchString(body.Transactions[0].Amount):
			no = a.bad(r, http.StatusBadRequest, "property_value", "deve haver uma transação com o seu valor")
			return amount, &no
		case body.Transactions[0].ID != o.made.Payment:
			no = a.bad(r, http.StatusNotFound, "transaction_not_found", "a transação não é desta cobrança")
			return amount, &no
		}
		amount = money.MustParse(body.Transactions[0].Amount)
	}
	switch {
	case o.now.Status != processed:
		no = problem(http.StatusConflict, "invalid_order_status", "a cobrança está "+o.now.Status)
	case slices.ContainsFunc(o.refunds, func(r *Event) bool { return r.Status == processing }):
		no = problem(http.StatusConflict, "refund_in_progress", "já há um estorno em andamento")
	case amount.Sign() <= 0 || amount.Cmp(o.left()) > 0:
		no = problem(http.StatusBadRequest, "refund_amount_exceeds", "mais do que resta do pagamento")
	default:
		return amount, nil
	}
	return amount, &no
}

// json is an order as the API tells it.
func (o *order) json() map[string]any {
	status, detail := o.now.Status, o.now.Detail
	paid := map[string]any{"id": o.made.Payment, "amount": o.made.Amount, "status": status, "status_detail": detail}
	if o.paid.Order != "" {
		paid["reference_id"], paid["paid_amount"] = o.paid.Number, o.made.Amount
		paid["payment_method"] = map[string]any{"id": o.paid.Method, "type": o.paid.Type, "installments": o.paid.Times}
	}
	back := []map[string]any{}
	for _, r := range o.refunds {
		back = append(back, map[string]any{
			"id": r.ID, "transaction_id": o.made.Payment, "reference_id": r.Number, "amount": r.Amount, "status": r.Status,
		})
		if status == processed && r.Status == processed {
			detail = "partially_refunded"
		}
	}
	transactions := map[string]any{"payments": []any{paid}}
	if len(back) > 0 {
		transactions["refunds"] = back
	}
	return map[string]any{
		"id": o.made.Order, "type": "point", "external_reference": o.made.Reference, "status": status, "status_detail": detail,
		"country_code": "BRA", "created_date": stamp(o.made.At), "last_updated_date": stamp(o.now.At), "transactions": transactions,
	}
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
