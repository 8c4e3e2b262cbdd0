package pix

import (
	"regexp"

	"github.com/maquininha/maquininha/internal/brazil"
)

var keyForms = regexp.MustCompile(`^(?:\+[1-9]\d{9,14}|[^@\s]+@[^@\s]+\.[^@\s]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$`)

// IsKey tells whether a text has the form of a PIX key: CPF or CNPJ without signs, telephone with +, e-mail or random key. Whose
// key it is no harmless question tells.
func IsKey(s string) bool {
	cpf, isCPF := brazil.ParseCPF(s)
	cnpj, isCNPJ := brazil.ParseCNPJ(s)
	return keyForms.MatchString(s) || isCPF && cpf == s || isCNPJ && cnpj == s
}
