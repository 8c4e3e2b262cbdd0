package fold

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "",
		"post /sale 200":         "post /sale 200",
		"POST /Sale":             "post /sale",
		"AÇÃO não AUTORIZADA":    "acao nao autorizada",
		"Pão de Queijo":          "pao de queijo", // composed
		"Pa\u0303o":              "pao",           // the accent on its own
		"2ª via, Nº 7":           "2a via, no 7",
		"100%_\\":                "100%_\\",
		"Ünïcödé ŠŽ":             "unicode sz",
		"漢字 Ω €":                 "漢字 ω €",
		"bad\xffUTF\xc3":         "bad\xffutf\xc3",
		"İstanbul \u212B \ufb01": "istanbul a \ufb01",
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

// Unicode's own decomposition is the judge of the table.
func TestUnaccentedAgreesWithUnicode(t *testing.T) {
	for i, base := range []byte(unaccented) {
		r := firstAccented + rune(i)
		lower := unicode.ToLower(r)
		d := norm.NFD.String(string(lower))
		first, size := utf8.DecodeRuneInString(d)
		want := byte(' ')
		if size < len(d) && first < utf8.RuneSelf {
			want = byte(first)
		}
		if lower == r && base != want {
			t.Errorf("%c folds to %q, Unicode says %q", r, base, want)
		}
	}
}

func FuzzFold(f *testing.F) {
	f.Add("Ação", "nº 7")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) {
			t.Skip()
		}
		if Text(Text(a)) != Text(a) {
			t.Errorf("folding %q twice changes it", a)
		}
		if Text(a+b) != Text(a)+Text(b) {
			t.Errorf("a part of %q does not fold to a part of it", a+b)
		}
	})
}

func BenchmarkFold(b *testing.B) {
	s := strings.Repeat("POST /sale/item 200 em 1,4 ms; Pão de açúcar ", 4)
	buf := make([]byte, 0, 2*len(s))
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		buf = Append(buf[:0], s)
	}
}
