package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/waittest"
)

func TestSaleDiscountsAndAdditions(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", nil).ok()
	m.call("POST", "/sale/item", coffee).ok()
	m.call("POST", "/sale/payment", cash).ok()
	for _, step := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", "/sale/discount", `{"id":"d1","description":"Cupom","value":-2.50,"additionalInfo":"ABC"}`, 200, `{"message":"Desconto adicionado com sucesso","discountId":"d1"}`},
		{"POST", "/sale/discount", `{"id":"d1","value":9}`, 400, `{"code":400,"message":"Desconto já existente na venda!"}`},
		{"POST", "/sale/addition", `{"id":"d1","value":1.00}`, 200, `{"message":"Acréscimo adicionado com sucesso","additionId":"d1"}`}, // lists of their own
		{"POST", "/sale/addition", `{"id":"d1","value":9}`, 400, `{"code":400,"message":"Acréscimo já existente na venda!"}`},
		{"PATCH", "/sale/discount/d1", `{"id":"x","description":null,"value":3.50}`, 200, `{"message":"Desconto atualizado com sucesso","discountId":"d1"}`},
		{"PUT", "/sale/discount/d1", `{"description":"Cupom 2"}`, 200, `{"message":"Desconto atualizado com sucesso","discountId":"d1"}`},
		{"PATCH", "/sale/addition/d1", `{"value":-2}`, 200, `{"message":"Acréscimo atualizado com sucesso","additionId":"d1"}`},
		{"PUT", "/sale/addition/d1", `{"description":"Entrega"}`, 200, `{"message":"Acréscimo atualizado com sucesso","additionId":"d1"}`},
		{"PUT", "/sale", `{"total":99.90}`, 200, `{"message":"Venda atualizada com sucesso"}`},
		{"PUT", "/sale/item/1", `{"quantity":2,"total":15.00}`, 200, `{"message":"Item atualizado com sucesso","itemId":"1"}`},
		{"PUT", "/sale/payment/p1", `{"tPag":"17"}`, 200, `{"message":"Pagamento atualizado com sucesso","paymentId":"p1"}`},
	} {
		a := m.call(step.method, step.path, bodyOf(step.body))
		if a.status != step.status {
			t.Errorf("%s %s: %d", a.what, step.body, a.status)
		}
		a.equals(step.want)
	}
	before := m.call("GET", "/sale", nil).ok()
	m = m.again()
	m.call("GET", "/sale", nil).ok().equals(string(before.body))
	c := m.cart()
	want := cartView{
		Sale: c.Sale, Summary: c.Summary, Items: c.Items, Payments: c.Payments,
		Discounts: []map[string]any{{"id": "d1", "description": "Cupom 2", "value": number("3.50"), "additionalInfo": "ABC"}},
		Additions: []map[string]any{{"id": "d1", "description": "Entrega", "value": number("2"), "additionalInfo": nil}},
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
	if c.Sale["total"] != number("99.90") || c.Summary["total"] != number("13.50") || c.Items[0]["quantity"] != number("2") || c.Payments[0]["tPag"] != "17" {
		t.Errorf("%+v", c)
	}
	for _, step := range []struct{ path, want string }{
		{"/sale/discount/d1", `{"message":"Desconto removido com sucesso","discountId":"d1"}`},
		{"/sale/addition/d1", `{"message":"Acréscimo removido com sucesso","additionId":"d1"}`},
	} {
		m.call("DELETE", step.path, nil).ok().equals(step.want)
	}
}

func TestSaleIsCleared(t *testing.T) {
	t.Parallel()
	m := start(t)
	fill := func() {
		m.call("POST", "/sale/item", coffee).ok()
		m.call("POST", "/sale/payment", cash).ok()
		m.call("POST", "/sale/discount", `{"id":"a","value":1}`).ok()
		m.call("POST", "/sale/addition", `{"id":"a","value":1}`).ok()
	}
	lines := func() [4]int {
		c := m.cart()
		return [4]int{len(c.Items), len(c.Payments), len(c.Discounts), len(c.Additions)}
	}
	m.call("POST", "/sale", `{"customerName":"Ana","total":5}`).ok()
	for i, step := range []struct{ list, message string }{
		{"item", "Itens removidos com sucesso"},
		{"payment", "Pagamentos removidos com sucesso"},
		{"discount", "Descontos removidos com sucesso"},
		{"addition", "Acréscimos removidos com sucesso"},
	} {
		fill()
		want := lines()
		want[i] = 0
		m.call("DELETE", "/sale/"+step.list+"/clear", nil).ok().equals(`{"message":"` + step.message + `"}`)
		m.call("DELETE", "/sale/"+step.list+"/clear", nil).ok() // an empty list stays empty
		if got := lines(); got != want {
			t.Errorf("%s: %v lines left, want %v", step.list, got, want)
		}
		m.call("DELETE", "/sale/clear", nil).is(200, "Venda limpa com sucesso")
		if got := lines(); got != [4]int{} {
			t.Errorf("%v lines left of a cleared sale", got)
		}
	}
	if c := m.cart(); c.Sale["customerName"] != "Ana" || c.Sale["total"] != nil || c.Summary["total"] != number("0") {
		t.Errorf("a cleared sale: %+v", c)
	}
	fill() // ids that were cleared may come again
	m.call("POST", "/sale/discount", `{"id":"clear","value":1}`).ok()
	m.call("DELETE", "/sale/discount/clear", nil).ok().equals(`{"message":"Desconto removido com sucesso","discountId":"clear"}`)
	if got := m.again().cart().Discounts; len(got) != 1 {
		t.Errorf("of discounts a and clear %v are left", got)
	}
}

// The caller's total is shown; that it is another than the reckoned one is told when it comes, and at the end.
func TestSaleWarnsOfTheShownTotal(t *testing.T) {
	t.Parallel()
	m := start(t)
	warnings := func(what string, want int, do func()) {
		t.Helper()
		before := m.warnings()
		do()
		if got := m.warnings() - before; got != want {
			t.Errorf("%s: %d warnings, want %d", what, got, want)
		}
	}
	warnings("before there is anything", 0, func() { m.call("POST", "/sale", `{"total":6.5}`).ok() })
	m.call("POST", "/sale/item", coffee).ok()
	m.call("POST", "/sale/discount", `{"value":1}`).ok()
	m.call("POST", "/sale/payment", cash).ok()
	warnings("the same", 0, func() { m.call("PATCH", "/sale", `{"total":6.50}`).ok() })
	warnings("another", 1, func() { m.call("PATCH", "/sale", `{"total":6.51}`).ok() })
	warnings("something else", 0, func() { m.call("PATCH", "/sale", `{"customerName":"Ana"}`).ok() })
	warnings("at the end", 1, func() { m.call("POST", "/sale/finalize", nil).ok() })
	m.call("POST", "/sale", `{"total":9}`).ok()
	warnings("nothing was sold", 0, func() { m.call("POST", "/sale/cancel", nil).ok() })
}

func TestResultScreen(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, path := range []string{"/sale/finalize", "/sale/cancel"} {
		for body, view := range map[string]string{
			`{"messageInterval":600000}`:                                             "closing",
			`{"messageInterval":600000,"showResultScreen":true}`:                     "closing",
			`{"messageInterval":600000,"showResultScreen":false}`:                    "idle",
			`{"messageInterval":600000,"showResultScreen":true,"showMessage":false}`: "idle",
		} {
			m.call("POST", "/sale", nil).ok()
			m.call("POST", path, body).ok()
			if s := m.screenNow(); s.View != view {
				t.Errorf("%s %s shows %s, want %s", path, body, s.View, view)
			}
		}
	}
}

func TestEndedSales(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	m.call("GET", "/sales", nil).ok().equals(`[]`)
	end := func(how string) string {
		t.Helper()
		a := m.call("POST", "/sale/"+how, `{"showMessage":false}`).ok()
		if !strings.Contains(a.header.Get("Access-Control-Expose-Headers"), "X-Sale-Id") {
			t.Error("a page in a browser cannot read X-Sale-Id")
		}
		return a.header.Get("X-Sale-Id")
	}
	pay := func(reference string) {
		m.call("POST", "/transaction", `{"tPag":"03","amount":7.50,"referenceId":"`+reference+`"}`).ok()
	}
	pay("before")
	m.call("POST", "/sale", `{"customerName":"Ana","total":6}`).ok()
	m.call("POST", "/sale/item", coffee).ok()
	m.call("POST", "/sale/payment", `{"id":"p","tPag":"03","value":6}`).ok()
	m.call("POST", "/sale/discount", `{"id":"d","value":1.50}`).ok()
	pay("pedido-1")
	open := m.call("GET", "/sale", nil).ok().json()
	first := end("finalize")
	pay("between")
	m.call("POST", "/sale", nil).ok()
	second := end("cancel")
	m.call("POST", "/sale", nil).ok() // the open one is none of them

	m = m.again()
	whole := m.call("GET", "/sales/"+first, nil).ok().json()
	if whole["saleId"] != first || whole["status"] != "finalized" || !cmp.Equal(whole["transactions"], []any{"pedido-1"}) {
		t.Errorf("%v", whole)
	}
	if whole["openedAt"] != open["sale"].(map[string]any)["openedAt"] || whole["closedAt"].(string) < whole["openedAt"].(string) {
		t.Errorf("opened at %v, closed at %v", whole["openedAt"], whole["closedAt"])
	}
	for _, key := range []string{"sale", "items", "payments", "discounts", "additions", "summary"} {
		if diff := cmp.Diff(open[key], whole[key]); diff != "" {
			t.Errorf("%s differs from what it was when open: %s", key, diff)
		}
	}
	if empty := m.call("GET", "/sales/"+second, nil).ok().json(); empty["status"] != "cancelled" || len(empty["transactions"].([]any)) != 0 {
		t.Errorf("%v", empty)
	}
	for query, want := range map[string][]string{
		"":                                   {second, first},
		"?limit=1":                           {second},
		"?status=finalized":                  {first},
		"?status=cancelled&limit=5":          {second},
		"?since=2020-01-01":                  {second, first},
		"?until=2020-01-01":                  nil,
		"?since=2999-01-01":                  nil,
		"?since=2020-01-01&until=2999-12-31": {second, first},
	} {
		var ids []string
		var listed []map[string]any
		m.call("GET", "/sales"+query, nil).ok().into(&listed)
		for _, s := range listed {
			ids = append(ids, s["saleId"].(string))
		}
		if !cmp.Equal(ids, want) {
			t.Errorf("%s: %v, want %v", query, ids, want)
		}
	}
	for query, field := range map[string]string{"status=open": "status", "since=ontem": "since", "until=x": "until", "limit=0": "limit"} {
		m.call("GET", "/sales?"+query, nil).blames(field)
	}
	for _, id := range []string{"3", "0", "-1", "01", "+1", "x", "99999999999999999999", "%2F"} {
		m.call("GET", "/sales/"+id, nil).is(404, "Venda não encontrada")
	}

	m = m.again(func(c *app.Config) { c.SaleMaxAge = time.Nanosecond })
	waittest.Until(t, "sales that ended too long ago are forgotten", func() bool { return string(m.unchecked("GET", "/sales", nil).body) == "[]\n" })
	m.call("GET", "/sales/"+first, nil).is(404, "Venda não encontrada")
	m.call("GET", "/sale", nil).ok()
}

func number(text string) json.Number { return json.Number(text) }
