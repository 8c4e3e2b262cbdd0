package payment

import (
	"fmt"

	"github.com/maquininha/maquininha/internal/money"
)

// OtherAmountError is why the end of a payment is not known: another sum was paid than was asked for, and it has not gone back. A person
// has to look, and finds it by what is in here.
type OtherAmountError struct {
	Asked, Paid money.Decimal
	Told        string // the paid sum as the acquirer writes it, where that can't be read
	NSU         string
}

func (e *OtherAmountError) Error() string {
	return "foi cobrado " + e.sums() + ", e não foi devolvido; confira com o adquirente"
}

// Returned is the outcome where that sum went back: whoever looks for it at the acquirer finds it by the same words.
func (e *OtherAmountError) Returned() Outcome {
	return Outcome{Verdict: Declined, NSU: e.NSU, Message: "Foi cobrado " + e.sums() + "; foi devolvido"}
}

func (e *OtherAmountError) sums() string {
	paid := "R$ " + e.Paid.Reais()
	if e.Told != "" {
		paid = fmt.Sprintf("%q", e.Told)
	}
	nsu := e.NSU
	if nsu == "" {
		nsu = "não informado"
	}
	return fmt.Sprintf("outro valor: %s em vez de R$ %s (NSU %s)", paid, e.Asked.Reais(), nsu)
}
