// Package options is what the service can be told, by flags, variables of the environment and a configuration file, for the commands that
// start it, check it, write its file or look at its data. A setting is declared once, as a flag; its tags are its variable and its
// key in the file. Flags count more than the environment, and that more than the file.
package options

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/servicing"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/daemon"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/httpapi/tefip"
)

// Service is all that can be said to the service. Each flag has its variable of the environment and its key in the configuration file.
type Service struct {
	Place          `embed:""`
	Listen         string `default:":9050" env:"MAQUININHA_LISTEN" toml:"api.listen" placeholder:"ENDEREÇO" help:"Endereço da API; none desliga o HTTP, quando há HTTPS."`
	HTTPS          `embed:""`
	Screen         string        `default:"127.0.0.1:9051" env:"MAQUININHA_SCREEN" toml:"screen.listen" placeholder:"ENDEREÇO" help:"Endereço da tela do terminal."`
	Mode           string        `default:"emulator" choices:"emulator,production" env:"MAQUININHA_MODE" toml:"mode" placeholder:"MODO" help:"emulator (padrão) ou production."`
	Platform       string        `env:"MAQUININHA_PLATFORM" toml:"platform" placeholder:"NOME" help:"Plataforma que /info informa, como android; sem ela, a deste sistema."`
	Operator       string        `default:"auto" choices:"auto,human" env:"MAQUININHA_OPERATOR" toml:"emulator.operator" placeholder:"QUEM" help:"No emulador, quem opera a tela sem página aberta: auto (o autopiloto, padrão) ou human (ninguém)."`
	AutopilotDelay time.Duration `default:"2s" env:"MAQUININHA_AUTOPILOT_DELAY" toml:"emulator.autopilot_delay" placeholder:"TEMPO" help:"Quanto o autopiloto espera antes de agir, como 500ms ou 2s."`
	CORSMethods    string        `name:"cors-methods" env:"MAQUININHA_CORS_METHODS" toml:"api.cors_methods" placeholder:"LISTA" help:"Métodos que páginas de outra origem podem usar; para incluir PATCH: \"GET, POST, PUT, PATCH, DELETE, OPTIONS\"."`
	Compat         string        `env:"MAQUININHA_COMPAT" toml:"api.compat" placeholder:"QUAL" help:"Atende também chamadores escritos para outro produto: tefip (o SDK do TEF IP); sem ela, só a própria interface."`
	MaxJSON        int           `name:"max-json" default:"1" env:"MAQUININHA_MAX_JSON" toml:"limits.json" placeholder:"MIB" help:"Maior corpo JSON aceito, em MiB."`
	MaxImage       int           `default:"16" env:"MAQUININHA_MAX_IMAGE" toml:"limits.image" placeholder:"MIB" help:"Maior imagem aceita, em MiB."`
	MaxXML         int           `name:"max-xml" default:"4" env:"MAQUININHA_MAX_XML" toml:"limits.xml" placeholder:"MIB" help:"Maior XML aceito, em MiB."`
	MaxCarousel    int           `default:"64" env:"MAQUININHA_MAX_CAROUSEL" toml:"limits.carousel" placeholder:"MIB" help:"Maior carrossel aceito, em MiB."`
	LogEntries     int           `default:"1000000" env:"MAQUININHA_LOG_ENTRIES" toml:"logs.entries" placeholder:"N" help:"Quantas entradas de log guardar."`
	LogDays        int           `default:"30" env:"MAQUININHA_LOG_DAYS" toml:"logs.days" placeholder:"N" help:"Por quantos dias guardar os logs."`
	SaleDays       int           `default:"90" env:"MAQUININHA_SALE_DAYS" toml:"sales.days" placeholder:"N" help:"Por quantos dias guardar as vendas encerradas."`
	Printer        string        `env:"MAQUININHA_PRINTER" toml:"printer.address" placeholder:"QUAL" help:"Impressora: tcp://ENDEREÇO[:9100], file:CAMINHO[?baud=9600], cups:NOME ou windows:NOME (uma instalada no sistema), none ou, no emulador, virtual; maquininha printers lista as que há; sem ela, a escolhida na tela: a princípio virtual no emulador, nenhuma em produção."`
	Printing       `embed:""`
	PaperWidth     *int   `example:"576" env:"MAQUININHA_PAPER_WIDTH" toml:"printer.paper_width" placeholder:"PONTOS" help:"Largura do papel: 576 (80 mm), 384 (58 mm), 512 (80 mm a 180 dpi); sem ela, a escolhida na tela, a princípio a do modelo, em geral 576."`
	PrinterDPI     *int   `name:"printer-dpi" example:"203" env:"MAQUININHA_PRINTER_DPI" toml:"printer.dpi" placeholder:"N" help:"Pontos por polegada da impressora; sem ela, os do modelo, em geral 203."`
	CardReceipt    string `env:"MAQUININHA_CARD_RECEIPT" toml:"printer.card_receipt" placeholder:"VIAS" help:"Vias do comprovante impressas depois de um pagamento ou estorno aprovado: none, customer, both ou ask (pergunta na tela); sem ela, a escolha feita na tela, a princípio none."`
	Coupon         `embed:""`
	Locale         string `env:"MAQUININHA_LOCALE" toml:"locale" placeholder:"IDIOMA" help:"Idioma da tela: pt-BR, en ou es; sem ele, o escolhido na tela, a princípio pt-BR."`
	Look           `embed:""`
	Setup          bool       `default:"true" negatable:"" env:"MAQUININHA_SETUP" toml:"screen.setup" help:"Pergunta na tela, na primeira vez, usuário, senha e o mais (padrão); --no-setup não pergunta."`
	Desktop        bool       `name:"desktop-notifications" default:"true" negatable:"" env:"MAQUININHA_DESKTOP_NOTIFICATIONS" toml:"screen.desktop_notifications" help:"Avisa pelo sistema operacional quando chega um comando sem tela aberta (padrão); --no-desktop-notifications não avisa."`
	DNS            NameServer `name:"dns" env:"MAQUININHA_DNS" toml:"dns" placeholder:"ENDEREÇO" help:"Servidor de nomes, como 192.168.0.1 ou 8.8.8.8:53, onde o sistema não diz o seu (Android); sem ele, o do sistema."`
	Acquirers      `embed:""`
	Discovery      bool   `default:"true" negatable:"" env:"MAQUININHA_DISCOVERY" toml:"discovery.enabled" help:"Anuncia o terminal na rede local por mDNS, para maquininha discover o achar (padrão); --no-discovery não anuncia. Uma API que só esta máquina alcança nunca é anunciada."`
	DiscoveryName  string `env:"MAQUININHA_DISCOVERY_NAME" toml:"discovery.name" placeholder:"NOME" help:"Nome com que o terminal é anunciado, como Caixa 1; sem ele, o deste computador."`
	Username       string `env:"MAQUININHA_USERNAME" toml:"api.username" hidden:"" help:"Usuário dos chamadores; sem ele, o definido na tela, a princípio admin."`
	CallerSecret   `embed:""`
}

// Check refuses what no terminal could run with.
func (s Service) Check() error {
	for _, number := range []struct {
		flag        string
		value, most int
	}{
		{"max-json", s.MaxJSON, 1 << 10},
		{"max-image", s.MaxImage, 1 << 10},
		{"max-xml", s.MaxXML, 1 << 10},
		{"max-carousel", s.MaxCarousel, 1 << 10},
		{"log-entries", s.LogEntries, 1 << 30},
		{"log-days", s.LogDays, 36500},
		{"sale-days", s.SaleDays, 36500},
	} {
		if err := within(number.flag, number.value, 1, number.most); err != nil {
			return err
		}
	}
	if s.PaperWidth != nil {
		if err := CheckWidth("paper-width", *s.PaperWidth); err != nil {
			return err
		}
	}
	config := s.Configured("")
	if err := cmp.Or(s.Printing.Check("printer-dpi", given(s.PrinterDPI, 203)), config.Printer.Check(config.Mode), config.Acquirers.Check(config.Mode)); err != nil {
		return err
	}
	if s.Locale != "" && !slices.Contains(app.Locales(), s.Locale) {
		return configfile.Refuse("locale", "deve ser um de %s", strings.Join(app.Locales(), ", "))
	}
	if err := s.Look.check(); err != nil {
		return err
	}
	if s.Compat != "" && s.Compat != tefip.Name {
		return configfile.Refuse("compat", "deve ser %s", tefip.Name)
	}
	if s.AutopilotDelay < 0 {
		return configfile.Refuse("autopilot-delay", "não pode ser negativo")
	}
	return cmp.Or(app.CheckCardReceipt(s.CardReceipt), s.DNS.check(), s.PasswordFile.Err, s.PixClientSecretFile.Err, s.PixCertPasswordFile.Err, s.MercadoPagoTokenFile.Err, s.CieloTokenFile.Err, s.ControlPayKeyFile.Err, s.ControlPayPasswordFile.Err)
}

// Configured is what they say to a service on this folder.
func (s Service) Configured(data string) app.Config {
	return app.Config{
		// Set but empty, as deployment files like to do, is the default too.
		Listen: cmp.Or(s.Listen, ":9050"), Screen: cmp.Or(s.Screen, "127.0.0.1:9051"), Data: data, TLS: s.HTTPS.Configured(), Mode: app.Mode(s.Mode), Platform: s.Platform,
		Autopilot: s.Operator == "auto", AutopilotDelay: s.AutopilotDelay, CORSMethods: s.CORSMethods, Compat: s.Compat,
		Username: s.Username, Password: s.CallerSecret.Secret(), NameServer: s.DNS != "",
		Limits: httpapi.Limits{
			JSON: mebibytes(s.MaxJSON), Image: mebibytes(s.MaxImage), XML: mebibytes(s.MaxXML), Carousel: mebibytes(s.MaxCarousel),
		},
		Locale: s.Locale, SkipSetup: !s.Setup, DesktopNotices: s.Desktop, PaperWidth: given(s.PaperWidth, 0), Printer: app.Printer{Address: s.Printer, Model: s.Printing.Model, DPI: given(s.PrinterDPI, 0), NoCut: !s.Cut, Feed: s.Feed, Copies: s.Copies, Drawer: s.Drawer, DrawerPin: s.DrawerPin}, CardReceipt: s.CardReceipt, Coupon: s.Coupon.Configured(), Look: app.Look{Colour: s.Colour, Theme: s.Theme, Pictures: s.Pictures},
		Acquirers: s.Acquirers.Configured(), Discovery: app.Discovery{Enabled: s.Discovery, Name: s.DiscoveryName},
		LogKeep: s.LogEntries, LogMaxAge: time.Duration(s.LogDays) * 24 * time.Hour,
		SaleMaxAge: time.Duration(s.SaleDays) * 24 * time.Hour,
	}
}

// given is a number that was set, or what it is where it was not.
func given(n *int, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return *n
}

func mebibytes(n int) int64 { return int64(n) << 20 }

// Place is where the service has its configuration and its data.
type Place struct {
	Config string `env:"MAQUININHA_CONFIG" placeholder:"ARQUIVO" help:"Arquivo de configuração; sem ele, maquininha.toml na pasta dos dados ou na do sistema, se houver."`
	Data   string `env:"MAQUININHA_DATA" toml:"data,path" placeholder:"PASTA" help:"Pasta dos dados; sem ela, a pasta de dados do usuário."`
}

// Folder is that of the data.
func (p Place) Folder() (string, error) {
	if p.Data != "" {
		return p.Data, nil
	}
	return app.DefaultData()
}

// BesideService says of a folder in use how to do the same where it is the service that uses it.
func BesideService(err error, data, instead string) error {
	return servicing.Beside(daemon.Terminal, err, data, instead)
}
