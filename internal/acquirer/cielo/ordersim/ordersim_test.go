package ordersim_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/maquininha/maquininha/internal/acquirer/cielo/ordersim"
)

const (
	orders = ordersim.Base + "/orders"
	good   = `{"number":"venda-1","reference":"Venda 1","payment_code":"DEBITO_AVISTA","status":"DRAFT","price":1000,` +
		`"items":[{"sku":"1","name":"x","unit_price":500,"quantity":2,"unit_of_measure":"EACH"}]}`
)

// client asks the account without a network.
type client struct {
	t        *testing.T
	account  *ordersim.Account
	token    string
	merchant string
}

func open(t *testing.T, ledger string, strict bool) *client {
	t.Helper()
	a, err := ordersim.New(ordersim.Config{ClientID: "c", Token: "t", Merchant: "m", Ledger: ledger, Strict: strict})
	if err != nil {
		t.Fatal(err)
	}
	return &client{t, a, "t", "m"}
}

// want asks, and holds the answer to a status.
func (c *client) want(status int, method, path, body string) string {
	c.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Client-Id", "c")
	r.Header.Set("Access-Token", c.token)
	r.Header.Set("Merchant-Id", c.merchant)
	w := httptest.NewRecorder()
	c.account.ServeHTTP(w, r)
	if w.Code != status {
		c.t.Fatalf("%s %s: %d %s, want %d", method, path, w.Code, w.Body, status)
	}
	return w.Body.String()
}

func (c *client) made() string {
	c.t.Helper()
	var j struct{ ID string }
	if err := json.Unmarshal([]byte(c.want(201, "POST", orders, good)), &j); err != nil {
		c.t.Fatal(err)
	}
	return orders + "/" + j.ID
}

func (c *client) state(order string) (status string, remaining int, transactions int) {
	c.t.Helper()
	var j struct {
		Status       string
		Remaining    int
		Transactions []any
	}
	if err := json.Unmarshal([]byte(c.want(200, "GET", order, "")), &j); err != nil {
		c.t.Fatal(err)
	}
	return j.Status, j.Remaining, len(j.Transactions)
}

func (c *client) is(order, want string) {
	c.t.Helper()
	status, remaining, transactions := c.state(order)
	if got := fmt.Sprint(status, " ", remaining, " ", transactions); got != want {
		c.t.Errorf("%s, want %s", got, want)
	}
}

func TestRulesAreHeld(t *testing.T) {
	c := open(t, filepath.Join(t.TempDir(), "ledger"), true)
	defer c.account.Close()
	for i, bad := range []struct {
		status             int
		method, path, body string
	}{
		{400, "POST", orders, `{`},
		{400, "POST", orders, good + good},
		{400, "POST", orders, strings.Replace(good, `{`, `{"more":1,`, 1)},
		{422, "POST", orders, strings.Replace(good, "DRAFT", "ENTERED", 1)},
		{422, "POST", orders, strings.Replace(good, `"price":1000`, `"price":999`, 1)},
		{422, "POST", orders, strings.Replace(good, "DEBITO_AVISTA", "DEBITO", 1)},
		{422, "POST", orders, strings.Replace(good, "venda-1", "", 1)},
		{422, "POST", orders, strings.Replace(good, "EACH", "UN", 1)},
		{400, "GET", orders, good},
		{404, "GET", ordersim.Base + "/nowhere", ""},
		{404, "PUT", orders + "/x?operation=PAY", ""},
	} {
		c.want(bad.status, bad.method, bad.path, bad.body)
		if n := len(c.account.Violations()); n != i+1 {
			t.Fatalf("%+v: %d violations", bad, n)
		}
	}
	c.token = "another"
	c.want(401, "GET", orders, "")
	c.token, c.merchant = "t", "another"
	c.want(403, "GET", orders, "")
	c.merchant = "m"
	c.want(404, "GET", orders+"/x", "")
	one := c.made()
	c.want(200, "PUT", one+"?operation=PLACE", "")
	c.want(400, "PUT", one+"?operation=PLACE", "")
	c.want(400, "DELETE", one, "")
}

// TestLifeOfAnOrder goes through all its states.
func TestLifeOfAnOrder(t *testing.T) {
	ledger := filepath.Join(t.TempDir(), "ledger")
	synctest.Test(t, func(t *testing.T) {
		c := open(t, ledger, false)
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		gone, one := c.made(), c.made()
		if list := c.want(200, "GET", orders+"?number=venda-1", ""); strings.Count(list, `"DRAFT"`) != 2 {
			t.Error(list)
		}
		c.want(200, "DELETE", gone, "")
		c.want(404, "GET", gone, "")
		if err := c.account.Pay(""); err == nil {
			t.Error("a draft was paid")
		}
		for range 2 {
			c.want(200, "PUT", one+"?operation=PLACE", "")
		}
		c.is(one, "ENTERED 1000 0")
		must(c.account.PayPart("", 400))
		c.is(one, "ENTERED 600 1")
		must(c.account.Void(""))
		c.is(one, "RE-ENTERED 1000 2")
		c.want(201, "POST", one+"/transactions", `{"external_id":"x","status":"CONFIRMED","terminal_number":"1","authorization_code":"2","number":"3","amount":1000,"transaction_type":"PAYMENT"}`)
		c.is(one, "PAID 0 3")
		c.want(400, "POST", one+"/transactions", `{"status":"CONFIRMED","amount":1,"transaction_type":"PAYMENT"}`)
		must(c.account.Void(""))
		c.want(200, "PUT", one+"?operation=CLOSE", "")
		c.is(one, "CLOSED 1000 4")
		two := c.made()
		c.want(200, "PUT", two+"?operation=PLACE", "")
		must(c.account.Cancel(""))
		c.is(two, "CANCELED 1000 0")
		must(c.account.Close())
		c = open(t, ledger, false)
		c.is(one, "CLOSED 1000 4")
		c.account.Close()
		b, err := ordersim.ReadBalance(ledger)
		if err != nil || len(b.Sums) != 3 || b.Sums[1].Standing().Sign() != 0 || b.Sums[1].Paid != 1400 || b.Sums[1].Open() || b.Sums[0].Placed || len(b.Violations) != 0 {
			t.Errorf("%+v, %v", b, err)
		}
	})
}

func TestEveryMisdeedHasItsMeaning(t *testing.T) {
	for _, m := range ordersim.Repertoire.Misdeeds() {
		if ordersim.Repertoire.Meaning(m) == "" {
			t.Errorf("nobody knows what %s is", m)
		}
	}
}
