package main

import (
	"errors"
	"fmt"

	"github.com/maquininha/maquininha/internal/app"
)

// resolveTransaction is the last resort: somebody looked it up at the acquirer, and says how it ended.
type resolveTransaction struct {
	dataFlag `embed:""`
	Number   int64  `arg:"" name:"número" help:"O número da transação, como a lista o mostra."`
	Made     bool   `help:"O pagamento, ou o estorno pendente, foi feito."`
	NotMade  bool   `help:"O pagamento, ou o estorno pendente, não foi feito."`
	Note     string `required:"" placeholder:"TEXTO" help:"Quem afirma isso e onde viu; fica no histórico para sempre."`
}

// Validate wants one word, and one only; kong calls it.
func (r resolveTransaction) Validate() error {
	if r.Made == r.NotMade {
		return errors.New("informe --made ou --not-made")
	}
	if r.Note == "" {
		return errors.New("--note não pode ser vazia: o histórico precisa dizer quem decidiu")
	}
	return nil
}

func (r resolveTransaction) Run() error {
	data, err := r.folder()
	if err != nil {
		return err
	}
	t, err := app.Resolve(app.Config{Data: data}, r.Number, r.Made, "resolvida à mão: "+r.Note)
	if err != nil {
		return besideService(err, data, "service stop, antes")
	}
	fmt.Printf("Transação %d: %s. O adquirente não foi avisado.\n", t.ID, statusOf(t))
	return nil
}
