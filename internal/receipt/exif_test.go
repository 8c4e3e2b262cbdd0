package receipt

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"slices"
	"testing"
)

// letterF is a picture that looks different each way round: a thick F.
func letterF(width, height int) *image.Gray {
	m := image.NewGray(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			across, down := 8*x/width, 8*y/height
			inF := across >= 1 && across < 7 && down >= 1 && down < 7 && (across < 3 || down < 2 || down == 4 && across < 5)
			if !inF {
				m.SetGray(x, y, color.Gray{Y: 0xff})
			}
		}
	}
	return m
}

// stored is a picture as a camera held some way would keep it.
func stored(m *image.Gray, how orientation) *image.Gray {
	size := m.Rect.Size()
	turned := image.NewGray(image.Rectangle{Max: how.size(size)})
	for y := range size.Y {
		for x := range size.X {
			at := how.source(x, y, size.X, size.Y)
			turned.SetGray(at.X, at.Y, m.GrayAt(x, y))
		}
	}
	return turned
}

func asJPEG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// The meaning of each number, by where EXIF says that the stored picture's first
// row and first column are to be seen.
func TestOrientationsMeanWhatEXIFSays(t *testing.T) {
	for how, want := range map[orientation]struct{ row, column string }{
		1: {"top", "left"}, 2: {"top", "right"}, 3: {"bottom", "right"}, 4: {"bottom", "left"},
		5: {"left", "top"}, 6: {"right", "top"}, 7: {"right", "bottom"}, 8: {"left", "bottom"},
	} {
		shown := how.size(image.Pt(5, 3)) // stored are five columns and three rows
		side := func(is func(image.Point) bool) (sides []string) {
			along := func(name string, points ...image.Point) {
				if !slices.ContainsFunc(points, func(p image.Point) bool { return !is(how.source(p.X, p.Y, shown.X, shown.Y)) }) {
					sides = append(sides, name)
				}
			}
			right, bottom := shown.X-1, shown.Y-1
			along("top", image.Pt(0, 0), image.Pt(right, 0))
			along("bottom", image.Pt(0, bottom), image.Pt(right, bottom))
			along("left", image.Pt(0, 0), image.Pt(0, bottom))
			along("right", image.Pt(right, 0), image.Pt(right, bottom))
			return sides
		}
		row := side(func(p image.Point) bool { return p.Y == 0 })
		column := side(func(p image.Point) bool { return p.X == 0 })
		if !slices.Equal(row, []string{want.row}) || !slices.Equal(column, []string{want.column}) {
			t.Errorf("%d: the first row is %v, the first column %v, want %v", how, row, column, want)
		}
	}
}

// However the camera was held, the print is the same.
func TestOrientationsPrintUpright(t *testing.T) {
	letter := letterF(640, 480)
	for how := orientation(1); how <= 8; how++ {
		data := withSegment(asJPEG(t, stored(letter, how)), app1,
			append(bytes.Clone(exifMark), exifOf(binary.BigEndian, "MM\x00*", uint16(how), 3)...))
		m, err := DecodeImage(data)
		if err != nil {
			t.Fatal(err)
		}
		if m.Bounds() != image.Rect(0, 0, 640, 480) {
			t.Errorf("%d: bounds are %v", how, m.Bounds())
		}
		for _, at := range []image.Point{{10, 10}, {100, 100}, {500, 90}, {300, 270}, {500, 270}, {150, 400}} {
			if want := letter.GrayAt(at.X, at.Y).Y; abs(int(shade(m.At(at.X, at.Y)))-int(want)) > 8 {
				t.Errorf("%d: pixel %v is %v, want %d", how, at, m.At(at.X, at.Y), want)
			}
		}
		for _, paper := range []Paper{Paper58, Paper80} {
			samePicture(t, "orientation", raster(t, m, paper.Width))
		}
	}
}

func TestOrientationOfEveryFormat(t *testing.T) {
	little := exifOf(binary.LittleEndian, "II*\x00", 6, 3)
	long := exifOf(binary.LittleEndian, "II*\x00", 6, 4)
	marked := append(bytes.Clone(exifMark), little...)
	files := encoded(t)
	for name, data := range map[string][]byte{
		"JPEG":                   withSegment(files["jpeg"], app1, marked),
		"JPEG, long":             withSegment(files["jpeg"], app1, append(bytes.Clone(exifMark), long...)),
		"JPEG, XMP before it":    withSegment(withSegment(files["jpeg"], app1, marked), app1, []byte("http://ns.adobe.com/xap/1.0/\x00<x/>")),
		"PNG":                    withChunk(files["png"], "eXIf", little, 0),
		"WebP":                   webp(extended(8, 0, 0), onePixel(), chunk("EXIF", little)),
		"WebP, with JPEG's mark": webp(extended(8, 0, 0), onePixel(), chunk("junk", []byte("odd")), chunk("EXIF", marked)),
	} {
		m, err := DecodeImage(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if u, ok := m.(upright); !ok || u.how != 6 {
			t.Errorf("%s: %T is not turned", name, m)
		}
	}
}

// Nonsense leaves the picture as it is.
func TestEXIFNonsense(t *testing.T) {
	good := exifOf(binary.BigEndian, "MM\x00*", 6, 3)
	for name, exif := range map[string][]byte{
		"empty":                  nil,
		"no mark":                []byte("XX\x00*\x00\x00\x00\x08"),
		"number 0":               exifOf(binary.BigEndian, "MM\x00*", 0, 3),
		"number 9":               exifOf(binary.BigEndian, "MM\x00*", 9, 3),
		"a text":                 exifOf(binary.BigEndian, "MM\x00*", 6, 2),
		"directory far away":     patched(good, 4, 0xff, 0xff, 0xff, 0xff),
		"directory at the end":   patched(good, 4, 0, 0, 0, byte(len(good))),
		"other order":            patched(good, 0, 'I', 'I', '*', 0),
		"cut before the entry":   good[:20],
		"cut in the header":      good[:6],
		"more entries than data": patched(good[:22], 8, 0xff, 0xff),
	} {
		if how := tiffOrientation(exif); how != asStored {
			t.Errorf("%s: %d", name, how)
		}
	}
	for n := range good {
		tiffOrientation(good[:n])
	}
}

func FuzzEXIF(f *testing.F) {
	little := exifOf(binary.LittleEndian, "II*\x00", 6, 3)
	f.Add(little)
	f.Add(exifOf(binary.BigEndian, "MM\x00*", 8, 4))
	for _, data := range encoded(f) {
		f.Add(data)
	}
	f.Add(withSegment(asJPEG(f, letterF(8, 8)), app1, append(bytes.Clone(exifMark), little...)))
	f.Add(withChunk(encoded(f)["png"], "eXIf", little, 0))
	f.Add(webp(extended(8, 0, 0), onePixel(), chunk("EXIF", little)))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, how := range []orientation{
			tiffOrientation(data), turning(data, "jpeg"), turning(data, "png"), turning(data, "webp"),
		} {
			if how < 1 || how > 8 {
				t.Errorf("orientation %d", how)
			}
		}
		if n := scans(data); n > len(data)/4 {
			t.Errorf("%d scans in %d bytes", n, len(data))
		}
	})
}
