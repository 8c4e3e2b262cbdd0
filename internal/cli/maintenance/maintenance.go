// Package maintenance has the commands that need the data for themselves, while the service is stopped: password, pin and repair.
package maintenance

import (
	"cmp"
	"fmt"
	"os"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/options"
)

// Repair is what to run when the service says that its data is damaged. It asks nothing: what is in order stays as
// it is, and nothing is ever deleted.
type Repair struct {
	options.Place `embed:""`
}

// Run puts aside what is damaged and begins it anew.
func (r Repair) Run() error {
	data, err := r.Folder()
	if err != nil {
		return err
	}
	if _, err := os.Stat(data); err != nil {
		return fmt.Errorf("não há dados em %s", data)
	}
	files, err := app.Repair(app.Config{Data: data})
	damaged := false
	for _, f := range files {
		switch {
		case f.Why == nil:
			fmt.Printf("%s: em ordem\n", f.Path)
		case f.Missing():
			fmt.Printf("%s: faltava ou estava vazio; um novo foi criado\n", f.Path)
		case f.Lost():
			fmt.Printf("%s: faltam os dados mais novos; continua com o que há\n", f.Path)
		default:
			fmt.Printf("%s: danificado; guardado como %s\n  (%v)\n", f.Path, f.Kept, app.WhyUnreadable(f.Why))
		}
		damaged = damaged || f.Why != nil
	}
	switch {
	case err != nil:
		return options.BesideService(err, data, "service stop, antes")
	case !damaged:
		fmt.Println("\nNada a reparar.")
	case files[0].Lost():
		fmt.Printf(afterLoss, files[0].Doubted)
	case files[0].Why != nil:
		fmt.Print(afterwards)
	default:
		fmt.Println("\nPode iniciar o serviço.")
	}
	return nil
}

const afterwards = `
O terminal começa de novo, vazio. O que estava no arquivo antigo não é recuperado por aqui; guarde-o para o suporte:
  - a venda aberta deve ser refeita;
  - pagamentos e estornos do dia devem ser conferidos com o adquirente, e os que ficaram sem resposta também;
  - usuário, senha, PIN e configurações voltam ao início: ao iniciar, o serviço mostra a senha nova, a menos que
    MAQUININHA_PASSWORD a defina.

Pode iniciar o serviço.
`

const afterLoss = `
O terminal continua sem o que se perdeu:
  - a venda aberta, se houver uma, pode ser de antes: confira os itens;
  - pagamentos e estornos do dia devem ser conferidos com o adquirente: os que se perderam não estão mais na lista;
  - usuário, senha, PIN e configurações podem ser os de antes;
  - transações em dúvida: %d. As que houver ficam pendentes até que alguém diga o que foi feito delas: veja quais são com
    "maquininha transactions --status pending" e diga com "maquininha transactions resolve".

Pode iniciar o serviço.
`

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
