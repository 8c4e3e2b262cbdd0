package cardnames_test

import (
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/cardnames"
)

func TestBrands(t *testing.T) {
	for name, code := range map[string]string{
		"": "", "VISA": "01", "Visa Electron": "01", "MASTERCARD": "02", "Maestro": "02", "AMEX": "03", "American Express": "03",
		"SOROCRED": "04", "DINERS CLUB": "05", "ELO CREDITO": "06", "HIPERCARD": "07", "AURA": "08", "CABAL": "09", "BANESCARD": "11",
		"PAYWAVE/VISA": "01", "VISA CRÉDITO": "01", "ELECTRON": "01", "HIPER": "17", "RedeShop": "02", "Alelo Voucher": "10", "CIELO": "99", "MELODIA": "99",
		"0006": "", "CREDITO": "",
	} {
		if got := cardnames.Brand(name); got != code {
			t.Errorf("%q: %s, want %s", name, got, code)
		}
	}
}

func TestNoCardNumberGetsThrough(t *testing.T) {
	for text, want := range map[string]string{
		"CARTAO 4111111111111111":            "CARTAO 411111******1111",
		"4111111111111111=301210100000123":   "411111******1111",
		"4***********0008":                   "4***********0008",
		"2 4111 1111 1111 1111 9":            "2 4111 1*** **** *111 9", // with its neighbours it checks too
		"4111  1111  1111  1111":             "4111  11**  ****  1111",
		"4111_1111_1111_1111":                "4111_11**_****_1111",
		"378282246310005":                    "378282*****0005",
		"CNPJ 11.222.333/0001-81":            "CNPJ 11.222.333/0001-81",
		"E00000000202503311203abcdefghijk":   "E00000000202503311203abcdefghijk",
		"NSU 721554 AUT 543733 31/03/25 12h": "NSU 721554 AUT 543733 31/03/25 12h",
	} {
		if got := cardnames.Mask(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAcquirersByName(t *testing.T) {
	for name, cnpj := range map[string]string{"STONE": "16501555000157", "Rede S.A.": "01425787000104", "Mercado Pago": "10573521000191", "CIELOS": "", "": ""} {
		if got := cardnames.CNPJ(name); got != cnpj {
			t.Errorf("%q: %s, want %s", name, got, cnpj)
		}
	}
	if got := cardnames.CNPJByIndex("44"); got != "01027058000191" {
		t.Error(got)
	}
}

// TestWhoCalledItOff: a card that was cancelled is the issuer's no.
func TestWhoCalledItOff(t *testing.T) {
	for text, want := range map[string]bool{
		"OPERAÇÃO CANCELADA": true, "Cancelado pelo operador": true, "CARTAO CANCELADO": false, "Saldo insuficiente": false, "": false,
	} {
		if got := cardnames.CalledOff(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
