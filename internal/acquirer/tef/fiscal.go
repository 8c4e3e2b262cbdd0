package tef

import (
	"cmp"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
)

// authorization is what fiscal documents call cAut.
func authorization(r intpos.Message) string {
	given := cmp.Or(r.Get(intpos.Authorization), r.Get(intpos.AuthorizationToo))
	if nsu := r.Get(intpos.NSU); given == "" && isEndToEndID(nsu) {
		return nsu
	}
	return mask(given)
}

const otherBrand = "99"

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

// brand is tBand by the first field that names a brand; one that is not in the list is among the others.
func (p Profile) brand(r intpos.Message) (code string) {
	for _, at := range p.BrandFields {
		switch named := brand(r.At(at.number, at.index)); named {
		case "":
		case otherBrand:
			code = named
		default:
			return named
		}
	}
	return code
}

// brand is the number of a brand by its name; empty: this is none.
func brand(name string) string {
	said := slices.DeleteFunc(words(name), func(w string) bool { return slices.Contains([]string{"CREDITO", "DEBITO", "VOUCHER"}, w) })
	text := " " + strings.Join(said, " ") + " "
	if strings.Trim(text, " 0123456789") == "" {
		return "" // a code of the manager's own
	}
	for _, b := range brands {
		if strings.Contains(text, " "+b.name+" ") {
			return b.code
		}
	}
	return otherBrand
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

// Where an acquirer's CNPJ stands among the lines of field 010: the first for older managers, the others where each card of a sale has
// its own.
var networkLines = []int{1, 11, 21, 31}

// acquirerCNPJ is whose CNPJ a fiscal document names. 400-001 and 719 are the shop's own.
func acquirerCNPJ(r intpos.Message) string {
	candidates := []string{r.Get(intpos.AcquirerCNPJ)}
	for _, line := range networkLines {
		candidates = append(candidates, r.At(intpos.Network, line))
	}
	for _, text := range candidates {
		if cnpj := strings.NewReplacer(".", "", "/", "", "-", "").Replace(text); len(cnpj) == 14 && strings.Trim(cnpj, "0123456789") == "" {
			return cnpj
		}
	}
	index, name := number(r.Get(intpos.NetworkIndex)), " "+strings.Join(words(r.Get(intpos.Network)), " ")+" "
	for _, a := range acquirers {
		if slices.Contains(a.indices, index) && index != "" {
			return a.cnpj
		}
	}
	for _, a := range acquirers {
		if strings.Contains(name, " "+a.name+" ") {
			return a.cnpj
		}
	}
	return ""
}
