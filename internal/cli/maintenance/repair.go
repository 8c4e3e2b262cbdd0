// Package maintenance has the commands that need the data for themselves, while the service is stopped: password, pin and repair.
package maintenance

import (
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
