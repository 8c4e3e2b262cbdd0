// Package escpos is the languages of receipt printers: dots, feeds, cuts and the
// drawer into bytes, status bytes into words.
//
// Everything printed goes as dots: it needs no code page, no font of the
// printer's and none of the ways in which printers draw codes. What is left to differ between families is a row of dialect.go.
package escpos

import (
	"io"
	"time"

	"github.com/maquininha/maquininha/internal/receipt"
)

// HeaderBytes is what the longest command begins with: none but its dots is longer.
const HeaderBytes = 8

const (
	esc = 0x1b
	gs  = 0x1d
	dle = 0x10
	eot = 0x04
	enq = 0x05
)

// Writer writes one paper in the language of the printer. Bands may be of any
// height; they go out in even blocks, but the first at once, so that paper moves
// while the rest is drawn.
type Writer struct {
	Dialect
	out     io.Writer
	width   int // in dots
	stride  int
	waiting []byte // rows not yet sent
	block   []byte
	moving  bool // something is out
	drawn   bool // dots were the last thing out
	fed     int  // lines since the dots
}

// NewWriter writes to out, a block at a time.
func NewWriter(out io.Writer, d Dialect) *Writer { return &Writer{out: out, Dialect: d} }

// Begin forgets what an earlier paper left set.
func (w *Writer) Begin() error { return w.send(w.Dialect.Begin) }

// Band adds rows below those before. All bands of a paper are equally wide.
func (w *Writer) Band(b *receipt.Bitmap) error {
	if b.Height == 0 || b.Width == 0 {
		return nil
	}
	w.width, w.stride = b.Width, b.Stride()
	w.waiting = append(w.waiting, b.Bits...)
	if !w.moving && w.Image == Raster {
		w.moving = true
		return w.blocks(1)
	}
	return w.blocks(w.Rows)
}

// Flush sends the rows that wait. Where images have a height of their own, the last is white below.
func (w *Writer) Flush() error {
	if err := w.blocks(1); err != nil || !w.drawn {
		return err
	}
	w.drawn, w.fed = false, 0
	return w.write(w.Text)
}

// blocks sends what waits while there are at least so many rows of it.
func (w *Writer) blocks(least int) error {
	rest := w.waiting
	for len(rest) > 0 && len(rest) >= least*w.stride {
		size := min(len(rest), w.Rows*w.stride)
		if err := w.image(rest[:size]); err != nil {
			return err
		}
		w.drawn = true
		time.Sleep(w.Pause)
		rest = rest[size:]
	}
	w.waiting = append(w.waiting[:0], rest...)
	return nil
}

func (w *Writer) image(rows []byte) error {
	if w.Image == Raster {
		w.block = appendRaster(w.block[:0], rows, w.stride)
	} else {
		w.block = w.appendColumns(w.block[:0], rows)
	}
	return w.write(w.block)
}

// appendRaster adds rows as GS v 0. White at the right of all of them is left out: the
// paper is white already, and a serial line takes a millisecond for every byte.
//
// Feeding over white rows would save more, but printers disagree on how far a
// feed by dots goes, and the picture must be the same on all of them.
func appendRaster(block, rows []byte, stride int) []byte {
	count, used := len(rows)/stride, max(inked(rows, stride), 1) // a raster of no width is none
	block = append(block, gs, 'v', '0', 0, byte(used), byte(used>>8), byte(count), byte(count>>8))
	for y := range count {
		block = append(block, rows[y*stride:][:used]...)
	}
	return block
}

// inked is how many bytes of the rows have ink, from the left.
func inked(rows []byte, stride int) (used int) {
	for y := range len(rows) / stride {
		row := rows[y*stride:][:stride]
		for len(row) > used && row[len(row)-1] == 0 {
			row = row[:len(row)-1]
		}
		used = max(used, len(row))
	}
	return used
}

// appendColumns adds rows as ESC * 33: of each column of 24 dots three bytes, the highest dot in the highest bit.
func (w *Writer) appendColumns(block, rows []byte) []byte {
	width := w.width
	if w.Image == ColumnsFed {
		width = min(width, max(8*inked(rows, w.stride), 1))
	}
	block = append(block, esc, '*', 33, byte(width), byte(width>>8))
	for x := range width {
		for top := 0; top < columnRows; top += 8 {
			var dots byte
			for y := top; y < top+8 && (y+1)*w.stride <= len(rows); y++ {
				dots |= (rows[y*w.stride+x/8] >> (7 - x%8) & 1) << (7 - y%8)
			}
			block = append(block, dots)
		}
	}
	if w.Image == ColumnsFed {
		block = append(block, '\n')
	}
	return block
}

// Feed moves the paper by lines of text.
func (w *Writer) Feed(lines int) error {
	if err := w.Flush(); err != nil || lines <= 0 {
		return err
	}
	w.fed += lines
	feed := make([]byte, lines)
	for i := range feed {
		feed[i] = '\n'
	}
	return w.write(feed)
}

// CutPaper moves the end of the print to the knife and cuts, but for a thread or whole; many knives leave the thread all the same. A printer
// without a knife ignores it.
func (w *Writer) CutPaper(whole bool) error {
	if err := w.Flush(); err != nil {
		return err
	}
	if err := w.Feed(w.Knife - w.fed); err != nil {
		return err
	}
	if whole {
		return w.write(w.CutOff)
	}
	return w.write(w.Cut)
}

// KickDrawer opens a cash drawer, 1 or 2.
func (w *Writer) KickDrawer(drawer int) error { return w.send(w.Drawers[drawer-1]) }

func (w *Writer) send(command []byte) error {
	if err := w.Flush(); err != nil {
		return err
	}
	return w.write(command)
}

func (w *Writer) write(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	_, err := w.out.Write(b)
	return err
}
