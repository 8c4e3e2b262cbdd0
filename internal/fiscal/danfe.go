package fiscal

import "strconv"

// portalNFe is where the key of a model 55 is looked up; an NFC-e brings its own.
const portalNFe = "www.nfe.fazenda.gov.br/portal"

// danfe is the coupon of an NFC-e, and of an NF-e of Tipo 2. The Roman numbers are
// the divisions of the manual, in the order it has for a centred QR code.
func (s *slip) danfe(d *Document) {
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

// totals is division III up to what is to be paid. Whoever adds its lines up must come
// to that: so all are there that the total is made of.
func (s *slip) totals(d *Document) {
	t := d.Totals
	s.pair("Qtde. total de itens", strconv.Itoa(len(d.Items)))
	s.amount("Valor total R$", t.Products)
	s.amountAbove("Serviços R$", t.Services)
	s.amountAbove("ICMS desonerado R$", t.deducted())
	s.amountAbove("Desconto R$", t.Discount)
	s.amountAbove("Acréscimos R$", sum(t.Freight, t.Insurance, t.Other))
	s.amountAbove("ICMS ST R$", t.ICMSST)
	s.amountAbove("FCP ST R$", t.FCPST)
	s.amountAbove("ICMS monofásico retido R$", t.ICMSHeld)
	s.amountAbove("Imposto de importação R$", t.Import)
	s.amountAbove("IPI R$", t.IPI)
	s.amountAbove("IPI devolvido R$", t.IPIReturned)
	s.total("Valor a Pagar R$", t.Invoice)
}

// reform is division III-A, of the Tipo 2 alone: the taxes of the reform, which are
// no part of the amount above them yet.
func (s *slip) reform(d *Document) {
	t := d.Totals
	if !d.Type2 || t.CBS == "" && t.IBS == "" && t.IS == "" && !t.mono() {
		return
	}
	s.rule()
	s.amountGiven("(+) CBS R$", t.CBS)
	s.amountGiven("(+) IBS R$", t.IBS)
	s.amountGiven("(+) IS R$", t.IS)
	s.mono(t, "(+) ")
}

// mono are the taxes of goods that are taxed once. What was held back by who sold
// before is paid: it is told, and added to nothing.
func (s *slip) mono(t Totals, added string) {
	s.amountAbove(added+"CBS monofásica R$", t.CBSMono)
	s.amountAbove(added+"IBS monofásico R$", t.IBSMono)
	s.amountAbove(added+"CBS monofásica com retenção R$", t.CBSMonoHeld)
	s.amountAbove(added+"IBS monofásico com retenção R$", t.IBSMonoHeld)
	s.amountAbove("CBS monofásica retida antes R$", t.CBSMonoHeldBefore)
	s.amountAbove("IBS monofásico retido antes R$", t.IBSMonoHeldBefore)
}

// mono tells whether there are such taxes.
func (t Totals) mono() bool {
	return sum(t.CBSMono, t.IBSMono, t.CBSMonoHeld, t.IBSMonoHeld, t.CBSMonoHeldBefore, t.IBSMonoHeldBefore).Positive()
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
