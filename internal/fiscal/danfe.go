package fiscal

import (
	"strconv"

	"github.com/maquininha/maquininha/internal/receipt"
)

// portalNFe is where the key of a model 55 is looked up; an NFC-e brings its own.
const portalNFe = "www.nfe.fazenda.gov.br/portal"

// danfe is the coupon of an NFC-e, and of an NF-e of Tipo 2. The Roman numbers are
// the divisions of the manual, in the order it has for a centred QR code.
func danfe(d *Document) receipt.Page {
	s := &slip{}
	s.issuer(d.Issuer) // I
	s.rule()
	s.centered(small, true, danfeTitle(d))
	s.contingency(d)
	s.rule()
	s.items(d.Items) // II
	s.rule()
	s.totals(d) // III
	s.blank()
	s.payments(d)
	s.reform(d) // III-A
	s.rule()
	s.key(queryURL(d), d.Key) // IV
	s.rule()
	s.consumer(d) // VI
	s.blank()
	s.identity(d) // VII
	s.protocol(d.Protocol)
	s.contingency(d)
	if d.hasOfficial() {
		s.rule()
		s.official(d) // VIII
	}
	s.qr(d.QRCode)             // V
	s.notes(d, d.Totals.Taxes) // IX
	return s.Page
}

func danfeTitle(d *Document) string {
	switch {
	case d.Kind == NFCe:
		return "Documento Auxiliar da Nota Fiscal de Consumidor Eletrônica"
	case d.Type2:
		return "DANFE Simplificado Tipo 2"
	}
	return "DANFE Simplificado"
}

func queryURL(d *Document) string {
	if d.QueryURL == "" && d.Kind == NFe {
		return portalNFe
	}
	return d.QueryURL
}

// totals is division III up to what is to be paid.
func (s *slip) totals(d *Document) {
	t := d.Totals
	s.pair("Qtde. total de itens", strconv.Itoa(len(d.Items)))
	s.amount("Valor total R$", t.Products)
	s.amountAbove("Desconto R$", t.Discount)
	s.amountAbove("Acréscimos R$", sum(t.Freight, t.Insurance, t.Other))
	if d.Kind == NFe {
		s.amountAbove("ICMS ST R$", t.ICMSST)
		s.amountAbove("IPI R$", t.IPI)
	}
	s.total("Valor a Pagar R$", t.Invoice)
}

// reform is division III-A, of the Tipo 2 alone: the taxes of the reform, which are
// no part of the amount above them yet.
func (s *slip) reform(d *Document) {
	t := d.Totals
	if !d.Type2 || t.CBS == "" && t.IBS == "" && t.IS == "" {
		return
	}
	s.rule()
	s.amountGiven("(+) CBS R$", t.CBS)
	s.amountGiven("(+) IBS R$", t.IBS)
	s.amountGiven("(+) IS R$", t.IS)
}

// consumer is division VI: who bought. A coupon says so when it doesn't know.
func (s *slip) consumer(d *Document) {
	r := d.Recipient
	if r == nil || r.ID == (TaxID{}) {
		s.centered(small, true, "CONSUMIDOR NÃO IDENTIFICADO")
	} else {
		label, number := r.ID.parts()
		s.centered(small, true, "CONSUMIDOR "+label+":"+nbsp+number)
	}
	if r != nil {
		s.centered(small, false, r.Name)
		s.centered(small, false, r.Address.String())
	}
	if d.Delivery != nil {
		s.centered(small, false, joined("\n", "Entrega: "+d.Delivery.Name, d.Delivery.Address.String()))
	}
}

// identity is division VII up to the protocol.
func (s *slip) identity(d *Document) {
	name := "NFC-e"
	if d.Kind == NFe {
		name = "NF-e"
	}
	s.centered(small, true, numbered(name, d))
	s.centered(small, false, "Emissão: "+dateTime(d.IssuedAt))
}
