package brazil

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var shop = Merchant{Name: "Fulano de Tal", City: "BRASILIA"}

func TestCRC16(t *testing.T) {
	if got := crc16("123456789"); got != 0x29B1 {
		t.Errorf("got %04X, want 29B1", got)
	}
}

func TestBRCode(t *testing.T) {
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

func TestBRCodeOfLongNames(t *testing.T) {
	got, err := DynamicPIX{Merchant: Merchant{Name: "Padaria São João & Irmãos Comércio", City: "São José dos Campos"}, Location: "x"}.BRCode()
	if fields := readTLV(t, got); err != nil || fields["59"] != "Padaria Sao Joao & Irmaos" || fields["60"] != "Sao Jose dos Ca" {
		t.Errorf("%v %v", fields, err)
	}
}

func TestBRCodeRefuses(t *testing.T) {
	good := DynamicPIX{Merchant: shop, Location: "pix.example.com/qr/v2/9d36b84f"}
	for name, change := range map[string]func(*DynamicPIX){
		"a location with spaces": func(p *DynamicPIX) { p.Location = "a b" },
		"an accented location":   func(p *DynamicPIX) { p.Location = "josé.exemplo.com" },
		"no name":                func(p *DynamicPIX) { p.Name = " " },
		"a name without ASCII":   func(p *DynamicPIX) { p.Name = "寿司" },
		"no city":                func(p *DynamicPIX) { p.City = "" },
		"a comma":                func(p *DynamicPIX) { p.Amount = "12,34" },
		"one decimal":            func(p *DynamicPIX) { p.Amount = "12.3" },
		"no whole part":          func(p *DynamicPIX) { p.Amount = ".34" },
		"a negative amount":      func(p *DynamicPIX) { p.Amount = "-1.00" },
		"an amount too large":    func(p *DynamicPIX) { p.Amount = "12345678901.00" },
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
		pix := DynamicPIX{
			Merchant: Merchant{
				Name: "N" + rapid.String().Draw(t, "name"),
				City: "C" + rapid.String().Draw(t, "city"),
			},
			Location: rapid.StringMatching(`[!-9;-~]{1,77}`).Draw(t, "location"),
			Amount:   rapid.StringMatching(`|[0-9]{1,10}\.[0-9]{2}`).Draw(t, "amount"),
		}
		code, err := pix.BRCode()
		if err != nil {
			t.Fatal(err)
		}
		fields := readTLV(t, code)
		account := readFields(t, fields["26"])
		if account["25"] != pix.Location || fields["54"] != pix.Amount {
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
