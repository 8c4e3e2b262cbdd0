// Command maquininha is the point-of-sale terminal service.
package main

import (
	"os"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/cli/check"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/config"
	"github.com/maquininha/maquininha/internal/cli/discover"
	"github.com/maquininha/maquininha/internal/cli/doctor"
	"github.com/maquininha/maquininha/internal/cli/hub"
	"github.com/maquininha/maquininha/internal/cli/ledger"
	"github.com/maquininha/maquininha/internal/cli/logs"
	"github.com/maquininha/maquininha/internal/cli/maintenance"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/printers"
	"github.com/maquininha/maquininha/internal/cli/printing"
	"github.com/maquininha/maquininha/internal/cli/serve"
	"github.com/maquininha/maquininha/internal/cli/service"
	"github.com/maquininha/maquininha/internal/cli/simulate"
	"github.com/maquininha/maquininha/internal/cli/tef"
	"github.com/maquininha/maquininha/internal/cli/testserver"
	"github.com/maquininha/maquininha/internal/daemon"
	"github.com/maquininha/maquininha/internal/version"
)

// commandLine is the root. The tag file says what a command does with the configuration file (options/file.go).
type commandLine struct {
	Serve        serve.Command           `cmd:"" default:"withargs" file:"whole" help:"Põe o terminal no ar (comando padrão)."`
	Print        printing.Command        `cmd:"" help:"Imprime arquivos, ou mostra como ficariam: imagens, XML fiscais, instruções de texto, textos com tags ACBr."`
	Printers     printers.Command        `cmd:"" help:"Lista as impressoras que há, diz como estão e imprime uma página de teste."`
	Simulate     simulate.Command        `cmd:"" help:"Faz o papel do outro lado de um pagamento: gerenciador TEF, banco do PIX, Mercado Pago, Connect TEF, Cielo ou ControlPay."`
	TestServer   testserver.Command      `cmd:"" help:"Para os testes da sua integração: um terminal descartável, com roteiro, que diz no fim o que o chamador fez de errado."`
	Transactions ledger.Transactions     `cmd:"" help:"Lista, filtra e exporta as transações; show mostra uma inteira, resolve encerra à mão uma pendente."`
	Closing      ledger.Closing          `cmd:"" help:"Fechamento: os totais de hoje ou de outro período, em texto, JSON, papel ou imagem."`
	TEF          tef.Command             `cmd:"" name:"tef" help:"O gerenciador TEF, além dos pagamentos: admin abre o menu dele."`
	Discover     discover.Command        `cmd:"" help:"Acha os terminais da rede local."`
	Join         hub.Join                `cmd:"" help:"Entra em um hub, para o terminal ser alcançado de qualquer lugar."`
	Leave        hub.Leave               `cmd:"" help:"Sai do hub: o terminal volta a ser só da rede da loja."`
	Password     maintenance.Password    `cmd:"" help:"Gera uma senha nova para os chamadores e mostra-a uma única vez."`
	Pin          maintenance.Pin         `cmd:"" help:"Apaga o PIN do operador; a tela pedirá um novo."`
	Repair       maintenance.Repair      `cmd:"" help:"Verifica os dados; guarda com outro nome o que estiver danificado e começa um novo no lugar."`
	Init         config.Init             `cmd:"" file:"unread" help:"Cria o arquivo de configuração, com todas as opções comentadas."`
	Service      service.Command         `cmd:"" help:"Instala o terminal como serviço do sistema, inicia-o, para-o e diz como está."`
	Check        check.Command           `cmd:"" file:"told" help:"Confere a configuração e experimenta tudo: portas, impressora, adquirentes, relógio."`
	Doctor       doctor.Command          `cmd:"" file:"told-plain" help:"Reúne em um arquivo, sem segredos, o que o suporte precisa saber deste terminal."`
	Logs         logs.Command            `cmd:"" file:"told" help:"Mostra o log de um terminal, deste ou de outra máquina; -f acompanha."`
	Version      commandline.ShowVersion `cmd:"" help:"Mostra a versão."`
}

func main() {
	commandline.ForgetEmptyVariables()
	file := options.NewConfiguration()
	parser := commandline.New(&commandLine{}, kong.Resolvers(file), kong.Bind(file, service.Program(), commandline.Version{Program: "maquininha", Number: version.Number, Build: version.Build}),
		kong.Description("Serviço de terminal de ponto de venda: venda, perguntas, impressão e pagamentos por HTTP."))
	os.Exit(file.Run(parser, os.Args[1:], daemon.Terminal.Complain))
}
