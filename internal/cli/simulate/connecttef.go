package simulate

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/connecttef/gpsim"
	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
)

// ConnectTEF is maquininha simulate connecttef.
type ConnectTEF struct {
	deviceFlags `embed:""`
	Listen      string        `default:"127.0.0.1:9062" placeholder:"ENDEREÇO" help:"Endereço da API."`
	Wait        time.Duration `default:"1m" placeholder:"TEMPO" help:"Por quanto tempo a maquininha espera pelo cliente."`
	Network     string        `default:"STONE" placeholder:"NOME" help:"A credenciadora que responde (nomeRede)."`
	Empty       bool          `help:"Uma identificação desconhecida é respondida com {}, e não com 404: não se sabe qual das duas o de verdade faz."`
}

// Help is the rest of the page.
func (ConnectTEF) Help() string {
	var b strings.Builder
	b.WriteString(`A API é a local do Connect TEF: POST /api/v1/operacao?tipoOperacao=0 (pagamento) e =1 (estorno), GET /api/v1/operacao?identificacao=….
A troca de arquivos do mesmo produto é maquininha simulate tef --as connecttef. Fora da API, sob /sim, está o cliente diante da maquininha
(GET /sim lista tudo):
  curl -X POST http://127.0.0.1:9062/sim/pay                       o cliente paga a venda mais antiga
  curl -X POST http://127.0.0.1:9062/sim/refuse                    o emissor recusa o cartão
  curl -X POST http://127.0.0.1:9062/sim/cancel                    alguém cancela na maquininha
  curl -X POST http://127.0.0.1:9062/sim/next -d '{"misbehaviour":"drop-after","on":"sale"}'
  curl -X POST http://127.0.0.1:9062/sim/behave                    esquece o que daria errado
  curl http://127.0.0.1:9062/sim/sales                             as vendas que podem ser pagas agora
  curl http://127.0.0.1:9062/sim/violations                        os pedidos que violaram uma regra da API

O que /sim/next faz dar errado; "times" diz quantas vezes, "on" em que chamada (sale, refund, see; sem ele, em qualquer uma):
`)
	b.WriteString(listed(gpsim.Repertoire))
	b.WriteString(`
O livro tem uma linha de JSON por evento: operation, end, violation. Sobrevive a quedas e pode ser lido enquanto o simulador trabalha.`)
	return b.String()
}

// Validate refuses what could not run; kong calls it.
func (s ConnectTEF) Validate() error { return s.check(gpsim.Repertoire, s.Wait) }

// Run plays Connect TEF until it is interrupted.
func (s ConnectTEF) Run(ctx context.Context) error {
	return s.play("connecttef", s.Listen, gpsim.Repertoire, func(ledger string, chaos httpsim.Chaos, say func(string)) error {
		return gpsim.Run(ctx, gpsim.Config{
			Listen: s.Listen, Ledger: ledger, Wait: s.Wait, AutoPay: s.AutoPay, Empty: s.Empty, Network: s.Network, Chaos: chaos,
			Ready: func(a net.Addr) { fmt.Print(s.welcome(a, ledger)) },
			Log:   func(e gpsim.Exchange) { say(webLine(e, gpEvent)) },
		})
	})
}

func (s ConnectTEF) welcome(at net.Addr, ledger string) string {
	book, _ := gpsim.ReadBalance(ledger) // unreadable: it says so when it is opened
	return fmt.Sprintf(`Simulador da API local do Connect TEF no ar; Ctrl-C encerra
  API           %[1]s
  Maquininha    da credenciadora %[2]s
  Livro         %[3]s%[4]s

O serviço usa-o com:
  maquininha --acquirer-card connecttef --connecttef-url %[1]s

%[5]s Para pagar a venda mais antiga, recusar o cartão, provocar uma falha (GET /sim lista todas):
  curl -X POST %[1]s/sim/pay
  curl -X POST %[1]s/sim/refuse
  curl -X POST %[1]s/sim/next -d '{"misbehaviour":"drop-after","on":"sale"}'

`, "http://"+reachable(at), s.Network, ledger, already(len(book.Sums)), paying(s.AutoPay))
}

// gpEvent is what happened, as people read it.
func gpEvent(e gpsim.Event) string {
	what := map[bool]string{false: "venda", true: "estorno"}[e.Refund]
	switch e.Kind {
	case gpsim.Made:
		return fmt.Sprintf("%s %s de %s", what, e.ID, reais(strings.Replace(e.Amount, ".", "", 1)))
	case gpsim.Ended:
		return fmt.Sprintf("operação %s terminou: %s %s", e.ID, e.Status, e.Text)
	}
	return ""
}
