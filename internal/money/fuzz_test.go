package money_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/money"
)

// What is read is exactly what was written, and can be written and read again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"0", "7.50", "-0.00", "1e3", "1E-19", "999999999999.9999999", "1000000000000", "1e-20", "0e999999999999", "+1", ".5", "1.", "1_000", "0x1", "inf", "", "1e+02", "٣", "9e18446744073709551617"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := money.Parse(text)
		if err != nil {
			return
		}
		if !zero(text) {
			want, ok := new(big.Rat).SetString(text)
			got, also := new(big.Rat).SetString(d.String())
			if !ok || !also || want.Cmp(got) != 0 {
				t.Fatalf("%q was read as %v", text, d)
			}
		}
		if again, err := money.Parse(d.String()); err != nil || again.Cmp(d) != 0 || again.String() != d.String() {
			t.Errorf("%v is %v when read again (%v)", d, again, err)
		}
		if written, err := json.Marshal(d); err != nil || string(written) != d.String() {
			t.Errorf("%v is written as %s (%v)", d, written, err)
		}
		if d.Sub(d).Sign() != 0 || d.Add(money.Cent).Cmp(d) <= 0 {
			t.Errorf("%v does not add up", d)
		}
	})
}

// zero tells numbers like 0e999999999, which the library of the test would write out in full.
func zero(text string) bool {
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	return strings.Trim(mantissa, "+-.0") == ""
}
