package fiscal

import (
	"regexp"
	"strings"
	"time"
)

// layoutVersion is the one version in force, of NF-e and CT-e alike.
const layoutVersion = "4.00"

// authorisation is the key of a document and the proof that the tax office authorised
// it and never took that back. kind is how its names end: NFe or CTe.
func authorisation(root, info *element, kind string) (key string, p Protocol, err error) {
	key, err = readKey(info, kind)
	if err != nil {
		return "", p, err
	}
	if err := checkStanding(root, key); err != nil {
		return "", p, err
	}
	if err := root.unambiguous("prot"+kind, "infProt"); err != nil {
		return "", p, err
	}
	p, err = readProtocol(root.at("prot"+kind), "prot"+kind, "ch"+kind, key)
	return key, p, err
}

// readProtocol checks that the document of a key was authorised, and takes the proof of
// it. tag is the element that should hold it, and keyTag that of the key in it.
func readProtocol(e *element, tag, keyTag, key string) (Protocol, error) {
	proof := e.at("infProt")
	if proof == nil {
		return Protocol{}, refuse(ErrNoProtocol, "falta o protocolo de autorização (%s)", tag)
	}
	p := Protocol{
		Number: proof.get("nProt"), At: proof.get("dhRecbto"), Status: proof.get("cStat"), Key: proof.get(keyTag), TpAmb: proof.get("tpAmb"),
	}
	switch p.Status {
	case "100", "120", "150": // authorised; with alerts; out of time
	case "":
		return Protocol{}, refuse(ErrNoProtocol, "protocolo de autorização (%s) sem situação (cStat)", tag)
	default:
		return Protocol{}, refuse(ErrNotAuthorized, "a situação %s do protocolo (%s) não é uma autorização", quote(p.Status), quote(proof.get("xMotivo")))
	}
	switch {
	case p.Key == "":
		return Protocol{}, refuse(ErrNoProtocol, "protocolo de autorização (%s) sem a chave do documento (%s)", tag, keyTag)
	case p.Key != key:
		return Protocol{}, refuse(ErrNoProtocol, "protocolo de autorização (%s) de outro documento, o de chave %s", tag, quote(p.Key))
	case p.Number == "":
		return Protocol{}, refuse(ErrNoProtocol, "protocolo de autorização (%s) sem número (nProt)", tag)
	case !isDigits(p.Number):
		return Protocol{}, refuse(ErrNoProtocol, "protocolo de autorização (%s) com número (nProt) que não é só de dígitos: %s", tag, quote(p.Number))
	}
	if err := checkMoment("a data de autorização", tag+"/infProt/dhRecbto", p.At); err != nil {
		return Protocol{}, err
	}
	p.Alerts = readAlerts(proof)
	return p, nil
}

// readAlerts reads what the tax office has to say besides. Codes and texts come in
// turn, as children of the same element; either may be missing.
func readAlerts(proof *element) []Alert {
	var alerts []Alert
	code := ""
	for e := proof.first; e != nil; e = e.next {
		switch e.name {
		case "cMsg":
			code = e.text
		case "xMsg":
			if e.text != "" {
				alerts = append(alerts, Alert{Code: code, Text: e.text})
			}
			code = ""
		}
	}
	return alerts
}

// What tpAmb says of where a document was issued.
const (
	production   = "1"
	homologation = "2"
)

// checkEnvironment refuses a document that does not say whether it is worth anything.
// One that claims to be and whose protocol denies it gets the notice: to print a test
// as an invoice is the worse mistake.
func (d *Document) checkEnvironment(tpAmb string) error {
	if tpAmb != production && tpAmb != homologation {
		return refuse(ErrIncomplete, "documento incompleto: o ambiente (ide/tpAmb) não é 1, produção, nem 2, homologação: %s", quote(tpAmb))
	}
	authorised := d.Protocol.TpAmb
	d.Homologation = tpAmb == homologation
	if authorised != "" && authorised != tpAmb {
		d.Homologation = true
		d.Warnings = append(d.Warnings, "o ambiente do protocolo (tpAmb "+quote(authorised)+") não é o do documento ("+quote(tpAmb)+"); impresso como de homologação")
	}
	return nil
}

// checkMoment refuses what is no date with its time.
func checkMoment(what, tag, text string) error {
	if text == "" {
		return refuse(ErrIncomplete, "documento incompleto: falta %s (%s)", what, tag)
	}
	if _, ok := moment(text); !ok {
		return refuse(ErrIncomplete, "documento incompleto: %s (%s) não é data e hora: %s", what, tag, quote(text))
	}
	return nil
}

// moment reads a date and time. The layouts want an offset; without one it still says what the clock showed.
func moment(text string) (time.Time, bool) {
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(form, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// A CNPJ within the key may have letters since 2026.
var keyPattern = regexp.MustCompile(`^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$`)

// readKey is the access key of a document, whose Id begins with the name of its kind.
func readKey(info *element, kind string) (string, error) {
	key := strings.TrimPrefix(strings.TrimSpace(info.id), kind)
	if !keyPattern.MatchString(key) {
		return "", refuse(ErrIncomplete, "a chave de acesso %s não é válida: deve ter 44 caracteres", quote(key))
	}
	return key, nil
}

// warnOfKey tells of a wrong check digit, which is no reason to refuse: the tax office
// authorised the document, and it knows its own keys.
func (d *Document) warnOfKey() {
	if checkDigit(d.Key[:43]) != d.Key[43] {
		d.Warnings = append(d.Warnings, "o dígito verificador da chave de acesso "+d.Key+" não confere")
	}
}

// longestQR is far beyond the 600 characters that the layouts allow, and within
// what a code on the narrow roll can hold.
const longestQR = 1000

// checkQR refuses a QR code that can't be printed, and its absence where the
// coupon is not valid without.
func (d *Document) checkQR(needed bool, tag string) error {
	switch {
	case d.QRCode == "" && needed:
		return refuse(ErrIncomplete, "documento incompleto: falta o texto do QR Code (%s)", tag)
	case len(d.QRCode) > longestQR:
		return refuse(ErrIncomplete, "o texto do QR Code (%s) tem %d caracteres; o máximo é %d", tag, len(d.QRCode), longestQR)
	}
	return nil
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
