package fiscal

import (
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/brazil"
)

// xmlParty is emit, dest, rem, toma and their like: the same fields everywhere,
// the address under a name of its own in each.
type xmlParty struct {
	CNPJ    text        `xml:"CNPJ"`
	CPF     text        `xml:"CPF"`
	Foreign text        `xml:"idEstrangeiro"`
	IE      text        `xml:"IE"`
	Name    text        `xml:"xNome"`
	Trade   text        `xml:"xFant"`
	Emit    *xmlAddress `xml:"enderEmit"`
	Dest    *xmlAddress `xml:"enderDest"`
	Reme    *xmlAddress `xml:"enderReme"`
	Toma    *xmlAddress `xml:"enderToma"`
	Receb   *xmlAddress `xml:"enderReceb"`
	Exped   *xmlAddress `xml:"enderExped"`
}

type xmlAddress struct {
	Street     text `xml:"xLgr"`
	Number     text `xml:"nro"`
	Complement text `xml:"xCpl"`
	District   text `xml:"xBairro"`
	City       text `xml:"xMun"`
	State      text `xml:"UF"`
	PostalCode text `xml:"CEP"`
}

func (x *xmlParty) party() *Party {
	if x == nil {
		return nil
	}
	p := &Party{
		ID:                TaxID{CNPJ: string(x.CNPJ), CPF: string(x.CPF), Foreign: string(x.Foreign)},
		StateRegistration: string(x.IE),
		Name:              string(x.Name),
		TradeName:         string(x.Trade),
	}
	addresses := []*xmlAddress{x.Emit, x.Dest, x.Reme, x.Toma, x.Receb, x.Exped}
	if i := slices.IndexFunc(addresses, func(a *xmlAddress) bool { return a != nil }); i >= 0 {
		a := addresses[i]
		p.Address = Address{
			Street: string(a.Street), Number: string(a.Number), Complement: string(a.Complement),
			District: string(a.District), City: string(a.City), State: string(a.State), PostalCode: string(a.PostalCode),
		}
	}
	return p
}

// checkIssuer refuses a document that does not say who issued it.
func (x *xmlParty) checkIssuer() error {
	switch {
	case x == nil:
		return refuse(ErrIncomplete, "documento incompleto: falta o emitente (emit)")
	case x.CNPJ == "" && x.CPF == "":
		return refuse(ErrIncomplete, "documento incompleto: emitente sem CNPJ nem CPF")
	case x.Name == "":
		return refuse(ErrIncomplete, "documento incompleto: falta o nome do emitente (emit/xNome)")
	}
	return nil
}

// String is the number with its usual punctuation, after its name.
func (id TaxID) String() string {
	switch {
	case id.CNPJ != "":
		return "CNPJ" + nbsp + brazil.FormatCNPJ(id.CNPJ)
	case id.CPF != "":
		return "CPF" + nbsp + brazil.FormatCPF(id.CPF)
	case id.Foreign != "":
		return "Id." + nbsp + "Estrangeiro" + nbsp + id.Foreign
	}
	return ""
}

// String is the address on one line, as much of it as there is.
func (a Address) String() string {
	city := joined(nbsp+"-"+nbsp, a.City, a.State)
	if a.PostalCode != "" {
		city = joined(", ", city, "CEP"+nbsp+brazil.FormatCEP(a.PostalCode))
	}
	return joined(", ", a.Street, a.Number, a.Complement, a.District, city)
}

// joined joins the parts that are not empty.
func joined(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(parts), func(p string) bool { return p == "" }), separator)
}
