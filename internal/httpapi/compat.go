package httpapi

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/maquininha/maquininha/internal/httpapi/tefip"
	"github.com/maquininha/maquininha/internal/sale"
)

// compat stands between the interface and callers written for TEF IP: it completes what they send before a handler reads it, and what
// handlers answer before it is written. Handlers know nothing of it. Switched off, it changes nothing. The emulator's panel is on
// the inner side.
type compat struct {
	api *API
	on  bool
}

// routes are the routes as these callers know them.
func (c compat) routes(table []route) []route {
	if !c.on {
		return table
	}
	for i, rt := range table {
		method, path, _ := strings.Cut(rt.pattern, " ")
		table[i].handle = func(r *http.Request) (any, error) {
			result, err := rt.handle(r)
			if err != nil {
				return nil, err
			}
			return c.answer(method, path, result), nil
		}
	}
	return table
}

// streams are the streams as these callers know them.
func (c compat) streams(all map[string]http.Handler) map[string]http.Handler {
	if c.on {
		all["GET /logs/stream"] = c.api.logStream(func(b logBody) any { return c.answer("GET", "/logs", b) })
		all["GET /logs/zip/download"] = c.api.logArchive(tefip.LogsName)
	}
	return all
}

// sent is the body of a request as the interface wants it.
func (c compat) sent(r *http.Request, value any) any {
	body, ok := value.(object)
	if !c.on || !ok {
		return value
	}
	_, path, _ := strings.Cut(r.Pattern, " ")
	if tefip.UnsignedDiscount(path) {
		for i, m := range body {
			if n, ok := m.value.(json.Number); ok && m.name == "discount" {
				body[i].value = json.Number(strings.TrimPrefix(n.String(), "-"))
			}
		}
	}
	if i := body.find("backgroundColor"); (i < 0 || body[i].value == nil) && tefip.LeavesOutBackground(path) {
		body = append(body, member{name: "backgroundColor", value: tefip.White})
	}
	return body
}

// answer is what these callers read in the place of what a handler returned.
func (c compat) answer(method, path string, result any) any {
	switch tefip.SaleAnswer(method, path) {
	case tefip.Coupon:
		return c.coupon(result)
	case tefip.Entity:
		return c.entity(result)
	}
	switch b := result.(type) {
	case list:
		return list(func(emit func(any) error) error {
			return b(func(element any) error { return emit(c.answer(method, path, element)) })
		})
	case logBody:
		return tefip.LogOf(b.of, b.Details)
	case answerBody:
		return tefip.Beside(b, tefip.Answer{DisplayValue: b.to.Display(b.Value)})
	case []answerBody:
		all := make([]any, len(b))
		for i, one := range b {
			all[i] = c.answer(method, path, one)
		}
		return all
	case transactionBody:
		d := b.Details
		same := tefip.Payment{CNPJ: d.CNPJ, CAut: d.CAut, TxID: d.TxID, TBand: d.TBand, TPag: d.TPag}
		if method == http.MethodGet {
			return tefip.Beside(b, tefip.StoredOf(b.of, same, d, d.Reversal))
		}
		return tefip.Beside(b, same)
	}
	return result
}

// coupon puts the whole sale beside an answer. If the sale ended meanwhile there is none, and the answer stands alone: what it says was
// done is done.
func (c compat) coupon(result any) any {
	now, err := c.api.Sales.Current()
	if err != nil {
		return result
	}
	return tefip.Beside(result, saleOf(now))
}

// entity puts the line that was added or changed beside its answer; as with coupons, it may be gone by now.
func (c compat) entity(result any) any {
	switch b := result.(type) {
	case itemAnswer:
		if item, err := c.api.Sales.Item(b.ItemID); err == nil {
			return tefip.Beside(b, itemBody(item))
		}
	case paymentAnswer:
		if p, err := c.api.Sales.Payment(b.PaymentID); err == nil {
			return tefip.Beside(b, paymentBody{p.ID, p.Type, p.Description, p.Value, p.AdditionalInfo})
		}
	case discountAnswer:
		return c.adjustment(b, sale.Discounts, b.DiscountID)
	case additionAnswer:
		return c.adjustment(b, sale.Additions, b.AdditionID)
	}
	return result
}

func (c compat) adjustment(result any, list sale.List, id string) any {
	a, err := c.api.Sales.Adjustment(list, id)
	if err != nil {
		return result
	}
	return tefip.Beside(result, adjustmentBody(a))
}
