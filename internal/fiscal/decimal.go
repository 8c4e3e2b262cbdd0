package fiscal

import (
	"math/big"
	"strings"
)

// Decimal is a number of the document, as it stands there: digits, a point where
// there are decimals, a minus in front at most. Empty means not given.
type Decimal string

func isDecimal(s string) bool {
	const longest = 40 // the layouts have 21 digits at most
	whole, decimals, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	return len(s) <= longest && isDigits(whole) && (!point || isDigits(decimals))
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// Positive tells whether the number is given and above zero.
func (d Decimal) Positive() bool {
	return strings.ContainsAny(string(d), "123456789") && !strings.HasPrefix(string(d), "-")
}

// Brazilian writes the number the way people here read it, with at least the
// given decimals and no needless zeros beyond: 1234.5000 with two is 1.234,50.
func (d Decimal) Brazilian(decimals int) string {
	if d == "" {
		d = "0"
	}
	digits, negative := strings.CutPrefix(string(d), "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	fraction = strings.TrimRight(fraction, "0")
	fraction += strings.Repeat("0", max(decimals-len(fraction), 0))
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	var out strings.Builder
	if negative {
		out.WriteByte('-')
	}
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			out.WriteByte('.')
		}
		out.WriteRune(digit)
	}
	if fraction != "" {
		out.WriteString("," + fraction)
	}
	return out.String()
}

// atMost is the number with no more than so many decimals, rounded; one that would
// round to nothing stays whole.
func (d Decimal) atMost(decimals int) Decimal {
	_, fraction, _ := strings.Cut(string(d), ".")
	if len(strings.TrimRight(fraction, "0")) <= decimals {
		return d
	}
	rounded := Decimal(d.exact().FloatString(decimals))
	if !strings.ContainsAny(string(rounded), "123456789") {
		return d
	}
	return rounded
}

// exact is the number to reckon with; zero when not given.
func (d Decimal) exact() *big.Rat {
	r, ok := new(big.Rat).SetString(string(d))
	if !ok {
		return new(big.Rat)
	}
	return r
}

// sum adds amounts of money exactly; those not given count as zero.
func sum(amounts ...Decimal) Decimal {
	total := new(big.Rat)
	for _, a := range amounts {
		total.Add(total, a.exact())
	}
	return Decimal(total.FloatString(2))
}

// difference is an amount less another, exactly.
func difference(a, b Decimal) Decimal {
	return Decimal(new(big.Rat).Sub(a.exact(), b.exact()).FloatString(2))
}
