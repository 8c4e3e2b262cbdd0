package cardnumber

import (
	"strings"
	"testing"
)

func TestMask(t *testing.T) {
	for in, want := range map[string]string{
		"4111111111111111":                            "411111******1111",
		"cartão 4111 1111 1111 1111 aprovado":         "cartão 4111 11** **** 1111 aprovado",
		"4111-1111-1111-1111":                         "4111-11**-****-1111",
		`{"pan":"5555555555554444"}`:                  `{"pan":"555555******4444"}`,
		"2223003122003222":                            "222300******3222",
		"amex 378282246310005":                        "amex 378282*****0005",
		"3782 822463 10005":                           "3782 82**** *0005",
		"diners 30569309025904.":                      "diners 305693****5904.",
		"elo 6362970000457013":                        "elo 636297******7013",
		"hipercard 6062825624254001":                  "hipercard 606282******4001",
		"41111111 11111111":                           "411111** ****1111",
		"item 2 4111 1111 1111 1111":                  "item 2 4111 11** **** 1111",
		"status 200 4111111111111111 1":               "status 200 411111******1111 1",
		"4111  1111  1111  1111":                      "4111  11**  ****  1111",
		"4111 1111 1111 1111 5555 5555 5555 4444":     "4111 11** **** 1111 5555 55** **** 4444",
		"4111111111111111,5555555555554444":           "411111******1111,555555******4444",
		"pan4111111111111111x":                        "pan411111******1111x",
		"validade 4111 1111 1111 1111 2028":           "validade 4111 11** **** 1111 2028",
		strings.Repeat("7 ", 30) + "4111111111111111": strings.Repeat("7 ", 30) + "411111******1111",
	} {
		if got := Mask(in); got != want {
			t.Errorf("Mask(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMaskLeavesTheRest(t *testing.T) {
	for _, s := range []string{
		"",
		"POST /sale/item 200 1.4ms",
		"4111111111111112",   // no Luhn
		"1111111111111117",   // no such issuer
		"7891000315507",      // EAN-13
		"11222333000181",     // CNPJ
		"11.222.333/0001-81", // CNPJ
		"2026-11-04 02:01:22.123456",
		"20261104020122",
		"1764000000000000000", // nanoseconds since 1970
		"35200714200166000187550010000000046550000046",                               // NF-e key
		"3520 0714 2001 6600 0187 5500 1000 0000 0465 5000 0046",                     // the same, as printed
		"4111 1111 1111 1111 4111 1111 1111 1111 4111 1111 1111",                     // a key of cards
		"41111111-1111-1111-a111-111111111111",                                       // 8-4-4 digits that pass Luhn
		"a1b2c3d4-4111-1111-1111-1111abcdefab",                                       // 4-4-4-4 digits that do
		"9f86d081884c7d659a2feaa0c55ad0154111111111111111c15b0f00a08",                // a digest
		"00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400", // BR Code
	} {
		if got := Mask(s); got != s {
			t.Errorf("Mask(%q) = %q", s, got)
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add("cartão 4111 1111 1111 1111")
	f.Fuzz(func(t *testing.T, s string) {
		got := Mask(s)
		if len(got) != len(s) {
			t.Fatalf("Mask(%q) = %q changes the length", s, got)
		}
		for i := range len(s) {
			if got[i] != s[i] && (got[i] != '*' || !isDigit(s[i])) {
				t.Fatalf("Mask(%q) = %q changes more than digits", s, got)
			}
		}
	})
}

func BenchmarkMask(b *testing.B) {
	s := "referência 0192f3a4-7c1e-7b22-9d1f-3a5e8c9b1d20 valor 129.90 em 2026-11-04T02:01:22 chave 35200714200166000187550010000000046550000046"
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		Mask(s)
	}
}
