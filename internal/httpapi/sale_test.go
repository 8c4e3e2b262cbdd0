package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	coffee = `{"id":"1","code":"789","description":"Café","quantity":1,"unitPrice":7.50,"total":7.50}`
	cash   = `{"id":"p1","tPag":"money","description":"Dinheiro","value":10.00}`
)

// cartView is GET /sale; numbers stay as they were written.
type cartView struct {
	Sale, Summary   map[string]any
	Items, Payments []map[string]any

	Discounts, Additions []map[string]any
}

func (m *terminal) cart() (c cartView) {
	m.t.Helper()
	m.call("GET", "/sale", nil).ok().into(&c)
	return c
}

func (m *terminal) warnings() int {
	m.t.Helper()
	var entries []any
	m.call("GET", "/logs?level=warning", nil).ok().into(&entries)
	return len(entries)
}

func TestSaleMessages(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, step := range []struct{ method, path, body, want string }{
		{"POST", "/sale", `{"customerDocument":"529.982.247-25","customerName":"Ana","sellerName":"João","additionalInfo":"Mesa 2"}`, `{"message":"Venda iniciada com sucesso"}`},
		{"PATCH", "/sale", `{"customerName":"Ana Maria"}`, `{"message":"Venda atualizada com sucesso"}`},
		{"POST", "/sale/item", coffee, `{"message":"Item adicionado com sucesso","itemId":"1"}`},
		{"PATCH", "/sale/item/1", `{"quantity":2,"total":15.00}`, `{"message":"Item atualizado com sucesso","itemId":"1"}`},
		{"POST", "/sale/item/1/cancel", "", `{"message":"Item cancelado com sucesso","itemId":"1"}`},
		{"POST", "/sale/item/1/cancel", "", `{"message":"Item cancelado com sucesso","itemId":"1"}`},
		{"POST", "/sale/payment", cash, `{"message":"Pagamento adicionado com sucesso","paymentId":"p1"}`},
		{"PATCH", "/sale/payment/p1", `{"value":12.00}`, `{"message":"Pagamento atualizado com sucesso","paymentId":"p1"}`},
		{"DELETE", "/sale/payment/p1", "", `{"message":"Pagamento removido com sucesso","paymentId":"p1"}`},
		{"DELETE", "/sale/item/1", "", `{"message":"Item removido com sucesso","itemId":"1"}`},
		{"POST", "/sale/finalize", "", `{"message":"Venda finalizada com sucesso"}`},
		{"POST", "/sale", "", `{"message":"Venda iniciada com sucesso"}`},
		{"POST", "/sale/cancel", `{"message":"Até logo","showMessage":false}`, `{"message":"Venda cancelada com sucesso"}`},
		{"POST", "/sale", `{}`, `{"message":"Venda iniciada com sucesso"}`},
	} {
		m.call(step.method, step.path, bodyOf(step.body)).ok().equals(step.want)
	}
	if c := m.cart(); len(c.Items)+len(c.Payments) != 0 || c.Sale["customerName"] != nil {
		t.Errorf("a new sale holds something of the last: %+v", c)
	}
}

// saleCommands need a sale, and the lines need to be in it.
var saleCommands = []struct{ method, path, body, unknown string }{
	{"GET", "/sale", "", ""},
	{"PATCH", "/sale", `{"customerName":"Ana"}`, ""},
	{"POST", "/sale/item", coffee, ""},
	{"PATCH", "/sale/item/nada", `{"quantity":2}`, "Item não encontrado na venda!"},
	{"DELETE", "/sale/item/nada", "", "Item não encontrado na venda!"},
	{"POST", "/sale/item/nada/cancel", "", "Item não encontrado na venda!"},
	{"POST", "/sale/payment", cash, ""},
	{"PATCH", "/sale/payment/nada", `{"value":2}`, "Pagamento não encontrado na venda!"},
	{"DELETE", "/sale/payment/nada", "", "Pagamento não encontrado na venda!"},
	{"PUT", "/sale", `{"customerName":"Ana"}`, ""},
	{"PUT", "/sale/item/nada", `{"quantity":2}`, "Item não encontrado na venda!"},
	{"PUT", "/sale/payment/nada", `{"value":2}`, "Pagamento não encontrado na venda!"},
	{"POST", "/sale/discount", `{"value":1}`, ""},
	{"PATCH", "/sale/discount/nada", `{"value":2}`, "Desconto não encontrado na venda!"},
	{"DELETE", "/sale/discount/nada", "", "Desconto não encontrado na venda!"},
	{"POST", "/sale/addition", `{"value":1}`, ""},
	{"PUT", "/sale/addition/nada", `{}`, "Acréscimo não encontrado na venda!"},
	{"DELETE", "/sale/addition/nada", "", "Acréscimo não encontrado na venda!"},
	{"DELETE", "/sale/clear", "", ""},
	{"DELETE", "/sale/item/clear", "", ""},
	{"DELETE", "/sale/addition/clear", "", ""},
	{"POST", "/sale/finalize", "", ""},
	{"POST", "/sale/cancel", "", ""},
}

func TestSaleStateConflicts(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, c := range saleCommands {
		m.call(c.method, c.path, bodyOf(c.body)).is(409, "Nenhuma venda ativa!")
	}
	m.call("POST", "/sale", `{"customerName":"Ana"}`).ok()
	m.call("POST", "/sale", `{"customerName":"Bia"}`).is(409, "Já existe uma venda ativa!")
	if name := m.cart().Sale["customerName"]; name != "Ana" {
		t.Errorf("the refused sale left %v behind", name)
	}
	for _, c := range saleCommands {
		if c.unknown != "" {
			m.call(c.method, c.path, bodyOf(c.body)).is(404, c.unknown)
		}
	}
	m.call("POST", "/sale/item", coffee).ok()
	m.call("POST", "/sale/item", strings.Replace(coffee, "Café", "Chá", 1)).is(400, "Item já existente na venda!")
	m.call("POST", "/sale/payment", strings.Replace(cash, `"p1"`, `"1"`, 1)).ok() // items and payments have ids of their own
	m.call("POST", "/sale/payment", `{"id":"1","value":99}`).is(400, "Pagamento já existente na venda!")
	if c := m.cart(); len(c.Items) != 1 || c.Items[0]["description"] != "Café" || len(c.Payments) != 1 || c.Payments[0]["tPag"] != "money" {
		t.Errorf("a refused line changed the sale: %+v", c)
	}
	m.call("POST", "/sale/item/1/cancel", nil).ok()
	m.call("POST", "/sale/item", coffee).is(400, "Item já existente na venda!") // cancelled is still there
	m.call("DELETE", "/sale/item/1", nil).ok()
	m.call("POST", "/sale/item/1/cancel", nil).is(404, "Item não encontrado na venda!")
	m.call("POST", "/sale/item", coffee).ok()
}

func TestSaleMakesIDs(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", nil).ok()
	v7 := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[any]bool{}
	for _, id := range []string{``, `"id":null,`, ``} {
		item := m.call("POST", "/sale/item", `{`+id+`"code":"1","description":"A","quantity":1,"unitPrice":1,"total":1}`).ok().json()["itemId"].(string)
		paid := m.call("POST", "/sale/payment", `{`+id+`"value":1}`).ok().json()["paymentId"].(string)
		if !v7.MatchString(item) || !v7.MatchString(paid) || seen[item] || seen[paid] {
			t.Errorf("made ids %q and %q, want new UUIDv7", item, paid)
		}
		seen[item], seen[paid] = true, true
		m.call("PATCH", "/sale/item/"+item, `{"quantity":2,"total":2}`).ok()
		m.call("PATCH", "/sale/payment/"+paid, `{"value":2}`).ok()
	}
}

func TestSaleTakesAnyIDInPaths(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, id := range []string{
		"a/b", "/a", "a/", "/", "\u0000/", "//", "a//b", "..", ".", "../../status", "x/cancel", "cancel", "clear", "ç ã", "100%", "%2F", "a+b", "a?b#c", "a;b=c", `"\`, "{itemId}", "😀", "\u0000\n", strings.Repeat("9", 300),
	} {
		quoted, _ := json.Marshal(id)
		path := strings.NewReplacer(".", "%2E", "+", "%2B").Replace(url.PathEscape(id))
		m.call("POST", "/sale", nil).ok()
		m.call("POST", "/sale/item", `{"id":`+string(quoted)+`,"code":"1","description":"A","quantity":1,"unitPrice":1,"total":1}`).ok()
		m.call("POST", "/sale/payment", `{"id":`+string(quoted)+`,"value":1}`).ok()
		m.call("POST", "/sale/discount", `{"id":`+string(quoted)+`,"value":1}`).ok()
		for _, a := range []*answer{
			m.call("PATCH", "/sale/item/"+path, `{"quantity":2,"total":2}`), m.call("POST", "/sale/item/"+path+"/cancel", nil), m.call("DELETE", "/sale/item/"+path, nil),
			m.call("PATCH", "/sale/payment/"+path, `{"value":2}`), m.call("DELETE", "/sale/payment/"+path, nil),
			m.call("PATCH", "/sale/discount/"+path, `{"value":2}`), m.call("DELETE", "/sale/discount/"+path, nil),
		} {
			if body := a.json(); a.status != 200 || body["itemId"] != id && body["paymentId"] != id && body["discountId"] != id {
				t.Errorf("%s: %d %s, want the id %q", a.what, a.status, a.body, id)
			}
		}
		m.call("POST", "/sale/cancel", nil).ok()
	}
}

func TestSalePatchMerges(t *testing.T) {
	t.Parallel()
	const (
		session = `{"customerDocument":"1","customerName":"Ana","sellerName":"Zé","additionalInfo":"x"}`
		item    = `{"id":"1","code":"789","description":"Café","canceled":true,"quantity":1.000,"unitPrice":7.50,"discount":0.50,"addition":0.20,"total":7.20,"additionalInfo":"x"}`
		payment = `{"id":"1","tPag":"pix","description":"PIX","value":7.20,"additionalInfo":"x"}`
	)
	m := start(t)
	for _, row := range []struct {
		path, patch string
		want        map[string]any // fields that differ afterwards
	}{
		{"/sale", `{}`, nil},
		{"/sale", ``, nil},
		{"/sale", `{"sellerName":"Rui","desconhecido":1}`, map[string]any{"sellerName": "Rui"}},
		{"/sale", `{"customerDocument":null,"additionalInfo":null}`, map[string]any{"customerDocument": nil, "additionalInfo": nil}},
		{"/sale", `{"customerName":""}`, map[string]any{"customerName": ""}},
		{"/sale/item/1", `{}`, nil},
		{"/sale/item/1", `{"id":"2","quantity":2}`, map[string]any{"quantity": json.Number("2")}},
		{"/sale/item/1", `{"id":5,"total":9.90}`, map[string]any{"total": json.Number("9.90")}},
		{"/sale/item/1", `{"id":null,"code":"790","description":"Chá"}`, map[string]any{"code": "790", "description": "Chá"}},
		{"/sale/item/1", `{"discount":null,"addition":null,"additionalInfo":null}`, map[string]any{"discount": nil, "addition": nil, "additionalInfo": nil}},
		{"/sale/item/1", `{"canceled":null}`, map[string]any{"canceled": false}},
		{"/sale/item/1", `{"canceled":false,"discount":0,"unitPrice":0}`, map[string]any{"canceled": false, "discount": json.Number("0"), "unitPrice": json.Number("0")}},
		{"/sale/item/1", strings.Replace(item, `"Café"`, `"Chá"`, 1), map[string]any{"description": "Chá"}},
		{"/sale/payment/1", `{}`, nil},
		{"/sale/payment/1", `{"id":"2","value":1}`, map[string]any{"value": json.Number("1")}},
		{"/sale/payment/1", `{"tPag":null,"description":null,"additionalInfo":null}`, map[string]any{"tPag": nil, "description": nil, "additionalInfo": nil}},
		{"/sale/payment/1", `{"tPag":"credit"}`, map[string]any{"tPag": "credit"}},
	} {
		m.call("POST", "/sale", session).ok()
		m.call("POST", "/sale/item", item).ok()
		m.call("POST", "/sale/payment", payment).ok()
		part := func() map[string]any {
			switch c := m.cart(); row.path {
			case "/sale":
				return c.Sale
			case "/sale/item/1":
				return c.Items[0]
			default:
				return c.Payments[0]
			}
		}
		want := part()
		for field, value := range row.want {
			want[field] = value
		}
		m.call("PATCH", row.path, bodyOf(row.patch)).ok()
		if diff := cmp.Diff(want, part()); diff != "" {
			t.Errorf("PATCH %s %s (-want +got):\n%s", row.path, row.patch, diff)
		}
		m.call("POST", "/sale/cancel", nil).ok()
	}
}

func TestSaleTakesEveryPaymentType(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", nil).ok()
	types := strings.Fields("credit debit pix money voucher gift providerWallet adm cancel cancelDigitalWallet unknown 01 03 04 05 17 99 veroWallet")
	for _, tPag := range types {
		m.call("POST", "/sale/payment", `{"tPag":"`+tPag+`","value":0}`).ok()
	}
	m.call("POST", "/sale/payment", `{"tPag":null,"value":1.00}`).ok()
	for i, p := range m.cart().Payments {
		if i < len(types) && p["tPag"] != types[i] || i == len(types) && p["tPag"] != nil {
			t.Errorf("payment %d is of type %v", i, p["tPag"])
		}
	}
}

func TestSaleRefusalsChangeNothing(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/sale", nil).ok()
	m.call("POST", "/sale/item", strings.ReplaceAll(coffee, "7.50", "999999999999")).ok()
	m.call("POST", "/sale/payment", cash).ok()
	before := string(m.call("GET", "/sale", nil).ok().body)
	for _, path := range []string{"/sale/finalize", "/sale/cancel"} {
		m.call("POST", path, `{"messageInterval":-1}`).blames("messageInterval")
		m.call("POST", path, `{`).blames("")
	}
	m.call("PATCH", "/sale", `{"customerName":"Ana","sellerName":5}`).blames("sellerName")
	m.call("PUT", "/sale", `{"customerName":"Ana","total":-1}`).blames("total")
	m.call("POST", "/sale/discount", `{"description":"Cupom"}`).blames("value")
	m.call("POST", "/sale/discount", `{"value":"5"}`).blames("value")
	m.call("POST", "/sale/addition", `{"value":1,"id":7}`).blames("id")
	m.call("PATCH", "/sale/addition/nada", `{"value":null}`).blames("value") // what is wrong with a body is said first
	m.call("POST", "/sale/finalize", `{"showResultScreen":"sim"}`).blames("showResultScreen")
	m.call("PATCH", "/sale/item/1", `{"description":"Chá","total":-1}`).blames("total")
	m.call("PATCH", "/sale/payment/p1", `{"description":"PIX","tPag":"outro"}`).blames("tPag")
	m.call("PATCH", "/sale/item/1", `{"quantity":999999999999}`).blames("quantity") // only too much together with the price that is there
	m.call("GET", "/sale", nil).ok().equals(before)
	m.call("POST", "/sale/finalize", `{"message":null,"showMessage":null,"showCloseButton":null,"buttonCloseText":null,"messageInterval":null}`).ok()
}

func TestSaleSurvivesARestart(t *testing.T) {
	t.Parallel()
	m := start(t, android)
	m.call("POST", "/sale", `{"customerName":"Ana \u0000 \"😀\"","sellerName":""}`).ok()
	for _, id := range strings.Fields("z a m b") {
		m.call("POST", "/sale/item", strings.Replace(coffee, `"1"`, `"`+id+`"`, 1)).ok()
		m.call("POST", "/sale/payment", strings.Replace(cash, `"p1"`, `"`+id+`"`, 1)).ok()
	}
	m.call("PATCH", "/sale/item/z", `{"quantity":2.50,"discount":0.10,"total":18.65}`).ok()
	m.call("POST", "/sale/item/a/cancel", nil).ok()
	m.call("DELETE", "/sale/item/m", nil).ok()
	m.call("DELETE", "/sale/payment/a", nil).ok()
	m.call("PATCH", "/sale", `{"additionalInfo":"Mesa 3"}`).ok()
	before := m.call("GET", "/sale", nil).ok()
	m.call("POST", "/restart", nil).ok()
	m.call("GET", "/sale", nil).ok().equals(string(before.body))
	m = m.again()
	m.call("GET", "/sale", nil).ok().equals(string(before.body))
	m.call("POST", "/sale", nil).is(409, "Já existe uma venda ativa!")
	m.call("POST", "/sale/item", coffee).ok()
	if items := m.cart().Items; len(items) != 4 || items[0]["id"] != "z" || items[3]["id"] != "1" {
		t.Errorf("order after a restart: %v", items)
	}
	m.call("POST", "/sale/finalize", nil).ok()
	m = m.again()
	m.call("GET", "/sale", nil).is(409, "Nenhuma venda ativa!")
	m.call("POST", "/sale", nil).ok()
	if c := m.cart(); len(c.Items)+len(c.Payments) != 0 {
		t.Errorf("the next sale begins with %+v", c)
	}
	m.call("POST", "/sale/cancel", nil).ok()
	m.again().call("GET", "/sale", nil).is(409, "Nenhuma venda ativa!")
}

func TestSaleOfManyCallers(t *testing.T) {
	t.Parallel()
	m := start(t)
	var opened atomic.Int32
	var callers sync.WaitGroup
	for i := range 6 {
		callers.Go(func() {
			switch a := m.unchecked("POST", "/sale", nil); a.status {
			case http.StatusOK:
				opened.Add(1)
			case http.StatusConflict:
			default:
				t.Errorf("%d: %s", a.status, a.body)
			}
			for n := range 10 {
				if a := m.unchecked("POST", "/sale/item", strings.Replace(coffee, `"1"`, fmt.Sprintf(`"%d-%d"`, i, n), 1)); a.status != http.StatusOK {
					t.Errorf("%d: %s", a.status, a.body)
				}
			}
		})
	}
	callers.Wait()
	if got := opened.Load(); got != 1 {
		t.Errorf("%d sales were opened at once", got)
	}
	if got := m.again().cart().Summary["itemCount"]; got != json.Number("60") {
		t.Errorf("%v of 60 acknowledged items are there", got)
	}
}

func TestSaleWorksWhileBusy(t *testing.T) {
	t.Parallel()
	m := start(t)
	payment := m.holdOpen("/transaction", `{"tPag":"03","amount":5.00,"referenceId":"r1"}`)
	m.awaitScreen("the payment", paying)
	m.call("POST", "/sale", nil).ok()
	m.call("PATCH", "/sale", `{"customerName":"Ana"}`).ok()
	m.call("POST", "/sale/item", coffee).ok()
	m.call("PATCH", "/sale/item/1", `{"additionalInfo":"x"}`).ok()
	m.call("POST", "/sale/item/1/cancel", nil).ok()
	m.call("DELETE", "/sale/item/1", nil).ok()
	m.call("POST", "/sale/payment", cash).ok()
	m.call("PATCH", "/sale/payment/p1", `{"value":1}`).ok()
	m.call("DELETE", "/sale/payment/p1", nil).ok()
	m.cart()
	m.call("POST", "/sale/finalize", nil).ok()
	m.call("POST", "/sale", nil).ok()
	m.call("POST", "/sale/cancel", nil).ok()
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	payment.answer().is(200, "Transação aprovada")
}
