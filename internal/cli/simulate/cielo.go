package simulate

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/cielo/ordersim"
	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/cli/console"
)

// The service reads the token from there too, so that a shell which has it needs to say it once.
const (
	cieloTokenVariable  = "MAQUININHA_CIELO_TOKEN"
	simulatedCieloToken = "simulador-token"
)

// Cielo is maquininha simulate cielo.
type Cielo struct {
	deviceFlags `embed:""`
	Listen      string `default:"127.0.0.1:9063" placeholder:"ENDEREÇO" help:"Endereço da API."`
	ClientID    string `name:"client-id" default:"simulador" placeholder:"ID" help:"Client-Id da loja."`
	Token       string `default:"simulador-token" env:"MAQUININHA_CIELO_TOKEN" placeholder:"TOKEN" help:"Access-Token da loja."`
	MerchantID  string `name:"merchant-id" default:"loja-do-simulador" placeholder:"ID" help:"Merchant-Id da loja."`
	Strict      bool   `help:"Um segundo PLACE ou CLOSE do mesmo pedido é recusado: não se sabe se o de verdade o faz."`
}

// Help is the rest of the page.
func (Cielo) Help() string {
	var b strings.Builder
	b.WriteString(`A API é a do Order Manager, sob /order-management/v1: /orders, /orders/{id} e /orders/{id}/transactions, que aqui também aceita
pagamentos, como o sandbox da Cielo. Fora da API, sob /sim, estão as pessoas diante da maquininha (GET /sim lista tudo):
  curl -X POST http://127.0.0.1:9063/sim/pay                       o cliente paga o pedido mais antigo
  curl -X POST http://127.0.0.1:9063/sim/refuse                    o emissor recusa o cartão, e o pedido continua
  curl -X POST http://127.0.0.1:9063/sim/cancel                    alguém cancela o pedido na maquininha
  curl -X POST http://127.0.0.1:9063/sim/void                      o supervisor estorna na maquininha o último pagamento
  curl -X POST http://127.0.0.1:9063/sim/next -d '{"misbehaviour":"drop-after","on":"place"}'
  curl -X POST http://127.0.0.1:9063/sim/behave                    esquece o que daria errado
  curl http://127.0.0.1:9063/sim/orders                            os pedidos que podem ser pagos agora
  curl http://127.0.0.1:9063/sim/violations                        os pedidos que violaram uma regra da API

O que /sim/next faz dar errado; "times" diz quantas vezes, "on" em que chamada (create, search, see, transactions, place, close, delete; sem
ele, em qualquer uma):
`)
	b.WriteString(listed(ordersim.Repertoire))
	b.WriteString(`
O livro tem uma linha de JSON por evento: order (pedido), state, deleted, payment, cancellation, violation. Sobrevive a quedas e pode ser
lido enquanto o simulador trabalha.`)
	return b.String()
}

// Validate refuses what could not run; kong calls it.
func (s Cielo) Validate() error { return s.check(ordersim.Repertoire) }

// Run plays Cielo until it is interrupted.
func (s Cielo) Run(ctx context.Context) error {
	s.Token = cmp.Or(s.Token, simulatedCieloToken) // set but empty, as deployment files like to do
	return s.play("cielo", s.Listen, ordersim.Repertoire, func(ledger string, chaos httpsim.Chaos, say func(string)) error {
		return ordersim.Run(ctx, ordersim.Config{
			Listen: s.Listen, ClientID: s.ClientID, Token: s.Token, Merchant: s.MerchantID, Ledger: ledger, AutoPay: s.AutoPay, Strict: s.Strict, Chaos: chaos,
			Ready: func(a net.Addr) { fmt.Print(s.welcome(a, ledger)) },
			Log:   func(e ordersim.Exchange) { say(webLine(e, cieloEvent)) },
		})
	})
}

func (s Cielo) welcome(at net.Addr, ledger string) string {
	book, _ := ordersim.ReadBalance(ledger) // unreadable: it says so when it is opened
	return fmt.Sprintf(`Simulador do Order Manager da Cielo no ar; Ctrl-C encerra
  API           %[1]s%[2]s
  Credenciais   Client-Id %[3]s, Access-Token %[4]s, Merchant-Id %[5]s
  Livro         %[6]s%[7]s

O serviço usa-o com:
  %[8]s=%[9]s maquininha --acquirer-card cielo --cielo-url %[1]s%[2]s --cielo-client-id %[10]s --cielo-merchant-id %[11]s

%[12]s Para pagar o pedido mais antigo, cancelá-lo, provocar uma falha (GET /sim lista todas):
  curl -X POST %[1]s/sim/pay
  curl -X POST %[1]s/sim/cancel
  curl -X POST %[1]s/sim/next -d '{"misbehaviour":"drop-after","on":"place"}'

`, "http://"+reachable(at), ordersim.Base, s.ClientID, s.Token, s.MerchantID, ledger, already(len(book.Sums)), cieloTokenVariable, console.ShellWord(s.Token),
		console.ShellWord(s.ClientID), console.ShellWord(s.MerchantID), paying(s.AutoPay))
}

// cieloEvent is what happened, as people read it.
func cieloEvent(e ordersim.Event) string {
	amount := reais(fmt.Sprint(e.Cents))
	switch e.Kind {
	case ordersim.Made:
		return fmt.Sprintf("pedido %s de %s, rascunho", e.Order, amount)
	case ordersim.Moved:
		return fmt.Sprintf("pedido %s: %s", e.Order, e.Status)
	case ordersim.Deleted:
		return fmt.Sprintf("pedido %s excluído", e.Order)
	case ordersim.Paid:
		return fmt.Sprintf("pagamento de %s no pedido %s: %s", amount, e.Order, e.Status)
	case ordersim.Voided:
		return fmt.Sprintf("cancelamento de %s no pedido %s", amount, e.Order)
	}
	return ""
}
