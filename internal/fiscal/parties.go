package fiscal

import (
	"cmp"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/brazil"
)

// addresses are the names that a party's address has, by its role. The group
// entrega has none: its fields are the party's own.
var addresses = []string{"enderEmit", "enderDest", "enderReme", "enderToma", "enderReceb", "enderExped"}

// readParty reads emit, dest, rem, toma and their like: the same fields everywhere.
func readParty(e *element) *Party {
	if e == nil {
		return nil
	}
	a := e
	for _, name := range addresses {
		if found := e.at(name); found != nil {
			a = found
		}
	}
	return &Party{
		ID:                TaxID{CNPJ: e.get("CNPJ"), CPF: e.get("CPF"), Foreign: e.get("idEstrangeiro")},
		StateRegistration: e.get("IE"),
		Name:              e.get("xNome"),
		TradeName:         e.get("xFant"),
		Phone:             cmp.Or(a.get("fone"), e.get("fone")),
		Address: Address{
			Street: a.get("xLgr"), Number: a.get("nro"), Complement: a.get("xCpl"), District: a.get("xBairro"),
			City: a.get("xMun"), State: a.get("UF"), PostalCode: a.get("CEP"), Country: a.get("xPais"),
		},
	}
}

// checkIssuer refuses a document that does not say who issued it.
func checkIssuer(p *Party) error {
	switch {
	case p == nil:
		return refuse(ErrIncomplete, "documento incompleto: falta o emitente (emit)")
	case p.ID.CNPJ == "" && p.ID.CPF == "":
		return refuse(ErrIncomplete, "documento incompleto: emitente sem CNPJ nem CPF")
	case p.Name == "":
		return refuse(ErrIncomplete, "documento incompleto: falta o nome do emitente (emit/xNome)")
	case p.Address.Street == "" || p.Address.City == "":
		return refuse(ErrIncomplete, "documento incompleto: falta o endereço do emitente (emit/enderEmit)")
	}
	return nil
}

// parts are what the number is and the number, with its usual punctuation.
func (id TaxID) parts() (label, number string) {
	switch {
	case id.CNPJ != "":
		return "CNPJ", brazil.FormatCNPJ(id.CNPJ)
	case id.CPF != "":
		return "CPF", brazil.FormatCPF(id.CPF)
	case id.Foreign != "":
		return "Id." + nbsp + "Estrangeiro", id.Foreign
	}
	return "", ""
}

// String is the number with its usual punctuation, after its name.
func (id TaxID) String() string {
	label, number := id.parts()
	return joined(nbsp, label, number)
}

// phone is a number as people read it; one that is none of Brazil's stays as it is.
func phone(number string) string {
	for _, candidate := range []string{number, "+" + number} { // the country's code comes without its sign
		if parsed, ok := brazil.ParsePhone(candidate); ok {
			return brazil.FormatPhone(parsed)
		}
	}
	return number
}

// abroad is what stands for a state in an address outside Brazil.
const abroad = "EX"

// String is the address on one line, as much of it as there is. The country is
// named only where it is not this one.
func (a Address) String() string {
	city := joined(nbsp+"-"+nbsp, a.City, a.State)
	if a.State == abroad {
		city = joined(", ", a.City, a.Country)
	}
	if a.PostalCode != "" {
		city = joined(", ", city, "CEP"+nbsp+brazil.FormatCEP(a.PostalCode))
	}
	return joined(", ", a.Street, a.Number, a.Complement, a.District, city)
}

// joined joins the parts that are not empty.
func joined(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), separator)
}
