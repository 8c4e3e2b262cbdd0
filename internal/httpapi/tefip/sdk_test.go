package tefip_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/apptest"
)

// sdk is a caller that sends and reads as TEF IP's SDK does: every field is sent, absent ones as null; a body is decoded before the
// status is looked at; keys that it does not know are passed over; what is missing, of another type, or a word that it does not
// know, throws.
type sdk struct {
	t      testing.TB
	base   string
	screen string // where the terminal's page is
	http   *http.Client
}

func (s sdk) request(method, path string, body any) *http.Request {
	s.t.Helper()
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			s.t.Fatal(err)
		}
		sent = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.base+path, sent)
	if err != nil {
		s.t.Fatal(err)
	}
	req.SetBasicAuth(apptest.User, apptest.Password)
	req.Header.Set("Content-Type", "application/json")
	return req
}

// refused is an answer that is no success.
type refused struct {
	status  int
	message string
}

func (s sdk) send(method, path string, body any) (decoded any, no *refused) {
	s.t.Helper()
	answer, err := s.http.Do(s.request(method, path, body))
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&decoded); err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	if answer.StatusCode/100 != 2 {
		return nil, &refused{answer.StatusCode, s.object(decoded).text("message")}
	}
	return decoded, nil
}

// call is send for what must succeed and answer an object.
func (s sdk) call(method, path string, body any) object {
	s.t.Helper()
	decoded, no := s.send(method, path, body)
	if no != nil {
		s.t.Fatalf("%s %s: %d %s", method, path, no.status, no.message)
	}
	return s.object(decoded)
}

// list is call for what answers a list.
func (s sdk) list(method, path string, body any) (all []object) {
	s.t.Helper()
	decoded, no := s.send(method, path, body)
	elements, ok := decoded.([]any)
	if no != nil || !ok {
		s.t.Fatalf("%s %s: %v, %T", method, path, no, decoded)
	}
	for _, e := range elements {
		all = append(all, s.object(e))
	}
	return all
}

func (s sdk) object(v any) object {
	s.t.Helper()
	m, ok := v.(map[string]any)
	if !ok {
		s.t.Fatalf("%T is no object", v)
	}
	return object{s.t, m}
}

// object is JSON that is read field by field.
type object struct {
	t testing.TB
	m map[string]any
}

func optional[T any](o object, name string) (value T, given bool) {
	o.t.Helper()
	v := o.m[name]
	if v == nil {
		return value, false
	}
	value, ok := v.(T)
	if !ok {
		o.t.Fatalf("%s is a %T: %v", name, v, o.m)
	}
	return value, true
}

func required[T any](o object, name string) T {
	o.t.Helper()
	value, given := optional[T](o, name)
	if !given {
		o.t.Fatalf("no %s: %v", name, o.m)
	}
	return value
}

func (o object) text(name string) string { o.t.Helper(); return required[string](o, name) }

func (o object) number(name string) float64 { o.t.Helper(); return required[float64](o, name) }

func (o object) optionalText(name string) string {
	o.t.Helper()
	s, _ := optional[string](o, name)
	return s
}

func (o object) optionalNumber(name string) float64 {
	o.t.Helper()
	n, _ := optional[float64](o, name)
	return n
}

func (o object) word(name string, known ...string) string {
	o.t.Helper()
	word := o.text(name)
	if !slices.Contains(known, word) {
		o.t.Fatalf("%s: %q is not one of %v", name, word, known)
	}
	return word
}

func (o object) inner(name string) object {
	o.t.Helper()
	return object{o.t, required[map[string]any](o, name)}
}

// details are an object, the JSON text of one, or nothing.
func (o object) details(name string) map[string]any {
	o.t.Helper()
	if text, ok := o.m[name].(string); ok {
		var m map[string]any
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			o.t.Fatal(err)
		}
		return m
	}
	m, _ := optional[map[string]any](o, name)
	return m
}

// item is an entry of the cart, as 1.3 and newer read it.
type item struct {
	ID, Code, Description     string
	Canceled                  bool
	Quantity, UnitPrice       float64
	Discount, Addition, Total float64
	AdditionalInfo            string
}

func (o object) item() item {
	o.t.Helper()
	canceled, _ := optional[bool](o, "canceled")
	return item{
		o.optionalText("id"), o.text("code"), o.text("description"), canceled, o.number("quantity"), o.number("unitPrice"),
		o.optionalNumber("discount"), o.optionalNumber("addition"), o.number("total"), o.optionalText("additionalInfo"),
	}
}

// salePayment is an entry of what was paid.
type salePayment struct {
	ID, TPag, Description string
	Value                 float64
	AdditionalInfo        string
}

func (o object) salePayment() salePayment {
	o.t.Helper()
	return salePayment{o.optionalText("id"), o.word("tPag", "01", "03", "04", "05", "17", "99"), o.optionalText("description"), o.number("value"), o.optionalText("additionalInfo")}
}

// adjustment is a discount or an addition of the sale.
type adjustment struct {
	ID, Description string
	Value           float64
	AdditionalInfo  string
}

func (o object) adjustment() adjustment {
	o.t.Helper()
	return adjustment{o.text("id"), o.optionalText("description"), o.number("value"), o.optionalText("additionalInfo")}
}

// coupon is the whole sale; of what is missing only the sale itself and its sums are missed.
type coupon struct {
	Customer, Seller     string
	Items                []item
	Payments             []salePayment
	Discounts, Additions []adjustment
	Sums                 sums
}

// sums are what the coupon adds up to.
type sums struct{ Subtotal, Discount, Surcharge, ItemDiscount, ItemAddition, Total float64 }

func (o object) coupon() (c coupon) {
	o.t.Helper()
	sale, s := o.inner("sale"), o.inner("summary")
	c = coupon{Customer: sale.optionalText("customerName"), Seller: sale.optionalText("sellerName"), Sums: sums{
		s.optionalNumber("subtotal"), s.optionalNumber("discount"), s.optionalNumber("surcharge"), s.optionalNumber("itemDiscount"),
		s.optionalNumber("itemAddition"), s.optionalNumber("total"),
	}}
	sale.optionalNumber("total")
	for name, to := range map[string]*[]adjustment{"discounts": &c.Discounts, "additions": &c.Additions} {
		all, _ := optional[[]any](o, name)
		for _, a := range all {
			*to = append(*to, object{o.t, a.(map[string]any)}.adjustment())
		}
	}
	items, _ := optional[[]any](o, "items")
	for _, i := range items {
		c.Items = append(c.Items, object{o.t, i.(map[string]any)}.item())
	}
	payments, _ := optional[[]any](o, "payments")
	for _, p := range payments {
		c.Payments = append(c.Payments, object{o.t, p.(map[string]any)}.salePayment())
	}
	return c
}

// payment is the answer of a payment or a reversal.
type payment struct{ NSU, Message, CNPJ, CAut, TxID, TBand, TPag, Acquirer string }

func (o object) payment() payment {
	o.t.Helper()
	o.details("details")
	return payment{
		o.optionalText("nsu"), o.optionalText("message"), o.optionalText("cnpj"), o.optionalText("cAut"), o.optionalText("txid"), o.optionalText("tBand"),
		o.optionalText("tPag"), o.optionalText("acquirer"),
	}
}

// stored is a transaction that is looked up.
type stored struct {
	payment
	Reference, Type, Status, InstallmentType string
	Amount, Installments                     float64
	Created, Updated                         float64
	Payment, Reversal                        map[string]any
}

func (o object) stored() stored {
	o.t.Helper()
	return stored{
		o.payment(), o.optionalText("referenceId"), o.word("type", "01", "03", "04", "05", "17", "99", "credit", "debit", "pix", "unknown"),
		o.word("transactionStatus", "pending", "paid", "cancelled", "unknown"), o.word("installmentType", "single", "seller", "buyer"),
		o.number("amount"), o.number("installments"), o.number("createdAt"), o.number("updatedAt"), o.details("paymentDetails"), o.details("reversalDetails"),
	}
}

// logEntry is an entry of the log.
type logEntry struct {
	ID                     float64
	Level, Source, Message string
	Created                float64
}

func (o object) logEntry() logEntry {
	o.t.Helper()
	o.optionalText("details")
	return logEntry{
		o.number("id"), o.word("level", "fatal", "error", "warning", "info", "trace", "path", "debug"), o.word("source", "app", "router", "http"), o.text("message"),
		o.number("createdAt"),
	}
}

// answered is the answer to a question; without a displayValue the value is shown.
func (o object) answered() string {
	o.t.Helper()
	o.number("id")
	value := o.text("value")
	if shown, given := optional[string](o, "displayValue"); given {
		return value + " " + shown
	}
	return value
}

// lines are those of a stream that carry data.
func lines(t testing.TB, from io.Reader, each func(object) bool) {
	t.Helper()
	for read, rest := make([]byte, 4<<10), ""; ; {
		n, err := from.Read(read)
		rest += string(read[:n])
		for line, more, found := strings.Cut(rest, "\n"); found; line, more, found = strings.Cut(rest, "\n") {
			rest = more
			data, is := strings.CutPrefix(line, "data: ")
			if !is {
				continue
			}
			var m map[string]any
			if err := json.Unmarshal([]byte(data), &m); err != nil {
				t.Fatal(fmt.Errorf("%q: %w", data, err))
			}
			if each(object{t, m}) {
				return
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
