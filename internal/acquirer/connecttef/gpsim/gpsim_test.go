package gpsim_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/connecttef/gpsim"
)

const (
	path = "/api/v1/operacao"
	good = `{"identificacao":"venda-1","valorTotal":"10.00","tipoTransacao":"11","quantidadeParcelas":"3","imprimirComprovante":false}`
)

// client asks the manager without a network.
type client struct {
	t       *testing.T
	manager *gpsim.Manager
}

func open(t *testing.T, ledger string) *client {
	t.Helper()
	m, err := gpsim.New(gpsim.Config{Ledger: ledger})
	if err != nil {
		t.Fatal(err)
	}
	return &client{t, m}
}

// want asks, and holds the answer to a status.
func (c *client) want(status int, method, path, body string) map[string]any {
	c.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	c.manager.ServeHTTP(w, r)
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		c.t.Fatalf("%s: %v", w.Body, err)
	}
	if w.Code != status {
		c.t.Fatalf("%s %s: %d %v, want %d", method, path, w.Code, answer, status)
	}
	return answer
}

func (c *client) see(id string) map[string]any {
	c.t.Helper()
	return c.want(200, "GET", path+"?identificacao="+id, "")
}

func TestRulesAreHeld(t *testing.T) {
	c := open(t, filepath.Join(t.TempDir(), "ledger"))
	defer c.manager.Close()
	for i, bad := range []struct {
		status             int
		method, path, body string
	}{
		{400, "POST", path + "?tipoOperacao=0", `{`},
		{400, "POST", path + "?tipoOperacao=0", good + good},
		{400, "POST", path + "?tipoOperacao=0", strings.Replace(good, "venda-1", "venda 1", 1)},
		{400, "POST", path + "?tipoOperacao=0", strings.Replace(good, "10.00", "10,00", 1)},
		{400, "POST", path + "?tipoOperacao=0", strings.Replace(good, "10.00", "0", 1)},
		{400, "POST", path + "?tipoOperacao=0", strings.Replace(good, `"11"`, `"13"`, 1)},
		{400, "POST", path + "?tipoOperacao=0", strings.Replace(good, `"11"`, `"20"`, 1)},
		{400, "POST", path + "?tipoOperacao=0", strings.Replace(good, `{`, `{"more":1,`, 1)},
		{400, "POST", path + "?tipoOperacao=1", good},
		{400, "GET", path + "?identificacao=venda-1", good},
		{404, "POST", path, good},
		{404, "POST", path + "?tipoOperacao=2", good},
		{404, "GET", path, ""},
		{404, "DELETE", path, ""},
	} {
		c.want(bad.status, bad.method, bad.path, bad.body)
		if n := len(c.manager.Violations()); n != i+1 {
			t.Fatalf("%+v: %d violations", bad, n)
		}
	}
	c.want(404, "GET", path+"?identificacao=venda-1", "")
}

// TestLifeOfASale goes through all its states.
func TestLifeOfASale(t *testing.T) {
	ledger := filepath.Join(t.TempDir(), "ledger")
	synctest.Test(t, func(t *testing.T) {
		c := open(t, ledger)
		sell := func(id string) map[string]any {
			return c.want(200, "POST", path+"?tipoOperacao=0", strings.Replace(good, "venda-1", id, 1))
		}
		if got := sell("a"); got["executada"] != false || got["identificacao"] != "a" {
			t.Errorf("%v", got)
		}
		if got := sell("b"); got["statusTransacao"] != "1001" || got["textoEspecialOperador"] != "TERMINAL OCUPADO" {
			t.Errorf("%v", got)
		}
		c.want(400, "POST", path+"?tipoOperacao=0", strings.Replace(good, "venda-1", "a", 1)) // asked for twice
		if err := c.manager.Pay(""); err != nil {
			t.Fatal(err)
		}
		paid := c.see("a")
		if paid["statusTransacao"] != "0" || paid["valorTotal"] != "1000" || paid["tipoTransacao"] != "11" || paid["quantidadeParcelas"] != "3" {
			t.Errorf("%v", paid)
		}
		back := func(id, number string) map[string]any {
			return c.want(200, "POST", path+"?tipoOperacao=1", fmt.Sprintf(`{"identificacao":%q,"valorTotal":"10","tipoTransacao":"11","numeroTransacao":%q,"finalizacao":%q}`,
				id, number, paid["finalizacao"]))
		}
		if got := back("r1", "another"); got["textoEspecialOperador"] != "TRANSACAO NAO ENCONTRADA" {
			t.Errorf("%v", got)
		}
		back("r2", paid["numeroTransacao"].(string))
		if got := c.see("r2"); got["statusTransacao"] != "0" {
			t.Errorf("%v", got)
		}
		if got := back("r3", paid["numeroTransacao"].(string)); got["textoEspecialOperador"] != "TRANSACAO JA CANCELADA" {
			t.Errorf("%v", got)
		}
		sell("c")
		time.Sleep(time.Minute)
		if got := c.see("c"); got["textoEspecialOperador"] != "TEMPO ESGOTADO" {
			t.Errorf("%v", got)
		}
		if err := c.manager.Close(); err != nil {
			t.Error(err)
		}
		c = open(t, ledger)
		if c.see("a")["numeroTransacao"] != paid["numeroTransacao"] || c.see("r2")["statusTransacao"] != "0" {
			t.Errorf("after a restart %v", c.see("a"))
		}
		c.manager.Close()
		b, err := gpsim.ReadBalance(ledger)
		if err != nil || len(b.Sums) != 3 || b.Sums[0].Standing().Sign() != 0 || b.Sums[0].Open() || len(b.Violations) != 1 {
			t.Errorf("%+v, %v", b, err)
		}
	})
}

func TestEveryMisdeedHasItsMeaning(t *testing.T) {
	for _, m := range gpsim.Repertoire.Misdeeds() {
		if gpsim.Repertoire.Meaning(m) == "" {
			t.Errorf("nobody knows what %s is", m)
		}
	}
}
