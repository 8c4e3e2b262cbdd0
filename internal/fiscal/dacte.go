package fiscal

import "github.com/maquininha/maquininha/internal/receipt"

// portalCTe is where the key of a CT-e is looked up.
const portalCTe = "www.cte.fazenda.gov.br/portal"

// dacte is the summary of a CT-e: there is no official layout for a roll.
func (s *slip) dacte(d *Document) {
	f := d.Freight
	s.issuer(d.Issuer)
	s.rule()
	s.centered(normal, true, "DACTE - Resumo")
	s.centered(small, true, numbered(cteName(d.Kind), d))
	s.centered(small, false, d.Operation)
	s.centered(small, false, "Emissão: "+dateTime(d.IssuedAt))
	s.rule()
	s.parties(f)
	s.rule()
	s.price(f)
	s.cargo(f)
	s.rule()
	s.key(portalCTe, d.Key)
	s.blank()
	s.protocol(d.Protocol)
	if d.hasOfficial() {
		s.rule()
		s.official(d)
	}
	s.qr(d.QRCode)
	if d.QRCode == "" && d.hasNotes(f.Taxes) {
		s.rule()
	}
	s.notes(d, f.Taxes)
}

func cteName(k Kind) string {
	switch k {
	case CTeOS:
		return "CT-e OS"
	case CTeSimp:
		return "CT-e Simplificado"
	}
	return "CT-e"
}

func (s *slip) parties(f *Freight) {
	switch {
	case f.Taker != nil && f.TakerRole != "" && (f.Taker == f.Sender || f.Taker == f.Receiver):
		s.role("TOMADOR: "+f.TakerRole, f.Taker) // the address follows under that role
	case f.TakerRole != "":
		s.party("TOMADOR: "+f.TakerRole, f.Taker)
	default:
		s.party("TOMADOR", f.Taker)
	}
	if f.Sender != nil {
		s.blank()
		s.party("REMETENTE", f.Sender)
	}
	if f.Receiver != nil {
		s.blank()
		s.party("DESTINATÁRIO", f.Receiver)
	}
	s.blank()
	s.labelled("Origem", f.Origin)
	s.labelled("Destino", f.Destination)
}

func (s *slip) price(f *Freight) {
	for _, c := range f.Components {
		s.amount(c.Name, c.Amount)
	}
	s.total("Total da prestação R$", f.Total)
	s.amountGiven("Valor a receber R$", f.Receivable)
	s.amountGiven("Base do ICMS R$", f.ICMSBase)
	s.amountGiven("Valor do ICMS R$", f.ICMS)
	if held := f.Held; held != nil {
		s.amount("Base ICMS ST retido R$", held.Base)
		s.amount("ICMS ST retido R$", held.Amount)
		s.amountAbove("Crédito presumido R$", held.Credit)
	}
	s.amountAbove("ICMS desonerado R$", f.Waived)
	if f.Situation != "" {
		s.pair("ICMS", f.Situation)
	}
	s.amountAbove("CBS R$", f.CBS)
	s.amountAbove("IBS R$", f.IBS)
}

func (s *slip) cargo(f *Freight) {
	if f.Cargo == "" && len(f.Quantities) == 0 && len(f.LinkedKeys) == 0 {
		return
	}
	s.rule()
	s.labelled("Carga", f.Cargo)
	s.amountGiven("Valor da carga R$", f.CargoValue)
	for _, q := range f.Quantities {
		s.pair(q.Measure, joined(" ", q.Amount.Brazilian(0), q.Unit))
	}
	if len(f.LinkedKeys) > 0 {
		s.blank()
		s.Add(receipt.Text{Value: "NF-e transportadas", Size: caption, Bold: true})
	}
	for _, key := range f.LinkedKeys {
		s.line(small, blocks(key))
	}
}
