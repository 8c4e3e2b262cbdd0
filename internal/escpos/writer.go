// Package escpos is the language of receipt printers: dots, feeds, cuts and the
// drawer into bytes, status bytes into words.
//
// Everything printed goes as a raster: it needs no code page, no font of the
// printer's and none of the dialects in which printers draw codes.
package escpos

import (
	"io"

	"github.com/maquininha/maquininha/internal/receipt"
)

// blockRows is how many rows are sent as one raster. The command allows 255 and
// more, but small printers wait for a whole block before the paper moves, and
// have no more room than this.
const blockRows = 64

// BlockBytes is the most that one raster takes, for paper of a width in dots.
func BlockBytes(width int) int { return HeaderBytes + blockRows*((width+7)/8) }

// HeaderBytes is what a raster begins with: no command but its dots is longer.
const HeaderBytes = 8

const (
	esc = 0x1b
	gs  = 0x1d
	dle = 0x10
	eot = 0x04
)

// Writer writes one job in the language of the printer. Bands may be of any
// height; they go out in even blocks, but the first at once, so that paper moves
// while the rest is drawn.
type Writer struct {
	out     io.Writer
	stride  int
	waiting []byte // rows not yet sent
	block   []byte
	moving  bool // something is out
}

// NewWriter writes to out, a block at a time.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Begin forgets what an earlier job left set.
func (w *Writer) Begin() error { return w.send(esc, '@') }

// Band adds rows below those before. All bands of a job are equally wide.
func (w *Writer) Band(b *receipt.Bitmap) error {
	if b.Height == 0 || b.Width == 0 {
		return nil
	}
	w.stride = b.Stride()
	w.waiting = append(w.waiting, b.Bits...)
	if !w.moving {
		w.moving = true
		return w.Flush()
	}
	return w.blocks(blockRows)
}

// Flush sends the rows that wait.
func (w *Writer) Flush() error { return w.blocks(1) }

// blocks sends what waits while there are at least so many rows of it.
func (w *Writer) blocks(least int) error {
	rest := w.waiting
	for len(rest) > 0 && len(rest) >= least*w.stride {
		size := min(len(rest), blockRows*w.stride)
		if err := w.raster(rest[:size]); err != nil {
			return err
		}
		rest = rest[size:]
	}
	w.waiting = append(w.waiting[:0], rest...)
	return nil
}

// raster sends rows as GS v 0. White at the right of all of them is left out: the
// paper is white already, and a serial line takes a millisecond for every byte.
//
// Feeding over white rows would save more, but printers disagree on how far a
// feed by dots goes, and the picture must be the same on all of them.
func (w *Writer) raster(rows []byte) error {
	count := len(rows) / w.stride
	used := 1 // a raster of no width is none
	for y := range count {
		row := rows[y*w.stride:][:w.stride]
		for len(row) > used && row[len(row)-1] == 0 {
			row = row[:len(row)-1]
		}
		used = max(used, len(row))
	}
	w.block = append(w.block[:0], gs, 'v', '0', 0, byte(used), byte(used>>8), byte(count), byte(count>>8))
	for y := range count {
		w.block = append(w.block, rows[y*w.stride:][:used]...)
	}
	_, err := w.out.Write(w.block)
	return err
}

// Feed moves the paper by lines of text, at most 255.
func (w *Writer) Feed(lines int) error {
	if lines <= 0 {
		return w.Flush()
	}
	return w.send(esc, 'd', byte(min(lines, 255)))
}

// Cut moves the end of the print to the knife and cuts, but for a thread. A printer
// without a knife ignores it.
func (w *Writer) Cut() error { return w.send(gs, 'V', 66, 0) }

// CutOff is Cut without the thread; many knives leave it all the same.
func (w *Writer) CutOff() error { return w.send(gs, 'V', 65, 0) }

// KickDrawer opens a cash drawer, 1 or 2: a pulse of 50 ms on its pin, and half a
// second for the coil to cool.
func (w *Writer) KickDrawer(drawer int) error { return w.send(esc, 'p', byte(drawer-1), 25, 250) }

func (w *Writer) send(command ...byte) error {
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := w.out.Write(command)
	return err
}
