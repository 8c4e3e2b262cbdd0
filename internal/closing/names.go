package closing

import (
	"cmp"

	"github.com/maquininha/maquininha/internal/payment"
)

// Kind is a way to be paid as shops tell them apart.
type Kind string

// The kinds. A kind is other where the ledger has a method that is none of these.
const (
	Credit      Kind = "credit"
	Installment Kind = "creditInstallments"
	Debit       Kind = "debit"
	Pix         Kind = "pix"
	OtherKind   Kind = "other"
)

var kinds = []Kind{Credit, Installment, Debit, Pix, OtherKind}

// KindOf is how the transaction was paid, or was to be.
func KindOf(t payment.Transaction) Kind {
	switch method := t.Method(); {
	case method == payment.Credit && t.Installments() > 1:
		return Installment
	case method == payment.Credit:
		return Credit
	case method == payment.Debit:
		return Debit
	case method == payment.Pix:
		return Pix
	}
	return OtherKind
}

// Name is what the shop calls it.
func (k Kind) Name() string {
	switch k {
	case Credit:
		return "Crédito à vista"
	case Installment:
		return "Crédito parcelado"
	case Debit:
		return "Débito"
	case Pix:
		return "PIX"
	}
	return "Outros"
}

// brandNames are the card brands as fiscal documents number them (tBand).
var brandNames = map[string]string{
	"01": "Visa", "02": "Mastercard", "03": "American Express", "04": "Sorocred", "05": "Diners Club", "06": "Elo", "07": "Hipercard",
	"08": "Aura", "09": "Cabal", "10": "Alelo", "11": "Banes Card", "12": "CalCard", "13": "Credz", "14": "Discover", "15": "GoodCard",
	"16": "GreenCard", "17": "Hiper", "18": "JCB", "19": "Mais", "20": "MaxVan", "21": "Policard", "22": "RedeCompras", "23": "Sodexo",
	"24": "ValeCard", "25": "Verocheque", "26": "VR", "27": "Ticket", "99": "Outras",
}

// BrandName is a brand's name by its number; a number newer than this program is its own name.
func BrandName(code string) string {
	if code == "" {
		return "Sem bandeira"
	}
	return cmp.Or(brandNames[code], code)
}

// byBrand orders brands by their numbers, what has none last.
func byBrand(a, b string) int {
	if (a == "") != (b == "") {
		return -cmp.Compare(a, b)
	}
	return cmp.Compare(a, b)
}

// StatusName is a status in the shop's words, of one transaction or of several.
func StatusName(s payment.Status, several bool) string {
	name := map[payment.Status]string{
		payment.Approved: "aprovada", payment.Refused: "recusada", payment.Cancelled: "cancelada", payment.Reversed: "estornada",
		payment.Pending: "pendente",
	}[s]
	if several {
		name += "s"
	}
	return name
}

// StatusOrder is the order in which reports list the statuses.
var StatusOrder = []payment.Status{payment.Approved, payment.Refused, payment.Cancelled, payment.Reversed, payment.Pending}
