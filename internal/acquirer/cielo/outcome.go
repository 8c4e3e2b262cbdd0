package cielo

import (
	"cmp"

	"github.com/maquininha/maquininha/internal/acquirer/cardnames"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

// named gives an outcome the order it tells of: one that failed must be found at Cielo too.
func named(o order, out payment.Outcome) payment.Outcome {
	out.Token = o.id
	return out
}

// OrderOf is the order that an outcome tells of; empty: none.
func OrderOf(o payment.Outcome) string {
	if !idPattern.MatchString(o.Token) {
		return ""
	}
	return o.Token
}

// cnpj is Cielo's own, for the fiscal document.
const cnpj = "01027058000191"

// methods are by the first word of the product; what is none of ours is left open.
var methods = map[string]payment.Method{"CREDITO": payment.Credit, "DEBITO": payment.Debit, "PIX": payment.Pix, "VOUCHER": payment.AnyMethod}

func methodOf(product string) payment.Method {
	for _, word := range cardnames.Words(product) {
		if m, ok := methods[word]; ok {
			return m
		}
	}
	return ""
}

// approval is the outcome of an order that was paid. What was used is what its payments say, never what was asked for; where there
// are several, the first one names them.
func (a *Acquirer) approval(t payment.Transaction, o order) payment.Outcome {
	all := o.payments()
	p := all[0]
	out := named(o, payment.Outcome{
		Verdict: payment.Accepted, NSU: p.number, Authorization: p.code, AcquirerCNPJ: cnpj, PaidWith: cmp.Or(methodOf(p.product), t.Request.Method), Installments: p.installments,
	})
	if out.PaidWith != payment.Pix {
		out.Brand = cardnames.Brand(p.brand)
	}
	lines := []string{"CIELO", "VALOR R$ " + t.Request.Amount.Reais()}
	for _, p := range all {
		lines = append(lines, p.product+" "+p.brand+" "+p.card, "R$ "+p.amount.Reais()+" NSU "+p.number+" AUT "+p.code)
	}
	out.Receipt = remote.Receipt(a.config.Shop, lines...)
	return out
}

// givenBack is the outcome of a reversal that was made at the device.
func (a *Acquirer) givenBack(t payment.Transaction, o order) payment.Outcome {
	out := named(o, payment.Outcome{Verdict: payment.Accepted, NSU: o.lastCancellation().number})
	out.Receipt = remote.Receipt(a.config.Shop, "ESTORNO CIELO", "VALOR R$ "+t.Moving().Reais(), "NSU "+out.NSU)
	return out
}
