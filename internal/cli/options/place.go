package options

import (
	"fmt"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/daemon"
)

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
	if err == nil || !app.InUse(data) {
		return err
	}
	m, failed := daemon.Open(daemon.Setup{})
	if failed != nil {
		return err
	}
	if s, failed := m.Status(); failed != nil || !s.Running {
		return err
	}
	return fmt.Errorf("%w (se é o serviço que a usa: %s)", err, console.AsAdministrator("maquininha "+instead))
}
