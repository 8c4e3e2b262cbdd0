package brazil

import "strings"

// ParseCNPJ returns the 14 characters of the CNPJ a person typed, and whether
// they are a valid one. The first twelve may be letters since July 2026; the
// check digits are always digits.
func ParseCNPJ(typed string) (string, bool) {
	cnpj := bare(typed, ".-/")
	if len(cnpj) != 14 || !allDigits(cnpj[12:]) || allEqual(cnpj) {
		return "", false
	}
	// By byte, and before any change of case: ToUpper turns some letters from
	// outside ASCII into ASCII ones.
	for i := range len(cnpj) {
		if !isAlphanumeric(cnpj[i]) {
			return "", false
		}
	}
	cnpj = strings.ToUpper(cnpj)
	if !checked(cnpj, 9) {
		return "", false
	}
	return cnpj, true
}

// FormatCNPJ returns 11.222.333/0001-81 for 11222333000181, and what is no
// CNPJ's length unchanged.
func FormatCNPJ(cnpj string) string {
	if len(cnpj) != 14 {
		return cnpj
	}
	return cnpj[:2] + "." + cnpj[2:5] + "." + cnpj[5:8] + "/" + cnpj[8:12] + "-" + cnpj[12:]
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}
