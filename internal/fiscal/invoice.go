package fiscal

import "github.com/maquininha/maquininha/internal/receipt"

// invoice is an NF-e on a roll. No manual has a layout for it: it follows the
// divisions of the coupon and shows what an invoice has besides, the access key
// as a barcode among it, which is what those who receive goods read.
func (s *slip) invoice(d *Document) {
	s.issuer(d.Issuer)
	s.rule()
	s.centered(normal, true, danfeTitle(d))
	s.centered(small, true, numbered("NF-e", d))
	direction := "1 - Saída"
	if d.Incoming {
		direction = "0 - Entrada"
	}
	s.centered(small, false, direction)
	s.centered(small, false, d.Operation)
	s.centered(small, false, "Emissão: "+dateTime(d.IssuedAt))
	s.contingency(d)
	s.rule()
	s.Add(receipt.Barcode{Text: d.Key})
	s.key(queryURL(d), d.Key)
	s.blank()
	s.protocol(d.Protocol)
	s.rule()
	s.recipient(d)
	s.rule()
	s.items(d.Items)
	s.rule()
	s.totals(d)
	s.blank()
	s.taxes(d.Totals)
	s.blank()
	s.payments(d)
	if d.hasOfficial() {
		s.rule()
		s.official(d)
	}
	s.qr(d.QRCode)
	if d.QRCode == "" && d.hasNotes(d.Totals.Taxes) {
		s.rule()
	}
	s.notes(d, d.Totals.Taxes)
}

func (s *slip) recipient(d *Document) {
	if d.Recipient == nil {
		s.centered(small, true, "DESTINATÁRIO NÃO IDENTIFICADO")
	}
	s.party("DESTINATÁRIO", d.Recipient)
	if d.Delivery != nil {
		s.blank()
	}
	s.party("LOCAL DE ENTREGA", d.Delivery)
}

// taxes are among the total or beside it, never added to it here.
func (s *slip) taxes(t Totals) {
	s.amount("Base do ICMS R$", t.ICMSBase)
	s.amount("Valor do ICMS R$", t.ICMS)
	s.amountAbove("CBS R$", t.CBS)
	s.amountAbove("IBS R$", t.IBS)
	s.amountAbove("IS R$", t.IS)
	s.mono(t, "")
}
