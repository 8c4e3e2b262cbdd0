package cli

import (
	"github.com/maquininha/maquininha/internal/cli/servicing"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/daemon"
)

// Service is maquininha-hub service.
type Service struct {
	Install   servicing.Install   `cmd:"" help:"Instala o serviço, que passa a iniciar com a máquina; cria o arquivo de configuração, se não houver."`
	Start     servicing.Start     `cmd:"" help:"Inicia o serviço."`
	Stop      servicing.Stop      `cmd:"" help:"Para o serviço; os terminais voltam quando ele voltar."`
	Restart   servicing.Restart   `cmd:"" help:"Para e inicia o serviço: a configuração é lida de novo."`
	Status    servicing.Status    `cmd:"" help:"Diz se o serviço está instalado, no ar e desde quando."`
	Password  servicing.Password  `cmd:"" help:"Gera uma senha nova para admin, mostra-a e reinicia o serviço."`
	Key       ServiceKey          `cmd:"" help:"Gera uma chave de API que pode tudo, mostra-a e reinicia o serviço."`
	Uninstall servicing.Uninstall `cmd:"" help:"Para o serviço e o desinstala; dados e configuração ficam."`
}

// ServiceKey is maquininha-hub service key.
type ServiceKey struct {
	servicing.Place `embed:""`
	Label           string `arg:"" name:"nome" missing:"diga o nome da chave: para quem ela é" help:"Nome da chave: para quem ela é."`
}

// Run makes a key while the service is stopped.
func (k ServiceKey) Run(p *servicing.Program) error { return k.WhileStopped(p, "key", k.Label) }

// Serviced is the hub as a service.
func Serviced() *servicing.Program {
	return &servicing.Program{
		Program: daemon.Hub, Settings: Settings, Try: try, Password: "uma senha nova para admin",
		Template: func(values map[string]string) []byte { return configfile.Write(preamble, sections, Settings(), values) },
	}
}
