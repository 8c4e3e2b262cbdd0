package fiscal

import (
	"image"
	"testing"

	"github.com/makiuchi-d/gozxing/oned"
	"github.com/makiuchi-d/gozxing/qrcode"

	"github.com/maquininha/maquininha/internal/barcode/barcodetest"
	"github.com/maquininha/maquininha/internal/receipt"
)

var rolls = map[string]receipt.Paper{"384": receipt.Paper58, "576": receipt.Paper80}

func rasterised(t *testing.T, d *Document, paper receipt.Paper) *receipt.Bitmap {
	t.Helper()
	dots, err := Layout(d).Raster(paper)
	if err != nil {
		t.Fatalf("at %d dots: %v", paper.Width, err)
	}
	return dots
}

// checkCodes reads the codes back from the paper.
func checkCodes(t *testing.T, d *Document, dots *receipt.Bitmap) {
	t.Helper()
	page := Layout(d)
	for _, e := range page.Elements {
		switch e := e.(type) {
		case receipt.QR:
			if e.Text != d.QRCode {
				t.Errorf("the QR code is to say %q, the document has %q", e.Text, d.QRCode)
			}
			if got := barcodetest.Read(t, dots.Image(), qrcode.NewQRCodeReader()); got != e.Text {
				t.Errorf("QR code at %d dots: read %q, want %q", dots.Width, got, e.Text)
			}
		case receipt.Barcode:
			if got := barcodetest.Read(t, margined(dots), oned.NewCode128Reader()); got != d.Key {
				t.Errorf("barcode at %d dots: read %q, want %q", dots.Width, got, d.Key)
			}
		}
	}
}

// margined is the paper with the edges that no printer reaches, 3 mm each, which
// are a part of a barcode's quiet zone.
func margined(dots *receipt.Bitmap) image.Image {
	const edge = 24
	out := image.NewGray(image.Rect(0, 0, dots.Width+2*edge, dots.Height))
	for y := range dots.Height {
		for x := range out.Rect.Dx() {
			if !dots.Black(x-edge, y) {
				out.Pix[y*out.Stride+x] = 0xff
			}
		}
	}
	return out
}
