// Package simulate is the other side of a payment, for integrators and tests: a payment manager (TEF), a bank (PIX), or an acquirer with its
// device. It reads flags and puts exchanges into words; tefsim, pixsim, pointsim, gpsim, ordersim and paysim do the rest.
package simulate

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/fiscal"
)

// Command is maquininha simulate.
type Command struct {
	Tef TEF `cmd:"" help:"Faz o papel do gerenciador TEF (PayGo, TEF Dial, SiTef, Elgin, Connect TEF, Multiplus, Auttar) na troca de arquivos de uma pasta."`
	Pix PIX `cmd:"" help:"Faz o papel do PSP, de qualquer dos bancos conhecidos (--as): serve a API Pix por HTTP."`

	ControlPay  ControlPay  `cmd:"" name:"controlpay" help:"Faz o papel do ControlPay, da PayGo, e do seu terminal: serve a API por HTTP."`
	MercadoPago MercadoPago `cmd:"" name:"mercadopago" help:"Faz o papel do Mercado Pago e da sua maquininha Point: serve a API de Orders por HTTP."`
	ConnectTEF  ConnectTEF  `cmd:"" name:"connecttef" help:"Faz o papel do Connect TEF: serve a sua API local por HTTP (a troca de arquivos é simulate tef --as connecttef)."`
	Cielo       Cielo       `cmd:"" name:"cielo" help:"Faz o papel da Cielo e da sua maquininha Smart ou LIO: serve o Order Manager por HTTP."`
}

// Help is the rest of the page.
func (Command) Help() string {
	return `Os simuladores não movem dinheiro. Cada um guarda em disco o seu próprio livro do que cobrou, confirmou, desfez e devolveu, e
sabe falhar de propósito: é para ver o que o serviço, ou o seu programa, faz quando o outro lado some no meio.`
}

// Failures have things go wrong by chance.
type Failures struct {
	Chaos      share    `placeholder:"PARTE" help:"Parte das operações que dá errado ao acaso, como 10%."`
	ChaosCases []string `placeholder:"CASOS" help:"Os casos do acaso, separados por vírgula; sem eles, todos."`
	Seed       uint64   `default:"1" placeholder:"N" help:"Semente do acaso: a mesma semente e os mesmos pedidos dão as mesmas falhas."`
}

// share is a part of a whole, 0 to 1, written as 10%.
type share float64

// Decode reads the flag; kong calls it.
func (s *share) Decode(ctx *kong.DecodeContext) error {
	text, err := commandline.Text(ctx)
	if err != nil {
		return err
	}
	number, percent := strings.CutSuffix(text, "%")
	n, err := strconv.ParseFloat(strings.Replace(number, ",", ".", 1), 64)
	if !percent || err != nil || !(n >= 0 && n <= 100) {
		return commandline.Unread(ctx, "%q não é uma parte de 0%% a 100%%", text)
	}
	*s = share(n / 100)
	return nil
}

// eventLog prints a line an event, whole, with the time.
type eventLog struct {
	mu  sync.Mutex
	out io.Writer
}

func (l *eventLog) say(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.out, "%s  %s\n", time.Now().Format("15:04:05"), line)
}

// reais writes cents as people do.
func reais(cents string) string {
	cents = strings.TrimLeft(cents, "0")
	cents = strings.Repeat("0", max(0, 3-len(cents))) + cents
	return "R$ " + fiscal.Decimal(cents[:len(cents)-2]+"."+cents[len(cents)-2:]).Brazilian(2)
}
