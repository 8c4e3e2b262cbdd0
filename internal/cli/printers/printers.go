// Package printers is the command that lists the printers of this machine and its network, and prints a test page.
package printers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/escpos"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/printing"
)

// Command is maquininha printers.
type Command struct {
	List   List   `cmd:"" default:"withargs" help:"Lista as impressoras instaladas, as portas USB e seriais e quem atende na rede (padrão)."`
	State  State  `cmd:"" help:"Pergunta a uma impressora de cupons como ela está e o que ela é."`
	Test   Test   `cmd:"" help:"Imprime uma página de teste."`
	Models Models `cmd:"" help:"Lista os modelos e as famílias que --printer-model aceita."`
}

// List is maquininha printers list.
type List struct {
	Network []string `placeholder:"REDE" help:"Redes em que procurar, como 192.168.1.0/24, com até 1022 endereços; sem elas, as deste computador."`
	Local   bool     `help:"Não procura na rede."`
	JSON    bool     `name:"json" help:"Mostra uma lista em JSON."`

	networks []netip.Prefix
}

// Validate reads the networks; kong calls it.
func (l *List) Validate() error {
	for _, text := range l.Network {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return fmt.Errorf("--network %q não é uma rede; use algo como 192.168.1.0/24", text)
		}
		l.networks = append(l.networks, network)
	}
	if l.Local && len(l.Network) > 0 {
		return errors.New("--local e --network não andam juntos")
	}
	return nil
}

// Help is the rest of the page.
func (List) Help() string {
	return `Nada é enviado às impressoras: o que se diz de cada uma é o que o sistema já sabe, ou o que ela responde por SNMP. Uma fila só conhece
o que o driver dela conta, e a maioria não conta nada. Para perguntar à própria impressora, use maquininha printers state ENDEREÇO.`
}

// Run lists what there is.
func (l *List) Run(ctx context.Context) error {
	found, err := printer.Installed(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "maquininha: as filas de impressão não puderam ser listadas: "+portuguese.Error(err))
	}
	found = append(found, printer.Plugged()...)
	if !l.Local {
		networks := l.networks
		if len(networks) == 0 {
			networks = printer.LocalNetworks()
		}
		there, err := printer.OnNetwork(ctx, networks...)
		if errors.Is(err, printer.ErrBigNetwork) {
			return errors.New("--network: há endereços demais para procurar um a um; escolha uma rede menor, como 192.168.1.0/24")
		}
		if err != nil {
			return err
		}
		found = append(found, there...)
	}
	if l.JSON {
		return writeJSON(os.Stdout, found)
	}
	if len(found) == 0 {
		fmt.Println("Nenhuma impressora encontrada.")
		return nil
	}
	return table(os.Stdout, found)
}

// body is a printer as other programs read it.
type body struct {
	Address string  `json:"address"`
	Way     string  `json:"way"`
	Said    *string `json:"description"`
	Model   *string `json:"model"`
	State   string  `json:"state"`
	Why     *string `json:"reason"`
}

func writeJSON(w io.Writer, found []printer.Found) error {
	list := []body{}
	for _, f := range found {
		list = append(list, body{f.Address, string(f.Way), orNull(f.Said), orNull(f.Model.Name), string(f.State), orNull(f.Why)})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(list)
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

var ways = map[printer.Way]string{printer.ByQueue: "instalada", printer.ByUSB: "USB", printer.BySerial: "serial", printer.ByNetwork: "rede"}

func table(out io.Writer, found []printer.Found) error {
	rows := [][]string{{"ENDEREÇO (--printer)", "LIGAÇÃO", "O QUE É", "MODELO", "ESTADO"}}
	for _, f := range found {
		rows = append(rows, []string{f.Address, ways[f.Way], cmp.Or(f.Said, "–"), modelWords(f.Model), stateWords(f)})
	}
	return columns(out, rows)
}

// columns writes rows, each cell as wide as the widest of its column.
func columns(out io.Writer, rows [][]string) error {
	widest := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widest[i] = max(widest[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", widest[i]-utf8.RuneCountInString(cell)+2)
		}
		text.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func modelWords(m escpos.Model) string {
	if m.Labels {
		return "etiquetas: não serve"
	}
	return cmp.Or(m.Name, "–")
}

var states = map[printing.State]string{
	printing.OK: "ok", printing.PaperOut: "sem papel", printing.CoverOpen: "tampa aberta", printing.Offline: "fora do ar", printing.Unknown: "não informa",
}

func stateWords(f printer.Found) string {
	text := states[f.State]
	if f.Why != "" && f.State.Err() != nil {
		text += " (" + f.Why + ")"
	}
	return text
}

// Models is maquininha printers models.
type Models struct{}

// Run lists them.
func (Models) Run() error {
	rows := [][]string{{"NOME", "IMPRESSORAS", "PAPEL", "LINGUAGEM"}}
	for _, m := range escpos.Models {
		if !m.Labels {
			rows = append(rows, []string{m.Name, m.Title, fmt.Sprintf("%d pontos, %d dpi", m.Paper.Width, m.Paper.DPI), m.Dialect.Name})
		}
	}
	return columns(os.Stdout, rows)
}
