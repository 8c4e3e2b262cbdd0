package httpapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestSaleWarnsOfTotals(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", nil).ok()
	for i, row := range []struct {
		parts, total string
		warns        bool
	}{
		{`"quantity":2,"unitPrice":5.00`, `10.00`, false},
		{`"quantity":2,"unitPrice":5.00`, `10.01`, false},
		{`"quantity":2,"unitPrice":5.00`, `9.99`, false},
		{`"quantity":2,"unitPrice":5.00`, `10.02`, true},
		{`"quantity":2,"unitPrice":5.00`, `9.98`, true},
		{`"quantity":2,"unitPrice":5.00,"discount":1.00,"addition":0.50`, `9.50`, false},
		{`"quantity":2,"unitPrice":5.00,"discount":1.00,"addition":0.50`, `10.00`, true},
		{`"quantity":0.348,"unitPrice":49.90`, `17.37`, false},
		{`"quantity":0.348,"unitPrice":49.90`, `17.36`, false},
		{`"quantity":0.348,"unitPrice":49.90`, `17.38`, true}, // 17.3652: off by 0.0148
	} {
		before := m.warnings()
		body := fmt.Sprintf(`{"id":"%d","code":"1","description":"A",%s,"total":%s}`, i, row.parts, row.total)
		m.call("POST", "/sale/item", body).ok()
		if got := m.warnings() - before; got > 1 || (got == 1) != row.warns {
			t.Errorf("%s: %d warnings, want %v", body, got, row.warns)
		}
		if got := m.cart().Items[i]["total"]; got != json.Number(row.total) {
			t.Errorf("total %s was recorded as %s", row.total, got)
		}
	}
	before := m.warnings()
	m.call("PATCH", "/sale/item/0", `{"total":99}`).ok()
	if got := m.warnings() - before; got != 1 {
		t.Errorf("a wrong total by PATCH: %d warnings, want 1", got)
	}
}

func TestSaleWarnsOfShortPayments(t *testing.T) {
	t.Parallel()
	m := start(t)
	for paid, warns := range map[string]bool{"7.49": true, "7.50": false, "7.5": false, "8": false} {
		m.call("POST", "/sale", nil).ok()
		m.call("POST", "/sale/item", coffee).ok()
		m.call("POST", "/sale/item", strings.Replace(coffee, `"1"`, `"2","canceled":true`, 1)).ok() // does not need paying
		m.call("POST", "/sale/payment", `{"value":`+paid+`}`).ok()
		before := m.warnings()
		m.call("POST", "/sale/finalize", nil).is(200, "Venda finalizada com sucesso")
		if got := m.warnings() - before; (got == 1) != warns || got > 1 {
			t.Errorf("7.50 paid with %s: %d warnings, want %v", paid, got, warns)
		}
	}
}

func TestSaleAddsUp(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", nil).ok()
	summary := func(want string) {
		t.Helper()
		got, _ := json.Marshal(m.cart().Summary)
		(&answer{t: t, what: "summary", body: got}).equals(want)
	}
	const noAdjustments = `"discount":0,"surcharge":0,`
	summary(`{"subtotal":0,` + noAdjustments + `"itemDiscount":0,"itemAddition":0,"total":0,"paid":0,"due":0,"change":0,"itemCount":0}`)
	for _, parts := range []string{
		`"id":"a","quantity":2,"unitPrice":18.90,"discount":1.80,"total":36.00`,
		`"id":"b","quantity":0.348,"unitPrice":49.90,"total":17.37`,
		`"id":"c","quantity":1,"unitPrice":8.00,"addition":2.00,"total":10.00`,
		`"id":"d","quantity":1,"unitPrice":500.00,"discount":1.00,"addition":1.00,"total":500.00,"canceled":true`,
		`"id":"e","quantity":3,"unitPrice":0.105,"total":0.32`, // 0.315: half a cent goes up
	} {
		m.call("POST", "/sale/item", `{"code":"1","description":"A",`+parts+`}`).ok()
	}
	summary(`{"subtotal":63.69,` + noAdjustments + `"itemDiscount":1.80,"itemAddition":2.00,"total":63.69,"paid":0,"due":63.69,"change":0,"itemCount":4}`)
	m.call("POST", "/sale/payment", `{"id":"1","tPag":"money","value":50.10}`).ok()
	m.call("POST", "/sale/payment", `{"id":"2","tPag":"cancel","value":0.20}`).ok()
	summary(`{"subtotal":63.69,` + noAdjustments + `"itemDiscount":1.80,"itemAddition":2.00,"total":63.69,"paid":50.30,"due":13.39,"change":0,"itemCount":4}`)
	m.call("POST", "/sale/item/a/cancel", nil).ok()
	summary(`{"subtotal":27.69,` + noAdjustments + `"itemDiscount":0,"itemAddition":2.00,"total":27.69,"paid":50.30,"due":0,"change":22.61,"itemCount":3}`)
	m.call("DELETE", "/sale/item/b", nil).ok()
	m.call("DELETE", "/sale/payment/2", nil).ok()
	m.call("PATCH", "/sale/item/d", `{"canceled":false}`).ok()
	summary(`{"subtotal":510.32,` + noAdjustments + `"itemDiscount":1.00,"itemAddition":3.00,"total":510.32,"paid":50.10,"due":460.22,"change":0,"itemCount":3}`)
	m.call("POST", "/sale/discount", `{"value":-10.32}`).ok()
	m.call("POST", "/sale/discount", `{"value":1}`).ok()
	m.call("POST", "/sale/addition", `{"value":5.00}`).ok()
	m.call("PATCH", "/sale", `{"total":1}`).ok() // shown only
	summary(`{"subtotal":510.32,"discount":11.32,"surcharge":5.00,"itemDiscount":1.00,"itemAddition":3.00,"total":504.00,"paid":50.10,"due":453.90,"change":0,"itemCount":3}`)
	if s := m.screenNow(); s.View != "sale" || s.Sale == nil {
		t.Errorf("the screen shows %+v", s)
	} else if shown, _ := json.Marshal(s.Sale); true {
		(&answer{t: t, what: "the screen's sale", body: shown}).equals(string(m.call("GET", "/sale", nil).body))
	}
}

func TestSaleKeepsDecimalsExactly(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", nil).ok()
	numbers := []string{"7.50", "7.5", "7", "7.00", "0.10", "1.000", "0.001", "12345678901.23", "999999999999.99", "0.123456", "100000.10"}
	for i, n := range numbers {
		m.call("POST", "/sale/item", fmt.Sprintf(`{"id":"%d","code":"1","description":"A","quantity":1.00,"unitPrice":%s,"discount":%[2]s,"addition":%[2]s,"total":%[2]s}`, i, n)).ok()
		m.call("POST", "/sale/payment", `{"value":`+n+`}`).ok()
	}
	check := func(m *terminal) {
		t.Helper()
		c := m.cart()
		for i, n := range numbers {
			for _, field := range []string{"unitPrice", "discount", "addition", "total"} {
				if got := c.Items[i][field]; got != json.Number(n) {
					t.Errorf("%s %s came back as %s", field, n, got)
				}
			}
			if c.Items[i]["quantity"] != json.Number("1.00") || c.Payments[i]["value"] != json.Number(n) {
				t.Errorf("quantity 1.00, value %s came back as %s, %s", n, c.Items[i]["quantity"], c.Payments[i]["value"])
			}
		}
	}
	check(m)
	check(m.again())
}
