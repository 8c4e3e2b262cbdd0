package cli

import (
	"context"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/probe"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/daemon"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/syserror"
)

// Inspected are the options of a command that inspects.
type Inspected struct {
	Options `embed:""`
}

// BeforeReset passes over what the environment has wrong, so that it can be said; kong calls it.
func (Inspected) BeforeReset(c *settings.Configuration) error {
	c.PassOver()
	return nil
}

// Check is maquininha-hub check.
type Check struct {
	Inspected `embed:""`
}

// Help is the rest of the page.
func (Check) Help() string {
	return `Lê a configuração como o hub leria, com as mesmas opções e variáveis, e experimenta cada parte. Pode ser usado com o hub no ar, e não
grava nada. ✓ está em ordem, ! merece atenção, ✗ está errado, – não foi conferido; o código de saída é 1 quando há ✗.`
}

// Run inspects everything and says what it found.
func (c Check) Run(ctx context.Context, file *settings.Configuration) error {
	return c.look(ctx, file, os.Stdout)
}

func (c Check) look(ctx context.Context, file *settings.Configuration, out io.Writer) error {
	found := &console.Findings{Out: out}
	(&inspection{Options: c.Options, Findings: found}).run(ctx, file, "o hub não iniciaria com isto; aqui não valeu")
	return found.End()
}

// inspection is one run, of check or of doctor.
type inspection struct {
	Options
	*console.Findings
	readOnly bool // nothing is written, not even to try it

	config app.Config
	inUse  bool
}

// run looks at everything. What was passed over in the environment is said with what became of it.
func (i *inspection) run(ctx context.Context, file *settings.Configuration, passedOver string) {
	for _, passed := range file.Passed {
		i.Wrong("Ambiente", "%s (%s)", passed, passedOver)
	}
	i.InKeys = file.InKeys // not before: variables stay as they are
	i.lookAtFile(file)
	data, err := i.Folder()
	if err != nil {
		i.Wrong("Dados", "%v", err)
		return
	}
	i.config, i.inUse = i.Configured(data), datafolder.InUse(data)
	probe.Folder{Path: data, User: "hub", InUse: i.inUse, ReadOnly: i.readOnly}.Look(i.Findings)
	if datafolder.OpenToOthers(data) {
		i.Doubtful("Dados", "outros usuários deste computador podem ver %s (corrija com chmod 700)", data)
	}
	i.lookAtKey()
	i.lookAtCertificate()
	if service := probe.NewReach(daemon.Hub, file, i.Findings); service != nil {
		said := i.Errors
		service.LookAtFiles(file, data, func(configfile.Setting) bool { return true })
		service.Conclude(said)
	}
	hubs, err := i.hubs(ctx)
	probe.Ports(i.Findings, []probe.Port{
		{What: "HTTPS", Flag: "--listen", Address: i.config.Listen, Scheme: "https://", Page: whoAmI, Ours: isHub},
		{What: "HTTP", Flag: "--http", Address: i.config.Plain, Scheme: "http://", Page: whoAmI, Ours: isHub},
		{What: "Hubs", Flag: "--peer-address", Address: app.PeerPort(i.config.PeerAddress), Answers: func() bool { return slices.ContainsFunc(hubs, reachedHere) }},
	}, "hub", i.inUse)
	i.lookAtDatabase(ctx)
	if err == nil {
		i.lookAtHubs(hubs)
	}
	i.Good("Guarda", "%s", keptWords(i.config.Keep))
}

const whoAmI = "/api/v1/session"

// isHub knows a hub by how it asks for credentials.
func isHub(res *http.Response) bool {
	return strings.Contains(res.Header.Get("WWW-Authenticate"), `realm="maquininha-hub"`)
}

func (i *inspection) lookAtFile(c *settings.Configuration) {
	switch {
	case c.Err != nil:
		i.Wrong("Configuração", "%v", c.Err)
	case c.File == nil:
		i.Skipped("Configuração", "nenhum arquivo: só opções e variáveis (maquininha-hub init cria um)")
	case len(c.File.Problems) == 0:
		i.Good("Configuração", "%s, %s", c.Path(), console.Amount(len(c.File.Values), "opção definida", "opções definidas"))
	default:
		for _, complaint := range c.File.Complaints() {
			i.Wrong("Configuração", "%s", complaint)
		}
	}
	if err := i.Check(); err != nil {
		i.Wrong("Opções", "%v", err)
	}
}

func (i *inspection) lookAtKey() {
	switch made, err := app.PeekKey(i.config.Data); {
	case err != nil:
		i.Wrong("Chave", "%v", err)
	case !made:
		i.Good("Chave", "a do hub será criada no primeiro início")
	default:
		i.Good("Chave", "a do hub pode ser lida; guarde uma cópia: sem ela nenhum terminal volta")
	}
}

func (i *inspection) lookAtCertificate() {
	if (i.config.Cert == "") != (i.config.Key == "") {
		return // said already
	}
	leaf, err := certificate.Peek(i.config.Cert, i.config.Key, i.config.Data)
	switch {
	case err != nil:
		i.Wrong("Certificado", "%v", err)
	case leaf == nil:
		i.Good("Certificado", "um próprio será criado no primeiro início")
	case i.config.Cert == "":
		i.Good("Certificado", "próprio, até %s; é renovado sozinho", probe.Day(leaf.NotAfter))
	default:
		probe.Dates(i.Findings, "Certificado", i.config.Cert, leaf)
	}
}

func (i *inspection) lookAtDatabase(ctx context.Context) {
	switch err := app.PingDatabase(ctx, i.config); {
	case app.CheckDatabase(i.config.Database) != nil:
		return // said already
	case err != nil && i.config.Database == "":
		i.Wrong("Banco", "o arquivo SQLite não pode ser lido: %v", syserror.OfFile(err))
	case i.config.Database == "":
		i.Good("Banco", "SQLite, na pasta dos dados")
	case err != nil:
		i.Wrong("Banco", "o PostgreSQL de --database não pode ser usado: %s", portuguese.Error(err))
	default:
		i.Good("Banco", "o PostgreSQL de --database responde")
	}
}
