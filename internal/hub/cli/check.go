package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/maquininha/maquininha/internal/certificate"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/connection"
	"github.com/maquininha/maquininha/internal/datafolder"
	"github.com/maquininha/maquininha/internal/hub/app"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/syserror"
)

// Check is maquininha-hub check.
type Check struct {
	Options `embed:""`
}

// Help is the rest of the page.
func (Check) Help() string {
	return `Lê a configuração como o hub leria, com as mesmas opções e variáveis, e experimenta cada parte. Pode ser usado com o hub no ar, e não
grava nada. ✓ está em ordem, ! merece atenção, ✗ está errado, – não foi conferido; o código de saída é 1 quando há ✗.`
}

// inspection is one run of check.
type inspection struct {
	app.Config
	*console.Findings
	inUse bool
}

// Run inspects everything and says what it found.
func (c Check) Run(ctx context.Context, file *settings.Configuration) error {
	return c.look(ctx, file, os.Stdout)
}

func (c Check) look(ctx context.Context, file *settings.Configuration, out io.Writer) error {
	found := &console.Findings{Out: out, InKeys: file.InKeys}
	lookAtFile(found, file)
	if err := c.Options.Check(); err != nil {
		found.Wrong("Opções", "%v", err)
		return found.End()
	}
	data, err := c.Folder()
	if err != nil {
		found.Wrong("Dados", "%v", err)
		return found.End()
	}
	i := inspection{c.Configured(data), found, datafolder.InUse(data)}
	i.lookAtData()
	i.lookAtKey()
	i.lookAtCertificate()
	i.lookAtPorts()
	i.lookAtDatabase(ctx)
	return found.End()
}

func lookAtFile(found *console.Findings, c *settings.Configuration) {
	switch {
	case c.Err != nil:
		found.Wrong("Configuração", "%v", c.Err)
	case c.File == nil:
		found.Good("Configuração", "nenhum arquivo; valem opções e variáveis")
	case len(c.File.Problems) == 0:
		found.Good("Configuração", "%s", c.Path())
	default:
		for _, complaint := range c.File.Complaints() {
			found.Wrong("Configuração", "%s", complaint)
		}
	}
}

func (i inspection) lookAtData() {
	_, err := os.Stat(i.Data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		i.Good("Dados", "%s será criada no primeiro início", i.Data)
	case err != nil:
		i.Wrong("Dados", "%s: %v", i.Data, syserror.OfFile(err))
	case datafolder.OpenToOthers(i.Data):
		i.Doubtful("Dados", "outros usuários deste computador podem ver %s (corrija com chmod 700)", i.Data)
	case i.inUse:
		i.Good("Dados", "%s, em uso pelo hub que está no ar", i.Data)
	default:
		i.Good("Dados", "%s", i.Data)
	}
}

func (i inspection) lookAtKey() {
	switch made, err := app.PeekKey(i.Data); {
	case err != nil:
		i.Wrong("Chave", "%v", err)
	case !made:
		i.Good("Chave", "a do hub será criada no primeiro início")
	default:
		i.Good("Chave", "a do hub pode ser lida; guarde uma cópia: sem ela nenhum terminal volta")
	}
}

func (i inspection) lookAtCertificate() {
	leaf, err := certificate.Peek(i.Cert, i.Key, i.Data)
	switch {
	case err != nil:
		i.Wrong("Certificado", "%v", err)
	case leaf == nil:
		i.Good("Certificado", "um próprio será criado no primeiro início")
	case certificate.Doubts(leaf) != "":
		i.Doubtful("Certificado", "até %s%s", leaf.NotAfter.Local().Format("02/01/2006"), certificate.Doubts(leaf))
	default:
		i.Good("Certificado", "até %s", leaf.NotAfter.Local().Format("02/01/2006"))
	}
}

func (i inspection) lookAtPorts() {
	for _, p := range []struct{ what, flag, address string }{{"HTTPS", "--listen", i.Listen}, {"HTTP", "--http", i.Plain}} {
		if p.address == "" {
			continue
		}
		l, taken, err := connection.TryPort(p.address)
		switch {
		case err == nil:
			l.Close()
			i.Good(p.what, "%s está livre", p.address)
		case taken && i.inUse:
			i.Good(p.what, "%s está em uso, pelo hub que está no ar", p.address)
		case taken:
			i.Wrong(p.what, "%s está em uso por outro programa; escolha outro endereço com %s", p.address, p.flag)
		default:
			i.Wrong(p.what, "não é possível escutar em %s (%s): %v", p.address, p.flag, err)
		}
	}
}

// lookAtDatabase asks PostgreSQL whether it answers. A file is the folder's matter.
func (i inspection) lookAtDatabase(ctx context.Context) {
	switch err := app.PingDatabase(ctx, i.Database); {
	case i.Database == "":
		i.Good("Banco", "SQLite, na pasta dos dados")
	case err != nil:
		i.Wrong("Banco", "o PostgreSQL de --database não responde: %s", portuguese.Error(err))
	default:
		i.Good("Banco", "o PostgreSQL de --database responde")
	}
}
