package brazil

// ParseCPF returns the 11 digits of the CPF a person typed, and whether they
// are a valid one.
func ParseCPF(typed string) (string, bool) {
	cpf := bare(typed, ".-/")
	if len(cpf) != 11 || !allDigits(cpf) || allEqual(cpf) {
		return "", false
	}
	if !checked(cpf, 11) {
		return "", false
	}
	return cpf, true
}

// FormatCPF returns 529.982.247-25 for 52998224725, and what is no CPF's
// length unchanged.
func FormatCPF(cpf string) string {
	if len(cpf) != 11 {
		return cpf
	}
	return cpf[:3] + "." + cpf[3:6] + "." + cpf[6:9] + "-" + cpf[9:]
}
