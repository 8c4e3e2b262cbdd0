package receipt

import (
	"image"
	"image/color"
	"testing"
)

func raster(t *testing.T, picture image.Image, width int) *Bitmap {
	t.Helper()
	b, err := Page{Elements: []Element{Image{Picture: picture}}}.Raster(Paper{Width: width})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func blackDots(b *Bitmap) (n int) {
	for y := range b.Height {
		for x := range b.Width {
			if b.Black(x, y) {
				n++
			}
		}
	}
	return n
}

func filled(width, height int, c color.Color) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.Set(x, y, c)
		}
	}
	return m
}

func TestFit(t *testing.T) {
	tests := []struct{ width, height, paper, wantWidth, wantHeight int }{
		{1152, 100, 576, 576, 50},
		{577, 1, 576, 576, 1},
		{30000, 2, 384, 384, 1},
		{576, 80, 576, 576, 80},
		{300, 80, 576, 300, 80}, // doubled it would not fit
		{288, 80, 576, 576, 160},
		{1, 1, 384, 2, 2},
	}
	for _, tt := range tests {
		if w, h := fit(tt.width, tt.height, tt.paper); w != tt.wantWidth || h != tt.wantHeight {
			t.Errorf("%d×%d on %d: %d×%d, want %d×%d", tt.width, tt.height, tt.paper, w, h, tt.wantWidth, tt.wantHeight)
		}
	}
}

func TestLineArtStaysCrisp(t *testing.T) {
	// Squares of black and white beside a grey stripe that needs dithering.
	m := image.NewGray(image.Rect(0, 0, 384, 64))
	for y := range 64 {
		for x := range 384 {
			switch {
			case x >= 192:
				m.SetGray(x, y, color.Gray{Y: 100})
			case (x/8+y/8)%2 == 0:
				m.SetGray(x, y, color.Gray{Y: 0xff})
			}
		}
	}
	b := raster(t, m, 384)
	for y := range 64 {
		for x := range 192 {
			if want := (x/8+y/8)%2 != 0; b.Black(x, y) != want {
				t.Fatalf("dot %d, %d is black: %v, want %v", x, y, !want, want)
			}
		}
	}
}

func TestGreyBecomesItsShareOfDots(t *testing.T) {
	for _, shade := range []uint8{32, 64, 128, 192, 224} {
		b := raster(t, filled(800, 400, color.Gray{Y: shade}), 384)
		share := float64(blackDots(b)) / float64(b.Width*b.Height)
		if want := 1 - float64(shade)/255; share < want-0.02 || share > want+0.02 {
			t.Errorf("grey %d: %.3f of the dots are black, want %.3f", shade, share, want)
		}
	}
}

func TestAreaIsAveraged(t *testing.T) {
	// One black column in three makes two thirds of white, whatever the width.
	m := filled(999, 30, color.White)
	for x := 0; x < 999; x += 3 {
		for y := range 30 {
			m.Set(x, y, color.Black)
		}
	}
	s := newScaler(m, 333, 10)
	row := make([]uint8, 333)
	for range 10 {
		s.next(row)
		for x, v := range row {
			if v != 170 {
				t.Fatalf("dot %d is %d, want 170", x, v)
			}
		}
	}
}

func TestTransparencyIsWhite(t *testing.T) {
	for name, m := range map[string]image.Image{
		"RGBA":  image.NewRGBA(image.Rect(0, 0, 200, 20)),
		"NRGBA": image.NewNRGBA(image.Rect(0, 0, 200, 20)),
		"other": image.NewNRGBA64(image.Rect(0, 0, 200, 20)),
	} {
		if n := blackDots(raster(t, m, 384)); n != 0 {
			t.Errorf("%s: %d black dots on nothing", name, n)
		}
	}
	if v := shade(color.NRGBA{A: 0x80}); v < 126 || v > 128 {
		t.Errorf("half transparent black is %d", v)
	}
}

// The rows of the fast ways must be those of the slow one.
func TestBrightnessOfEveryFormat(t *testing.T) {
	from := filled(9, 7, color.White)
	for y := range 7 {
		for x := range 9 {
			from.Set(x, y, color.NRGBA{R: uint8(28 * x), G: uint8(36 * y), B: 90, A: uint8(255 - 20*x)})
		}
	}
	part := image.Rect(2, 1, 8, 6)
	nrgba := image.NewNRGBA(from.Bounds())
	grey := image.NewGray(from.Bounds())
	paletted := image.NewPaletted(from.Bounds(), color.Palette{color.Black, color.White, color.Gray{Y: 99}, color.Transparent})
	for y := range 7 {
		for x := range 9 {
			nrgba.Set(x, y, from.At(x, y))
			grey.Set(x, y, from.At(x, y))
			paletted.SetColorIndex(x, y, uint8((x+y)%4))
		}
	}
	for name, m := range map[string]image.Image{
		"RGBA": from.SubImage(part), "NRGBA": nrgba.SubImage(part), "Gray": grey.SubImage(part), "Paletted": paletted.SubImage(part),
	} {
		read := brightness(m)
		for y := range part.Dy() {
			for x, got := range read(y) {
				want := shade(m.At(part.Min.X+x, part.Min.Y+y))
				if abs(int(got)-int(want)) > 1 {
					t.Errorf("%s: pixel %d, %d is %d, want %d", name, x, y, got, want)
				}
			}
		}
	}
}
