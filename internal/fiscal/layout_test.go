package fiscal

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

func sample(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func mustParse(t *testing.T, xml string) *Document {
	t.Helper()
	d, err := Parse([]byte(xml))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestLayout(t *testing.T) {
	documents := map[string]string{
		"nfce":              sample(t, "nfce.xml"),
		"nfce-homologation": sample(t, "nfce-homologation.xml"),
		"nfe":               sample(t, "nfe.xml"),
		"nfe-type2":         strings.Replace(sample(t, "nfe.xml"), "<tpImp>1</tpImp>", "<tpImp>6</tpImp>", 1),
		"cte":               sample(t, "cte.xml"),
		"cteos":             sample(t, "cteos.xml"),
		"ctesimp":           sample(t, "ctesimp.xml"),
	}
	for name, xml := range documents {
		t.Run(name, func(t *testing.T) {
			d := mustParse(t, xml)
			if len(d.Warnings) > 0 {
				t.Errorf("warnings: %q", d.Warnings)
			}
			page := Layout(d)
			golden := filepath.Join("testdata", name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(page.Plain()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(sample(t, name+".txt"), page.Plain()); diff != "" {
				t.Errorf("layout (-want +got):\n%s", diff)
			}
			for _, width := range []int{384, 576} {
				if _, err := page.Raster(width); err != nil {
					t.Errorf("at %d dots: %v", width, err)
				}
			}
		})
	}
}

func TestACouponOf500ItemsPrints(t *testing.T) {
	d := mustParse(t, sample(t, "nfce.xml"))
	for len(d.Items) < 500 {
		d.Items = append(d.Items, d.Items[:3]...)
	}
	if _, err := Layout(d).Raster(384); err != nil {
		t.Error(err)
	}
}

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
