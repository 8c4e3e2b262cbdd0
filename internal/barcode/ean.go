package barcode

import "fmt"

// eanDigits are the widths of each digit in set A (L), which begins with a space. Set B (G) is its mirror, and set C (R)
// the same beginning with a bar.
var eanDigits = [10]string{"3211", "2221", "2122", "1411", "1132", "1231", "1114", "1312", "1213", "3112"}

const (
	eanGuard  = "111"
	eanCentre = "11111"
)

// ean13Sets say by the first digit which of the next six are in set B.
var ean13Sets = [10]string{"000000", "001011", "001101", "001110", "010011", "011001", "011100", "010101", "010110", "011010"}

// EAN13 is the code of 12 digits; the check digit is added.
func EAN13(text string) (Code, error) {
	number, err := withCheck(text, 12)
	if err != nil {
		return Code{}, err
	}
	return Code{Widths: ean13(number), Text: number}, nil
}

// UPCA is the code of 11 digits; the check digit is added.
func UPCA(text string) (Code, error) {
	number, err := withCheck(text, 11)
	if err != nil {
		return Code{}, err
	}
	return Code{Widths: ean13("0" + number), Text: number}, nil
}

func ean13(number string) []byte {
	patterns := []string{eanGuard}
	for i, set := range ean13Sets[number[0]-'0'] {
		patterns = append(patterns, eanDigit(number[1+i], set == '1'))
	}
	patterns = append(patterns, eanCentre)
	for i := range 6 {
		patterns = append(patterns, eanDigit(number[7+i], false))
	}
	return widths(append(patterns, eanGuard)...)
}

func eanDigit(digit byte, mirrored bool) string {
	if mirrored {
		return reversed(eanDigits[digit-'0'])
	}
	return eanDigits[digit-'0']
}

// EAN8 is the code of 7 digits; the check digit is added.
func EAN8(text string) (Code, error) {
	number, err := withCheck(text, 7)
	if err != nil {
		return Code{}, err
	}
	patterns := []string{eanGuard}
	for i := range 8 {
		if i == 4 {
			patterns = append(patterns, eanCentre)
		}
		patterns = append(patterns, eanDigit(number[i], false))
	}
	return Code{Widths: widths(append(patterns, eanGuard)...), Text: number}, nil
}

// withCheck adds the check digit to so many digits.
func withCheck(text string, n int) (string, error) {
	if err := onlyDigits(text); err != nil {
		return "", err
	}
	if len(text) != n {
		return "", fmt.Errorf("%w: %d digits, not %d", ErrContent, len(text), n)
	}
	return text + string(checkDigit(text)), nil
}

// checkDigit weighs digits with three and one in turn, from the right.
func checkDigit(text string) byte {
	sum := 0
	for i := range len(text) {
		digit := int(text[len(text)-1-i] - '0')
		if i%2 == 0 {
			digit *= 3
		}
		sum += digit
	}
	return byte('0' + (10-sum%10)%10)
}

// upceSets say by the check digit which digits are in set B, for number system 0; 1 has the others.
var upceSets = [10]string{"111000", "110100", "110010", "110001", "101100", "100110", "100011", "101010", "101001", "100101"}

// UPCE is the short code of a UPC-A with many zeros, given as six digits or as the eleven of the long one.
func UPCE(text string) (Code, error) {
	if err := onlyDigits(text); err != nil {
		return Code{}, err
	}
	switch len(text) {
	case 6:
		text = "0" + text
	case 11:
		short, err := shortened(text)
		if err != nil {
			return Code{}, err
		}
		text = short
	default:
		return Code{}, fmt.Errorf("%w: %d digits, not 6 or 11", ErrContent, len(text))
	}
	check := checkDigit(lengthened(text))
	patterns := []string{eanGuard}
	for i, set := range upceSets[check-'0'] {
		patterns = append(patterns, eanDigit(text[1+i], (set == '1') == (text[0] == '0')))
	}
	return Code{Widths: widths(append(patterns, "111111")...), Text: text + string(check)}, nil
}

// lengthened is the number of a UPC-A without its check digit, of the seven digits of a UPC-E without its own.
func lengthened(short string) string {
	system, d, last := short[:1], short[1:6], short[6]
	switch last {
	case '0', '1', '2':
		return system + d[:2] + string(last) + "0000" + d[2:]
	case '3':
		return system + d[:3] + "00000" + d[3:]
	case '4':
		return system + d[:4] + "00000" + d[4:]
	}
	return system + d + "0000" + string(last)
}

// shortened finds the seven digits whose long form is a number.
func shortened(long string) (string, error) {
	system, maker, product := long[:1], long[1:6], long[6:]
	if system == "0" || system == "1" {
		for _, short := range []string{
			system + maker[:2] + product[2:] + maker[2:3],
			system + maker[:3] + product[3:] + "3",
			system + maker[:4] + product[4:] + "4",
			system + maker + product[4:],
		} {
			if lengthened(short) == long {
				return short, nil
			}
		}
	}
	return "", fmt.Errorf("%w: %s has no short form", ErrContent, long)
}
