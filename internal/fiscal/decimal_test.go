package fiscal

import "testing"

func TestBrazilian(t *testing.T) {
	tests := []struct {
		decimal  Decimal
		decimals int
		want     string
	}{
		{"", 2, "0,00"},
		{"0", 2, "0,00"},
		{"1.0000", 0, "1"},
		{"0.4500", 0, "0,45"},
		{"9.9000000000", 2, "9,90"},
		{"0.3333", 2, "0,3333"},
		{"1234.5", 2, "1.234,50"},
		{"-1234567.891", 2, "-1.234.567,891"},
		{"007", 0, "7"},
		{"100", 0, "100"},
	}
	for _, tt := range tests {
		if got := tt.decimal.Brazilian(tt.decimals); got != tt.want {
			t.Errorf("%q with %d: %q, want %q", tt.decimal, tt.decimals, got, tt.want)
		}
	}
}

func TestSum(t *testing.T) {
	if got := sum("0.10", "", "0.20", "99999999999999.70"); got != "100000000000000.00" {
		t.Errorf("got %s", got)
	}
}
