//go:build !windows

package simulate

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/connecttef/gpsim"
	"github.com/maquininha/maquininha/internal/cli/clitest"
)

const gpSale = `{"identificacao":"venda-1","valorTotal":"10.00","tipoTransacao":"10"}`

func TestSimulateConnectTEFOutlivesAKill(t *testing.T) {
	t.Parallel()
	ledger := filepath.Join(t.TempDir(), "deep", "ledger.jsonl")
	p, base := clitest.StartConnectTEF(t, ledger)
	c := &payee{t: t, base: base}
	sell := func(status int) map[string]any { return c.post(status, "/api/v1/operacao?tipoOperacao=0", "", gpSale) }
	c.post(200, "/sim/next", "", `{"misbehaviour":"drop-after","on":"sale"}`)
	sell(0)
	p.Sees("sem resposta  venda venda-1 de R$ 10,00")
	sell(400)
	p.Sees("VIOLAÇÃO: já há uma operação com esta identificacao")
	p.Kill()

	p, base = clitest.StartConnectTEF(t, ledger)
	c.base = base
	c.post(200, "/sim/pay", "", "")
	p.Sees("operação venda-1 terminou: 0 OPERAÇÃO APROVADA")
	p.Stop(syscall.SIGTERM)
	b, err := gpsim.ReadBalance(ledger)
	if err != nil || len(b.Sums) != 1 || b.Sums[0].Standing().String() != "10.00" || len(b.Violations) != 1 || !strings.Contains(b.Violations[0], "identificacao") {
		t.Fatalf("%+v, %v", b, err)
	}
}
