package brazil

import (
	"strings"
	"testing"
)

// Whatever a person types, a document that is accepted has its shape, and reads the same as it is written for people.
func FuzzDocuments(f *testing.F) {
	for _, seed := range []string{
		"529.982.247-25", "52998224725", "11.222.333/0001-81", "12.abc.345/01de-35", "01310-100", "(11) 98765-4321", "+55 (11) 3333-4444", "00000000000", "", "\u0131", "５２９", "1\u00a01",
	} {
		f.Add(seed)
	}
	kinds := []struct {
		name    string
		parse   func(string) (string, bool)
		format  func(string) string
		lengths []int
	}{
		{"CPF", ParseCPF, FormatCPF, []int{11}},
		{"CNPJ", ParseCNPJ, FormatCNPJ, []int{14}},
		{"CEP", ParseCEP, FormatCEP, []int{8}},
		{"phone", ParsePhone, strings.Clone, []int{10, 11}},
	}
	f.Fuzz(func(t *testing.T, typed string) {
		for _, k := range kinds {
			bare, ok := k.parse(typed)
			if !ok {
				if bare != "" {
					t.Errorf("%s %q: refused, and yet %q", k.name, typed, bare)
				}
				continue
			}
			fits := false
			for _, n := range k.lengths {
				fits = fits || len(bare) == n
			}
			if !fits || strings.Trim(bare, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
				t.Errorf("%s %q is %q", k.name, typed, bare)
			}
			for _, form := range []string{bare, k.format(bare)} {
				if again, ok := k.parse(form); !ok || again != bare {
					t.Errorf("%s %q, written as %q, is %q", k.name, bare, form, again)
				}
			}
			k.format(typed)
		}
	})
}

// Whatever a shop and its bank call things, a code is either refused or one that banks read.
func FuzzBRCode(f *testing.F) {
	f.Add("Padaria São João", "São Paulo", "12.34", "pix.example.com/qr/v2/9d36b84f")
	f.Add("N", "C", "", "https://x")
	f.Add("\xff寿", "\x00C", "0000000000.00", strings.Repeat("u", 77))
	f.Fuzz(func(t *testing.T, name, city, amount, location string) {
		code, err := DynamicPIX{Merchant: Merchant{Name: name, City: city}, Location: location, Amount: amount}.BRCode()
		if err != nil {
			return
		}
		if strings.ContainsFunc(code, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%q has more than printable ASCII", code)
		}
		fields := readTLV(t, code)
		if fields["59"] == "" || fields["60"] == "" || fields["26"] == "" {
			t.Errorf("%q lacks who is paid", code)
		}
	})
}
