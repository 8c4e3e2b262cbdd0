package cli

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/servicing"
	"github.com/maquininha/maquininha/internal/cli/settings"
	"github.com/maquininha/maquininha/internal/daemon"
	"github.com/maquininha/maquininha/internal/hub/app"
)

// Serve is maquininha-hub serve, or maquininha-hub alone.
type Serve struct {
	Options `embed:""`
}

// Validate refuses what no hub could run with; kong calls it.
func (s Serve) Validate() error { return s.Check() }

// Help is the rest of the page.
func (Serve) Help() string {
	return "No primeiro início o hub cria um certificado, uma conta, uma pessoa e uma chave de API, e mostra como entrar e como ligar um terminal."
}

// Run serves until it is told to stop.
func (s Serve) Run(c *settings.Configuration, version commandline.Version) error {
	data, err := s.Folder()
	if err != nil {
		return err
	}
	return daemon.Hub.Run(func(ctx context.Context, ready func()) error {
		journal := daemon.Hub.SystemLog()
		defer journal.Close()
		config := s.Configured(data)
		config.ConfigFile, config.Version, config.Build = c.Path(), version.Number, version.Build
		if journal != nil {
			config.Log = journal.Handler(slog.LevelInfo)
		}
		hub, err := app.New(ctx, config)
		if err != nil {
			return err
		}
		if journal == nil {
			fmt.Print(hub.Welcome())
		} else {
			hub.Announce()
		}
		ready()
		return hub.Run(ctx)
	})
}

// Password is maquininha-hub password.
type Password struct {
	Options `embed:""`
	Person  string `arg:"" optional:"" default:"admin" help:"Quem terá a senha nova; sem ele, admin."`
}

// Run makes a new password and shows it, once.
func (p Password) Run(ctx context.Context) error {
	data, err := p.Folder()
	if err != nil {
		return err
	}
	secret, err := app.NewPassword(ctx, p.Configured(data), p.Person)
	if err != nil {
		return servicing.Beside(daemon.Hub, err, data, "service password")
	}
	fmt.Printf("Dados    %s\nPessoa   %s\nSenha    %s   (anote: não será mostrada de novo)\n", data, p.Person, secret)
	return nil
}

// Key is maquininha-hub key.
type Key struct {
	Options `embed:""`
	Label   string `arg:"" name:"nome" missing:"diga o nome da chave: para quem ela é" help:"Nome da chave: para quem ela é."`
}

// Run makes a new key and shows it, once.
func (k Key) Run(ctx context.Context) error {
	data, err := k.Folder()
	if err != nil {
		return err
	}
	id, secret, err := app.NewKey(ctx, k.Configured(data), k.Label)
	if err != nil {
		return servicing.Beside(daemon.Hub, err, data, "service key "+console.ShellWord(k.Label))
	}
	fmt.Printf("Dados    %s\nUsuário  %s\nSegredo  %s   (anote: não será mostrado de novo)\n", data, id, secret)
	return nil
}
