// Package inspection reads everything as the service would, and tries it, for check and doctor. No money moves, nothing prints, nothing is
// kept.
package inspection

import (
	"cmp"
	"context"
	"os"
	"runtime"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/probe"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/datafolder"
)

// Flags are those of a command that inspects.
type Flags struct {
	Offline         bool `help:"Não usa a rede: nem a impressora de rede, nem o banco."`
	options.Service `embed:""`
}

// BeforeReset passes over what the environment has wrong, for Run to say it; kong calls it.
func (Flags) BeforeReset(c *options.Configuration) error {
	c.PassOver()
	return nil
}

// Inspection is one run.
type Inspection struct {
	Flags
	*Findings
	Context    context.Context
	ReadOnly   bool // nothing is written, not even to try it
	MayBeInUse bool // the folder is not ours to look into: a service may use it

	data          string
	inUse         bool          // by a service that runs
	pspClock      time.Duration // how far ours is behind the bank's
	pspClockKnown bool
}

// Run looks at everything. What was passed over in the environment is said with what became of it.
func (i *Inspection) Run(config *options.Configuration, passedOver string) {
	for _, passed := range config.Passed {
		i.Wrong("Ambiente", "%s (%s)", passed, passedOver)
	}
	i.InKeys = config.InKeys // not before: variables stay as they are
	i.lookAtFile(config)
	var err error
	if i.data, err = i.Folder(); err != nil {
		i.Wrong("Dados", "%v", err)
		return
	}
	i.inUse = datafolder.InUse(i.data)
	probe.Folder{Path: i.data, User: "serviço", InUse: i.inUse, ReadOnly: i.ReadOnly}.Look(i.Findings)
	i.lookAtPorts()
	i.lookAtCertificate()
	standing, err := app.Stands(i.Configured(i.data))
	if err != nil {
		i.Wrong("Dados", "%v", err)
	} else {
		i.lookAtLogin(config, standing)
	}
	// Without the data only what was decided elsewhere is known of.
	if err == nil || i.Printer != "" {
		i.lookAtPrinter(standing)
	}
	i.lookAtLogo()
	if err == nil || i.Card != "" || i.Pix != "" {
		i.lookAtAcquirers(standing)
	}
	i.lookAtHub()
	i.lookAtService(config, standing)
	i.lookAtClock()
}

func (i *Inspection) lookAtFile(c *options.Configuration) {
	switch {
	case c.Err != nil:
		i.Wrong("Configuração", "%v", c.Err)
	case c.File == nil:
		i.Skipped("Configuração", "nenhum arquivo: só opções e variáveis (maquininha init cria um)")
	default:
		for _, complaint := range c.File.Complaints() {
			i.Wrong("Configuração", "%s", complaint)
		}
		if len(c.File.Problems) == 0 {
			i.Good("Configuração", "%s, %s", c.Path(), console.Amount(len(c.File.Values), "opção definida", "opções definidas"))
		}
	}
	if err := cmp.Or(i.Check(), i.HTTPS.Configured().Check(cmp.Or(i.Listen, ":9050"))); err != nil {
		i.Wrong("Opções", "%v", err)
	}
	for _, secret := range []settings.SecretFile{i.PasswordFile, i.PixClientSecretFile, i.MercadoPagoTokenFile, i.CieloTokenFile, i.ControlPayKeyFile, i.ControlPayPasswordFile} {
		if info, err := os.Stat(secret.Path); secret.Path != "" && err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			i.Doubtful("Segredos", "outros usuários podem ler %s (corrija com chmod 600)", secret.Path)
		}
	}
}

func (i *Inspection) lookAtLogin(c *options.Configuration, s app.Standing) {
	switch {
	case i.Secret() != "" && len([]rune(i.Secret())) < 8:
		i.Doubtful("Credenciais", "usuário %s, senha de %s com menos de 8 caracteres", s.User, cmp.Or(i.From(c), options.PasswordVariable))
	case i.Secret() != "":
		i.Good("Credenciais", "usuário %s, senha de %s", s.User, cmp.Or(i.From(c), options.PasswordVariable))
	case s.Password:
		i.Good("Credenciais", "usuário %s, senha já definida", s.User)
	default:
		i.Doubtful("Credenciais", "usuário %s, a senha será gerada e mostrada no primeiro início", s.User)
	}
}

// Findings are what is said, a line each.
type Findings = console.Findings
