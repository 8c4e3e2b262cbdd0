// Package config is the command that writes the configuration file: from flags, or from what a person answers.
package config

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/printer"
	"github.com/maquininha/maquininha/internal/syserror"
)

// Init is maquininha init. It takes the flags of serve: what they say is set in the file.
type Init struct {
	Output          string `short:"o" placeholder:"ARQUIVO" help:"Onde gravar; sem ele, maquininha.toml na pasta dos dados; - mostra sem gravar."`
	Force           bool   `help:"Grava por cima de um arquivo que já existe."`
	options.Service `embed:""`
}

// Help is the rest of the page.
func (Init) Help() string {
	return `Em um terminal, e sem opções, pergunta o que importa. Com opções, as mesmas de serve, não pergunta: o que elas dizem fica definido
no arquivo e o resto fica comentado, com o padrão de cada uma. Senhas não são aceitas aqui: grave-as no arquivo, que só este
usuário pode ler, ou em arquivos à parte (password_file, client_secret_file).`
}

// Run writes the file. What serve would refuse only together is said, and left to be completed by hand.
func (i Init) Run(ctx context.Context, line *kong.Context) error {
	data, err := i.Folder()
	if err != nil {
		return err
	}
	output := cmp.Or(i.Output, i.Config, filepath.Join(data, options.FileName))
	if _, err := os.Lstat(output); err == nil && !i.Force && output != "-" {
		return fmt.Errorf("%s já existe; --force grava por cima dele", output)
	}
	values := settings.Given(line)
	delete(values, "data")
	if len(values) == 0 && console.IsTerminal(os.Stdin) && console.IsTerminal(os.Stdout) {
		fmt.Printf("Configuração em %s. Enter aceita o que está entre colchetes; Ctrl+C desiste.\n", output)
		if values, err = newInterview(os.Stdin, os.Stdout, printersHere(ctx)...).hold(); err != nil {
			return err
		}
	}
	if i.Data != "" && !sameFolder(filepath.Dir(output), data) {
		values["data"] = kong.ExpandPath(i.Data)
	}
	text := options.Template(values)
	file := configfile.Parse(text, options.Settings())
	if options.Try(file); len(file.Problems) > 0 {
		p := file.Problems[0]
		return errors.New(p.Where + ": " + p.What)
	}
	if output == "-" {
		_, err := os.Stdout.Write(text)
		return err
	}
	if err := settings.WriteFile(output, text, i.Force); err != nil {
		return fmt.Errorf("%s não pode ser gravado: %w", output, syserror.OfFile(err))
	}
	afterwards(file, output, data)
	return nil
}

// printersHere are those that this machine knows by name. Serial ports are none of them: nobody knows what is at their ends.
func printersHere(ctx context.Context) []printer.Found {
	queues, _ := printer.Installed(ctx) // without a list the address can still be typed
	return slices.DeleteFunc(append(queues, printer.Plugged()...), func(f printer.Found) bool { return f.Way == printer.BySerial || f.Model.Labels })
}

// afterwards says what to do next, and what is still missing.
func afterwards(file *configfile.File, output, data string) {
	fmt.Printf("Gravado em %s, que só este usuário pode ler.\n", output)
	var args []string
	for _, s := range options.Settings() {
		if value, set := file.Values[s.Name()]; set && s.Flag != "config" {
			args = append(args, "--"+s.Flag+"="+value.Text)
		}
	}
	if err := options.Parse(args...); err != nil {
		text, _ := commandline.Words(err)
		fmt.Println("Antes de iniciar, complete: " + (&options.Configuration{Of: options.Program(), File: file}).InKeys(text))
	}
	where := ""
	if path := options.Places("", ""); !slices.Contains(path, output) {
		where = " --config " + console.ShellWord(kong.ExpandPath(output))
		if sameFolder(filepath.Dir(output), data) {
			where = " --data " + console.ShellWord(kong.ExpandPath(data))
		}
	}
	fmt.Printf("Confira:  maquininha check%s\nInicie:   maquininha%s\n", where, where)
}

func sameFolder(a, b string) bool { return kong.ExpandPath(a) == kong.ExpandPath(b) }
