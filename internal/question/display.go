package question

import (
	"slices"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/brazil"
	"github.com/maquininha/maquininha/internal/fiscal"
)

// Display returns a canonical answer as a person reads it. What has only one form is returned as it is.
func (q Question) Display(value string) string {
	if value == "" {
		return ""
	}
	switch q.Type {
	case CPF:
		return brazil.FormatCPF(value)
	case CNPJ:
		return brazil.FormatCNPJ(value)
	case CPFOrCNPJ:
		if cpf, ok := brazil.ParseCPF(value); ok {
			return brazil.FormatCPF(cpf)
		}
		return brazil.FormatCNPJ(value)
	case Phone:
		return brazil.FormatPhone(value)
	case CEP:
		return brazil.FormatCEP(value)
	case Date:
		if date, err := time.Parse(time.DateOnly, value); err == nil {
			return date.Format("02/01/2006")
		}
	case Money:
		return "R$ " + fiscal.Decimal(value).Brazilian(2)
	case Number:
		if len(value) == strings.Count(q.Mask, placeholder) {
			return fillMask(q.Mask, value)
		}
	case List, Button:
		if i := slices.IndexFunc(q.Options, func(o Option) bool { return o.Value == value }); i >= 0 {
			return q.Options[i].Name
		}
	}
	return value
}
