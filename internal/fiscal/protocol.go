package fiscal

import "regexp"

// layoutVersion is the one version in force, of NF-e and CT-e alike.
const layoutVersion = "4.00"

// xmlProtocol is infProt of protNFe and protCTe.
type xmlProtocol struct {
	KeyNFe text   `xml:"chNFe"`
	KeyCTe text   `xml:"chCTe"`
	At     text   `xml:"dhRecbto"`
	Number text   `xml:"nProt"`
	Status text   `xml:"cStat"`
	Reason text   `xml:"xMotivo"`
	Alerts []text `xml:"xMsg"`
}

// protocol checks that the document was authorised, and takes the proof of it.
// tag is the element that should hold it.
func (x *xmlProtocol) protocol(tag string) (Protocol, error) {
	if x == nil {
		return Protocol{}, refuse(ErrNoProtocol, "falta o protocolo de autorização (%s)", tag)
	}
	switch x.Status {
	case "100", "120", "150": // authorised; with alerts; out of time
	case "":
		return Protocol{}, refuse(ErrNoProtocol, "protocolo de autorização (%s) sem situação (cStat)", tag)
	default:
		return Protocol{}, refuse(ErrNotAuthorized, "a situação %s do protocolo (%s) não é uma autorização", quote(string(x.Status)), quote(string(x.Reason)))
	}
	if x.Number == "" {
		return Protocol{}, refuse(ErrNoProtocol, "protocolo de autorização (%s) sem número (nProt)", tag)
	}
	p := Protocol{Number: string(x.Number), At: string(x.At), Status: string(x.Status)}
	for _, alert := range x.Alerts {
		if alert != "" {
			p.Alerts = append(p.Alerts, string(alert))
		}
	}
	return p, nil
}

// A CNPJ within the key may have letters since 2026.
var keyPattern = regexp.MustCompile(`^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$`)

// checkKey refuses what is no access key. A wrong check digit is only a warning:
// the tax office authorised the document, and it knows its own keys.
func checkKey(key string) (warnings []string, err error) {
	if !keyPattern.MatchString(key) {
		return nil, refuse(ErrIncomplete, "a chave de acesso %s não é válida: deve ter 44 caracteres", quote(key))
	}
	if checkDigit(key[:43]) != key[43] {
		warnings = append(warnings, "o dígito verificador da chave de acesso "+key+" não confere")
	}
	return warnings, nil
}

// checkDigit is modulus 11 with weights 2 to 9 from the right. A letter counts by
// its place in ASCII after the zero.
func checkDigit(s string) byte {
	total := 0
	for i := range len(s) {
		weight := 2 + i%8
		total += weight * int(s[len(s)-1-i]-'0')
	}
	if remainder := total % 11; remainder >= 2 {
		return byte('0' + 11 - remainder)
	}
	return '0'
}
