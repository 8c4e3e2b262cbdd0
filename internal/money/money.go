// Package money holds exact decimals for prices, quantities and totals.
//
// What comes in as 7.50 goes out as 7.50: the scale is kept, nothing is ever a float, and a number that
// could only be held rounded is refused.
package money

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/govalues/decimal"
)

// ErrRange means a number is too large or too fine to be held exactly.
var ErrRange = errors.New("number out of range")

// ErrSyntax means a text is no number.
var ErrSyntax = errors.New("not a number")

// limit bounds every value, so that a sum of ten million of them still fits in the 19 digits of a Decimal.
var limit = decimal.MustParse("1000000000000")

// Decimal is an exact decimal number. The zero value is 0.
type Decimal struct{ d decimal.Decimal }

// Zero and Cent are the values that rules compare with.
var (
	Zero = Decimal{}
	Cent = MustParse("0.01")
)

// Parse reads a number as JSON writes it, an exponent included.
func Parse(s string) (Decimal, error) {
	d, err := decimal.Parse(s)
	if err != nil {
		if looksNumeric(s) {
			return Decimal{}, fmt.Errorf("%w: %s", ErrRange, abbreviate(s))
		}
		return Decimal{}, fmt.Errorf("%w: %s", ErrSyntax, abbreviate(s))
	}
	if d.Abs().Cmp(limit) >= 0 || significantScale(s) > d.Scale() {
		return Decimal{}, fmt.Errorf("%w: %s", ErrRange, abbreviate(s))
	}
	return Decimal{d}, nil
}

// MustParse is Parse for constants; it panics on what is no number.
func MustParse(s string) Decimal {
	d, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

// significantScale is how many decimal places the text needs to be held exactly.
func significantScale(s string) int {
	mantissa, exponent := s, 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa = s[:i]
		exponent, _ = strconv.Atoi(s[i+1:]) // decimal.Parse has accepted it
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		return len(fraction) - exponent
	}
	if strings.Trim(whole, "+-0") == "" {
		return 0
	}
	trailing := len(whole) - len(strings.TrimRight(whole, "0"))
	return -exponent - trailing
}

func looksNumeric(s string) bool { return s != "" && strings.Trim(s, "+-.0123456789eE") == "" }

func abbreviate(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

func (a Decimal) String() string { return a.d.String() }

// Append appends what String returns.
func (a Decimal) Append(text []byte) []byte {
	text, _ = a.d.AppendText(text) // it never fails
	return text
}

// MarshalJSON writes a JSON number, never a string.
func (a Decimal) MarshalJSON() ([]byte, error) { return a.d.AppendText(nil) }

// Add returns a+b. It panics past 19 digits, which no sum of parsed values reaches.
func (a Decimal) Add(b Decimal) Decimal { return must(a.d.Add(b.d)) }

// Sub returns a−b, with the same bound as Add.
func (a Decimal) Sub(b Decimal) Decimal { return must(a.d.Sub(b.d)) }

func must(d decimal.Decimal, err error) Decimal {
	if err != nil {
		panic(err)
	}
	return Decimal{d}
}

// Product returns a×b, exact to 19 digits, or ErrRange when it does not fit.
func (a Decimal) Product(b Decimal) (Decimal, error) {
	product, err := a.d.Mul(b.d)
	if err != nil || product.Abs().Cmp(limit) >= 0 {
		return Decimal{}, ErrRange
	}
	return Decimal{product}, nil
}

// Times returns a×b in whole cents, halves away from zero as shops round, or ErrRange when it does not fit.
func (a Decimal) Times(b Decimal) (Decimal, error) {
	exact, err := a.Product(b)
	if err != nil {
		return Decimal{}, err
	}
	product := exact.d
	cents := product.Trunc(2)
	rest, err := product.Sub(cents)
	if err != nil {
		return Decimal{}, ErrRange
	}
	if rest.Abs().Cmp(halfCent) >= 0 {
		if cents, err = cents.Add(oneCent.CopySign(product)); err != nil {
			return Decimal{}, ErrRange
		}
	}
	return Decimal{cents}, nil
}

var (
	halfCent = decimal.MustParse("0.005")
	oneCent  = decimal.MustParse("0.01")
)

// Cmp orders two values; 7.5 and 7.50 are equal.
func (a Decimal) Cmp(b Decimal) int { return a.d.Cmp(b.d) }

// Abs drops the sign.
func (a Decimal) Abs() Decimal { return Decimal{a.d.Abs()} }

// Sign is -1, 0 or 1.
func (a Decimal) Sign() int { return a.d.Sign() }

// Places is how many decimal places the value needs, trailing zeros not counted.
func (a Decimal) Places() int { return a.d.MinScale() }

// Cents writes the value with two decimal places, more only where it has them, as receipts and acquirers want it.
func (a Decimal) Cents() string { return a.d.Trim(2).Pad(2).String() }

// Reais is Cents with a comma, as people here read it.
func (a Decimal) Reais() string { return strings.Replace(a.Cents(), ".", ",", 1) }
