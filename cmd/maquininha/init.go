package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/configfile"
)

// initFile writes the configuration file. It takes the flags of serve: what they say is set in the file.
type initFile struct {
	Output string `short:"o" placeholder:"ARQUIVO" help:"Onde gravar; sem ele, maquininha.toml na pasta dos dados; - mostra sem gravar."`
	Force  bool   `help:"Grava por cima de um arquivo que já existe."`
	serve  `embed:""`
}

// Help is the rest of the page.
func (initFile) Help() string {
	return `Em um terminal, e sem opções, pergunta o que importa. Com opções, as mesmas de serve, não pergunta: o que elas dizem fica definido
no arquivo e o resto fica comentado, com o padrão de cada uma. Senhas não são aceitas aqui: grave-as no arquivo, que só este
usuário pode ler, ou em arquivos à parte (password_file, client_secret_file).`
}

// Validate leaves to Run what serve would refuse: the file may be begun here and completed by hand.
func (initFile) Validate() error { return nil }

// sections are the tables in the order of the file.
var sections = []configfile.Section{
	{Table: "", Title: ""},
	{Table: "api", Title: "Os chamadores: por onde entram e com que senha."},
	{Table: "tls", Title: "HTTPS para os chamadores. Qualquer uma destas o liga."},
	{Table: "screen", Title: "A tela do terminal."},
	{Table: "emulator", Title: "Só no modo emulator."},
	{Table: "printer", Title: "A impressora e o papel."},
	{Table: "acquirer", Title: "Quem recebe os pagamentos."},
	{Table: "tef", Title: "O gerenciador de TEF deste computador, se card ou pix for tef."},
	{Table: "pix", Title: "O banco que serve a API Pix, se pix for pix."},
	{Table: "discovery", Title: "Ser achado na rede local (maquininha discover)."},
	{Table: "logs", Title: "Quanto dos logs fica guardado."},
	{Table: "limits", Title: "O maior corpo aceito em cada requisição."},
}

const preamble = `Configuração da maquininha. Uma linha que começa com # não vale: é explicação, ou uma opção com o seu padrão; para mudá-la, tire o #.
As mudanças valem quando o serviço é iniciado de novo. Variáveis de ambiente (entre colchetes) e opções da linha de comando valem mais do que este arquivo. Caminhos relativos começam na pasta dele.
Confira com: maquininha check`

func (i initFile) Run(ctx *kong.Context, c *configuration) error {
	c.settings = settings(ctx.Model)
	data, err := i.folder()
	if err != nil {
		return err
	}
	output := cmp.Or(i.Output, i.Config, filepath.Join(data, configName))
	if _, err := os.Lstat(output); err == nil && !i.Force && output != "-" {
		return fmt.Errorf("%s já existe; --force grava por cima dele", output)
	}
	values := flagsGiven{ctx}.values()
	if len(values) == 0 && isTerminal(os.Stdin) && isTerminal(os.Stdout) {
		fmt.Printf("Configuração em %s. Enter aceita o que está entre colchetes; Ctrl+C desiste.\n", output)
		if values, err = newInterview(os.Stdin, os.Stdout, c.settings).hold(); err != nil {
			return err
		}
	}
	if i.Data != "" && !sameFolder(filepath.Dir(output), data) {
		values["data"] = absolute(i.Data)
	}
	text := configfile.Write(preamble, sections, c.settings, values)
	c.file = configfile.Parse(text, c.settings)
	if c.try(); len(c.file.Problems) > 0 {
		p := c.file.Problems[0]
		return errors.New(p.Where + ": " + p.What)
	}
	if output == "-" {
		_, err := os.Stdout.Write(text)
		return err
	}
	if err := writeConfig(output, text, i.Force); err != nil {
		return fmt.Errorf("%s não pode ser gravado: %w", output, unreadable(err))
	}
	c.afterwards(output, data)
	return nil
}

// afterwards says what to do next, and what is still missing.
func (c *configuration) afterwards(output, data string) {
	fmt.Printf("Gravado em %s, que só este usuário pode ler.\n", output)
	var args []string
	for _, s := range c.settings {
		if value, set := c.file.Values[s.Name()]; set && s.Flag != "config" {
			args = append(args, "--"+s.Flag+"="+value.Text)
		}
	}
	if _, err := kong.Must(&serve{}, kong.Name("maquininha")).Parse(args); err != nil {
		text, _, _ := strings.Cut(inPortuguese(err), " (veja maquininha")
		fmt.Println("Antes de iniciar, complete: " + c.inKeys(text))
	}
	where := ""
	if path := configPlaces("", ""); !slices.Contains(path, output) {
		where = " --config " + shellWord(absolute(output))
		if sameFolder(filepath.Dir(output), data) {
			where = " --data " + shellWord(absolute(data))
		}
	}
	fmt.Printf("Confira:  maquininha check%s\nInicie:   maquininha%s\n", where, where)
}

// flagsGiven are the flags of a command line.
type flagsGiven struct{ *kong.Context }

// values are what they set in the file, by name. Paths are made whole: in the file they would begin elsewhere.
func (g flagsGiven) values() map[string]string {
	all := map[string]string{}
	for _, p := range g.Path {
		if p.Flag == nil || p.Resolved || !p.Flag.Tag.Has("toml") || p.Flag.Name == "data" {
			continue
		}
		s := settingOf(p.Flag)
		text := ""
		switch value := p.Flag.Target.Interface().(type) {
		case secretFile:
			text = value.path
		case *int:
			text = fmt.Sprint(*value)
		default:
			text = fmt.Sprint(value)
		}
		if s.Path {
			text = absolute(text)
		}
		all[s.Name()] = text
	}
	return all
}

func absolute(path string) string { return kong.ExpandPath(path) }

func sameFolder(a, b string) bool { return absolute(a) == absolute(b) }

// writeConfig writes the file whole, for this user only.
func writeConfig(path string, text []byte, over bool) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if over {
		f, err := os.CreateTemp(dir, ".maquininha-*") // made with mode 0600
		if err != nil {
			return err
		}
		_, err = f.Write(text)
		if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
			err = os.Rename(f.Name(), path)
		}
		if err != nil {
			os.Remove(f.Name()) //nolint:errcheck // what went wrong before is said
		}
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// isTerminal tells whether a person is at the other end.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&fs.ModeCharDevice == 0 {
		return false
	}
	nowhere, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, nowhere)
}
