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

// StaticPIX is a payment that needs nobody's permission: the payer's bank finds
// the account by its key. It can be paid any number of times.
type StaticPIX struct {
	Merchant
	Key    string // as registered: e-mail, +55 phone, CPF, CNPJ or random key
	Text   string // optional, shown to the payer; cut to what fits
	Amount string // optional, like 12.34; without it the payer chooses
	TxID   string // optional, at most 25 letters and digits
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
	maxTxID     = 25
	noTxID      = "***"
	pixDomain   = "br.gov.bcb.pix"
	onceOnly    = "12" // point of initiation: this code is paid once
	anyCategory = "0000"
	brl         = "986" // ISO 4217
)

// BRCode returns the text of the QR code, which is also what a payer can copy
// and paste.
func (p StaticPIX) BRCode() (string, error) {
	if err := checkPrintable("key", p.Key); err != nil {
		return "", err
	}
	txid := p.TxID
	if txid == "" {
		txid = noTxID
	} else if err := checkTxID(txid); err != nil {
		return "", err
	}
	account := field("00", pixDomain) + field("01", p.Key)
	// A long key leaves little room; the text is a courtesy, so it yields.
	room := maxField - len(account) - len(field("02", ""))
	if text := cut(fold(p.Text), room); text != "" {
		account += field("02", text)
	}
	return assemble("", account, p.Amount, p.Merchant, txid)
}

// BRCode returns the text of the QR code, which is also what a payer can copy
// and paste.
func (p DynamicPIX) BRCode() (string, error) {
	location := p.Location
	if _, after, found := strings.Cut(location, "://"); found {
		location = after
	}
	if err := checkPrintable("location", location); err != nil {
		return "", err
	}
	account := field("00", pixDomain) + field("25", location)
	// The txid is the charge's, read from its location.
	return assemble(onceOnly, account, p.Amount, p.Merchant, noTxID)
}

func assemble(initiation, account, amount string, to Merchant, txid string) (string, error) {
	name, city := cut(fold(to.Name), maxName), cut(fold(to.City), maxCity)
	switch {
	case len(account) > maxField:
		return "", fmt.Errorf("PIX account data of %d characters: at most %d", len(account), maxField)
	case name == "":
		return "", errors.New("PIX merchant has no name")
	case city == "":
		return "", errors.New("PIX merchant has no city")
	case amount != "" && !isAmount(amount):
		return "", fmt.Errorf("PIX amount %q is not like 12.34", amount)
	}

	var code strings.Builder
	code.WriteString(field("00", "01"))
	if initiation != "" {
		code.WriteString(field("01", initiation))
	}
	code.WriteString(field("26", account))
	code.WriteString(field("52", anyCategory))
	code.WriteString(field("53", brl))
	if amount != "" {
		code.WriteString(field("54", amount))
	}
	code.WriteString(field("58", "BR"))
	code.WriteString(field("59", name))
	code.WriteString(field("60", city))
	code.WriteString(field("62", field("05", txid)))
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

func checkPrintable(what, s string) error {
	if s == "" {
		return fmt.Errorf("PIX %s is empty", what)
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return fmt.Errorf("PIX %s has a character that cannot be encoded", what)
		}
	}
	return nil
}

func checkTxID(txid string) error {
	if len(txid) > maxTxID {
		return fmt.Errorf("PIX txid of %d characters: at most %d", len(txid), maxTxID)
	}
	for i := range len(txid) {
		if !isAlphanumeric(txid[i]) {
			return errors.New("PIX txid has more than letters and digits")
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
