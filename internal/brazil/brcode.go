package brazil

import (
	"errors"
	"fmt"
	"strings"
)

// Merchant is who a BR Code pays, as the payer's bank shows it. Both names are
// written without accents and cut to what the code holds.
type Merchant struct {
	Name string
	City string
}

// DynamicPIX is a charge registered at the merchant's bank, paid once.
type DynamicPIX struct {
	Merchant
	Location string // where the payer's bank reads the charge; a scheme is dropped
	Amount   string // optional, like 12.34; the charge's own rules
}

// Limits of the EMV code and of the Central Bank's profile of it.
const (
	maxField    = 99 // what a two-digit length can say
	maxName     = 25
	maxCity     = 15
	noTxID      = "***" // the txid is the charge's, read from its location
	pixDomain   = "br.gov.bcb.pix"
	onceOnly    = "12" // point of initiation: this code is paid once
	anyCategory = "0000"
	brl         = "986" // ISO 4217
)

// BRCode returns the text of the QR code, which is also what a payer can copy
// and paste.
func (p DynamicPIX) BRCode() (string, error) {
	location := p.Location
	if _, after, found := strings.Cut(location, "://"); found {
		location = after
	}
	if err := checkLocation(location); err != nil {
		return "", err
	}
	account := field("00", pixDomain) + field("25", location)
	name, city := cut(fold(p.Name), maxName), cut(fold(p.City), maxCity)
	switch {
	case len(account) > maxField:
		return "", fmt.Errorf("PIX account data of %d characters: at most %d", len(account), maxField)
	case name == "":
		return "", errors.New("PIX merchant has no name")
	case city == "":
		return "", errors.New("PIX merchant has no city")
	case p.Amount != "" && !isAmount(p.Amount):
		return "", fmt.Errorf("PIX amount %q is not like 12.34", p.Amount)
	}

	var code strings.Builder
	code.WriteString(field("00", "01"))
	code.WriteString(field("01", onceOnly))
	code.WriteString(field("26", account))
	code.WriteString(field("52", anyCategory))
	code.WriteString(field("53", brl))
	if p.Amount != "" {
		code.WriteString(field("54", p.Amount))
	}
	code.WriteString(field("58", "BR"))
	code.WriteString(field("59", name))
	code.WriteString(field("60", city))
	code.WriteString(field("62", field("05", noTxID)))
	code.WriteString("6304") // the checksum covers its own id and length
	return fmt.Sprintf("%s%04X", code.String(), crc16(code.String())), nil
}

func field(id, value string) string {
	return fmt.Sprintf("%s%02d%s", id, len(value), value)
}

// crc16 is CRC-16/CCITT-FALSE.
func crc16(s string) uint16 {
	crc := uint16(0xFFFF)
	for i := range len(s) {
		crc ^= uint16(s[i]) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return crc
}

func checkLocation(s string) error {
	if s == "" {
		return errors.New("PIX location is empty")
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return errors.New("PIX location has a character that cannot be encoded")
		}
	}
	return nil
}

// isAmount reports whether s is one to ten digits, a dot and two digits.
func isAmount(s string) bool {
	whole, cents, found := strings.Cut(s, ".")
	return found && len(whole) >= 1 && len(whole) <= 10 && len(cents) == 2 &&
		allDigits(whole) && allDigits(cents)
}

// ReadDynamicPIX checks a code that somebody else has made, and tells where its charge lies and the amount it names; empty:
// only the charge has one.
func ReadDynamicPIX(code string) (location, amount string, err error) {
	const checksum = "6304"
	end := len(code) - 4
	if end < len(checksum) || code[end-len(checksum):end] != checksum {
		return "", "", errors.New("PIX code without a checksum at its end")
	}
	if sum := fmt.Sprintf("%04X", crc16(code[:end])); !strings.EqualFold(sum, code[end:]) {
		return "", "", fmt.Errorf("PIX code with the checksum %s: %s is right", code[end:], sum)
	}
	fields, err := fieldsIn(code)
	if err != nil {
		return "", "", err
	}
	for id, value := range fields {
		if id < "26" || id > "51" {
			continue
		}
		account, err := fieldsIn(value)
		if err == nil && strings.EqualFold(account["00"], pixDomain) {
			location = account["25"]
		}
	}
	if location == "" {
		return "", "", errors.New("PIX code without the location of a charge")
	}
	return location, fields["54"], nil
}

// fieldsIn takes a text of fields apart: two digits of id, two of length, the value.
func fieldsIn(s string) (map[string]string, error) {
	fields := map[string]string{}
	for len(s) > 0 {
		if len(s) < 4 || !allDigits(s[:4]) {
			return nil, errors.New("PIX code that is no list of fields")
		}
		id, length := s[:2], int(s[2]-'0')*10+int(s[3]-'0')
		if s = s[4:]; len(s) < length {
			return nil, errors.New("PIX code that is cut off")
		}
		fields[id], s = s[:length], s[length:]
	}
	return fields, nil
}
