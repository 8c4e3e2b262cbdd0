package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/controlpay/paysim"
	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/cli/console"
)

const simulatedKey = "chave-do-simulador"

// ControlPay is maquininha simulate controlpay.
type ControlPay struct {
	deviceFlags `embed:""`
	Listen      string        `default:"127.0.0.1:9064" placeholder:"ENDEREÇO" help:"Endereço da API."`
	Key         string        `default:"chave-do-simulador" env:"MAQUININHA_CONTROLPAY_KEY" placeholder:"CHAVE" help:"Chave de integração da loja."`
	Terminal    int           `default:"314" placeholder:"NÚMERO" help:"O terminal da conta."`
	Password    string        `default:"314159" env:"MAQUININHA_CONTROLPAY_PASSWORD" placeholder:"SENHA" help:"A senha técnica, que os estornos pedem."`
	Wait        time.Duration `default:"1m" placeholder:"TEMPO" help:"Por quanto tempo o terminal espera pelo cliente."`
}

// Help is the rest of the page.
func (ControlPay) Help() string {
	return `A API é a do ControlPay: Venda/Vender, Venda/CancelarVenda, IntencaoVenda/GetById e IntencaoVenda/GetByFiltros. Fora dela, sob /sim, está o
cliente diante do terminal (GET /sim lista tudo):
  curl -X POST http://127.0.0.1:9064/sim/pay                       o cliente paga a venda mais antiga
  curl -X POST http://127.0.0.1:9064/sim/refuse                    o emissor recusa o cartão
  curl -X POST http://127.0.0.1:9064/sim/cancel                    o cliente cancela no terminal
  curl -X POST http://127.0.0.1:9064/sim/next -d '{"misbehaviour":"drop-after","on":"sell"}'

O que /sim/next faz dar errado; "times" diz quantas vezes, "on" em que chamada (sell, see, search, cancel; sem ele, em qualquer uma):
` + listed(paysim.Repertoire) + `
O livro tem uma linha de JSON por evento: sale (venda), state, violation. Sobrevive a quedas e pode ser lido enquanto o simulador trabalha.`
}

// Validate refuses what could not run; kong calls it.
func (s ControlPay) Validate() error {
	if s.Terminal <= 0 {
		return errors.New("--terminal deve ser maior que zero")
	}
	return s.check(paysim.Repertoire, s.Wait)
}

// Run plays ControlPay until it is interrupted.
func (s ControlPay) Run(ctx context.Context) error {
	s.Key, s.Password = cmp.Or(s.Key, simulatedKey), cmp.Or(s.Password, paysim.Password) // set but empty, as deployment files like to do
	return s.play("controlpay", s.Listen, paysim.Repertoire, func(ledger string, chaos httpsim.Chaos, say func(string)) error {
		return paysim.Run(ctx, paysim.Config{
			Listen: s.Listen, Key: s.Key, Terminal: s.Terminal, Password: s.Password, Ledger: ledger, Patience: s.Wait, AutoPay: s.AutoPay, Chaos: chaos,
			Ready: func(a net.Addr) { fmt.Print(s.welcome(a, ledger)) },
			Log:   func(e paysim.Exchange) { say(webLine(e, controlPayEvent)) },
		})
	})
}

func (s ControlPay) welcome(at net.Addr, ledger string) string {
	book, _ := paysim.ReadBalance(ledger) // unreadable: it says so when it is opened
	return fmt.Sprintf(`Simulador do ControlPay no ar; Ctrl-C encerra
  API       %[1]s
  Chave     %[2]s
  Terminal  %[3]d
  Livro     %[4]s%[5]s

O serviço usa-o com:
  MAQUININHA_CONTROLPAY_KEY=%[6]s MAQUININHA_CONTROLPAY_PASSWORD=%[7]s maquininha --acquirer-card controlpay --controlpay-url %[1]s --controlpay-terminal %[3]d

%[8]s Para pagar a venda mais antiga, recusar o cartão, provocar uma falha (GET /sim lista todas):
  curl -X POST %[1]s/sim/pay
  curl -X POST %[1]s/sim/refuse
  curl -X POST %[1]s/sim/next -d '{"misbehaviour":"drop-after","on":"sell"}'

`, "http://"+reachable(at), s.Key, s.Terminal, ledger, already(len(book.Sums)), console.ShellWord(s.Key), console.ShellWord(s.Password), paying(s.AutoPay))
}

// controlPayEvent is what happened, as people read it.
func controlPayEvent(e paysim.Event) string {
	switch e.Kind {
	case paysim.Made:
		return fmt.Sprintf("venda %d de %s criada", e.Sale, reais(strings.Replace(e.Amount, ".", "", 1)))
	case paysim.Moved:
		return fmt.Sprintf("venda %d: %s", e.Sale, e.Name())
	}
	return ""
}
