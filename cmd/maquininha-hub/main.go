// Command maquininha-hub is where many terminals are reached, and their records kept a second time.
package main

import (
	"os"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/daemon"
	"github.com/maquininha/maquininha/internal/hub/cli"
	"github.com/maquininha/maquininha/internal/version"
)

// commandLine is the root. The tag file says what a command does with the configuration file.
type commandLine struct {
	Serve    cli.Serve               `cmd:"" default:"withargs" file:"whole" help:"Põe o hub no ar (comando padrão)."`
	Init     cli.Init                `cmd:"" file:"unread" help:"Cria o arquivo de configuração, com todas as opções comentadas."`
	Check    cli.Check               `cmd:"" file:"told" help:"Confere a configuração e experimenta tudo: portas, certificado, banco de dados."`
	Doctor   cli.Doctor              `cmd:"" file:"told-plain" help:"Reúne em um arquivo, sem segredos, o que o suporte precisa saber deste hub."`
	Password cli.Password            `cmd:"" help:"Gera uma senha nova para uma pessoa e mostra-a uma única vez; o hub deve estar parado."`
	Key      cli.Key                 `cmd:"" help:"Gera uma chave de API que pode tudo e mostra-a uma única vez; o hub deve estar parado."`
	Backup   cli.Backup              `cmd:"" help:"Grava em um arquivo uma cópia dos registros, da chave e do certificado, com o hub no ar ou parado."`
	Restore  cli.Restore             `cmd:"" help:"Põe uma cópia em uma pasta de dados vazia, ou em um banco vazio; o hub deve estar parado."`
	Service  cli.Service             `cmd:"" help:"Instala o hub como serviço do sistema, inicia-o, para-o e diz como está."`
	Version  commandline.ShowVersion `cmd:"" help:"Mostra a versão."`
}

func main() {
	commandline.ForgetEmptyVariables()
	file := cli.NewConfiguration()
	parser := commandline.New(&commandLine{}, kong.Name(cli.Name), kong.Resolvers(file),
		kong.Bind(file, cli.Serviced(), commandline.Version{Program: cli.Name, Number: version.Number, Build: version.Build}),
		kong.Description("Hub de terminais: alcança-os de qualquer lugar e guarda uma segunda vez o que registram."))
	os.Exit(file.Run(parser, os.Args[1:], daemon.Hub.Complain))
}
