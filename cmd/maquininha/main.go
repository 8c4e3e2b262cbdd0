// Command maquininha is the point-of-sale terminal service.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/daemon"
	"github.com/maquininha/maquininha/internal/httpapi"
)

// Stamped at build time with -ldflags "-X main.version=… -X main.build=…".
var (
	version = "0.1.0"
	build   = "dev"
)

type commandLine struct {
	Serve        serve         `cmd:"" default:"withargs" help:"Põe o terminal no ar (comando padrão)."`
	Print        printFiles    `cmd:"" help:"Imprime arquivos, ou mostra como ficariam: imagens, XML fiscais, instruções de texto."`
	Simulate     simulate      `cmd:"" help:"Faz o papel do outro lado de um pagamento: gerenciador TEF ou PSP do PIX."`
	TestServer   testServer    `cmd:"" help:"Para os testes da sua integração: um terminal descartável, com roteiro, que diz no fim o que o chamador fez de errado."`
	Transactions transactions  `cmd:"" help:"Lista, filtra e exporta as transações; show mostra uma inteira, resolve encerra à mão uma pendente."`
	Closing      closingReport `cmd:"" help:"Fechamento: os totais de hoje ou de outro período, em texto, JSON, papel ou imagem."`
	Discover     discover      `cmd:"" help:"Acha os terminais da rede local."`
	Password     password      `cmd:"" help:"Gera uma senha nova para os chamadores e mostra-a uma única vez."`
	Pin          pin           `cmd:"" help:"Apaga o PIN do operador; a tela pedirá um novo."`
	Repair       repair        `cmd:"" help:"Verifica os dados; guarda com outro nome o que estiver danificado e começa um novo no lugar."`
	Init         initFile      `cmd:"" help:"Cria o arquivo de configuração, com todas as opções comentadas."`
	Service      serviceGroup  `cmd:"" help:"Instala o terminal como serviço do sistema, inicia-o, para-o e diz como está."`
	Check        check         `cmd:"" help:"Confere a configuração e experimenta tudo: portas, impressora, adquirentes, relógio."`
	Doctor       doctor        `cmd:"" help:"Reúne em um arquivo, sem segredos, o que o suporte precisa saber deste terminal."`
	Logs         readLogs      `cmd:"" help:"Mostra o log de um terminal, deste ou de outra máquina; -f acompanha."`
	Version      showVersion   `cmd:"" help:"Mostra a versão."`
}

type dataFlag struct {
	Config string `env:"MAQUININHA_CONFIG" placeholder:"ARQUIVO" help:"Arquivo de configuração; sem ele, maquininha.toml na pasta dos dados ou na do sistema, se houver."`
	Data   string `env:"MAQUININHA_DATA" toml:"data,path" placeholder:"PASTA" help:"Pasta dos dados; sem ela, a pasta de dados do usuário."`
}

func (d dataFlag) folder() (string, error) {
	if d.Data != "" {
		return d.Data, nil
	}
	return app.DefaultData()
}

type serve struct {
	dataFlag       `embed:""`
	Listen         string `default:":9050" env:"MAQUININHA_LISTEN" toml:"api.listen" placeholder:"ENDEREÇO" help:"Endereço da API; none desliga o HTTP, quando há HTTPS."`
	tlsFlags       `embed:""`
	Screen         string        `default:"127.0.0.1:9051" env:"MAQUININHA_SCREEN" toml:"screen.listen" placeholder:"ENDEREÇO" help:"Endereço da tela do terminal."`
	Mode           string        `default:"emulator" enum:"emulator,production" env:"MAQUININHA_MODE" toml:"mode" placeholder:"MODO" help:"emulator (padrão) ou production."`
	Platform       string        `env:"MAQUININHA_PLATFORM" toml:"platform" placeholder:"NOME" help:"Plataforma que /info informa, como android; sem ela, a deste sistema."`
	Operator       string        `default:"auto" enum:"auto,human" env:"MAQUININHA_OPERATOR" toml:"emulator.operator" placeholder:"QUEM" help:"No emulador, quem opera a tela sem página aberta: auto (o autopiloto, padrão) ou human (ninguém)."`
	AutopilotDelay time.Duration `default:"2s" env:"MAQUININHA_AUTOPILOT_DELAY" toml:"emulator.autopilot_delay" placeholder:"TEMPO" help:"Quanto o autopiloto espera antes de agir, como 500ms ou 2s."`
	CORSMethods    string        `name:"cors-methods" env:"MAQUININHA_CORS_METHODS" toml:"api.cors_methods" placeholder:"LISTA" help:"Métodos que páginas de outra origem podem usar; para incluir PATCH: \"GET, POST, PUT, PATCH, DELETE, OPTIONS\"."`
	MaxJSON        int           `name:"max-json" default:"1" env:"MAQUININHA_MAX_JSON" toml:"limits.json" placeholder:"MIB" help:"Maior corpo JSON aceito, em MiB."`
	MaxImage       int           `default:"16" env:"MAQUININHA_MAX_IMAGE" toml:"limits.image" placeholder:"MIB" help:"Maior imagem aceita, em MiB."`
	MaxXML         int           `name:"max-xml" default:"4" env:"MAQUININHA_MAX_XML" toml:"limits.xml" placeholder:"MIB" help:"Maior XML aceito, em MiB."`
	MaxCarousel    int           `default:"64" env:"MAQUININHA_MAX_CAROUSEL" toml:"limits.carousel" placeholder:"MIB" help:"Maior carrossel aceito, em MiB."`
	LogEntries     int           `default:"1000000" env:"MAQUININHA_LOG_ENTRIES" toml:"logs.entries" placeholder:"N" help:"Quantas entradas de log guardar."`
	LogDays        int           `default:"30" env:"MAQUININHA_LOG_DAYS" toml:"logs.days" placeholder:"N" help:"Por quantos dias guardar os logs."`
	Printer        string        `env:"MAQUININHA_PRINTER" toml:"printer.address" placeholder:"QUAL" help:"Impressora: tcp://ENDEREÇO[:9100], file:CAMINHO[?baud=9600], none ou, no emulador, virtual; sem ela, a escolhida na tela: a princípio virtual no emulador, nenhuma em produção."`
	printerFlags   `embed:""`
	PaperWidth     *int       `example:"576" env:"MAQUININHA_PAPER_WIDTH" toml:"printer.paper_width" placeholder:"PONTOS" help:"Largura do papel: 576 (80 mm), 384 (58 mm), 512 (80 mm a 180 dpi); sem ela, a escolhida na tela, a princípio 576."`
	PrinterDPI     int        `name:"printer-dpi" default:"203" env:"MAQUININHA_PRINTER_DPI" toml:"printer.dpi" placeholder:"N" help:"Pontos por polegada da impressora."`
	CardReceipt    string     `env:"MAQUININHA_CARD_RECEIPT" toml:"printer.card_receipt" placeholder:"VIAS" help:"Vias do comprovante impressas depois de um pagamento ou estorno aprovado: none, customer, both ou ask (pergunta na tela); sem ela, a escolha feita na tela, a princípio none."`
	Locale         string     `env:"MAQUININHA_LOCALE" toml:"locale" placeholder:"IDIOMA" help:"Idioma da tela: pt-BR, en ou es; sem ele, o escolhido na tela, a princípio pt-BR."`
	Setup          bool       `default:"true" negatable:"" env:"MAQUININHA_SETUP" toml:"screen.setup" help:"Pergunta na tela, na primeira vez, usuário, senha e o mais (padrão); --no-setup não pergunta."`
	Desktop        bool       `name:"desktop-notifications" default:"true" negatable:"" env:"MAQUININHA_DESKTOP_NOTIFICATIONS" toml:"screen.desktop_notifications" help:"Avisa pelo sistema operacional quando chega um comando sem tela aberta (padrão); --no-desktop-notifications não avisa."`
	DNS            nameServer `name:"dns" env:"MAQUININHA_DNS" toml:"dns" placeholder:"ENDEREÇO" help:"Servidor de nomes, como 192.168.0.1 ou 8.8.8.8:53, onde o sistema não diz o seu (Android); sem ele, o do sistema."`
	acquirerFlags  `embed:""`
	discoveryFlags `embed:""`
	Username       string `env:"MAQUININHA_USERNAME" toml:"api.username" hidden:"" help:"Usuário dos chamadores; sem ele, o definido na tela, a princípio admin."`
	callerSecret   `embed:""`
}

// Validate refuses what no terminal could run with; kong calls it.
func (s serve) Validate() error {
	for _, least := range []struct {
		flag        string
		value, most int
	}{
		{"--max-json", s.MaxJSON, 1 << 10},
		{"--max-image", s.MaxImage, 1 << 10},
		{"--max-xml", s.MaxXML, 1 << 10},
		{"--max-carousel", s.MaxCarousel, 1 << 10},
		{"--log-entries", s.LogEntries, 1 << 30},
		{"--log-days", s.LogDays, 36500},
	} {
		if least.value < 1 || least.value > least.most {
			return fmt.Errorf("%s deve estar entre 1 e %d", least.flag, least.most)
		}
	}
	if s.PaperWidth != nil {
		if err := checkWidth("--paper-width", *s.PaperWidth); err != nil {
			return err
		}
	}
	if err := cmp.Or(s.printerFlags.check("--printer-dpi", s.PrinterDPI), s.printerFlags.configured(s.Printer, s.PrinterDPI).Check(app.Mode(s.Mode))); err != nil {
		return err
	}
	if err := s.acquirerFlags.configured().Check(app.Mode(s.Mode)); err != nil {
		return err
	}
	if s.Locale != "" && !slices.Contains(app.Locales(), s.Locale) {
		return fmt.Errorf("--locale deve ser um de %s", strings.Join(app.Locales(), ", "))
	}
	if s.AutopilotDelay < 0 {
		return errors.New("--autopilot-delay não pode ser negativo")
	}
	return cmp.Or(app.CheckCardReceipt(s.CardReceipt), s.DNS.check(), s.PasswordFile.err, s.PixClientSecretFile.err)
}

const passwordVariable = "MAQUININHA_PASSWORD"

func (s serve) Run(c *configuration) error {
	keepCalm()
	s.DNS.use()
	data, err := s.folder()
	if err != nil {
		return err
	}
	return daemon.Run(func(ctx context.Context, ready func()) error {
		journal := daemon.SystemLog()
		defer journal.Close()
		terminal, err := app.New(s.configured(c, data, journal))
		if err != nil {
			return err
		}
		if journal == nil {
			fmt.Print(terminal.Welcome())
		} else {
			terminal.Announce()
		}
		ready()
		gatherAtLeisure(ctx)
		return terminal.Run(ctx)
	})
}

// configured is what the flags say.
func (s serve) configured(c *configuration, data string, journal *daemon.Log) app.Config {
	config := app.Config{
		// Set but empty, as deployment files like to do, is the default too.
		Listen: cmp.Or(s.Listen, ":9050"), Screen: cmp.Or(s.Screen, "127.0.0.1:9051"), Data: data, TLS: s.tls(), Mode: app.Mode(s.Mode), Platform: s.Platform,
		Autopilot: s.Operator == "auto", AutopilotDelay: s.AutopilotDelay, CORSMethods: s.CORSMethods,
		Username: s.Username, Password: s.password(), PasswordFrom: s.passwordFrom(c), ConfigFile: c.path(), NameServer: s.DNS != "",
		Limits: httpapi.Limits{
			JSON: mebibytes(s.MaxJSON), Image: mebibytes(s.MaxImage), XML: mebibytes(s.MaxXML), Carousel: mebibytes(s.MaxCarousel),
		},
		Locale: s.Locale, SkipSetup: !s.Setup, DesktopNotices: s.Desktop, PaperWidth: given(s.PaperWidth), Printer: s.printerFlags.configured(s.Printer, s.PrinterDPI), CardReceipt: s.CardReceipt,
		Acquirers: s.acquirerFlags.configured(), Discovery: s.discoveryFlags.configured(),
		LogKeep: s.LogEntries, LogMaxAge: time.Duration(s.LogDays) * 24 * time.Hour, Version: version, Build: build,
	}
	if journal != nil {
		config.Echo = journal.Add
	}
	return config
}

// given is the flag's value, 0 when there was none.
func given(flag *int) int {
	if flag == nil {
		return 0
	}
	return *flag
}

func mebibytes(n int) int64 { return int64(n) << 20 }

type password struct {
	dataFlag     `embed:""`
	Username     string `env:"MAQUININHA_USERNAME" toml:"api.username" placeholder:"NOME" help:"Usuário; sem ele, o de antes."`
	callerSecret `embed:""`
}

func (p password) Run(c *configuration) error {
	data, err := p.folder()
	if err != nil {
		return err
	}
	user, secret, err := app.NewPassword(app.Config{Data: data, Username: p.Username})
	if err != nil {
		return besideService(err, data, "service password")
	}
	fmt.Printf("Dados    %s\nUsuário  %s\nSenha    %s   (anote: não será mostrada de novo)\n", data, user, secret)
	if p.password() != "" {
		fmt.Println("Atenção: há uma senha em " + cmp.Or(p.passwordFrom(c), passwordVariable) + ", que vale no lugar desta enquanto estiver lá.")
	}
	return nil
}

type pin struct {
	dataFlag `embed:""`
}

func (p pin) Run() error {
	data, err := p.folder()
	if err != nil {
		return err
	}
	if err := app.ForgetPIN(app.Config{Data: data}); err != nil {
		return besideService(err, data, "service pin")
	}
	fmt.Println("PIN apagado: ao abrir as configurações, a tela pedirá um novo.")
	return nil
}

type showVersion struct{}

func (showVersion) Run() error {
	fmt.Printf("maquininha %s (build %s)\n", version, build)
	return nil
}

func main() {
	forgetEmptyVariables()
	config := &configuration{}
	parser := kong.Must(&commandLine{}, kong.Resolvers(config), kong.Bind(config), kong.Name("maquininha"), kong.Help(help), kong.ConfigureHelp(kong.HelpOptions{}),
		kong.Description("Serviço de terminal de ponto de venda: venda, perguntas, impressão e pagamentos por HTTP."))
	ctx, err := parser.Parse(os.Args[1:])
	if err = config.judge(ctx, err); err == nil {
		err = ctx.Run()
	}
	if err != nil {
		if !errors.Is(err, errSaid) {
			words := inPortuguese(err)
			if !ofVariable.MatchString(err.Error()) { // the file has no part in it
				words = config.inKeys(words)
			}
			daemon.Complain("maquininha: " + words)
		}
		var code exitCode
		errors.As(err, &code)
		os.Exit(max(int(code), 1))
	}
}
