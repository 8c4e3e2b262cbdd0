// Package cardnames reads what acquirers write about cards, whoever writes it: brands and acquirers by their names, who ended a
// payment, and card numbers that must not be kept.
package cardnames

import (
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/fold"
)

// OtherBrand is for one that is not in the list of fiscal documents.
const OtherBrand = "99"

// brands are the numbers of fiscal documents by the words that managers use; a name of several words comes before its parts.
var brands = []struct{ name, code string }{
	{"VISA", "01"},
	{"ELECTRON", "01"},
	{"PAYWAVE", "01"},
	{"MASTERCARD", "02"},
	{"MASTER", "02"},
	{"MAESTRO", "02"},
	{"REDESHOP", "02"},
	{"MC", "02"},
	{"AMERICAN EXPRESS", "03"},
	{"AMEX", "03"},
	{"SOROCRED", "04"},
	{"DINERS", "05"},
	{"ELO", "06"},
	{"HIPERCARD", "07"},
	{"AURA", "08"},
	{"CABAL", "09"},
	{"ALELO", "10"},
	{"BANES CARD", "11"},
	{"BANESCARD", "11"},
	{"CALCARD", "12"},
	{"CREDZ", "13"},
	{"DISCOVER", "14"},
	{"GOODCARD", "15"},
	{"GREENCARD", "16"},
	{"HIPER", "17"},
	{"JCB", "18"},
	{"MAIS", "19"},
	{"MAXVAN", "20"},
	{"POLICARD", "21"},
	{"REDECOMPRAS", "22"},
	{"SODEXO", "23"},
	{"VALECARD", "24"},
	{"VEROCHEQUE", "25"},
	{"VR", "26"},
	{"TICKET", "27"},
}

// Brand is the number of a brand by its name; empty: this is none.
func Brand(name string) string {
	said := slices.DeleteFunc(Words(name), func(w string) bool { return slices.Contains([]string{"CREDITO", "DEBITO", "VOUCHER"}, w) })
	text := " " + strings.Join(said, " ") + " "
	if strings.Trim(text, " 0123456789") == "" {
		return "" // a code of the manager's own
	}
	for _, b := range brands {
		if strings.Contains(text, " "+b.name+" ") {
			return b.code
		}
	}
	return OtherBrand
}

// acquirers are by PayGo's index of networks (739) and by name.
var acquirers = []struct {
	indices []string
	name    string
	cnpj    string
}{
	{[]string{"0", "44"}, "CIELO", "01027058000191"},
	{[]string{"1", "52"}, "REDE", "01425787000104"},
	{[]string{"17", "64"}, "GETNET", "10440482000154"},
	{[]string{"45"}, "ELAVON", "12592831000189"},
	{[]string{"48"}, "BIN", "04962772000165"},
	{[]string{"4", "57"}, "VERO", "92702067000196"},
	{[]string{"60"}, "STONE", "16501555000157"},
	{[]string{"66"}, "SAFRA", "58160789000128"},
	{[]string{"67"}, "PAGSEGURO", "08561701000101"},
	{[]string{"69"}, "MERCADO PAGO", "10573521000191"},
	{[]string{"95"}, "ALELO", "04740876000125"},
	{[]string{"99"}, "TICKET", "47866934000174"},
	{[]string{"101"}, "C6", "31872495000172"},
}

// CNPJByIndex is the acquirer's by PayGo's index; empty: not known.
func CNPJByIndex(index string) string {
	for _, a := range acquirers {
		if slices.Contains(a.indices, index) {
			return a.cnpj
		}
	}
	return ""
}

// CNPJ is the acquirer's by a text that names it; empty: not known.
func CNPJ(name string) string {
	text := " " + strings.Join(Words(name), " ") + " "
	for _, a := range acquirers {
		if strings.Contains(text, " "+a.name+" ") {
			return a.cnpj
		}
	}
	return ""
}

// Words are a text's, folded: capitals without accents.
func Words(text string) []string {
	return strings.FieldsFunc(strings.ToUpper(fold.Text(text)), func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
}

// HasWord tells whether a text has a word, which is folded already.
func HasWord(text, word string) bool { return slices.Contains(Words(text), word) }

// byPeople begin, or name who ended, what a person called off. There is no code for it, and "cartão cancelado" is an issuer's refusal.
var byPeople = [][]string{
	{"OPERACAO", "CANCELADA"},
	{"TRANSACAO", "CANCELADA"},
	{"VENDA", "CANCELADA"},
	{"OPERACAO", "ABORTADA"},
	{"CANCELADA", "PELO", "OPERADOR"},
	{"CANCELADO", "PELO", "OPERADOR"},
	{"CANCELADA", "PELO", "CLIENTE"},
	{"CANCELADO", "PELO", "CLIENTE"},
	{"CANCELADA", "PELO", "USUARIO"},
	{"CANCELADO", "PELO", "USUARIO"},
	{"CANCELADA", "NO", "PINPAD"},
	{"CANCELADO", "NO", "PINPAD"},
}

// CalledOff tells the customer's or the operator's stop from the issuer's no.
func CalledOff(text string) bool {
	said := Words(text)
	if slices.ContainsFunc(said, func(w string) bool { return w == "CARTAO" || w == "CONTA" || w == "EMISSOR" }) {
		return false
	}
	return slices.ContainsFunc(byPeople, func(phrase []string) bool {
		for i := range said {
			if len(said)-i >= len(phrase) && slices.Equal(said[i:i+len(phrase)], phrase) {
				return true
			}
		}
		return false
	})
}
