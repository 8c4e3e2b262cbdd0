package httpapi_test

import "testing"

// A sum that could only be kept rounded is refused, whichever request would make it.
func TestSumsAreNeverRounded(t *testing.T) {
	t.Parallel()
	m := start(t)
	const beyond = " não cabe na soma da venda sem arredondar"
	m.call("POST", "/sale", nil).ok()
	m.call("POST", "/sale/item", `{"id":"large","code":"1","description":"a","quantity":1,"unitPrice":1,"total":99999999999.99}`).ok()
	m.call("POST", "/sale/item", `{"id":"fine","code":"2","description":"b","quantity":1,"unitPrice":1,"total":0.000000001}`).is(400, "Requisição inválida: total"+beyond)
	m.call("POST", "/sale/item", `{"id":"fine","code":"2","description":"b","quantity":1,"unitPrice":1,"total":1}`).ok()
	m.call("PATCH", "/sale/item/fine", `{"total":0.000000001}`).is(400, "Requisição inválida: total"+beyond)
	m.call("PATCH", "/sale/item/fine", `{"discount":0.000000001}`).ok()
	m.call("PATCH", "/sale/item/large", `{"discount":99999999999.99}`).is(400, "Requisição inválida: discount"+beyond)
	m.call("POST", "/sale/payment", `{"id":"p","tPag":"money","value":0.000000001}`).is(400, "Requisição inválida: value"+beyond)
	m.call("POST", "/sale/payment", `{"id":"p","tPag":"money","value":1}`).ok()
	m.call("PATCH", "/sale/payment/p", `{"value":0.000000001}`).is(400, "Requisição inválida: value"+beyond)
	if total := m.cart().Summary["total"]; total.(interface{ String() string }).String() != "100000000000.99" {
		t.Errorf("total %v", total)
	}
}
