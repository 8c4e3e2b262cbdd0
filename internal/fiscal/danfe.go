package fiscal

import (
	"fmt"

	"github.com/maquininha/maquininha/internal/receipt"
)

// portalNFe is where the key of a model 55 is looked up; an NFC-e brings its own.
const portalNFe = "www.nfe.fazenda.gov.br/portal"

// danfe is the coupon of an NFC-e and, by the same divisions, of an NF-e, which
// has no official layout for a roll except its Tipo 2. The Roman numbers are the
// divisions of the DANFE NFC-e manual.
func danfe(d *Document) receipt.Page {
	s := &slip{}
	s.issuer(d.Issuer) // I
	s.rule()
	s.centered(normal, true, danfeTitle(d))
	s.notices(d)
	s.rule()
	s.items(d.Items) // II
	s.rule()
	s.totals(d) // III
	s.payments(d)
	s.rule()
	url := d.QueryURL
	if url == "" && d.Kind == NFe {
		url = portalNFe
	}
	s.key(url, d.Key) // IV
	s.rule()
	s.consumer(d) // VI
	s.rule()
	s.identity(d) // VII
	s.protocol(d.Protocol)
	s.notices(d) // VIII
	if len(d.Protocol.Alerts) > 0 || d.TaxOfficeNotes != "" || d.Notes != "" || d.Totals.Taxes.Positive() {
		s.rule()
	}
	s.notes(d) // VIII, IX
	if d.Totals.Taxes.Positive() {
		s.line(small, "Tributos Totais Incidentes (Lei Federal 12.741/2012): R$"+nbsp+d.Totals.Taxes.Brazilian(2))
	}
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

func (s *slip) items(items []Item) {
	s.Add(receipt.Pair{Left: "Código  Descrição\nQtde UN × Vl Unit", Right: "Vl Total", Size: caption, Bold: true})
	for _, i := range items {
		s.line(normal, joined("  ", i.Code, i.Description))
		quantity := joined(" ", i.Quantity.Brazilian(0), i.Unit)
		if i.UnitPrice != "" {
			quantity += " × " + i.UnitPrice.Brazilian(2)
		}
		s.Add(receipt.Pair{Left: quantity, Right: i.Amount.Brazilian(2), Size: normal})
	}
}

func (s *slip) totals(d *Document) {
	t := d.Totals
	s.Add(receipt.Pair{Left: "Qtde. total de itens", Right: fmt.Sprint(len(d.Items)), Size: normal})
	s.amount("Valor total R$", t.Products)
	s.amountAbove("Desconto R$", t.Discount)
	s.amountAbove("Acréscimos R$", sum(t.Freight, t.Insurance, t.Other))
	if d.Kind == NFe {
		s.amountAbove("ICMS ST R$", t.ICMSST)
		s.amountAbove("IPI R$", t.IPI)
	}
	if d.Type2 {
		s.amountAbove("(+) CBS R$", t.CBS)
		s.amountAbove("(+) IBS R$", t.IBS)
		s.amountAbove("(+) IS R$", t.IS)
	}
	s.Add(receipt.Pair{Left: "Valor a Pagar R$", Right: t.Invoice.Brazilian(2), Size: large, Bold: true})
	if d.Kind == NFe {
		s.amount("Base de cálculo do ICMS R$", t.ICMSBase)
		s.amount("Valor do ICMS R$", t.ICMS)
	}
}

func (s *slip) payments(d *Document) {
	s.Add(receipt.Pair{Left: "FORMA PAGAMENTO", Right: "VALOR PAGO R$", Size: caption, Bold: true})
	for _, p := range d.Payments {
		s.amount(p.name(), p.Amount)
	}
	s.amount("Troco R$", d.Change)
}

// consumer is who bought. A coupon says so when it doesn't know; an invoice names
// its recipient like the other parties.
func (s *slip) consumer(d *Document) {
	r := d.Recipient
	if d.Kind == NFe && r != nil {
		s.party("DESTINATÁRIO", r)
		return
	}
	if r == nil || r.ID == (TaxID{}) {
		s.centered(normal, true, "CONSUMIDOR NÃO IDENTIFICADO")
	} else {
		s.centered(normal, true, "CONSUMIDOR "+r.ID.String())
	}
	if r != nil {
		s.centered(normal, false, r.Name)
		s.centered(small, false, r.Address.String())
	}
}

func (s *slip) identity(d *Document) {
	name := "NFC-e"
	if d.Kind == NFe {
		name = "NF-e"
	}
	s.centered(normal, true, numbered(name, d))
	if d.Kind == NFe {
		direction := "1 - Saída"
		if d.Incoming {
			direction = "0 - Entrada"
		}
		s.centered(normal, false, joined("  ", direction, d.Operation))
	}
	s.centered(normal, false, "Emissão: "+dateTime(d.IssuedAt))
}

// paymentNames are the ways to pay by tPag.
var paymentNames = map[string]string{
	"01": "Dinheiro",
	"02": "Cheque",
	"03": "Cartão de Crédito",
	"04": "Cartão de Débito",
	"05": "Cartão da Loja",
	"10": "Vale Alimentação",
	"11": "Vale Refeição",
	"12": "Vale Presente",
	"13": "Vale Combustível",
	"14": "Duplicata Mercantil",
	"15": "Boleto",
	"16": "Depósito Bancário",
	"17": "PIX Dinâmico",
	"18": "Transferência, Carteira Digital",
	"19": "Fidelidade, Cashback",
	"20": "PIX Estático",
	"21": "Crédito em Loja",
	"22": "Pagamento Eletrônico não Informado",
	"23": "PIX Automático",
	"24": "TEF Book Transfer",
	"90": "Sem Pagamento",
	"91": "Pagamento Posterior",
	"99": "Outros",
}

// name is what the coupon calls the payment: for 99 the issuer's words, for a
// code that is newer than this program the code.
func (p Payment) name() string {
	if p.Type == "99" && p.Description != "" {
		return p.Description
	}
	if name, known := paymentNames[p.Type]; known {
		return name
	}
	return p.Type
}
