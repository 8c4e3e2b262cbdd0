// Package service has the commands that install the terminal as a service of the system, and those that only a terminal's service has.
package service

import (
	"errors"
	"fmt"
	"net"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/servicing"
	"github.com/maquininha/maquininha/internal/configfile"
	"github.com/maquininha/maquininha/internal/daemon"
)

// Command is maquininha service.
type Command struct {
	Install   servicing.Install   `cmd:"" help:"Instala o serviço, que passa a iniciar com a máquina; cria o arquivo de configuração, se não houver."`
	Start     servicing.Start     `cmd:"" help:"Inicia o serviço."`
	Stop      servicing.Stop      `cmd:"" help:"Para o serviço, depois de responder ao que está em andamento."`
	Restart   servicing.Restart   `cmd:"" help:"Para e inicia o serviço: a configuração é lida de novo."`
	Status    servicing.Status    `cmd:"" help:"Diz se o serviço está instalado, no ar e desde quando."`
	Password  servicing.Password  `cmd:"" help:"Gera uma senha nova para os chamadores, mostra-a e reinicia o serviço."`
	Pin       Pin                 `cmd:"" help:"Apaga o PIN do operador e reinicia o serviço; a tela pedirá um novo."`
	Link      Link                `cmd:"" help:"Mostra o link com que outro aparelho abre a tela."`
	Uninstall servicing.Uninstall `cmd:"" help:"Para o serviço e o desinstala; dados e configuração ficam."`
}

// Program is the terminal.
func Program() *servicing.Program {
	return &servicing.Program{
		Program: daemon.Terminal, Settings: options.Settings, Try: options.Try, Template: options.Template, Password: "uma senha nova para os chamadores",
	}
}

type Pin struct {
	servicing.Place `embed:""`
}

func (l Pin) Run(p *servicing.Program) error { return l.WhileStopped(p, "pin") }

type Link struct {
	servicing.Place `embed:""`
}

func (l Link) Run(p *servicing.Program) error {
	setup, file, err := l.Found(p)
	if err != nil {
		return err
	}
	r, err := app.OpenReader(setup.Data)
	if err != nil {
		return err
	}
	defer r.Close()
	token, err := app.ScreenToken(r)
	if err != nil {
		return err
	}
	link := ""
	if host, port, err := net.SplitHostPort(servicing.Said(file, "screen.listen")); err == nil && token != "" {
		link = app.ScreenLink(screenScheme(file), host, port, token)
	}
	if link == "" {
		return errors.New("a tela só atende a própria máquina; para abri-la a outros aparelhos, [screen] listen = \":9051\" em " + setup.Config + " e reinicie o serviço")
	}
	fmt.Println(link)
	return nil
}

// screenScheme is how the screen is served with this file.
func screenScheme(file *configfile.File) string {
	said := func(key string) string { return servicing.Said(file, key) }
	t := options.HTTPS{TLS: said("tls.enabled") == "true", TLSListen: said("tls.listen"), TLSCert: said("tls.cert"), TLSKey: said("tls.key")}
	if t.Configured().Listen == "" {
		return "http://"
	}
	return "https://"
}
