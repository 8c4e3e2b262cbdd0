package money

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestParseKeepsWhatWasWritten(t *testing.T) {
	for in, want := range map[string]string{
		"7.49": "7.49", "7.50": "7.50", "10": "10", "0": "0", "0.00": "0.00", "1e2": "100", "1.5E1": "15",
		"123456789012.12": "123456789012.12", "0.0000000001": "0.0000000001", "-3.10": "-3.10", "2.50e1": "25.0", "1000e-3": "1.000",
	} {
		got, err := Parse(in)
		if err != nil || got.String() != want {
			t.Errorf("Parse(%q) = %v, %v; want %s", in, got, err, want)
		}
		text, err := json.Marshal(got)
		if err != nil || string(text) != want {
			t.Errorf("json of %q = %s, %v; want %s", in, text, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for in, want := range map[string]error{
		"1000000000000": ErrRange, "-1000000000000": ErrRange, "1e400": ErrRange, "99999999999999999999": ErrRange,
		"0.12345678901234567891": ErrRange, "1e-25": ErrRange, "123456789.12345678901234": ErrRange,
		"": ErrSyntax, "abc": ErrSyntax, "1,5": ErrSyntax, "NaN": ErrSyntax, "Infinity": ErrSyntax,
	} {
		if got, err := Parse(in); !errors.Is(err, want) {
			t.Errorf("Parse(%q) = %v, %v; want %v", in, got, err, want)
		}
	}
}

func TestTimesRoundsHalfCentsUp(t *testing.T) {
	for _, c := range [][3]string{{"3", "7.49", "22.47"}, {"0.333", "10", "3.33"}, {"0.5", "0.01", "0.01"}, {"1.005", "1", "1.01"}, {"2", "3", "6"}} {
		got, err := MustParse(c[0]).Times(MustParse(c[1]))
		if err != nil || got.Cmp(MustParse(c[2])) != 0 {
			t.Errorf("%s × %s = %v, %v; want %s", c[0], c[1], got, err, c[2])
		}
	}
	if _, err := MustParse("999999999999").Times(MustParse("999999999999")); !errors.Is(err, ErrRange) {
		t.Errorf("a product past the limit: %v", err)
	}
}

func TestAgainstRationals(t *testing.T) {
	number := rapid.Custom(func(t *rapid.T) string {
		return fmt.Sprintf("%d.%02d", rapid.Int64Range(0, 999_999_999).Draw(t, "whole"), rapid.IntRange(0, 99).Draw(t, "cents"))
	})
	rat := func(s string) *big.Rat { r, _ := new(big.Rat).SetString(s); return r }
	rapid.Check(t, func(t *rapid.T) {
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		sum := MustParse(a).Add(MustParse(b)).Sub(MustParse(b))
		if rat(sum.String()).Cmp(rat(a)) != 0 {
			t.Fatalf("%s + %s − %s = %s", a, b, b, sum)
		}
		if got, want := MustParse(a).Cmp(MustParse(b)), rat(a).Cmp(rat(b)); got != want {
			t.Fatalf("Cmp(%s, %s) = %d, want %d", a, b, got, want)
		}
	})
}

func TestNothingIsRoundedInSilence(t *testing.T) {
	if sum, err := MustParse("99999999999.99").Plus(MustParse("0.000000001")); !errors.Is(err, ErrRange) {
		t.Errorf("the sum was kept as %v (%v)", sum, err)
	}
	if sum, err := MustParse("99999999999.99").Plus(MustParse("1.000000000")); err != nil || sum.Cmp(MustParse("100000000000.99")) != 0 {
		t.Errorf("a sum that fits without its zeros: %v, %v", sum, err)
	}
	if product, err := MustParse("1.0000000001").Product(MustParse("1.0000000001")); !errors.Is(err, ErrRange) {
		t.Errorf("the product was kept as %v (%v)", product, err)
	}
	// 0.00499999999999999999995 is less than half a cent, however it is held.
	for _, c := range [][2]string{
		{"0.0999999999999", "0.0499999999999"},
		{"0.0099999999999999999", "0.4999999999999999999"},
		{"-1.0000000001", "1.0050000001"},
		{"999999.99999999999", "1.00000000001"},
	} {
		got, err := MustParse(c[0]).Times(MustParse(c[1]))
		want := new(big.Rat).Mul(ratio(c[0]), ratio(c[1]))
		if cents := halfAway(want); err != nil || ratio(got.String()).Cmp(cents) != 0 {
			t.Errorf("%s × %s = %v, %v; want %s", c[0], c[1], got, err, cents.FloatString(2))
		}
	}
}

func ratio(s string) *big.Rat { r, _ := new(big.Rat).SetString(s); return r }

// halfAway is a number in whole cents, halves away from zero.
func halfAway(r *big.Rat) *big.Rat { return ratio(r.FloatString(2)) }
