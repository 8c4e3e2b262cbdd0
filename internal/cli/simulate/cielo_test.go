//go:build !windows

package simulate

import (
	"net/http"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/cielo/ordersim"
	"github.com/maquininha/maquininha/internal/cli/clitest"
)

const cieloOrder = `{"number":"venda-1","reference":"Venda 1","status":"DRAFT","price":1000,"items":[{"sku":"1","unit_price":1000,"quantity":1,"unit_of_measure":"EACH"}]}`

func TestSimulateCieloOutlivesAKill(t *testing.T) {
	t.Parallel()
	ledger := filepath.Join(t.TempDir(), "deep", "ledger.jsonl")
	p, base := clitest.StartCielo(t, ledger)
	c := &payee{t: t, base: base, headers: map[string]string{"Client-Id": "simulador", "Access-Token": simulatedCieloToken, "Merchant-Id": "loja-do-simulador"}}
	id, _ := c.post(201, "/orders", "", cieloOrder)["id"].(string)
	p.Sees("pedido " + id + " de R$ 10,00, rascunho")
	c.ask(200, http.MethodPut, "/orders/"+id+"?operation=PLACE", "", "")
	p.Sees("pedido " + id + ": ENTERED")
	p.Kill()

	p, base = clitest.StartCielo(t, ledger)
	c.base = base[:len(base)-len(ordersim.Base)]
	c.post(200, "/sim/pay", "", "")
	p.Sees("pagamento de R$ 10,00 no pedido " + id + ": CONFIRMED")
	c.post(200, "/sim/void", "", "")
	p.Sees("cancelamento de R$ 10,00 no pedido " + id)
	p.Stop(syscall.SIGTERM)
	b, err := ordersim.ReadBalance(ledger)
	if err != nil || len(b.Sums) != 1 || b.Sums[0].Paid != 1000 || b.Sums[0].Standing().Sign() != 0 || len(b.Violations) != 0 {
		t.Fatalf("%+v, %v", b, err)
	}
}
