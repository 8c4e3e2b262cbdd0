package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/acquirer/mercadopago/pointsim"
	"github.com/maquininha/maquininha/internal/cli/console"
)

// The service reads the token from there too, so that a shell which has it needs to say it once.
const (
	tokenVariable  = "MAQUININHA_MERCADOPAGO_TOKEN"
	simulatedToken = "APP_USR-0-simulador-0-1"
)

// MercadoPago is maquininha simulate mercadopago.
type MercadoPago struct {
	deviceFlags `embed:""`
	Listen      string        `default:"127.0.0.1:9061" placeholder:"ENDEREÇO" help:"Endereço da API."`
	Token       string        `default:"APP_USR-0-simulador-0-1" env:"MAQUININHA_MERCADOPAGO_TOKEN" placeholder:"TOKEN" help:"Access token da loja."`
	Device      string        `default:"NEWLAND_N950__SBX0000001" placeholder:"ID" help:"A maquininha da conta."`
	Mode        string        `default:"PDV" placeholder:"MODO" help:"Modo da maquininha: PDV, ou STANDALONE, em que ela não pega cobranças."`
	PickUp      time.Duration `default:"1s" placeholder:"TEMPO" help:"Quanto a maquininha demora a pegar uma cobrança."`
	NoSearch    bool          `help:"A lista de cobranças não existe: só o id e a repetição do pedido as acham."`
}

// Help is the rest of the page.
func (MercadoPago) Help() string {
	var b strings.Builder
	b.WriteString(`A API é a de Orders (Point): /v1/orders, /v1/orders/{id}, …/cancel, …/refund, …/events e /terminals/v1/list. Como no ambiente de testes
do Mercado Pago, POST /v1/orders/{id}/events diz como uma cobrança termina. Fora da API, sob /sim, está o cliente diante da maquininha
(GET /sim lista tudo):
  curl -X POST http://127.0.0.1:9061/sim/pay                       o cliente paga a cobrança mais antiga
  curl -X POST http://127.0.0.1:9061/sim/refuse                    o emissor recusa o cartão
  curl -X POST http://127.0.0.1:9061/sim/cancel                    alguém cancela na maquininha
  curl -X POST http://127.0.0.1:9061/sim/lose                      a maquininha perde o contato (action_required)
  curl -X POST http://127.0.0.1:9061/sim/next -d '{"misbehaviour":"drop-after","on":"create"}'
  curl -X POST http://127.0.0.1:9061/sim/behave                    esquece o que daria errado
  curl http://127.0.0.1:9061/sim/orders                            as cobranças que podem ser pagas agora
  curl http://127.0.0.1:9061/sim/violations                        os pedidos que violaram uma regra da API

O que /sim/next faz dar errado; "times" diz quantas vezes, "on" em que chamada (create, see, search, cancel, refund, devices; sem ele, em
qualquer uma menos devices):
`)
	b.WriteString(listed(pointsim.Repertoire))
	b.WriteString(`
O livro tem uma linha de JSON por evento: order (cobrança), state, refund, violation. Sobrevive a quedas e pode ser lido enquanto o
simulador trabalha.`)
	return b.String()
}

// Validate refuses what could not run; kong calls it.
func (s MercadoPago) Validate() error {
	switch {
	case s.Mode != "PDV" && s.Mode != "STANDALONE":
		return errors.New("--mode deve ser PDV ou STANDALONE")
	case s.Device == "":
		return errors.New("--device não pode ser vazio")
	}
	return s.check(pointsim.Repertoire, s.PickUp)
}

// Run plays Mercado Pago until it is interrupted.
func (s MercadoPago) Run(ctx context.Context) error {
	s.Token = cmp.Or(s.Token, simulatedToken) // set but empty, as deployment files like to do
	return s.play("mercadopago", s.Listen, pointsim.Repertoire, func(ledger string, chaos httpsim.Chaos, say func(string)) error {
		return pointsim.Run(ctx, pointsim.Config{
			Listen: s.Listen, Token: s.Token, Device: s.Device, Mode: s.Mode, Ledger: ledger, PickUp: s.PickUp, AutoPay: s.AutoPay, NoSearch: s.NoSearch,
			Chaos: chaos,
			Ready: func(a net.Addr) { fmt.Print(s.welcome(a, ledger)) },
			Log:   func(e pointsim.Exchange) { say(webLine(e, pointEvent)) },
		})
	})
}

func (s MercadoPago) welcome(at net.Addr, ledger string) string {
	book, _ := pointsim.ReadBalance(ledger) // unreadable: it says so when it is opened
	return fmt.Sprintf(`Simulador do Mercado Pago Point no ar; Ctrl-C encerra
  API           %[1]s
  Access token  %[2]s
  Maquininha    %[3]s, em modo %[4]s
  Livro         %[5]s%[6]s

O serviço usa-o com:
  %[7]s=%[8]s maquininha --acquirer-card mercadopago --mercadopago-url %[1]s --mercadopago-device %[9]s

%[10]s Para pagar a cobrança mais antiga, recusar o cartão, provocar uma falha (GET /sim lista todas):
  curl -X POST %[1]s/sim/pay
  curl -X POST %[1]s/sim/refuse
  curl -X POST %[1]s/sim/next -d '{"misbehaviour":"drop-after","on":"create"}'

`, "http://"+reachable(at), s.Token, s.Device, s.Mode, ledger, already(len(book.Sums)), tokenVariable, console.ShellWord(s.Token), console.ShellWord(s.Device), paying(s.AutoPay))
}

// pointEvent is what happened, as people read it.
func pointEvent(e pointsim.Event) string {
	amount := reais(strings.Replace(e.Amount, ".", "", 1))
	switch e.Kind {
	case pointsim.Made:
		return fmt.Sprintf("cobrança %s de %s criada, vale %d s", e.Order, amount, e.Expiry)
	case pointsim.Moved:
		return fmt.Sprintf("cobrança %s: %s (%s)", e.Order, e.Status, e.Detail)
	case pointsim.Refunded:
		return fmt.Sprintf("estorno %s de %s: %s", e.ID, amount, e.Status)
	}
	return ""
}
