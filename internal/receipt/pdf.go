package receipt

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"
)

const (
	// pointsPerDot: receipt printers put 8 dots in a millimetre, a document 72 points in an inch.
	pointsPerDot = 72 / 25.4 / 8
	// pageDots is the longest page that readers of documents put up with: 14,400 points, five metres of paper.
	pageDots = 40640
)

// WritePDF writes printed papers, given as PNG, as a document of their own size: of a page each, or of several where
// a page can't be so long. The dots are kept as they are: what prints the document at its size prints the receipt.
func WritePDF(w io.Writer, papers ...[]byte) error {
	all := make([]*Bitmap, len(papers))
	for i, paper := range papers {
		picture, err := png.Decode(bytes.NewReader(paper))
		if err != nil {
			return fmt.Errorf("reading the paper: %w", err)
		}
		all[i] = bitmapOf(picture)
	}
	return WriteDotsPDF(w, all...)
}

// WriteDotsPDF is WritePDF for papers that are still dots.
func WriteDotsPDF(w io.Writer, papers ...*Bitmap) error {
	const beforePages, objectsOfPage = 2, 3
	pages := 0
	for _, paper := range papers {
		pages += (paper.Height + pageDots - 1) / pageDots
	}
	kids := make([]string, pages)
	for i := range kids {
		kids[i] = fmt.Sprintf("%d 0 R", beforePages+objectsOfPage*i+1)
	}
	d := document{}
	d.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n") // four bytes above ASCII say that the rest is not text
	d.object("<< /Type /Catalog /Pages 2 0 R >>", nil)
	d.object(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), pages), nil)
	for _, dots := range papers {
		for from := 0; from < dots.Height; from += pageDots {
			rows := min(pageDots, dots.Height-from)
			d.page(dots.Width, rows, dots.Bits[from*dots.Stride():(from+rows)*dots.Stride()])
		}
	}
	d.end()
	_, err := w.Write(d.Bytes())
	return err
}

// page adds a page of dots: itself, what draws it and the dots.
func (d *document) page(columns, rows int, bits []byte) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(bits) //nolint:errcheck // it goes to memory
	z.Close()     //nolint:errcheck // likewise
	width, height := float64(columns)*pointsPerDot, float64(rows)*pointsPerDot
	drawing := fmt.Sprintf("q %.4f 0 0 %.4f 0 0 cm /Paper Do Q", width, height)
	next := len(d.begins) + 2
	d.object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.4f %.4f] /Contents %d 0 R /Resources << /XObject << /Paper %d 0 R >> >> >>", width, height, next, next+1), nil)
	d.object(fmt.Sprintf("<< /Length %d >>", len(drawing)), []byte(drawing))
	// Decode says that a set bit is black, as on paper.
	d.object(fmt.Sprintf("<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 1 /Decode [1 0] /Filter /FlateDecode /Length %d >>",
		columns, rows, packed.Len()), packed.Bytes())
}

// document is a PDF being written: it knows where each of its objects begins.
type document struct {
	bytes.Buffer
	begins []int
}

func (d *document) object(dictionary string, stream []byte) {
	d.begins = append(d.begins, d.Len())
	fmt.Fprintf(d, "%d 0 obj\n%s\n", len(d.begins), dictionary)
	if stream != nil {
		d.WriteString("stream\n")
		d.Write(stream)
		d.WriteString("\nendstream\n")
	}
	d.WriteString("endobj\n")
}

// end writes the table by which readers find the objects: each entry takes twenty bytes.
func (d *document) end() {
	table, n := d.Len(), len(d.begins)+1
	fmt.Fprintf(d, "xref\n0 %d\n0000000000 65535 f \n", n)
	for _, at := range d.begins {
		fmt.Fprintf(d, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(d, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", n, table)
}

// bitmapOf takes a picture's dark dots.
func bitmapOf(picture image.Image) *Bitmap {
	bounds := picture.Bounds()
	dots := NewBitmap(bounds.Dx(), bounds.Dy())
	dark := func(c color.Color) bool { return color.GrayModel.Convert(c).(color.Gray).Y < 0x80 }
	black := func(x, y int) bool { return dark(picture.At(x, y)) }
	if p, ok := picture.(*image.Paletted); ok { // what Image gives: the colours need be looked at only once
		var ink [256]bool
		for i, c := range p.Palette {
			ink[i] = dark(c)
		}
		black = func(x, y int) bool { return ink[p.ColorIndexAt(x, y)] }
	}
	for y := range dots.Height {
		for x := range dots.Width {
			if black(bounds.Min.X+x, bounds.Min.Y+y) {
				dots.blacken(x, y)
			}
		}
	}
	return dots
}
