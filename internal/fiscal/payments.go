package fiscal

import "github.com/maquininha/maquininha/internal/receipt"

func (s *slip) payments(d *Document) {
	s.Add(receipt.Pair{Left: "FORMA PAGAMENTO", Right: "VALOR PAGO R$", Size: caption, Bold: true})
	for _, p := range d.Payments {
		s.amount(p.name(), p.Amount)
	}
	s.amount("Troco R$", d.Change)
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
