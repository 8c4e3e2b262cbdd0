package receipt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// frameOf is the beginning of a JPEG: its kind and the factors of its components.
func frameOf(kind byte, width, height uint16, factors ...byte) []byte {
	frame := binary.BigEndian.AppendUint16([]byte{8}, height)
	frame = binary.BigEndian.AppendUint16(frame, width)
	frame = append(frame, byte(len(factors)))
	for i, f := range factors {
		frame = append(frame, byte(i+1), f, 0)
	}
	return append(withSegment([]byte{0xff, startOfImage}, kind, frame), 0xff, startOfScan, 0, 2)
}

// pngOf is a PNG's file whose header says another size, depth, type and interlacing.
func pngOf(t *testing.T, width, height uint32, depth, kind, interlaced byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 9, 9))); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	binary.BigEndian.PutUint32(file[16:], width)
	binary.BigEndian.PutUint32(file[20:], height)
	file[24], file[25], file[28] = depth, kind, interlaced
	fixChecksum(file)
	return file
}

func TestPicturesBeyondMemoryAreRefused(t *testing.T) {
	const grey, rgb, rgba = 0, 2, 6
	lossless := chunk("VP8L", []byte{0x2f, 0x87, 0x53, 0xe2, 0x04, 0x07, 0x10, 0x11, 0x11, 0x88, 0x88, 0xfe, 0x07}) // 5000 a side
	for _, tt := range []struct {
		name  string
		data  []byte
		large bool
	}{
		{"PNG, grey, 39 million", pngOf(t, 6000, 6500, 8, grey, 0), false},
		{"PNG, grey with a transparent one", withChunk(pngOf(t, 6000, 6500, 8, grey, 0), "tRNS", []byte{0, 0}, 0), true},
		{"PNG, RGB, 33 million", pngOf(t, 5500, 6000, 8, rgb, 0), false},
		{"PNG, RGB, 39 million", pngOf(t, 6000, 6500, 8, rgb, 0), true},
		{"PNG, RGB, interlaced, 20 million", pngOf(t, 4000, 5000, 8, rgb, 1), true},
		{"PNG, 16-bit RGBA, 16 million", pngOf(t, 4000, 4000, 16, rgba, 0), false},
		{"PNG, 16-bit RGBA, 20 million", pngOf(t, 4000, 5000, 16, rgba, 0), true},
		{"JPEG, 39 million", frameOf(baseline, 6000, 6500, 0x11, 0x11, 0x11), false},
		{"JPEG, CMYK, 20 million", frameOf(baseline, 4000, 5000, 0x11, 0x11, 0x11, 0x11), true},
		{"JPEG, progressive, 12 million as telephones have them", frameOf(progressive, 4000, 3000, 0x22, 0x11, 0x11), false},
		{"JPEG, progressive, 20 million", frameOf(progressive, 4000, 5000, 0x22, 0x11, 0x11), true},
		{"JPEG, progressive, in full colour", frameOf(progressive, 4000, 3000, 0x11, 0x11, 0x11), true},
		{"WebP, lossless, 25 million", webp(lossless), true},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		config, format, err := image.DecodeConfig(bytes.NewReader(tt.data))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if large := demand(tt.data, format, config) > maxDecoded; large != tt.large {
			t.Errorf("%s: %d bytes", tt.name, demand(tt.data, format, config))
		}
		if !tt.large {
			continue // it would be decoded
		}
		_, err = DecodeImage(tt.data)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, ErrImageTooLarge) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<20 {
			t.Errorf("%s: took %d bytes", tt.name, taken)
		}
	}
}

// No decoder holds more in the end than was reckoned before.
func TestDemandIsEnough(t *testing.T) {
	files := encoded(t)
	found, _ := filepath.Glob("testdata/pictures/*")
	for _, file := range found {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(file)] = data
	}
	for name, data := range files {
		config, format, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		picture, err := DecodeImage(data)
		if err != nil {
			continue // some are there to be refused
		}
		if reckoned := demand(data, format, config); int64(held(picture)) > reckoned {
			t.Errorf("%s holds %d bytes, reckoned %d", name, held(picture), reckoned)
		}
	}
}

func TestHeavyPages(t *testing.T) {
	for _, tt := range []struct {
		picture image.Image
		want    bool
	}{
		{image.NewGray(image.Rect(0, 0, 5000, 6000)), false},
		{upright{image.NewRGBA(image.Rect(0, 0, 3000, 3000)), 6}, true},
		{filled(10, 10, color.White), false},
	} {
		if got := (Page{Elements: []Element{Text{Value: "oi"}, Image{Picture: tt.picture}}}).Heavy(); got != tt.want {
			t.Errorf("%T of %v: %v", tt.picture, tt.picture.Bounds(), got)
		}
	}
}
