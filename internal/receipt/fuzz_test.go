package receipt

import (
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/barcode"
)

// Whatever is written on a page and however narrow the paper: it is drawn as
// high as it was measured, and no sign is lost.
func FuzzLayout(f *testing.F) {
	f.Add("Pão de queijo", "1.234,56", 8, 384, 203, 3)
	f.Add("a\n\r\n\tb\u00a0c\u2028d\xff\u0301", "", 96, 1, 0, 0)
	f.Add("www.nfce.fazenda.sp.gov.br/consulta?p=35261114200166000187", "x y", 6, 27, 180, -1)
	f.Add("漢字 \U0001f600\ufe0f ﷺ", strings.Repeat("9", 200), 0, 576, 600, 40)
	f.Fuzz(func(t *testing.T, one, two string, size, width, dpi, weight int) {
		if len(one)+len(two) > 2000 || width > 1000 || dpi > 1200 || weight > 1000 {
			t.Skip()
		}
		paper := Paper{Width: width, DPI: dpi}
		page := Page{Elements: []Element{
			Text{Value: one, Size: size, Align: Center},
			Text{Value: two, Size: size, Bold: true, Align: Right},
			Pair{Left: one, Right: two, Size: size},
			Line{Align: Center, Runs: []Run{{Text: one, Font: Font{Bold: true, Wide: true}}, {Text: two, Font: Font{Condensed: true, Inverse: true}}, {Text: one, Font: Font{High: true}}}},
			Barcode{Code: barcode.Code{Widths: []byte{1, 2, 3}, Text: two}, Module: 2, Height: 40, ShowText: true, Place: RightEdge},
			QR{Text: one, Module: 3, Level: LevelH, Place: LeftEdge},
			Columns{Size: size, Cells: []Cell{{Value: one, Weight: weight}, {Value: two}, {Value: one, Weight: 2, Align: Right}}},
		}}
		if page.Check(paper) != nil {
			return
		}
		measured, drawn := 0, 0
		page.set(setter{paper: paper, width: width, cases: newTypeCase(paper), measured: &measured})
		for band := range page.Bands(paper) {
			drawn += band.Height
		}
		if measured != drawn {
			t.Errorf("measured %d rows, drew %d", measured, drawn)
		}
		measure := ruler(newTypeCase(paper).face(size, false).step)
		for _, lines := range [][]string{
			measure.wrap(one, setter{width: width}.room()),
			measure.balance(one, setter{width: width}.room()),
			lay([]Cell{{Value: one, Weight: weight}, {Value: two}}, same(measure), setter{width: width}.room(), 64)[0].lines,
		} {
			if got, want := signsOf(strings.Join(lines, "")), signsOf(printable(one)); got != want {
				t.Errorf("%q was wrapped to %q", want, got)
			}
		}
		page.Plain()
		page.Elements = []Element{QR{Text: one}, Barcode{Text: two}}
		if page.Check(paper) == nil {
			if _, err := page.Raster(paper); err != nil {
				t.Error(err)
			}
		}
	})
}

// signsOf is a text without what wrapping may swallow.
func signsOf(text string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(text) }
