package maintenance

import (
	"cmp"
	"fmt"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/options"
)

// Password is maquininha password.
type Password struct {
	options.Place        `embed:""`
	Username             string `env:"MAQUININHA_USERNAME" toml:"api.username" placeholder:"NOME" help:"Usuário; sem ele, o de antes."`
	options.CallerSecret `embed:""`
}

// Run makes a new password and shows it, once.
func (p Password) Run(c *options.Configuration) error {
	data, err := p.Folder()
	if err != nil {
		return err
	}
	user, secret, err := app.NewPassword(app.Config{Data: data, Username: p.Username})
	if err != nil {
		return options.BesideService(err, data, "service password")
	}
	fmt.Printf("Dados    %s\nUsuário  %s\nSenha    %s   (anote: não será mostrada de novo)\n", data, user, secret)
	if p.Secret() != "" {
		fmt.Println("Atenção: há uma senha em " + cmp.Or(p.From(c), options.PasswordVariable) + ", que vale no lugar desta enquanto estiver lá.")
	}
	return nil
}

// Pin is maquininha pin.
type Pin struct {
	options.Place `embed:""`
}

// Run deletes the operator's PIN.
func (p Pin) Run() error {
	data, err := p.Folder()
	if err != nil {
		return err
	}
	if err := app.ForgetPIN(app.Config{Data: data}); err != nil {
		return options.BesideService(err, data, "service pin")
	}
	fmt.Println("PIN apagado: ao abrir as configurações, a tela pedirá um novo.")
	return nil
}
