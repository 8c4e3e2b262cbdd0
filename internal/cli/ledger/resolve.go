package ledger

import (
	"errors"
	"fmt"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/ledgertext"
	"github.com/maquininha/maquininha/internal/cli/options"
)

// Resolve is maquininha transactions resolve, the last resort: somebody looked it up at the acquirer, and says how it ended.
type Resolve struct {
	options.Place `embed:""`
	Number        int64  `arg:"" name:"número" help:"O número da transação, como a lista o mostra."`
	Made          bool   `help:"O pagamento, ou o estorno pendente, foi feito."`
	NotMade       bool   `help:"O pagamento, ou o estorno pendente, não foi feito."`
	Note          string `required:"" placeholder:"TEXTO" help:"Quem afirma isso e onde viu; fica no histórico para sempre."`
}

// Validate wants one word, and one only; kong calls it.
func (r Resolve) Validate() error {
	if r.Made == r.NotMade {
		return errors.New("informe --made ou --not-made")
	}
	if r.Note == "" {
		return errors.New("--note não pode ser vazia: o histórico precisa dizer quem decidiu")
	}
	return nil
}

// Run keeps what was said, and shows how the transaction stands now.
func (r Resolve) Run() error {
	data, err := r.Folder()
	if err != nil {
		return err
	}
	t, err := app.Resolve(app.Config{Data: data}, r.Number, r.Made, "resolvida à mão: "+r.Note)
	if err != nil {
		return options.BesideService(err, data, "service stop, antes")
	}
	fmt.Printf("Transação %d: %s. O adquirente não foi avisado.\n", t.ID, ledgertext.Status(t))
	return nil
}
