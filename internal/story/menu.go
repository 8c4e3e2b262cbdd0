package story

import (
	"context"
	"fmt"
	"strings"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
)

// MenuLeft tells of a visit to the acquirer's own menu. What it gave back of a payment is told as that payment's reversal.
func (t *Teller) MenuLeft(ctx context.Context, a payment.Administration, o payment.Outcome) {
	f := origin{op: operation.NameOf(ctx)}.facts("")
	f.number("número", a.Number)
	f.add("NSU", o.NSU)
	f.add("adquirente", acquirerName(a.Acquirer))
	f.took(a.Since)
	message := "Menu do adquirente encerrado"
	switch o.Verdict {
	case payment.Declined:
		message += " sem operação"
	case payment.Abandoned:
		message += " sem operação, ou desfeita"
	}
	if o.Message != "" {
		message += ": " + oneLine(o.Message)
	}
	t.info(message, f)
}

// MenuUnmatched tells of a sale that was cancelled in the acquirer's menu and that is none of the ledger's, or one of several.
func (t *Teller) MenuUnmatched(a payment.Administration, w payment.Administered, candidates []payment.Transaction) {
	f := origin{}.facts("")
	f.number("número", a.Number)
	f.add("NSU", w.NSU)
	f.add("adquirente", acquirerName(a.Acquirer))
	if w.Amount.Sign() > 0 {
		f.add("valor", reais(w.Amount))
	}
	message := "Venda cancelada no menu do adquirente: nenhuma aprovada neste terminal combina; nenhuma foi dada como estornada"
	switch {
	case len(candidates) == 1:
		f.transaction(candidates[0])
		message = "Venda cancelada no menu do adquirente: ela já constava como estornada, e nada mudou; confira se não voltou duas vezes"
	case len(candidates) > 0:
		var names []string
		for _, tx := range candidates[:min(len(candidates), 5)] {
			names = append(names, fmt.Sprintf("%d (%s)", tx.ID, oneLine(tx.Request.Reference)))
		}
		f.add("combinam", strings.Join(names, ", "))
		message = fmt.Sprintf("Venda cancelada no menu do adquirente: %d combinam, e não se sabe qual; nenhuma foi dada como estornada: confira o comprovante", len(candidates))
	}
	t.warn(message, f)
}

// Strayed tells of an operation that stands at an acquirer, which told so late, and that the ledger has no place for.
func (t *Teller) Strayed(way string, b payment.Belated) {
	f := origin{}.facts("")
	f.number("número", b.Number)
	f.add("NSU", b.NSU)
	f.add("adquirente", acquirerName(way))
	f.add("valor", reais(b.Amount))
	t.warn("Operação aprovada em definitivo no adquirente depois do fim, que não combina com nenhuma transação daqui"+numbered(b.NSU)+": confira com o adquirente", f)
}
