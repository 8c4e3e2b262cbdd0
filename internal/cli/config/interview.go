package config

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/acquirer/tef"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/printer"
)

// interview asks a person the few questions that matter.
type interview struct {
	in       *bufio.Scanner
	out      io.Writer
	printers []printer.Found // to choose from
	values   map[string]string
	err      error
}

func newInterview(in io.Reader, out io.Writer, printers ...printer.Found) *interview {
	return &interview{in: bufio.NewScanner(in), out: out, printers: printers, values: map[string]string{}}
}

var errGivenUp = errors.New("desistência: nada foi gravado")

// hold asks everything and returns what is to be set.
func (q *interview) hold() (map[string]string, error) {
	q.values["mode"] = q.choose("Este terminal é", []option{{"emulator", "um emulador, para desenvolver e testar"}, {"production", "de verdade"}})
	q.askCallers()
	q.askPrinter()
	q.askCard()
	q.askPix()
	q.values["locale"] = q.choose("Idioma da tela", []option{{"pt-BR", "português"}, {"en", "inglês"}, {"es", "espanhol"}})
	return q.values, q.err
}

func (q *interview) emulated() bool { return q.values["mode"] == "emulator" }

func (q *interview) askCallers() {
	switch q.choose("Os programas que chamam o terminal estão", []option{{"here", "neste computador"}, {"network", "na rede da loja"}, {"secure", "na rede da loja, e devem usar HTTPS"}}) {
	case "here":
		q.values["api.listen"] = "127.0.0.1:9050"
	case "network":
		q.values["api.listen"] = ":9050"
	case "secure":
		q.values["api.listen"], q.values["tls.enabled"] = "none", "true"
	}
}

func (q *interview) askPrinter() {
	own := option{"none", "nenhuma"}
	if q.emulated() {
		own = option{"virtual", "virtual: mostra na tela o que imprimiria"}
	}
	kinds := []option{own, {"network", "de rede"}, {"device", "USB ou serial, neste computador"}}
	for _, p := range q.printers {
		words := "a que está em " + p.Address
		if p.Said != "" {
			words += " (" + p.Said + ")"
		}
		kinds = append(kinds, option{p.Address, words})
	}
	switch kind := q.choose("A impressora é", kinds); kind {
	case "network":
		q.ask("printer.address", "Endereço, como 192.168.0.50", "", func(text string) string {
			if !strings.Contains(text, "://") {
				text = "tcp://" + text
			}
			return text
		})
	case "device":
		q.ask("printer.address", "Dispositivo, como /dev/usb/lp0 ou /dev/ttyUSB0?baud=9600", "", func(text string) string {
			if _, err := printer.ParseAddress(text); err != nil {
				text = "file:" + text
			}
			return text
		})
	default:
		q.values["printer.address"] = kind
		if kind == "none" {
			return
		}
		if i := slices.IndexFunc(q.printers, func(p printer.Found) bool { return p.Address == kind }); i >= 0 {
			if m := q.printers[i].Model; m.Name != "" && !m.Family && !m.Labels {
				q.values["printer.model"] = m.Name // the paper follows
				return
			}
		}
	}
	q.values["printer.paper_width"] = q.choose("O papel tem", []option{{"576", "80 mm"}, {"384", "58 mm"}})
}

func (q *interview) askCard() {
	q.values["acquirer.card"] = q.choose("Crédito e débito", []option{q.nobody(), {"tef", "por TEF (gerenciador neste computador)"}})
	if q.values["acquirer.card"] == "tef" {
		q.askTEF()
	}
}

func (q *interview) askPix() {
	options := []option{q.nobody(), {"pix", "direto no banco (API Pix)"}, {"tef", "por TEF"}}
	if q.values["acquirer.card"] == "tef" {
		options = []option{options[2], options[1], {"none", "ninguém recebe"}}
	}
	q.values["acquirer.pix"] = q.choose("PIX", options)
	switch {
	case q.values["acquirer.pix"] == "tef" && q.values["acquirer.card"] != "tef":
		q.askTEF()
	case q.values["acquirer.pix"] == "pix":
		q.ask("pix.url", "Endereço da API Pix do banco, como https://pix.banco.com.br/v2", "", nil)
		q.ask("pix.token_url", "Endereço que dá o token OAuth2", "", nil)
		q.ask("pix.client_id", "Client ID", "", nil)
		q.ask("pix.client_secret_file", "Arquivo que contém o client secret (vazio: ponha-o depois em [pix] client_secret)", "-", nil)
		q.ask("pix.key", "Chave PIX que recebe", "", nil)
		q.ask("pix.cert", "Arquivo do certificado de cliente, em PEM (vazio: nenhum)", "-", nil)
		if q.values["pix.cert"] != "" {
			q.ask("pix.cert_key", "Arquivo da chave do certificado", "", nil)
		}
	}
}

// nobody is who is paid when nobody real is.
func (q *interview) nobody() option {
	if q.emulated() {
		return option{"emulator", "pelo banco do emulador: nenhum dinheiro se move"}
	}
	return option{"none", "ninguém recebe"}
}

func (q *interview) askTEF() {
	var options []option
	for _, p := range tef.Profiles {
		options = append(options, option{p.Name, p.Title})
	}
	q.values["tef.profile"] = q.choose("O gerenciador é", options)
	profile, _ := tef.ProfileNamed(q.values["tef.profile"])
	example := ""
	if os.PathSeparator == '\\' {
		example = profile.Dirs[0]
	}
	q.ask("tef.dir", "Pasta que contém as de requisição e resposta ("+profile.Req+" e "+profile.Resp+")", example, nil)
}

type option struct{ value, words string }

// choose asks for one of a few by number; the first is what Enter means.
func (q *interview) choose(question string, options []option) string {
	fmt.Fprintf(q.out, "\n%s\n", question)
	for i, o := range options {
		fmt.Fprintf(q.out, "  %d  %s\n", i+1, o.words)
	}
	for q.err == nil {
		text := cmp.Or(q.line("[1] "), "1")
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(options) {
			return options[n-1].value
		}
		if q.err == nil {
			fmt.Fprintf(q.out, "  Digite um número de 1 a %d.\n", len(options))
		}
	}
	return ""
}

// ask asks for a setting in words. What Enter means is shown, unless it is - for nothing; without it, an answer is
// needed.
func (q *interview) ask(name, question, enter string, tidy func(string) string) {
	all := options.Settings()
	s := all[slices.IndexFunc(all, func(s configfile.Setting) bool { return s.Name() == name })]
	hint := ": "
	if enter != "" && enter != "-" {
		hint = " [" + enter + "]: "
	}
	for q.err == nil {
		text := q.line(question + hint)
		switch {
		case text == "" && enter == "-":
			return
		case text == "" && enter == "":
			continue
		}
		text = cmp.Or(text, enter)
		if tidy != nil {
			text = tidy(text)
		}
		if s.Path {
			text = kong.ExpandPath(text)
		}
		if why := options.Refusal(s, text, q.values["mode"]); why != "" {
			fmt.Fprintf(q.out, "  Não serve: %s\n", why)
			continue
		}
		q.values[name] = text
		return
	}
}

func (q *interview) line(prompt string) string {
	fmt.Fprint(q.out, prompt)
	if !q.in.Scan() {
		q.err = cmp.Or(q.in.Err(), errGivenUp)
		return ""
	}
	return strings.TrimSpace(q.in.Text())
}
