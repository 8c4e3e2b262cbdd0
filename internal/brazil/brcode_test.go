package brazil

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var shop = Merchant{Name: "Fulano de Tal", City: "BRASILIA"}

const randomKey = "123e4567-e12b-12d1-a456-426655440000"

func TestCRC16(t *testing.T) {
	if got := crc16("123456789"); got != 0x29B1 {
		t.Errorf("got %04X, want 29B1", got)
	}
}

func TestStaticBRCode(t *testing.T) {
	for _, row := range []struct {
		name string
		pix  StaticPIX
		want string // up to the checksum
	}{
		{
			"the Central Bank's example",
			StaticPIX{Merchant: shop, Key: randomKey},
			"00020126580014br.gov.bcb.pix0136" + randomKey +
				"5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D",
		},
		{
			"everything",
			StaticPIX{
				Merchant: Merchant{Name: "Padaria São João & Irmãos Comércio", City: "São José dos Campos"},
				Key:      "pix@padaria.com.br", Text: "Pão  de\nqueijo", Amount: "12.34", TxID: "Venda001",
			},
			"000201" + "2657" + "0014br.gov.bcb.pix" + "0118pix@padaria.com.br" + "0213Pao de queijo" +
				"52040000" + "5303986" + "540512.34" + "5802BR" +
				"5925Padaria Sao Joao & Irmaos" + "6015Sao Jose dos Ca" + "62120508Venda001" + "6304",
		},
		{
			"text that no longer fits",
			StaticPIX{Merchant: shop, Key: strings.Repeat("k", 70), Text: "obrigado"},
			"000201" + "2699" + "0014br.gov.bcb.pix" + "0170" + strings.Repeat("k", 70) + "0203obr" +
				"5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304",
		},
		{
			"no room for text at all",
			StaticPIX{Merchant: shop, Key: strings.Repeat("k", 77), Text: "obrigado"},
			"000201" + "2699" + "0014br.gov.bcb.pix" + "0177" + strings.Repeat("k", 77) +
				"5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304",
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := row.pix.BRCode()
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(got, row.want) {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
			readTLV(t, got)
		})
	}
}

func TestDynamicBRCode(t *testing.T) {
	for _, location := range []string{
		"pix.example.com/qr/v2/9d36b84f", "https://pix.example.com/qr/v2/9d36b84f",
	} {
		got, err := DynamicPIX{Merchant: shop, Location: location, Amount: "0.01"}.BRCode()
		if err != nil {
			t.Fatal(err)
		}
		want := "000201" + "010212" + "2652" + "0014br.gov.bcb.pix" + "2530pix.example.com/qr/v2/9d36b84f" +
			"52040000" + "5303986" + "54040.01" + "5802BR" + "5913Fulano de Tal" + "6008BRASILIA" + "62070503***" + "6304"
		if !strings.HasPrefix(got, want) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		readTLV(t, got)
	}
}

func TestBRCodeRefuses(t *testing.T) {
	good := StaticPIX{Merchant: shop, Key: randomKey}
	for name, change := range map[string]func(*StaticPIX){
		"no key":               func(p *StaticPIX) { p.Key = "" },
		"a key with spaces":    func(p *StaticPIX) { p.Key = "a b" },
		"an accented key":      func(p *StaticPIX) { p.Key = "josé@exemplo.com" },
		"a key too long":       func(p *StaticPIX) { p.Key = strings.Repeat("k", 78) },
		"no name":              func(p *StaticPIX) { p.Name = " " },
		"a name without ASCII": func(p *StaticPIX) { p.Name = "寿司" },
		"no city":              func(p *StaticPIX) { p.City = "" },
		"a comma":              func(p *StaticPIX) { p.Amount = "12,34" },
		"one decimal":          func(p *StaticPIX) { p.Amount = "12.3" },
		"no whole part":        func(p *StaticPIX) { p.Amount = ".34" },
		"a negative amount":    func(p *StaticPIX) { p.Amount = "-1.00" },
		"an amount too large":  func(p *StaticPIX) { p.Amount = "12345678901.00" },
		"a txid too long":      func(p *StaticPIX) { p.TxID = strings.Repeat("x", 26) },
		"a txid with a dash":   func(p *StaticPIX) { p.TxID = "venda-1" },
	} {
		pix := good
		change(&pix)
		if code, err := pix.BRCode(); err == nil {
			t.Errorf("%s: accepted as %s", name, code)
		}
	}
	for _, location := range []string{"", "https://", strings.Repeat("u", 78)} {
		if code, err := (DynamicPIX{Merchant: shop, Location: location}).BRCode(); err == nil {
			t.Errorf("location %q: accepted as %s", location, code)
		}
	}
}

func TestFold(t *testing.T) {
	for typed, want := range map[string]string{
		"AÇAÍ do Zé – Pão & Cia": "ACAI do Ze - Pao & Cia",
		"Sa\u0303o Paulo":        "Sao Paulo",
		"  a \t b\u00a0c  ":      "a b c",
		"N.º 1 “Ítalo’s”":        `N.o 1 "Italo's"`,
		"☕ café":                 "cafe",
		"\x00\x1b[0m":            "[0m",
	} {
		if got := fold(typed); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}

// Whatever a shop is called, the code can be read back and its limits hold.
func TestBRCodeReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pix := StaticPIX{
			Merchant: Merchant{
				Name: "N" + rapid.String().Draw(t, "name"),
				City: "C" + rapid.String().Draw(t, "city"),
			},
			Key:    rapid.StringMatching(`[!-~]{1,77}`).Draw(t, "key"),
			Text:   rapid.String().Draw(t, "text"),
			Amount: rapid.StringMatching(`|[0-9]{1,10}\.[0-9]{2}`).Draw(t, "amount"),
			TxID:   rapid.StringMatching(`[a-zA-Z0-9]{0,25}`).Draw(t, "txid"),
		}
		code, err := pix.BRCode()
		if err != nil {
			t.Fatal(err)
		}
		fields := readTLV(t, code)
		account := readFields(t, fields["26"])
		if account["01"] != pix.Key || fields["54"] != pix.Amount {
			t.Fatalf("read back %v and %v", fields, account)
		}
		if len(fields["59"]) > 25 || len(fields["60"]) > 15 {
			t.Fatalf("name or city too long: %v", fields)
		}
	})
}

// readTLV reads a BR Code the way a bank does, checksum first.
func readTLV(t rapid.TB, code string) map[string]string {
	t.Helper()
	signed, sum := code[:len(code)-4], code[len(code)-4:]
	if want := fmt.Sprintf("%04X", crc16(signed)); sum != want {
		t.Fatalf("checksum %s, want %s", sum, want)
	}
	return readFields(t, code)
}

func readFields(t rapid.TB, code string) map[string]string {
	t.Helper()
	fields := map[string]string{}
	for code != "" {
		length, err := strconv.Atoi(code[2:4])
		if err != nil || len(code) < 4+length {
			t.Fatalf("cannot read %q", code)
		}
		fields[code[:2]] = code[4 : 4+length]
		code = code[4+length:]
	}
	return fields
}
