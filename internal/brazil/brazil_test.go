package brazil

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// parsing is one row of a Parse function's table; want is empty when the input
// must be refused.
type parsing struct {
	typed, want string
}

func checkParsing(t *testing.T, parse func(string) (string, bool), rows []parsing) {
	t.Helper()
	for _, row := range rows {
		got, ok := parse(row.typed)
		if got != row.want || ok != (row.want != "") {
			t.Errorf("%q: got %q, %v, want %q", row.typed, got, ok, row.want)
		}
	}
}

func TestParseCPF(t *testing.T) {
	checkParsing(t, ParseCPF, []parsing{
		{SampleCPF, "52998224725"},
		{"529.982.247-25", "52998224725"},
		{" 529 982 247 25 ", "52998224725"},
		{"529982247/25", "52998224725"},
		{"111.444.777-35", "11144477735"},
		{"529.982.247-26", ""},
		{"529.982.247-15", ""},
		{"000.000.000-00", ""},
		{"11111111111", ""},
		{"99999999999", ""},
		{"5299822472", ""},
		{"529982247250", ""},
		{"52998224725x", ""},
		{"529,982,247-25", ""},
		{"٥٢٩٩٨٢٢٤٧٢٥", ""},
		{"", ""},
		{"   ", ""},
	})
}

func TestParseCNPJ(t *testing.T) {
	checkParsing(t, ParseCNPJ, []parsing{
		{SampleCNPJ, "11222333000181"},
		{"11.222.333/0001-81", "11222333000181"},
		{" 11 222 333 0001 81 ", "11222333000181"},
		{"11.444.777/0001-61", "11444777000161"},
		{"12ABC34501DE35", "12ABC34501DE35"},
		{"12.abc.345/01de-35", "12ABC34501DE35"},
		{"12ABC34501DE36", ""},
		{"12ABC34501DE3A", ""},
		{"1234501DE35", ""},
		{"1122233300018", ""},
		{"112223330001811", ""},
		{"11.222.333/0001-82", ""},
		{"00.000.000/0000-00", ""},
		{"11222333_000181", ""},
		{"11222333ı00181", ""}, // dotless i: upper-cases to an ASCII letter
		{"", ""},
	})
}

func TestParseCEP(t *testing.T) {
	checkParsing(t, ParseCEP, []parsing{
		{SampleCEP, "01310100"},
		{"01310-100", "01310100"},
		{"01.310-100", "01310100"},
		{" 99999 999 ", "99999999"},
		{"01000-000", "01000000"},
		{"00999-999", ""},
		{"00000-000", ""},
		{"0131010", ""},
		{"013101000", ""},
		{"01310-10a", ""},
		{"", ""},
	})
}

func TestParsePhone(t *testing.T) {
	checkParsing(t, ParsePhone, []parsing{
		{SamplePhone, "11987654321"},
		{"(11) 98765-4321", "11987654321"},
		{"+55 11 98765-4321", "11987654321"},
		{"11.98765.4321", "11987654321"},
		{"(11) 3333-4444", "1133334444"},
		{"55 99123-4567", "55991234567"}, // area code 55, not the country
		{"(99) 99999-9999", "99999999999"},
		{"5511987654321", ""},
		{"(11) 88765-4321", ""},
		{"(10) 98765-4321", ""},
		{"(01) 98765-4321", ""},
		{"987654321", ""},
		{"119876543210", ""},
		{"+1 11 98765-4321", ""},
		{"11 98765-432a", ""},
		{"", ""},
	})
}

func TestFormat(t *testing.T) {
	for _, row := range []struct {
		name      string
		format    func(string) string
		canonical string
		want      string
	}{
		{"CPF", FormatCPF, SampleCPF, "529.982.247-25"},
		{"no CPF", FormatCPF, "123", "123"},
		{"CNPJ", FormatCNPJ, SampleCNPJ, "11.222.333/0001-81"},
		{"CNPJ with letters", FormatCNPJ, "12ABC34501DE35", "12.ABC.345/01DE-35"},
		{"no CNPJ", FormatCNPJ, "", ""},
		{"CEP", FormatCEP, SampleCEP, "01310-100"},
		{"no CEP", FormatCEP, "1", "1"},
	} {
		if got := row.format(row.canonical); got != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
}

func TestFormatThenParseIsIdentity(t *testing.T) {
	for _, document := range []struct {
		name      string
		canonical *rapid.Generator[string]
		format    func(string) string
		parse     func(string) (string, bool)
	}{
		{"CPF", anyCPF(), FormatCPF, ParseCPF},
		{"CNPJ", anyCNPJ(), FormatCNPJ, ParseCNPJ},
		{"CEP", rapid.StringMatching(`(0[1-9]|[1-9][0-9])[0-9]{6}`), FormatCEP, ParseCEP},
		{"phone", rapid.StringMatching(`[1-9]{2}(9[0-9]{8}|[0-9]{8})`), strings.Clone, ParsePhone},
	} {
		t.Run(document.name, rapid.MakeCheck(func(t *rapid.T) {
			canonical := document.canonical.Draw(t, "canonical")
			for _, typed := range []string{canonical, document.format(canonical), strings.ToLower(canonical)} {
				if got, ok := document.parse(typed); !ok || got != canonical {
					t.Fatalf("%q: got %q, %v, want %q", typed, got, ok, canonical)
				}
			}
		}))
	}
}

// The remainders 0 and 1 both give the check digit 0, so a document whose first
// check digit is 0 may have a twin that differs in one digit (CPF 01100316108
// and 11100316108). Every other single wrong digit is found out.
func TestOneWrongDigitIsRefused(t *testing.T) {
	for _, document := range []struct {
		name  string
		valid *rapid.Generator[string]
		parse func(string) (string, bool)
	}{
		{"CPF", anyCPF(), ParseCPF},
		{"CNPJ", anyCNPJ(), ParseCNPJ},
	} {
		t.Run(document.name, rapid.MakeCheck(func(t *rapid.T) {
			valid := document.valid.Draw(t, "valid")
			at := rapid.IntRange(0, len(valid)-1).Draw(t, "at")
			digit := rapid.ByteRange('0', '9').Draw(t, "digit")
			checkDigits := len(valid) - 2
			isLetter := valid[at] > '9' // A letter and a digit can be worth the same modulo 11.
			if digit == valid[at] || isLetter || at < checkDigits && valid[checkDigits] == '0' {
				t.Skip("not an error the check digits can see")
			}
			wrong := valid[:at] + string(digit) + valid[at+1:]
			if _, ok := document.parse(wrong); ok {
				t.Fatalf("%q passes, made from %q", wrong, valid)
			}
		}))
	}
}

func anyCPF() *rapid.Generator[string] {
	return signed(`[0-9]{9}`, 11)
}

func anyCNPJ() *rapid.Generator[string] {
	return signed(`[0-9]{12}|[0-9A-Z]{12}`, 9)
}

// signed draws a body and appends its check digits.
func signed(body string, heaviest int) *rapid.Generator[string] {
	return rapid.Map(rapid.StringMatching(body), func(body string) string {
		body += string(checkDigit(body, heaviest))
		return body + string(checkDigit(body, heaviest))
	}).Filter(func(s string) bool { return !allEqual(s) })
}
