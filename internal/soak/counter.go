package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
)

// serial makes ids that no earlier campaign on the same data could have made either.
var serial atomic.Int64

func newID() string { return fmt.Sprintf("soak-%d-%d", rand.Int64(), serial.Add(1)) }

// sell rings one sale up. A 503 is a service that stops to start again: whoever gets one cannot know what was kept, so
// from then on what has been done already is no error.
func (s *shop) sell(ctx context.Context, pace func() bool) {
	var unsure []int
	do := func(method, path, body string) bool {
		for pace() {
			a := s.call(ctx, method, path, body, unsure...)
			if a.status != http.StatusServiceUnavailable {
				return a.status != 0
			}
			unsure = []int{http.StatusBadRequest, http.StatusNotFound, http.StatusConflict}
		}
		return false
	}
	if !do("POST", "/sale", `{"customerName":"Maria da Conceição","customerDocument":"52998224725","sellerName":"Davi"}`) {
		return
	}
	var items []string
	for range 5 + rand.IntN(20) {
		id := newID()
		if !do("POST", "/sale/item", `{"id":"`+id+`","code":"7891910000197","description":"Açúcar refinado 1 kg","quantity":2,"unitPrice":5.49,"total":10.98}`) {
			return
		}
		items = append(items, id)
	}
	payment := newID()
	for _, step := range [][3]string{
		{"PATCH", "/sale", `{"additionalInfo":"caixa 3"}`},
		{"PATCH", "/sale/item/" + items[0], `{"quantity":3,"total":16.47}`},
		{"POST", "/sale/item/" + items[1] + "/cancel", ""},
		{"DELETE", "/sale/item/" + items[2], ""},
		{"POST", "/sale/payment", `{"id":"` + payment + `","tPag":"pix","value":10}`},
		{"PATCH", "/sale/payment/" + payment, `{"value":12.5}`},
		{"POST", "/sale/discount", `{"id":"` + payment + `","description":"Cupom","value":2}`},
		{"POST", "/sale/addition", `{"description":"Entrega","value":5}`},
		{"DELETE", "/sale/addition/clear", ""},
		{"GET", "/sale", ""},
		{"GET", "/sales?limit=5", ""},
		{"DELETE", "/sale/payment/" + payment, ""},
		{"POST", "/sale/payment", `{"tPag":"credit","value":150.25}`},
	} {
		if !do(step[0], step[1], step[2]) {
			return
		}
	}
	end := "/sale/finalize"
	if rand.IntN(5) == 0 {
		end = "/sale/cancel"
	}
	do("POST", end, `{"message":"Volte sempre","messageInterval":500}`)
}

// leaveNoSale ends a sale that an earlier round could not.
func (s *shop) leaveNoSale(ctx context.Context) {
	s.call(ctx, "POST", "/sale/cancel", `{"showMessage":false}`, http.StatusConflict)
}

// amounts are what is paid: mostly a price, now and then one that the emulator refuses or cancels.
var amounts = []string{"54.24", "12.34", "199.90", "3.50", "0.51", "0.54", "0.55", "0.57", "0.91"}

// pay takes a payment, looks it up and pays some of them back.
func (s *shop) pay(ctx context.Context, pace func() bool) {
	id := newID()
	method := []string{"03", "04", "17"}[rand.IntN(3)]
	body := `{"tPag":"` + method + `","amount":` + amounts[rand.IntN(len(amounts))] + `,"referenceId":"` + id + `","details":{"pedido":1}}`
	if !pace() {
		return
	}
	paid := s.call(ctx, "POST", "/transaction", body, http.StatusForbidden)
	if paid.status == 0 || !pace() {
		return
	}
	// A payment that was refused for want of a free terminal was never begun.
	s.call(ctx, "GET", "/transaction/"+id, "", http.StatusNotFound)
	if paid.ok() && pace() {
		s.call(ctx, "POST", "/transaction", body) // again: answered from the ledger
	}
	if paid.ok() && rand.IntN(2) == 0 && pace() {
		s.call(ctx, "POST", "/transaction/"+id+"/reversal", "")
	}
}

// silence is a payment that the acquirer does not answer: the terminal is busy for some ten seconds.
func (s *shop) silence(ctx context.Context) {
	s.call(ctx, "POST", "/transaction", `{"tPag":"03","amount":0.98,"referenceId":"`+newID()+`"}`, http.StatusForbidden)
}
