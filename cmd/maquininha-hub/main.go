// Command maquininha-hub is where many terminals are reached, and their records kept a second time.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/hub/cli"
)

// Stamped at build time with -ldflags "-X main.version=… -X main.build=…".
var (
	version = "0.1.0"
	build   = "dev"
)

// commandLine is the root. The tag file says what a command does with the configuration file.
type commandLine struct {
	Serve    cli.Serve    `cmd:"" default:"withargs" file:"whole" help:"Põe o hub no ar (comando padrão)."`
	Init     cli.Init     `cmd:"" file:"unread" help:"Cria o arquivo de configuração, com todas as opções comentadas."`
	Check    cli.Check    `cmd:"" file:"told" help:"Confere a configuração e experimenta tudo: portas, certificado, banco de dados."`
	Password cli.Password `cmd:"" help:"Gera uma senha nova para uma pessoa e mostra-a uma única vez; o hub deve estar parado."`
	Key      cli.Key      `cmd:"" help:"Gera uma chave de API que pode tudo e mostra-a uma única vez; o hub deve estar parado."`
	Version  showVersion  `cmd:"" help:"Mostra a versão."`
}

type showVersion struct{}

func (showVersion) Run(v commandline.Version) error {
	fmt.Println(v)
	return nil
}

func main() {
	commandline.ForgetEmptyVariables()
	file := cli.NewConfiguration()
	parser := commandline.New(&commandLine{}, kong.Name(cli.Name), kong.Resolvers(file),
		kong.Bind(file, commandline.Version{Program: cli.Name, Number: version, Build: build}),
		kong.Description("Hub de terminais: alcança-os de qualquer lugar e guarda uma segunda vez o que registram."))
	ctx, err := parser.Parse(os.Args[1:])
	if err = file.Judge(ctx, err); err == nil {
		err = ctx.Run()
	}
	if err == nil {
		return
	}
	if !errors.Is(err, commandline.ErrSaid) {
		text, see := commandline.Words(err)
		if !commandline.OfVariable(err) { // the file has no part in it
			text = file.InKeys(text)
		}
		fmt.Fprintln(os.Stderr, cli.Name+": "+text+see)
	}
	os.Exit(1)
}
