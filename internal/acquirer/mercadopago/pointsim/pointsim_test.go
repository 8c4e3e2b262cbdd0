package pointsim_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/mercadopago/pointsim"
)

const good = `{"type":"point","external_reference":"venda-1","expiration_time":"PT5M","transactions":{"payments":[{"amount":"10.00"}]},` +
	`"config":{"point":{"terminal_id":"NEWLAND_N950__SBX0000001","print_on_terminal":"no_ticket"},"payment_method":{"default_type":"credit_card","default_installments":3}}}`

// client asks the account without a network.
type client struct {
	t       *testing.T
	account *pointsim.Account
	token   string
}

func open(t *testing.T, ledger string, change func(*pointsim.Config)) *client {
	t.Helper()
	config := pointsim.Config{Token: "t", Ledger: ledger}
	if change != nil {
		change(&config)
	}
	a, err := pointsim.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return &client{t: t, account: a, token: "t"}
}

// want asks, with a key where it is given, and holds the answer to a status.
func (c *client) want(status int, method, path, key, body string) map[string]any {
	c.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+c.token)
	if key != "" {
		r.Header.Set("X-Idempotency-Key", key)
	}
	if strings.HasSuffix(path, "/cancel") {
		r.Header.Set("X-Allow-Cancelable-Status", "at_terminal")
	}
	w := httptest.NewRecorder()
	c.account.ServeHTTP(w, r)
	var answer map[string]any
	if w.Code != http.StatusNoContent {
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			c.t.Fatalf("%s: %v", w.Body, err)
		}
	}
	if w.Code != status {
		c.t.Fatalf("%s %s: %d %v, want %d", method, path, w.Code, answer, status)
	}
	return answer
}

func (c *client) state(id string) string {
	c.t.Helper()
	state, _ := c.want(200, "GET", "/v1/orders/"+id, "", "")["status"].(string)
	return state
}

func TestRulesAreHeld(t *testing.T) {
	c := open(t, filepath.Join(t.TempDir(), "ledger"), nil)
	defer c.account.Close()
	for i, bad := range []struct {
		status                  int
		method, path, key, body string
	}{
		{400, "POST", "/v1/orders", "", good},
		{400, "POST", "/v1/orders", "k", `{`},
		{400, "POST", "/v1/orders", "k", good + good},
		{400, "POST", "/v1/orders", "k", strings.Replace(good, `"point",`, `"online",`, 1)},
		{400, "POST", "/v1/orders", "k", strings.Replace(good, "venda-1", "venda 1", 1)},
		{400, "POST", "/v1/orders", "k", strings.Replace(good, "PT5M", "PT5S", 1)},
		{400, "POST", "/v1/orders", "k", strings.Replace(good, "10.00", "10", 1)},
		{400, "POST", "/v1/orders", "k", strings.Replace(good, "10.00", "0.00", 1)},
		{400, "POST", "/v1/orders", "k", strings.Replace(good, "credit_card", "debit_card", 1)},
		{400, "POST", "/v1/orders", "k", strings.Replace(good, "no_ticket", "paper", 1)},
		{400, "POST", "/v1/orders", "k", strings.Replace(good, `{`, `{"more":1,`, 1)},
		{400, "POST", "/v1/orders", strings.Repeat("k", 65), good},
		{400, "GET", "/v1/orders?external_reference=venda-1", "", ""},
		{404, "GET", "/nowhere", "", ""},
		{404, "DELETE", "/v1/orders", "", ""},
	} {
		c.want(bad.status, bad.method, bad.path, bad.key, bad.body)
		if n := len(c.account.Violations()); n != i+1 {
			t.Fatalf("%+v: %d violations", bad, n)
		}
	}
	c.token = "another"
	c.want(401, "GET", "/terminals/v1/list", "", "")
	c.token = "t"
	c.want(403, "POST", "/v1/orders", "k", strings.Replace(good, "SBX0000001", "SBX0000002", 1))
	c.want(404, "GET", "/v1/orders/ORD1", "", "")
}

// TestLifeOfAnOrder goes through all its states.
func TestLifeOfAnOrder(t *testing.T) {
	ledger := filepath.Join(t.TempDir(), "ledger")
	synctest.Test(t, func(t *testing.T) {
		c := open(t, ledger, func(p *pointsim.Config) { p.PickUp = time.Second })
		made := func(key string) string {
			id, _ := c.want(201, "POST", "/v1/orders", key, good)["id"].(string)
			return id
		}
		id := made("a")
		if again := made("a"); again != id || c.state(id) != "created" {
			t.Errorf("%s is %s", again, c.state(id))
		}
		c.want(409, "POST", "/v1/orders", "a", strings.Replace(good, "10.00", "9.00", 1))
		c.want(409, "POST", "/v1/orders", "b", good)
		time.Sleep(time.Second)
		if c.state(id) != "at_terminal" {
			t.Error(c.state(id))
		}
		c.want(204, "POST", "/v1/orders/"+id+"/events", "", `{"status":"action_required"}`)
		c.want(409, "POST", "/v1/orders/"+id+"/cancel", "c", "")
		c.want(204, "POST", "/v1/orders/"+id+"/events", "", `{"status":"processed","payment_method_type":"credit_card","payment_method_id":"visa","installments":2}`)
		c.want(409, "POST", "/v1/orders/"+id+"/events", "", `{"status":"canceled"}`)
		c.want(409, "POST", "/v1/orders/"+id+"/cancel", "d", "")
		payment := c.want(200, "GET", "/v1/orders/"+id, "", "")["transactions"].(map[string]any)["payments"].([]any)[0].(map[string]any)
		part := `{"transactions":[{"id":"` + payment["id"].(string) + `","amount":"4.00"}]}`
		c.want(201, "POST", "/v1/orders/"+id+"/refund", "e", part)
		c.want(201, "POST", "/v1/orders/"+id+"/refund", "e", part)
		if got := c.want(200, "GET", "/v1/orders/"+id, "", ""); got["status_detail"] != "partially_refunded" {
			t.Errorf("%v", got)
		}
		c.want(400, "POST", "/v1/orders/"+id+"/refund", "f", strings.Replace(part, "4.00", "6.01", 1))
		c.want(201, "POST", "/v1/orders/"+id+"/refund", "g", "")
		if c.state(id) != "refunded" {
			t.Error(c.state(id))
		}

		time.Sleep(25 * time.Hour) // the key stands for nothing any more
		second := made("a")
		c.want(200, "POST", "/v1/orders/"+second+"/cancel", "h", "")
		third := made("i")
		time.Sleep(5 * time.Minute)
		if second == id || c.state(second) != "canceled" || c.state(third) != "expired" {
			t.Errorf("%s is %s, %s is %s", second, c.state(second), third, c.state(third))
		}
		if err := c.account.Close(); err != nil {
			t.Error(err)
		}
		c = open(t, ledger, nil)
		if c.state(id) != "refunded" || c.state(third) != "expired" {
			t.Errorf("after a restart %s and %s", c.state(id), c.state(third))
		}
		c.account.Close()
		b, err := pointsim.ReadBalance(ledger)
		if err != nil || len(b.Sums) != 3 || b.Sums[0].Standing().Sign() != 0 || b.Sums[0].Open() || len(b.Violations) != 1 {
			t.Errorf("%+v, %v", b, err)
		}
	})
}

func TestEveryMisdeedHasItsMeaning(t *testing.T) {
	for _, m := range pointsim.Repertoire.Misdeeds() {
		if pointsim.Repertoire.Meaning(m) == "" {
			t.Errorf("nobody knows what %s is", m)
		}
	}
}
