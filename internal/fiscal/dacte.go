package fiscal

import "github.com/maquininha/maquininha/internal/receipt"

// portalCTe is where the key of a CT-e is looked up.
const portalCTe = "www.cte.fazenda.gov.br/portal"

// dacte is the summary of a CT-e: there is no official layout for a roll.
func dacte(d *Document) receipt.Page {
	f := d.Freight
	s := &slip{}
	s.issuer(d.Issuer)
	s.rule()
	s.centered(normal, true, "DACTE - Resumo")
	s.centered(normal, true, numbered(cteName(d.Kind), d))
	s.centered(normal, false, d.Operation)
	s.centered(normal, false, "Emissão: "+dateTime(d.IssuedAt))
	s.notices(d)
	s.rule()
	s.party("TOMADOR", f.Taker)
	s.party("REMETENTE", f.Sender)
	s.party("DESTINATÁRIO", f.Receiver)
	s.line(normal, joined(" ", "Origem:", f.Origin))
	s.line(normal, joined(" ", "Destino:", f.Destination))
	s.rule()
	s.price(f)
	s.cargo(f)
	s.rule()
	s.key(portalCTe, d.Key)
	s.rule()
	s.protocol(d.Protocol)
	if len(d.Protocol.Alerts) > 0 || d.TaxOfficeNotes != "" || d.Notes != "" {
		s.rule()
	}
	s.notes(d)
	return s.Page
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

func (s *slip) price(f *Freight) {
	for _, c := range f.Components {
		s.amount(c.Name, c.Amount)
	}
	s.Add(receipt.Pair{Left: "Total da prestação R$", Right: f.Total.Brazilian(2), Size: normal, Bold: true})
	if f.Receivable != "" {
		s.amount("Valor a receber R$", f.Receivable)
	}
	s.amount("Base de cálculo do ICMS R$", f.ICMSBase)
	s.amount("Valor do ICMS R$", f.ICMS)
}

func (s *slip) cargo(f *Freight) {
	if f.Cargo == "" && len(f.Quantities) == 0 && len(f.LinkedKeys) == 0 {
		return
	}
	s.rule()
	if f.Cargo != "" {
		s.line(normal, "Carga: "+f.Cargo)
	}
	if f.CargoValue != "" {
		s.amount("Valor da carga R$", f.CargoValue)
	}
	for _, q := range f.Quantities {
		s.Add(receipt.Pair{Left: q.Measure, Right: joined(" ", q.Amount.Brazilian(0), q.Unit), Size: normal})
	}
	if len(f.LinkedKeys) > 0 {
		s.heading("NF-e transportadas")
	}
	for _, key := range f.LinkedKeys {
		s.line(small, blocks(key))
	}
}
