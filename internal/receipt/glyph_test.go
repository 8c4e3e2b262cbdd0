package receipt

import (
	"strings"
	"testing"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
)

// signs are those that Brazilian shops write, and those that editors put in their place.
const signs = "“”‘’–—…•°ºª§€R$½¼¾×÷±²³✓«»™®©≤≥→·¡¿¢£¥µ¹№†‰′″−‐‑\u202f" +
	"ÁÀÂÃÄÅÇÉÈÊËÍÌÎÏÑÓÒÔÕÖØÚÙÛÜÝáàâãäåçéèêëíìîïñóòôõöøúùûüýÿßŒœŠšŽž"

func TestTheFontsKnowTheSigns(t *testing.T) {
	for name, parsed := range map[string]*opentype.Font{"regular": regular(), "bold": bold()} {
		var buffer sfnt.Buffer
		for _, r := range signs {
			if i, err := parsed.GlyphIndex(&buffer, r); err != nil || i == 0 {
				t.Errorf("%s has no %q", name, r)
			}
		}
	}
}

// What is drawn from six points on must be there and told apart.
func TestEverySignLeavesDots(t *testing.T) {
	cases := newTypeCase(Paper58)
	for _, size := range []int{MinSize, 8, DefaultSize} {
		for _, heavy := range []bool{false, true} {
			f := cases.face(size, heavy)
			var ascii strings.Builder
			for r := rune('!'); r <= '~'; r++ {
				ascii.WriteRune(r)
			}
			for _, r := range ascii.String() + strings.ReplaceAll(signs, "\u202f", "") {
				if blackDots(f.glyph(r).dots) == 0 {
					t.Errorf("%q in size %d leaves no dot", r, size)
				}
			}
		}
	}
}

func TestASignTheFontLacksIsABox(t *testing.T) {
	f := newTypeCase(Paper58).face(8, false)
	for _, r := range "漢\U000f0000\ue123" {
		g := f.glyph(r)
		if blackDots(g.dots) == 0 || g.advance <= 0 {
			t.Errorf("%q vanishes", r)
		}
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"a\u00adb\u200bc\u200dd\ufeffe\u200ef": "abcdef",    // soft hyphens, joiners, marks of direction
		"a\u2009b\u2003c\u3000d\u2007e":        "a b c d e", // spaces of all widths
		"R$\u00a01,00\u202f%":                  "R$\u00a01,00\u202f%",
		"a\u2028b\u2029c":                      "a\nb\nc",
		"✓\ufe0f":                              "✓",
		"a\xffb":                               "a\ufffdb",
		"São":                                  "São",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
