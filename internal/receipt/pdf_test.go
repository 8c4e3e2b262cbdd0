package receipt

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"
)

func paperPNG(t *testing.T, picture image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pdfOf(t *testing.T, paper []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WritePDF(&b, paper); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// objects reads a document as a reader does: from its end, by its table.
func objects(t *testing.T, pdf []byte) [][]byte {
	t.Helper()
	end := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(pdf)
	if end == nil || !bytes.HasPrefix(pdf, []byte("%PDF-1.4\n")) {
		t.Fatal("no document")
	}
	at, _ := strconv.Atoi(string(end[1]))
	head := regexp.MustCompile(`^xref\n0 (\d+)\n0000000000 65535 f \n`).FindSubmatch(pdf[at:])
	if head == nil {
		t.Fatalf("no table at %d", at)
	}
	n, _ := strconv.Atoi(string(head[1]))
	var all [][]byte
	for i := 1; i < n; i++ {
		entry := pdf[at+len(head[0])+20*(i-1):][:20]
		begin, err := strconv.Atoi(string(entry[:10]))
		if err != nil || string(entry[10:]) != " 00000 n \n" {
			t.Fatalf("entry %q", entry)
		}
		prefix := []byte(strconv.Itoa(i) + " 0 obj\n")
		if !bytes.HasPrefix(pdf[begin:], prefix) {
			t.Fatalf("object %d is not at %d", i, begin)
		}
		all = append(all, pdf[begin+len(prefix):])
	}
	return all
}

func TestPDFKeepsEveryDot(t *testing.T) {
	for _, size := range [][2]int{{576, 1200}, {384, 1}, {385, 77}, {1, 1}, {7, 9}} {
		dots := NewBitmap(size[0], size[1])
		rnd := rand.New(rand.NewPCG(1, 2))
		for y := range dots.Height {
			for x := range dots.Width {
				if rnd.IntN(3) == 0 {
					dots.blacken(x, y)
				}
			}
		}
		all := objects(t, pdfOf(t, paperPNG(t, dots.Image())))
		image := all[4]
		said := regexp.MustCompile(`/Width (\d+) /Height (\d+) .*/BitsPerComponent 1 /Decode \[1 0\] .*/Length (\d+) >>\nstream\n`).FindSubmatch(image)
		if said == nil || string(said[1]) != strconv.Itoa(size[0]) || string(said[2]) != strconv.Itoa(size[1]) {
			t.Fatalf("%v: %.200s", size, image)
		}
		length, _ := strconv.Atoi(string(said[3]))
		rest := image[bytes.Index(image, []byte("stream\n"))+len("stream\n"):]
		if !bytes.HasPrefix(rest[length:], []byte("\nendstream\nendobj\n")) {
			t.Fatalf("%v: the length is wrong", size)
		}
		z, err := zlib.NewReader(bytes.NewReader(rest[:length]))
		if err != nil {
			t.Fatal(err)
		}
		bits, err := io.ReadAll(z)
		if err != nil || !bytes.Equal(bits, dots.Bits) {
			t.Errorf("%v: other dots (%v)", size, err)
		}
	}
}

func TestPDFHasThePapersSize(t *testing.T) {
	box := regexp.MustCompile(`/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]`)
	for _, c := range []struct {
		width, height int
		want          []float64 // millimetres: the width, and the height of each page
	}{
		{576, 800, []float64{72, 100}},
		{384, 2400, []float64{48, 300}},
		{16, 40640, []float64{2, 5080}},
		{16, 40641, []float64{2, 5080, 0.125}},
		{16, 160_000, []float64{2, 5080, 5080, 5080, 4760}},
	} {
		all := objects(t, pdfOf(t, paperPNG(t, NewBitmap(c.width, c.height).Image())))
		pages := c.want[1:]
		if said := "/Count " + strconv.Itoa(len(pages)) + " >>"; len(all) != 2+3*len(pages) || !bytes.Contains(all[1][:200], []byte(said)) {
			t.Fatalf("%d×%d dots: %d objects, %.80s", c.width, c.height, len(all), all[1])
		}
		rows := 0
		for i, height := range pages {
			found := box.FindSubmatch(all[2+3*i])
			if found == nil {
				t.Fatal("no size")
			}
			for side, want := range []float64{c.want[0], height} {
				points, _ := strconv.ParseFloat(string(found[side+1]), 64)
				if mm := points / 72 * 25.4; mm < want-0.01 || mm > want+0.01 || points > 14400 {
					t.Errorf("%d×%d dots, page %d: %v mm, want %v", c.width, c.height, i, mm, want)
				}
			}
			if refers := fmt.Sprintf("/Contents %d 0 R /Resources << /XObject << /Paper %d 0 R", 4+3*i, 5+3*i); !bytes.Contains(all[2+3*i][:300], []byte(refers)) {
				t.Errorf("page %d: %.300s", i, all[2+3*i])
			}
			said := regexp.MustCompile(`/Height (\d+) `).FindSubmatch(all[4+3*i])
			n, _ := strconv.Atoi(string(said[1]))
			rows += n
		}
		if rows != c.height {
			t.Errorf("%d×%d dots: %d rows", c.width, c.height, rows)
		}
	}
}

func TestPDFOfOtherPictures(t *testing.T) {
	grey := image.NewGray(image.Rect(3, 4, 5, 5))
	grey.SetGray(3, 4, color.Gray{Y: 200})
	if dots := bitmapOf(grey); dots.Black(0, 0) || !dots.Black(1, 0) {
		t.Error("dark and light are mixed up")
	}
	if err := WritePDF(io.Discard, []byte("no picture")); err == nil {
		t.Error("made a document of nothing")
	}
}
