//go:build !windows

package simulate

import (
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/mercadopago/pointsim"
	"github.com/maquininha/maquininha/internal/cli/clitest"
)

const pointOrder = `{"type":"point","external_reference":"venda-1","expiration_time":"PT5M","transactions":{"payments":[{"amount":"10.00"}]},` +
	`"config":{"point":{"terminal_id":"NEWLAND_N950__SBX0000001","print_on_terminal":"no_ticket"}}}`

// post asks with a key, as an integrator does by hand.
func (c *payee) post(status int, path, key, body string) map[string]any {
	c.t.Helper()
	return c.ask(status, http.MethodPost, path, key, body)
}

func (c *payee) ask(status int, method, path, key, body string) map[string]any {
	c.t.Helper()
	r, err := http.NewRequest(method, c.base+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("X-Idempotency-Key", key)
	}
	for name, value := range c.headers {
		r.Header.Set(name, value)
	}
	r.Close = true // on a connection that was used before, net/http would send again what has such a key
	got, answer := c.send(r)
	if got != status {
		c.t.Fatalf("%s %s: %d %v, want %d", method, path, got, answer, status)
	}
	return answer
}

func TestSimulateMercadoPagoOutlivesAKill(t *testing.T) {
	t.Parallel()
	ledger := filepath.Join(t.TempDir(), "deep", "ledger.jsonl")
	p, base := clitest.StartMercadoPago(t, ledger)
	c := &payee{t: t, base: base, token: simulatedToken}
	c.post(200, "/sim/next", "", `{"misbehaviour":"drop-after","on":"create"}`)
	c.post(0, "/v1/orders", "k1", pointOrder)
	p.Sees("sem resposta  cobrança ORD")
	id, _ := c.post(201, "/v1/orders", "k1", pointOrder)["id"].(string)
	c.post(409, "/v1/orders", "k1", strings.Replace(pointOrder, "10.00", "11.00", 1))
	p.Sees("VIOLAÇÃO: a chave já foi usada com outro corpo")
	c.post(409, "/v1/orders", "k2", pointOrder)
	p.Sees("recusado: a maquininha já tem uma cobrança")
	p.Kill()

	p, base = clitest.StartMercadoPago(t, ledger)
	c.base = base
	if again := c.post(201, "/v1/orders", "k1", pointOrder); again["id"] != id {
		t.Errorf("%v", again)
	}
	c.post(200, "/sim/pay", "", "")
	p.Sees("processed (accredited)")
	c.post(201, "/v1/orders/"+id+"/refund", "k3", "")
	c.post(201, "/v1/orders/"+id+"/refund", "k3", "")
	p.Sees("estorno REF")
	p.Stop(syscall.SIGTERM)
	b, err := pointsim.ReadBalance(ledger)
	if err != nil || len(b.Sums) != 1 || len(b.Sums[0].Refunds) != 1 || b.Sums[0].Standing().Sign() != 0 || len(b.Violations) != 1 {
		t.Fatalf("%+v, %v", b, err)
	}
}
