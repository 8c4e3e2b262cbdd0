package pix

import (
	"cmp"
	"strings"
	"time"

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
	lines := []string{"PIX", "VALOR R$ " + t.Request.Amount.Reais(), "ID " + p.e2eid, "TXID " + o.TxID}
	o.Receipt = a.receipt(lines)
	return o
}

// givenBack is the outcome of a reversal that was made.
func (a *Acquirer) givenBack(t payment.Transaction, r refund) payment.Outcome {
	o := payment.Outcome{Verdict: payment.Accepted, PaidWith: payment.Pix, NSU: cmp.Or(r.rtrID, r.id)}
	o.Receipt = a.receipt([]string{"DEVOLUÇÃO DE PIX", "VALOR R$ " + t.Moving().Reais(), "ID " + o.NSU})
	return o
}

func (a *Acquirer) receipt(lines []string) payment.Receipt {
	now := time.Now().Format("02/01/2006 15:04:05")
	slip := func(title string) string {
		all := append([]string{title, ""}, lines...)
		if a.config.Shop != "" {
			all = append([]string{a.config.Shop}, all...)
		}
		return strings.Join(append(all, now), "\n")
	}
	return payment.Receipt{Customer: slip("VIA CLIENTE"), Merchant: slip("VIA ESTABELECIMENTO")}
}
