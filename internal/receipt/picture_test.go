package receipt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
)

func raster(t *testing.T, picture image.Image, width int) *Bitmap {
	t.Helper()
	b, err := Page{Elements: []Element{Image{picture}}}.Raster(width)
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
		row := make([]uint8, part.Dx())
		for y := range part.Dy() {
			read(y, row)
			for x, got := range row {
				want := shade(m.At(part.Min.X+x, part.Min.Y+y))
				if abs(int(got)-int(want)) > 1 {
					t.Errorf("%s: pixel %d, %d is %d, want %d", name, x, y, got, want)
				}
			}
		}
	}
}

func encoded(t testing.TB) map[string][]byte {
	t.Helper()
	m := filled(20, 10, color.Gray{Y: 0x60})
	files := map[string][]byte{}
	for name, encode := range map[string]func(*bytes.Buffer) error{
		"png":  func(b *bytes.Buffer) error { return png.Encode(b, m) },
		"jpeg": func(b *bytes.Buffer) error { return jpeg.Encode(b, m, nil) },
		"gif":  func(b *bytes.Buffer) error { return gif.Encode(b, m, nil) },
		"bmp":  func(b *bytes.Buffer) error { return bmp.Encode(b, m) },
	} {
		var file bytes.Buffer
		if err := encode(&file); err != nil {
			t.Fatal(err)
		}
		files[name] = file.Bytes()
	}
	// A lossless WebP of one black pixel, made by hand: there is no encoder.
	files["webp"] = []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00")
	return files
}

func TestDecodeImage(t *testing.T) {
	for name, data := range encoded(t) {
		m, err := DecodeImage(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if name != "webp" && m.Bounds().Size() != image.Pt(20, 10) {
			t.Errorf("%s: %v", name, m.Bounds())
		}
	}
}

func TestDecodeImageRefuses(t *testing.T) {
	pngFile := encoded(t)["png"]
	bomb := bytes.Clone(pngFile)
	binary.BigEndian.PutUint32(bomb[16:], 50_000)
	binary.BigEndian.PutUint32(bomb[20:], 50_000)
	fixChecksum(bomb)
	ribbon := bytes.Clone(pngFile)
	binary.BigEndian.PutUint32(ribbon[16:], 1)
	binary.BigEndian.PutUint32(ribbon[20:], 1_000_000)
	fixChecksum(ribbon)

	tests := []struct {
		name string
		data []byte
		want error
		says string
	}{
		{"nothing", nil, ErrNotImage, ""},
		{"text", []byte("bom dia"), ErrNotImage, ""},
		{"cut in the header", pngFile[:20], nil, "header"},
		{"cut in the dots", pngFile[:len(pngFile)-20], nil, "decoding the png"},
		{"bomb", bomb, ErrImageTooLarge, "50000 x 50000"},
		{"endless ribbon", ribbon, ErrImageTooLarge, "1 x 1000000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := DecodeImage(tt.data)
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want %v that says %q", err, tt.want, tt.says)
			}
		})
	}
}

// fixChecksum makes a PNG's changed header a valid one.
func fixChecksum(file []byte) {
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
}

func TestLossyWebPIsStretched(t *testing.T) {
	m := image.NewYCbCr(image.Rect(0, 0, 2, 1), image.YCbCrSubsampleRatio444)
	copy(m.Y, []uint8{16, 235})
	copy(m.Cb, []uint8{128, 128})
	copy(m.Cr, []uint8{128, 128})
	stretch(m)
	if m.Y[0] != 0 || m.Y[1] != 0xff || m.Cb[0] != 128 || m.Cr[1] != 128 {
		t.Errorf("black and white became %v, %v, %v", m.Y, m.Cb, m.Cr)
	}
}

func FuzzDecodeImage(f *testing.F) {
	for _, data := range encoded(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := DecodeImage(data)
		if err != nil || m.Bounds().Dx()*m.Bounds().Dy() > 1<<16 {
			return
		}
		if _, err := (Page{Elements: []Element{Image{m}}}).Raster(100); err != nil && !errors.Is(err, ErrTooLong) {
			t.Error(err)
		}
	})
}
