package brazil

// ParseCEP returns the 8 digits of the postal code a person typed, and whether
// one like it can exist: they start at 01000-000, São Paulo. Whether it was
// ever given to a street only the post office knows.
func ParseCEP(typed string) (string, bool) {
	cep := bare(typed, ".-")
	if len(cep) != 8 || !allDigits(cep) || cep < "01000000" {
		return "", false
	}
	return cep, true
}

// FormatCEP returns 01310-100 for 01310100, and what is no CEP's length
// unchanged.
func FormatCEP(cep string) string {
	if len(cep) != 8 {
		return cep
	}
	return cep[:5] + "-" + cep[5:]
}
