package simulate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/acquirer/tef/tefsim"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/portuguese"
)

// TEF is maquininha simulate tef.
type TEF struct {
	Dir      string   `arg:"" name:"pasta" missing:"informe a pasta" help:"Pasta da troca de arquivos; as pastas dos pedidos e das respostas são criadas nela."`
	As       string   `default:"paygo" aliases:"profile" choices:"paygo,tefdial,sitef,elgin,connecttef,multiplus,auttar" placeholder:"PERFIL" help:"Gerenciador a imitar nas pastas e nas respostas: paygo (padrão), tefdial, sitef, elgin, connecttef, multiplus ou auttar."`
	Upper    bool     `help:"Escreve os nomes dos arquivos em maiúsculas."`
	Ledger   string   `placeholder:"ARQUIVO" help:"Livro do simulador; sem ele, simulador.jsonl na pasta."`
	Answer   []string `sep:"none" placeholder:"ORDEM" help:"Como responder a partir do início, como refuse ou \"CNF no-status\"; pode repetir-se. Sem ela, aprova."`
	Every    int      `default:"1" placeholder:"N" help:"Aplica --answer só a cada N pedidos."`
	Failures `embed:""`
	Pinpad   time.Duration `placeholder:"TEMPO" help:"Quanto o cliente demora no pinpad, como 3s; sem ele, nada."`
	Late     time.Duration `default:"20s" placeholder:"TEMPO" help:"Quanto demora a resposta do caso late."`
	Poll     time.Duration `default:"20ms" placeholder:"TEMPO" help:"Intervalo entre duas olhadas na pasta."`
}

// Help is the rest of the page.
func (TEF) Help() string {
	var b strings.Builder
	b.WriteString("Casos:\n")
	for _, c := range tefsim.Cases {
		fmt.Fprintf(&b, "  %-14s %s\n", c, c.Meaning())
	}
	b.WriteString(`
Uma ordem é um caso, que vale para a próxima venda (CRT) ou cancelamento (CNC):
  refuse Saldo insuficiente     recusa a próxima, com este texto
  CNC lost                      só o próximo cancelamento
  ADM reverse                   no próximo menu administrativo, alguém cancela a última venda; sem ordem, o último comprovante sai de novo
  ADM reverse-final             o mesmo, sem esperar confirmação: vale mesmo que ninguém leia a resposta
  CNF no-status                 ignora a próxima confirmação; ATV, CNF e NCN só conhecem no-status
  always silent                 daqui em diante; always approve volta ao normal
  every 3 wrong-id              a cada três
Pessoas digitam ordens na janela do simulador (? mostra os casos). Programas escrevem-nas, uma por linha, no arquivo
` + tefsim.Control + ` da pasta; cada uma some dele ao ser usada:
  echo refuse >> PASTA/` + tefsim.Control + `
Valores mágicos, sem ordem nenhuma: 0,51 saldo insuficiente, 0,54 cartão vencido, 0,55 senha inválida, 0,57 cancelada,
0,91 emissor fora do ar, 0,98 silêncio.

O livro tem uma linha de JSON por evento: charged (cobrada), cancelled (cancelamento), reported (relatório do menu), confirmed,
undone, protest (o que nenhum programa correto pede). Sobrevive a quedas e pode ser lido enquanto o simulador trabalha.`)
	return b.String()
}

// Validate refuses orders that nobody could follow; kong calls it.
func (s TEF) Validate() error {
	if _, err := s.orders(); err != nil {
		return err
	}
	for _, name := range s.ChaosCases {
		if !slices.Contains(tefsim.Cases, tefsim.Case(name)) {
			return fmt.Errorf("--chaos-cases: %q não é um caso", name)
		}
	}
	if s.Pinpad < 0 || s.Late <= 0 || s.Poll <= 0 {
		return errors.New("--pinpad não pode ser negativo, e --late e --poll devem ser maiores que zero")
	}
	return nil
}

func (s TEF) orders() ([]tefsim.Order, error) {
	if s.Every < 1 {
		return nil, errors.New("--every deve ser ao menos 1")
	}
	var orders []tefsim.Order
	for _, text := range s.Answer {
		o, err := tefsim.ParseOrder(text)
		if err != nil {
			return nil, fmt.Errorf("--answer: %w", err)
		}
		if o.Every == 0 {
			o.Every = s.Every
		}
		orders = append(orders, o)
	}
	return orders, nil
}

// Run plays the payment manager until it is interrupted.
func (s TEF) Run(ctx context.Context) error {
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return err
	}
	script, err := s.orders()
	if err != nil {
		return err
	}
	profile, _ := tef.ProfileNamed(s.As)
	config := tefsim.Config{
		Dir: dir, As: s.As, Req: profile.Req, Resp: profile.Resp, Ledger: s.Ledger, Script: script, Upper: s.Upper,
		Chaos: tefsim.Chaos{Share: float64(s.Chaos), Seed: s.Seed}, Pinpad: s.Pinpad, Lateness: s.Late, Poll: s.Poll,
	}
	for _, name := range s.ChaosCases {
		config.Chaos.Cases = append(config.Chaos.Cases, tefsim.Case(name))
	}
	if config.Ledger == "" {
		config.Ledger = filepath.Join(dir, "simulador.jsonl")
	}
	events := &eventLog{out: os.Stdout}
	typed := make(chan tefsim.Order, 64)
	config.Orders = typed
	config.Log = func(e tefsim.Exchange) { events.say(tefLine(e)) }
	config.Ready = func() {
		fmt.Print(s.welcome(config))
		go takeOrders(events, typed)
	}
	err = tefsim.Run(ctx, config)
	if errors.Is(err, tefsim.ErrTaken) {
		return fmt.Errorf("outro simulador já usa a pasta %s ou o livro %s: encerre-o ou escolha outra pasta", dir, config.Ledger)
	}
	return err
}

func (s TEF) welcome(c tefsim.Config) string {
	already := ""
	if b, err := tefsim.ReadBalance(c.Ledger); err == nil && len(b.Accounts) > 0 {
		already = fmt.Sprintf("   (%d vendas até agora)", len(b.Accounts))
	}
	return fmt.Sprintf(`Simulador TEF no ar; Ctrl-C encerra
  Pedidos    %s
  Respostas  %s
  Livro      %s%s
  Ordens     digite aqui (? mostra os casos) ou escreva em %s

O serviço usa-o com:
  maquininha --acquirer-card tef --tef-dir %s --tef-profile %s

`, intpos.Sub(c.Dir, c.Req), intpos.Sub(c.Dir, c.Resp), c.Ledger, already, filepath.Join(c.Dir, tefsim.Control), console.ShellWord(c.Dir), s.As)
}

// takeOrders reads what people type, until there is nobody.
func takeOrders(events *eventLog, orders chan<- tefsim.Order) {
	stayInBackground()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		switch line := strings.TrimSpace(lines.Text()); line {
		case "":
		case "?", "help", "ajuda":
			fmt.Print(TEF{}.Help() + "\n")
		default:
			o, err := tefsim.ParseOrder(line)
			if err != nil {
				events.say("ATENÇÃO  " + portuguese.Error(err))
				continue
			}
			orders <- o
			events.say("ORDEM  " + o.String() + ": " + o.Case.Meaning())
		}
	}
}

// tefLine is one exchange as people read it.
func tefLine(e tefsim.Exchange) string {
	if e.Command == "" {
		return "ATENÇÃO  " + e.Problem
	}
	line := e.Command + " " + e.ID
	if e.Amount != "" {
		line += "  " + reais(e.Amount)
	}
	line += "  " + tefResult(e)
	for _, entry := range e.Entries {
		if entry.Event == tefsim.Protest {
			line += "; PROTESTO: " + strings.TrimPrefix(entry.Note, e.Command+": ")
		}
	}
	if e.Case != tefsim.Approve {
		line += "  [" + string(e.Case) + "]"
	}
	return line
}

func tefResult(e tefsim.Exchange) string {
	// The last but the protests; the Pending case has one of somebody else's before.
	var made tefsim.Entry
	protested := false
	for _, entry := range e.Entries {
		protested = protested || entry.Event == tefsim.Protest
		if entry.Event != tefsim.Protest && entry.ID != tefsim.Stranger {
			made = entry
		}
	}
	nsu := fmt.Sprintf(", NSU %06d", made.NSU)
	switch {
	case e.Case == tefsim.NoStatus:
		return "ignorado, sem status"
	case e.Command == intpos.Alive:
		return "presente"
	case made.Event == tefsim.Undone:
		return "desfeita" + nsu
	case made.Event == tefsim.Confirmed && made.Note == "":
		return "confirmada" + nsu
	case (e.Command == intpos.Confirm || e.Command == intpos.Undo) && protested, !e.Answered && made.Event == "" && protested:
		return "recusado"
	case e.Command == intpos.Confirm:
		return "já estava confirmada"
	case e.Command == intpos.Undo:
		return "nada a desfazer"
	case e.Answered && e.Command == intpos.Admin && made.Event == "" && e.Result != "1":
		return "menu: " + e.Text
	case e.Answered && e.Result == "0" && made.Event == tefsim.Confirmed:
		return "aprovada, sem confirmação a esperar" + nsu
	case e.Answered && e.Result == "0":
		return "aprovada, espera CNF ou NCN" + nsu
	case e.Answered && e.Result == "":
		return "cobrada, resposta sem 009" + nsu
	case e.Answered:
		return "recusada: " + e.Text
	case made.Event != "":
		return "cobrada, sem resposta" + nsu
	case e.Case == tefsim.Late:
		return "responderá mais tarde"
	}
	return "sem resposta, nada cobrado"
}
