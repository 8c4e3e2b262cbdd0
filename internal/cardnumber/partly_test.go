package cardnumber

import "testing"

func TestMaskPartly(t *testing.T) {
	for text, want := range map[string]string{
		"CARTAO 4539578763**1486":                "CARTAO 453957******1486",
		"CARTAO 4539 5787 63** 1486 CREDITO":     "CARTAO 4539 57** **** 1486 CREDITO",
		"********63621486":                       "************1486",
		"item 2 4111 11** **** 1111 9":           "item 2 4111 11** **** 1111 9",
		"453957XXXXXX1486":                       "453957XXXXXX1486",
		"4539578763XX1486":                       "453957****XX1486",
		"3782 8224•• 10005":                      "3782 82**•• *0005",
		"XXXXXXXXXXXX1486":                       "XXXXXXXXXXXX1486",
		"****************************** 4539578": "****************************** 4539578",
		"0X123456789012345":                      "0X123456789012345",
		"R$ 10,00 # 12345678901234":              "R$ 10,00 # 12345678901234",
		"nothing":                                "nothing",
	} {
		if got := Mask(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
