// Package cli is the hub's command line: serve, init, check, doctor, password, key, backup, restore, service. It has the manners of the terminal's, and stands on the same
// parser and the same configuration file.
package cli

import (
	"cmp"
	"sync"

	"github.com/alecthomas/kong"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/daemon"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/hub/app"
)

// Name is the program's.
const Name = "maquininha-hub"

// Place is where the hub has its configuration and its data.
type Place struct {
	Config string `env:"MAQUININHA_HUB_CONFIG" placeholder:"ARQUIVO" help:"Arquivo de configuração; sem ele, maquininha-hub.toml na pasta dos dados ou na do sistema, se houver."`
	Data   string `env:"MAQUININHA_HUB_DATA" toml:"data,path" placeholder:"PASTA" help:"Pasta dos dados; sem ela, a pasta de dados do usuário."`
}

// Options are what a hub can be told, by flag, variable or file.
type Options struct {
	Place    `embed:""`
	Listen   string `default:":9060" env:"MAQUININHA_HUB_LISTEN" toml:"listen" placeholder:"ENDEREÇO" help:"Endereço em que terminais, chamadores e pessoas chegam, por HTTPS."`
	HTTP     string `name:"http" env:"MAQUININHA_HUB_HTTP" toml:"http" placeholder:"ENDEREÇO" help:"Endereço para um proxy reverso que termina o TLS, por HTTP; sem ele, nenhum. Só o proxy deve alcançá-lo."`
	URL      string `name:"url" env:"MAQUININHA_HUB_URL" toml:"url" placeholder:"URL" help:"Endereço público do hub, como https://hub.exemplo.com.br, se não for o deste computador."`
	Database string `env:"MAQUININHA_HUB_DATABASE" toml:"database" placeholder:"URL" help:"Banco PostgreSQL, como postgres://usuario@servidor/banco; sem ele, um arquivo SQLite na pasta dos dados. Prefira a variável se houver senha nele."`
	Peers    string `name:"peer-address" env:"MAQUININHA_HUB_PEER_ADDRESS" toml:"peer_address" placeholder:"ENDEREÇO" help:"Endereço em que os outros hubs do mesmo PostgreSQL alcançam este, como 10.0.0.5:9062; sem ele, este hub é o único. Só os hubs devem alcançá-lo."`
	Networks string `name:"webhook-networks" env:"MAQUININHA_HUB_WEBHOOK_NETWORKS" toml:"webhook_networks" placeholder:"REDES" help:"Redes não públicas para as quais webhooks podem ser enviados, como 10.0.0.0/8, separadas por vírgulas; sem elas, só endereços da internet, por HTTPS."`
	Proxies  string `name:"trusted-proxies" env:"MAQUININHA_HUB_TRUSTED_PROXIES" toml:"trusted_proxies" placeholder:"REDES" help:"Redes de proxies reversos em cujo X-Forwarded-For se acredita, como 127.0.0.0/8, separadas por vírgulas; sem elas, quem chega por um proxy conta como ele ao errar senhas."`
	Factor   bool   `name:"require-second-factor" env:"MAQUININHA_HUB_REQUIRE_SECOND_FACTOR" toml:"require_second_factor" help:"Quem administra precisa de um segundo fator (código do celular) para usar a página."`
	TLSCert  string `name:"tls-cert" env:"MAQUININHA_HUB_TLS_CERT" toml:"tls.cert,path" placeholder:"ARQUIVO" help:"Certificado em PEM, com os intermediários, no lugar do próprio; relido quando muda."`
	TLSKey   string `name:"tls-key" env:"MAQUININHA_HUB_TLS_KEY" toml:"tls.key,path" placeholder:"ARQUIVO" help:"Chave do certificado, em PEM e sem senha."`
	Keep     `embed:""`
}

// Folder is that of the data.
func (p Place) Folder() (string, error) {
	if p.Data != "" {
		return p.Data, nil
	}
	return datafolder.Default(Name)
}

// Configured is what they say to a hub on this folder.
func (o Options) Configured(data string) app.Config {
	return app.Config{
		// Set but empty, as deployment files like to do, is the default too.
		Listen: cmp.Or(o.Listen, ":9060"), Plain: o.HTTP, URL: o.URL, Cert: o.TLSCert, Key: o.TLSKey, Data: data, Database: o.Database,
		PeerAddress: o.Peers, Keep: o.Keep.Configured(), RequireFactor: o.Factor, Networks: o.Networks, Proxies: o.Proxies,
	}
}

// Check refuses what no hub could run with.
func (o Options) Check() error { return o.Configured("").Check() }

// alone is the options without a command.
type alone struct {
	Options `embed:""`
}

// Validate looks at one value by itself; kong calls it.
func (a alone) Validate() error { return a.Configured("").CheckEach() }

// Settings are what the file may hold.
var Settings = sync.OnceValue(func() []configfile.Setting { return settings.Of(&alone{}) })

// NewConfiguration is the hub's file, to be looked for.
func NewConfiguration() *settings.Configuration {
	return &settings.Configuration{Of: settings.Program{
		Name: Name, Settings: Settings, Data: func() (string, error) { return datafolder.Default(Name) }, Try: try, Refusal: refusal,
		Complain: daemon.Hub.Complain, Place: &Place{},
	}}
}

// try runs each value of the file alone past the checks of the command line, so that all that are refused are known.
func try(file *configfile.File) {
	for _, s := range Settings() {
		if value, set := file.Values[s.Name()]; set {
			if why := refusal(s, value.Text); why != "" {
				file.Refuse(s, value.Line, configfile.InKeys(why, Settings()))
			}
		}
	}
}

// refusal is what the command line would have against a value; empty: nothing.
func refusal(s configfile.Setting, value string) string {
	return settings.Refusal(s.Flag, parse("--"+s.Flag+"="+value))
}

// parse is what serve would have against flags.
func parse(flags ...string) error {
	_, err := commandline.New(&alone{}, kong.Name(Name), kong.Exit(func(int) {})).Parse(flags)
	return err
}

var sections = []configfile.Section{
	{Table: "", Title: ""},
	{Table: "tls", Title: "Um certificado de autoridade, no lugar do que o hub faz para si."},
	{Table: "retention", Title: "Por quantos dias cada coisa é guardada; 0 é para sempre. Hubs do mesmo banco devem ter os mesmos números."},
}

const preamble = `Configuração do hub. Uma linha que começa com # não vale: é explicação, ou uma opção com o seu padrão; para mudá-la, tire o #.
As mudanças valem quando o hub é iniciado de novo. Variáveis de ambiente (entre colchetes) e opções da linha de comando valem mais do que este arquivo. Caminhos relativos começam na pasta dele.
Confira com: maquininha-hub check`
