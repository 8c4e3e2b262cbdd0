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
		return "", fmt.Errorf("PIX account data of %d characters: at most %d fit", len(account), maxField)
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
