package receipt

import (
	"bytes"
	"errors"
	"image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/math/fixed"
)

func TestPlain(t *testing.T) {
	var page Page
	page.Add(
		Text{Value: "Padaria São João", Bold: true, Align: Center},
		Rule{},
		Text{Value: "Uma linha comprida o bastante para não caber em quarenta e oito colunas"},
		Text{Value: "à direita", Align: Right},
		Blank{},
		Pair{Left: "Pão de queijo", Right: "7,50"},
		Pair{Left: "Um rótulo tão longo que precisa de mais de uma linha", Right: "12,00"},
		Pair{Left: "Curto", Right: "um valor que não deixa lugar para o seu rótulo"},
	)
	want := strings.Join([]string{
		"                Padaria São João",
		"------------------------------------------------",
		"Uma linha comprida o bastante para não caber em",
		"quarenta e oito colunas",
		"                                       à direita",
		"",
		"Pão de queijo                               7,50",
		"Um rótulo tão longo que precisa de mais de",
		"uma linha                                  12,00",
		"Curto",
		"  um valor que não deixa lugar para o seu rótulo",
		"",
	}, "\n")
	if diff := cmp.Diff(want, page.Plain()); diff != "" {
		t.Errorf("plain form (-want +got):\n%s", diff)
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"fits", "0123456789", []string{"0123456789"}},
		{"at spaces", "um dois três quatro", []string{"um dois", "três", "quatro"}},
		{"space over the edge", "0123456789 ab", []string{"0123456789", "ab"}},
		{"long word", "0123456789abcdefghijklm", []string{"0123456789", "abcdefghij", "klm"}},
		{"long word after a short one", "um 0123456789abc", []string{"um", "0123456789", "abc"}},
		{"address", "loja.com/consulta", []string{"loja.com/", "consulta"}},
		{"address with names", "ab/cde/f.gh.i", []string{"ab/cde/", "f.gh.i"}},
		{"line feeds", "a\n\nb\r\nc", []string{"a", "", "b", "c"}},
		{"indented", "  a b", []string{"  a b"}},
		{"no break", "um dois três\u00a0mil", []string{"um dois", "três\u00a0mil"}},
		{"nothing", "", []string{""}},
		{"spaces only", "            ", []string{""}},
		{"accents apart", "coraça\u0303o", []string{"coração"}},
		{"control signs", "a\x00\x1bb\tc", []string{"ab c"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, ruler(oneColumn).wrap(tt.text, fixed.I(10))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWrapOnPaperNarrowerThanASign(t *testing.T) {
	got := ruler(oneColumn).wrap("abc", 0)
	if diff := cmp.Diff([]string{"a", "b", "c"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestClampSize(t *testing.T) {
	for size, want := range map[int]int{-3: 6, 0: 6, 5: 6, 6: 6, 16: 16, 96: 96, 97: 96} {
		got, clamped := ClampSize(size)
		if got != want || clamped != (size != want) {
			t.Errorf("ClampSize(%d) = %d, %v; want %d", size, got, clamped, want)
		}
	}
}

func TestRasterIsTheSameEveryTime(t *testing.T) {
	page := Page{Elements: []Element{Text{Value: "Ação, coração, €", Size: 9}, Rule{}, Pair{Left: "Total", Right: "1,00"}}}
	first, err := page.Raster(Paper58)
	if err != nil {
		t.Fatal(err)
	}
	second, _ := page.Raster(Paper58)
	if diff := cmp.Diff(first, second); diff != "" {
		t.Error("two rasters of one page differ")
	}
}

// inked finds the outermost black columns of a bitmap.
func inked(b *Bitmap) (left, right int) {
	left, right = b.Width, -1
	for y := range b.Height {
		for x := range b.Width {
			if b.Black(x, y) {
				left, right = min(left, x), max(right, x)
			}
		}
	}
	return left, right
}

func TestAlignmentOnPaper(t *testing.T) {
	raster := func(align Align) (left, right int) {
		b, err := Page{Elements: []Element{Text{Value: "HOH", Align: align}}}.Raster(Paper58)
		if err != nil {
			t.Fatal(err)
		}
		return inked(b)
	}
	if left, _ := raster(Left); left > 12 {
		t.Errorf("left: begins at %d", left)
	}
	if left, right := raster(Center); abs(left-(383-right)) > 2 {
		t.Errorf("center: %d dots free at the left, %d at the right", left, 383-right)
	}
	if _, right := raster(Right); right < 384-12 {
		t.Errorf("right: ends at %d", right)
	}
}

func abs(n int) int { return max(n, -n) }

func TestNothingIsDrawnWiderThanThePaper(t *testing.T) {
	page := Page{Elements: []Element{
		Text{Value: strings.Repeat("W", 40), Size: 96, Bold: true},
		Pair{Left: strings.Repeat("rótulo ", 20), Right: strings.Repeat("9", 60)},
	}}
	for _, width := range []int{1, 7, 100, 384, 512, 576} {
		for band := range page.Bands(Paper{Width: width}) {
			if band.Width != width || len(band.Bits) != band.Stride()*band.Height {
				t.Fatalf("width %d: a band of %d, %d bytes", width, band.Width, len(band.Bits))
			}
		}
	}
}

func TestStampIsDotByDot(t *testing.T) {
	dots := NewBitmap(11, 5)
	for i := range 55 {
		if i%3 != 0 {
			dots.blacken(i%11, i/11)
		}
	}
	for left := -14; left < 24; left++ {
		for top := -6; top < 10; top++ {
			got, want := NewBitmap(21, 9), NewBitmap(21, 9)
			got.stamp(dots, left, top)
			for y := range dots.Height {
				for x := range dots.Width {
					if dots.Black(x, y) {
						want.blacken(left+x, top+y)
					}
				}
			}
			if !bytes.Equal(got.Bits, want.Bits) {
				t.Fatalf("at %d, %d: %08b, want %08b", left, top, got.Bits, want.Bits)
			}
		}
	}
}

func TestFillIsDotByDot(t *testing.T) {
	for left := -10; left < 24; left++ {
		for width := -1; width < 30; width++ {
			got, want := NewBitmap(21, 5), NewBitmap(21, 5)
			got.fill(left, 1, width, 9)
			for y := 1; y < 10; y++ {
				for x := range max(width, 0) {
					want.blacken(left+x, y)
				}
			}
			if !bytes.Equal(got.Bits, want.Bits) {
				t.Fatalf("%d dots at %d: %08b, want %08b", width, left, got.Bits, want.Bits)
			}
		}
	}
}

func TestPointsAreMeasuredOnThePaper(t *testing.T) {
	// An H of 72 points stands 0.729 inch high in DejaVu.
	b, err := Page{Elements: []Element{Text{Value: "H", Size: 72}}}.Raster(Paper58)
	if err != nil {
		t.Fatal(err)
	}
	top, bottom := b.Height, 0
	for y := range b.Height {
		for x := range b.Width {
			if b.Black(x, y) {
				top, bottom = min(top, y), max(bottom, y)
			}
		}
	}
	if height := bottom - top + 1; abs(height-148) > 2 {
		t.Errorf("an H of 72 points is %d dots high, want 148", height)
	}
}

func TestKerning(t *testing.T) {
	f := newTypeCase(Paper58).face(16, false)
	if together, apart := ruler(f.step).width("AV"), f.glyph('A').advance+f.glyph('V').advance; together >= apart {
		t.Errorf("AV is %v wide, no less than its letters apart, %v", together, apart)
	}
}

func TestATypeCaseStaysSmall(t *testing.T) {
	cases := newTypeCase(Paper58)
	for size := MinSize; size <= MaxSize; size++ {
		f := cases.face(size, size%2 == 0)
		for r := rune(0x20); r < 0x400; r++ {
			if len(f.glyphs) > maxGlyphs {
				t.Fatalf("%d glyphs in a face", len(f.glyphs))
			}
			if size == MinSize {
				f.glyph(r)
			}
		}
	}
	if len(cases.faces) > maxFaces {
		t.Errorf("%d faces in a case", len(cases.faces))
	}
}

func TestTooLongAPageIsRefused(t *testing.T) {
	page := Page{Elements: []Element{Text{Value: strings.Repeat("\n", MaxHeight), Size: MaxSize}}}
	if _, err := page.Raster(Paper58); !errors.Is(err, ErrTooLong) {
		t.Errorf("got %v, want ErrTooLong", err)
	}
}

func TestBitmapAsPNG(t *testing.T) {
	page := Page{Elements: []Element{Text{Value: "São João"}}}
	b, err := page.Raster(Paper{Width: 100})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, b.Image()); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	for y := range b.Height {
		for x := range b.Width {
			r, _, _, _ := picture.At(x, y).RGBA()
			if b.Black(x, y) != (r == 0) {
				t.Fatalf("dot %d, %d differs", x, y)
			}
		}
	}
}

func BenchmarkRaster(b *testing.B) {
	var page Page
	for range 40 {
		page.Add(Text{Value: "7891000100103  Leite condensado 395 g", Size: 8}, Pair{Left: "2 UN × 6,49", Right: "12,98", Size: 8})
	}
	for b.Loop() {
		if _, err := page.Raster(Paper80); err != nil {
			b.Fatal(err)
		}
	}
}
