package receipt

import (
	"bytes"
	"image"
	"image/jpeg"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/oned"
	"github.com/makiuchi-d/gozxing/qrcode"
	"rsc.io/qr"

	"github.com/maquininha/maquininha/internal/barcode/barcodetest"
)

const (
	address = "https://www.fazenda.sp.gov.br/nfce/qrcode?p=35261112345678000195650010000012341000012349|2|1|1|ABCDEF0123456789"
	key     = "35261112345678000195650010000012341000012349"
)

// qrPicture is a QR code with its quiet zone, so many pixels a module.
func qrPicture(t *testing.T, pixels int) (picture *image.Gray, modules int) {
	t.Helper()
	code, err := qr.Encode(address, qr.M)
	if err != nil {
		t.Fatal(err)
	}
	const quiet = 4
	modules = code.Size + 2*quiet
	picture = image.NewGray(image.Rect(0, 0, modules*pixels, modules*pixels))
	for i := range picture.Pix {
		if !code.Black(i%picture.Stride/pixels-quiet, i/picture.Stride/pixels-quiet) {
			picture.Pix[i] = 0xff
		}
	}
	return picture, modules
}

// A code of two dots a module or more is read, however it was scaled.
func TestQRCodePicturesScan(t *testing.T) {
	for _, pixels := range []int{3, 5, 8, 11, 17} {
		m, modules := qrPicture(t, pixels)
		for _, paper := range []int{384, 576} {
			for form, picture := range map[string]image.Image{"PNG": m, "JPEG": blurred(t, m, 60)} {
				b := raster(t, picture, paper)
				if got := barcodetest.Read(t, b.Image(), qrcode.NewQRCodeReader()); got != address {
					t.Errorf("%s of %d pixels a module on %d dots (%.2f a module) reads %q",
						form, pixels, paper, float64(b.Height)/float64(modules), got)
				}
			}
		}
	}
}

// blurred is a picture as a JPEG of some quality leaves it.
func blurred(t *testing.T, m image.Image, quality int) image.Image {
	t.Helper()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, m, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	picture, err := DecodeImage(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// barPicture is a Code 128 with its quiet zones.
func barPicture(t *testing.T, text string, pixels int) *image.Gray {
	t.Helper()
	code, err := oned.NewCode128Writer().Encode(text, gozxing.BarcodeFormat_CODE_128, 1, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	var bars []bool
	for x := range code.GetWidth() {
		bars = append(bars, code.Get(x, 0))
	}
	first, last := 0, len(bars)-1
	for ; !bars[first]; first++ {
	}
	for ; !bars[last]; last-- {
	}
	bars = bars[first : last+1]
	const quiet = 10
	width := (len(bars) + 2*quiet) * pixels
	m := image.NewGray(image.Rect(0, 0, width, width/6))
	for i := range m.Pix {
		if at := i%width/pixels - quiet; at < 0 || at >= len(bars) || !bars[at] {
			m.Pix[i] = 0xff
		}
	}
	return m
}

// From 1.3 dots a module, the whole key on the narrow paper, to eight.
func TestBarcodePicturesScan(t *testing.T) {
	for _, pixels := range []int{2, 3, 7} {
		for digits := 8; digits <= 44; digits += 4 {
			m := barPicture(t, key[:digits], pixels)
			for _, paper := range []int{384, 576} {
				if got := barcodetest.Read(t, raster(t, m, paper).Image(), oned.NewCode128Reader()); got != key[:digits] {
					t.Errorf("%d digits, %d pixels a module on %d dots: %.2f a module reads %q", digits, pixels, paper,
						float64(paper*pixels)/float64(m.Rect.Dx()), got)
				}
			}
		}
	}
}
