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
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
)

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
	files := encoded(t)
	pngFile := files["png"]
	huge := chunk("VP8L", []byte{0x2f, 0xff, 0xff, 0xff, 0x0f, 0x07, 0x10, 0x11, 0x11, 0x88, 0x88, 0xfe, 0x07})
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
		{"GIF frame beyond its screen", patched(files["gif"], giffed(files["gif"]), 0xff, 0xff), nil, "decoding the gif"},
		{"GIF of absurd size", patched(files["gif"], 6, 0xff, 0xff, 0xff, 0xff), ErrImageTooLarge, "65535 x 65535"},
		{"BMP of absurd size", patched(files["bmp"], 18, 0, 0, 1, 0, 0, 0, 1, 0), ErrImageTooLarge, "65536 x 65536"},
		{"BMP of absurd size from the top", patched(files["bmp"], 18, 0, 0, 1, 0, 0, 0, 0xff, 0xff), ErrImageTooLarge, "65536 x 65536"},
		{"BMP of the least height there is", patched(files["bmp"], 22, 0, 0, 0, 0x80), nil, ""},
		{"BMP of negative width", patched(files["bmp"], 18, 0xff, 0xff, 0xff, 0xff), nil, "header"},
		{"BMP of nothing", patched(files["bmp"], 18, 0, 0, 0, 0, 0, 0, 0, 0), nil, "empty"},
		{"WebP canvas of absurd size", webp(extended(0, 1<<24-1, 100)), ErrImageTooLarge, "16777216 x 101"},
		{"WebP larger than its canvas", webp(extended(0, 9, 9), huge), nil, "decoding the webp"},
		{"WebP without a canvas, of absurd size", webp(huge), ErrImageTooLarge, "16384 x 16384"},
		{"JPEG of absurd size", jpegOf(0xffff, 0xffff), ErrImageTooLarge, "65535 x 65535"},
		{"JPEG of too many scans", rescanned(files["jpeg"], maxScans), ErrImageTooLarge, "scans"},
		{"PNG whose text is said to be huge", withChunk(pngFile, "zTXt", nil, 1<<31-1), nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := DecodeImage(tt.data)
			runtime.ReadMemStats(&after)
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<20 {
				t.Errorf("took %d bytes", taken)
			}
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

// Pictures that other programs wrote: 48×64 pixels, from black at the top to white
// at the bottom.
func TestPicturesOfOtherPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/pictures/*")
	if err != nil || len(files) < 14 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m, err := DecodeImage(data)
			if err != nil {
				t.Fatal(err)
			}
			if m.Bounds().Size() != image.Pt(48, 64) {
				t.Fatalf("size is %v", m.Bounds())
			}
			read := brightness(m)
			for y := range 64 {
				want := y * 255 / 63
				if strings.Contains(file, "half-transparent") {
					want = (want + 255) / 2
				}
				for x, got := range read(y) {
					if abs(int(got)-want) > 9 { // a step of 32 colours
						t.Fatalf("pixel %d, %d is %d, want %d", x, y, got, want)
					}
				}
			}
		})
	}
}

func TestGIFFrameLiesOnItsScreen(t *testing.T) {
	frame := image.NewPaletted(image.Rect(30, 20, 50, 30), color.Palette{color.Black, color.White})
	var file bytes.Buffer
	err := gif.EncodeAll(&file, &gif.GIF{
		Image: []*image.Paletted{frame, frame}, Delay: []int{1, 1},
		Config: image.Config{Width: 100, Height: 80, ColorModel: frame.Palette},
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := DecodeImage(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	b := raster(t, m, 100)
	for y := range b.Height {
		for x := range b.Width {
			if want := image.Pt(x, y).In(frame.Rect); b.Black(x, y) != want {
				t.Fatalf("dot %d, %d is black: %v", x, y, !want)
			}
			if r, _, _, a := m.At(x, y).RGBA(); (r == 0 && a == 0xffff) != image.Pt(x, y).In(frame.Rect) {
				t.Fatalf("At %d, %d disagrees", x, y)
			}
		}
	}
	if b.Width != 100 || b.Height != 80 {
		t.Errorf("printed %d×%d, want the screen's 100×80", b.Width, b.Height)
	}
}

func TestBMPUpsideDownAndVeiled(t *testing.T) {
	m := filled(4, 4, color.White)
	m.Set(0, 0, color.Black)
	var file bytes.Buffer
	if err := bmp.Encode(&file, m); err != nil {
		t.Fatal(err)
	}
	data := file.Bytes()
	if height := int32(binary.LittleEndian.Uint32(data[22:])); height != 4 {
		t.Fatal("the encoder writes otherwise now", height)
	}
	binary.LittleEndian.PutUint32(data[22:], 0xfffffffc) // -4: from the top
	turned, err := DecodeImage(data)
	if err != nil {
		t.Fatal(err)
	}
	if turned.Bounds().Dy() != 4 || shade(turned.At(0, 0)) != 0xff || shade(turned.At(0, 3)) != 0 {
		t.Error("a BMP stored from the top came out otherwise")
	}
	veiled := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	veiled.Pix[0] = 9
	unveil(veiled)
	if veiled.Pix[3] != 0xff || veiled.Pix[7] != 0xff {
		t.Error("a BMP without any alpha stayed invisible")
	}
	veiled.Pix[3] = 0
	unveil(veiled)
	if veiled.Pix[3] != 0 {
		t.Error("a BMP with some alpha lost it")
	}
}

// A tall picture is held once, by its decoder: printing it takes a band at a time.
func TestTallPictureIsStreamed(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 576, 30_000))
	for i := range m.Pix {
		m.Pix[i] = uint8(i / 4000)
	}
	var file bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&file, m); err != nil {
		t.Fatal(err)
	}
	var start, decoded, printed runtime.MemStats
	runtime.ReadMemStats(&start)
	picture, err := DecodeImage(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&decoded)
	height, largest := 0, 0
	for band := range (Page{Elements: []Element{Image{Picture: picture}}}).Bands(Paper80) {
		height, largest = height+band.Height, max(largest, band.Height)
	}
	runtime.ReadMemStats(&printed)
	if height != 30_000 || largest > bandRows {
		t.Errorf("%d rows, the largest band %d", height, largest)
	}
	if taken := decoded.TotalAlloc - start.TotalAlloc; taken > 18<<20 {
		t.Errorf("decoding 17 MB of dots took %d bytes", taken)
	}
	// All bands together are the paper itself, a bit a dot; a printer keeps one.
	if taken := printed.TotalAlloc - decoded.TotalAlloc; taken > 576/8*30_000+256<<10 {
		t.Errorf("printing took %d bytes", taken)
	}
}

func FuzzDecodeImage(f *testing.F) {
	for _, data := range encoded(f) {
		f.Add(data)
	}
	files, err := filepath.Glob("testdata/pictures/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for how := range uint16(8) {
		exif := append(bytes.Clone(exifMark), exifOf(binary.BigEndian, "MM\x00*", how+1, 3)...)
		f.Add(withSegment(asJPEG(f, letterF(24, 40)), app1, exif))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := DecodeImage(data)
		if err != nil || m.Bounds().Dx()*m.Bounds().Dy() > 1<<16 {
			return
		}
		b := raster(t, m, 100)
		if _, h := fit(m.Bounds().Dx(), m.Bounds().Dy(), 100); b.Width != 100 || b.Height > h || b.Height == 0 {
			t.Errorf("%v became %d×%d", m.Bounds(), b.Width, b.Height)
		}
	})
}
