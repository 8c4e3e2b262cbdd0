package receipt

import (
	"image"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/barcode"
)

func TestLinesOnOtherPapers(t *testing.T) {
	for _, tt := range []struct {
		paper   Paper
		columns int
		height  int
	}{
		{Paper80, 48, 30},
		{Paper58, 32, 30},
		{Paper{Width: 512, DPI: 180}, 48, 26}, // a roll of 80 mm with coarser dots
		{Paper{Width: 832, DPI: 300}, 48, 44},
	} {
		full := Line{Runs: []Run{{Text: strings.Repeat("█", tt.columns)}}}
		b, err := Page{Elements: []Element{full}}.Raster(tt.paper)
		if err != nil {
			t.Fatal(err)
		}
		if b.Height != tt.height || !b.Black(0, tt.height/2) || !b.Black(tt.paper.Width-1, tt.height/2) {
			t.Errorf("%v: %d columns take %d dots, want %d, from edge to edge", tt.paper, tt.columns, b.Height, tt.height)
		}
		full.Runs = append(full.Runs, Run{Text: "x"})
		if height := full.height(tt.paper); height != 2*tt.height {
			t.Errorf("%v: one sign more takes %d dots, want two lines", tt.paper, height)
		}
	}
}

func TestCodesOfTheCallersOwnSizeNeverFail(t *testing.T) {
	code, err := barcode.Code128B(strings.Repeat("Pedido ", 30))
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]Element{
		"a bar code too wide":  Barcode{Code: code, Module: 2, Height: 50},
		"a QR code too long":   QR{Text: strings.Repeat("x", 8000), Module: 4},
		"a QR code too wide":   QR{Text: strings.Repeat("x", 2000), Module: 16, Level: LevelL},
		"a QR code of nothing": QR{Module: 4},
	} {
		if err := (Page{Elements: []Element{e}}).Check(Paper58); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A code of two widths that is a little too wide gets narrower wide bars, and is still read.
func TestCodesOfTwoWidthsAreSqueezed(t *testing.T) {
	code, err := barcode.Interleaved(accessKey)
	if err != nil {
		t.Fatal(err)
	}
	e := Barcode{Code: code, Module: 1, Height: 50}
	if c, module, err := e.bars(Paper58); err != nil || module != 1 || c.Modules() > 384 || c.Modules() == code.Modules() {
		t.Errorf("%d modules of %d dots, %v", c.Modules(), module, err)
	}
}

func TestExactPicturesKeepTheirDots(t *testing.T) {
	picture := image.NewGray(image.Rect(0, 0, 20, 10))
	for place, left := range map[Place]int{Middle: 278, LeftEdge: 0, RightEdge: 556} {
		b, err := Page{Elements: []Element{Image{Picture: picture, Exact: true, Place: place}}}.Raster(Paper80)
		if err != nil {
			t.Fatal(err)
		}
		if b.Height != 10 || !b.Black(left, 0) || b.Black(left-1, 0) || !b.Black(left+19, 9) || b.Black(left+20, 9) {
			t.Errorf("place %d: %d dots high, not at %d", place, b.Height, left)
		}
	}
}

func TestPDFOfSeveralPapers(t *testing.T) {
	one := paperPNG(t, image.NewPaletted(image.Rect(0, 0, 576, 30), blackOnWhite))
	var b strings.Builder
	if err := WritePDF(&b, one, one, one); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "/Type /Page "); n != 3 || !strings.Contains(b.String(), "/Count 3 ") {
		t.Errorf("%d pages", n)
	}
}
