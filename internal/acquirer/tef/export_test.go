package tef

import (
	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// SetGate has every step on the disk ask first.
func (a *Acquirer) SetGate(gate func() error) { a.req.Gate, a.resp.Gate = gate, gate }

// SaleFile is the request of a sale.
func SaleFile(c Config, id string, r payment.Request, open bool) string {
	return string(c.sale(id, r.Amount, deal{r.Method, r.Installments, r.Plan, open}).Encode())
}

// CancelFile is the request of a cancellation, FinishFile the one that confirms or undoes.
func CancelFile(c Config, id string, amount money.Decimal, kept string) string {
	original, err := parseToken(kept)
	if err != nil {
		panic(err)
	}
	return string(c.cancellation(id, amount, original).Encode())
}

func FinishFile(c Config, command, kept string) string {
	t, err := parseToken(kept)
	if err != nil {
		panic(err)
	}
	return string(c.finishing(command, t).Encode())
}

// Read is what the driver makes of an answer to a sale.
func Read(p Profile, asked payment.Method, t payment.Transaction, r intpos.Message) (payment.Outcome, string) {
	words := map[word]string{refused: "refused", approved: "approved", divergent: "divergent", inconsistent: "inconsistent"}
	switch w := p.read(t, r); w {
	case approved:
		o := p.approval(deal{method: asked}, r)
		return o, map[bool]string{true: "confirm", false: "final"}[p.mustConfirm(r)]
	default:
		return refusal(t, r), words[w]
	}
}

// MenuFile is the file that opens the manager's menu.
func MenuFile(c Config, id string) string { return string(c.menu(id).Encode()) }

// KeyOf is field 027 of a kept operation.
func KeyOf(kept string) string {
	t, err := parseToken(kept)
	if err != nil {
		panic(err)
	}
	return t.Key
}

// AdministeredBy is what an approval in the menu means.
func AdministeredBy(p Profile, r intpos.Message) payment.Administered { return p.administered(r) }

// Keyed is an operation that the manager names by its own key alone.
func Keyed(nsu, key string) Operation { return Operation{token: token{NSU: nsu, Key: key}} }
