package checkup

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	m := NewMask("segredo-da-loja", "segredo", "ab", "")
	for text, want := range map[string]string{
		"POST /sale 200 1.4ms": "POST /sale 200 1.4ms", "senha segredo-da-loja.": "senha ••••.", "segredos": "••••s", "ab": "ab",
		"cartão 4111 1111 1111 1111":                                                   "cartão 4111 11** **** 1111",
		"CPF 529.982.247-25":                                                           "CPF ***.***.***-25",
		"CPF 52998224725,11144477735":                                                  "CPF *********25,*********35",
		"não é 12345678901 nem 529982247250":                                           "não é 12345678901 nem 529982247250",
		"ligue (11) 98765-4321 ou +5511987654321":                                      "ligue (**) *****-**21 ou +***********21",
		"11987654321 e 11 98765-4321":                                                  "*********21 e ** *****-**21",
		"NSU 000123, R$ 1.234,56, 2026-11-15 10:58:06.123":                             "NSU 000123, R$ 1.234,56, 2026-11-15 10:58:06.123",
		"CNPJ 11.222.333/0001-81 11222333000181":                                       "CNPJ 11.222.333/0001-81 11222333000181",
		"ana.silva@exemplo.com.br":                                                     "••••@exemplo.com.br",
		"https://usuario:abc@banco.com.br/v2":                                          "https://••••@banco.com.br/v2",
		"https://banco.com.br/v2?k=a&b=c#d e http://x/#y":                              "https://banco.com.br/v2?•••• e http://x/?••••",
		"isto? https://banco.com.br/v2":                                                "isto? https://banco.com.br/v2",
		"chave -----BEGIN PRIVATE KEY-----\nMIIabc/+=\n-----END PRIVATE KEY-----\nfim": "chave ••••\nfim",
		"-----BEGIN EC PRIVATE KEY-----; MIIabc; -----END EC PRIVATE KEY-----":         "••••",
		`-----BEGIN PRIVATE KEY-----\nMIIabc`:                                          "••••",
		"$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy":                 "••••",
		"chave 35261111222333000181650010000000011000000019":                           "chave 35261111222333000181650010000000011000000019",
	} {
		if got := m.Text(text); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestEntryKeepsOnlyTheShapeOfABody(t *testing.T) {
	m := NewMask()
	for details, want := range map[string]string{
		"Requisição inválida: nome\n{\"customerName\": \"Ana \\\"Silva\", \"ok\":true, \"n\":[1.5,null],\"x\":\"abc": "Requisição inválida: nome\n{\"customerName\": \"…\", \"ok\":true, \"n\":[1.5,null],\"x\":\"…\"",
		"Requisição inválida\n{customerName: Ana}":                                                                   "Requisição inválida\n{…: …}",
		"Requisição inválida\n{\"Ana Silva\": 1}":                                                                    "Requisição inválida\n{\"…\": 1}",
		"Nenhum XML\n<dest><xNome>Ana</xNome></dest>":                                                                "Nenhum XML\n(corpo omitido)",
		"Transação não encontrada":                                                                                   "Transação não encontrada",
	} {
		if _, got := m.Entry("POST /sale 400 0.1ms", details); got != want {
			t.Errorf("%q\n got %q\nwant %q", details, got, want)
		}
	}
	if _, got := m.Entry("serviço iniciado", "versão=0.1.0\nbuild=7"); got != "versão=0.1.0\nbuild=7" {
		t.Error(got)
	}
}

// A text of a body never gets through, wherever it stands and however the body is broken.
func FuzzShape(f *testing.F) {
	f.Add(`{"customerName":"`, `","x":1}`)
	f.Add(`[`, `]`)
	f.Add(`{"a\`, `":"b"}`)
	f.Fuzz(func(t *testing.T, before, after string) {
		const name = "Zqxjw Kvbz" // of a person
		if got := shape(before + name + after); strings.Contains(got, name) {
			t.Errorf("%q", got)
		}
	})
}
