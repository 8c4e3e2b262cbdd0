package pix

import (
	"cmp"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

func declined(message string) payment.Outcome {
	return payment.Outcome{Verdict: payment.Declined, Message: message, PaidWith: payment.Pix}
}

func abandoned() payment.Outcome {
	return payment.Outcome{Verdict: payment.Abandoned, PaidWith: payment.Pix}
}

// approval is the outcome of a payment that came in. A PIX has no NSU; what names it everywhere is its endToEndId.
func (a *Acquirer) approval(t payment.Transaction, p received) payment.Outcome {
	o := payment.Outcome{
		Verdict: payment.Accepted, PaidWith: payment.Pix, Installments: 1,
		NSU: p.e2eid, TxID: a.TxID(t), EndToEndID: p.e2eid, Token: p.e2eid,
	}
	o.Receipt = remote.Receipt(a.config.Shop, "PIX", "VALOR R$ "+t.Request.Amount.Reais(), "ID "+p.e2eid, "TXID "+o.TxID)
	return o
}

// givenBack is the outcome of a reversal that was made.
func (a *Acquirer) givenBack(t payment.Transaction, r refund) payment.Outcome {
	o := payment.Outcome{Verdict: payment.Accepted, PaidWith: payment.Pix, NSU: cmp.Or(r.rtrID, r.id)}
	o.Receipt = remote.Receipt(a.config.Shop, "DEVOLUÇÃO DE PIX", "VALOR R$ "+t.Moving().Reais(), "ID "+o.NSU)
	return o
}
