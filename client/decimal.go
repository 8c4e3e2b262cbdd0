package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Decimal is an exact amount or quantity, written as in JSON: "54.24", "0.412". It is text, so that a constant can be written as
// it is and no library is imposed: give it the String of whatever decimal type the caller has, or use Cents. It travels as a
// JSON number and comes back digit for digit. Never make one from a float.
//
// The empty Decimal is a field left out.
type Decimal string

var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$`)

// Cents is an amount counted in cents: Cents(5424) is "54.24".
func Cents(n int64) Decimal {
	sign, digits := "", strconv.FormatInt(n, 10)
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	if len(digits) < 3 {
		digits = strings.Repeat("0", 3-len(digits)) + digits
	}
	return Decimal(sign + digits[:len(digits)-2] + "." + digits[len(digits)-2:])
}

// Cents counts the amount in cents; it fails where it would have to round.
func (d Decimal) Cents() (int64, error) {
	r, ok := d.rat()
	if !ok {
		return 0, d.fault()
	}
	r.Mul(r, big.NewRat(100, 1))
	if !r.IsInt() || !r.Num().IsInt64() {
		return 0, fmt.Errorf("%q não é um número inteiro de centavos", string(d))
	}
	return r.Num().Int64(), nil
}

// Equal compares values: "7.1" and "7.10" are equal.
func (d Decimal) Equal(other Decimal) bool {
	if d == other {
		return true
	}
	a, okA := d.rat()
	b, okB := other.rat()
	return okA && okB && a.Cmp(b) == 0
}

func (d Decimal) rat() (*big.Rat, bool) {
	if !number.MatchString(string(d)) {
		return nil, false
	}
	return new(big.Rat).SetString(string(d))
}

func (d Decimal) fault() error {
	return fmt.Errorf("%q não é um número decimal (escreva com ponto, como 54.24)", string(d))
}

// MarshalJSON writes a JSON number.
func (d Decimal) MarshalJSON() ([]byte, error) {
	if !number.MatchString(string(d)) {
		return nil, d.fault()
	}
	return []byte(d), nil
}

// UnmarshalJSON keeps a JSON number as it is written; null is the empty Decimal.
func (d *Decimal) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*d = ""
		return nil
	}
	if !number.Match(text) {
		return errors.New("número decimal esperado")
	}
	*d = Decimal(text)
	return nil
}

// Field is a field of a change: left out it stays as it is, Set replaces it, Clear empties an optional one.
type Field[T any] struct {
	value   T
	present bool
	null    bool
}

// Set replaces the field.
func Set[T any](value T) Field[T] { return Field[T]{value: value, present: true} }

// Clear empties the field.
func Clear[T any]() Field[T] { return Field[T]{present: true, null: true} }

// IsZero tells encoding/json to leave the field out.
func (f Field[T]) IsZero() bool { return !f.present }

// MarshalJSON writes the value, or null for Clear.
func (f Field[T]) MarshalJSON() ([]byte, error) {
	if f.null {
		return []byte("null"), nil
	}
	return json.Marshal(f.value)
}
