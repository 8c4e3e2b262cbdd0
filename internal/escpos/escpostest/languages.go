package escpostest

import (
	"fmt"
	"slices"

	"github.com/maquininha/maquininha/internal/receipt"
)

// Language is what a machine speaks, as its maker's manual has it; nothing here is taken from the tables of the driver.
type Language uint8

// The languages. A Bematech is switched on in its own, and can be told to speak as an Epson.
const (
	Epson Language = iota
	Bematech
	Daruma
	Custom // an Epson without GS v 0 and GS V
)

// command is one that a machine knows.
type command struct {
	begins string
	length int // where it is no image
	do     func(m *Machine, b []byte)
	image  func(m *Machine, b []byte) (int, error) // tells its own length
}

var (
	nul   = command{begins: "\x00", length: 1, do: func(*Machine, []byte) {}} // printers pass over it
	begin = command{begins: "\x1b@", length: 2, do: func(m *Machine, _ []byte) { m.begin() }}
	feed  = command{begins: "\n", length: 1, do: func(m *Machine, _ []byte) { m.lineFeed() }}
	// A part of a line spacing that was not whole is no error of the sender's.
	spacing = command{begins: "\x1b3", length: 3, do: func(m *Machine, b []byte) { m.above = int(b[2]) + 1 }}
	usual   = command{begins: "\x1b2", length: 2, do: func(m *Machine, _ []byte) { m.above = 0 }}
	kick    = command{begins: "\x1bp", length: 5, do: func(m *Machine, b []byte) { m.kick(b[2]) }}
	escM    = command{begins: "\x1bm", length: 2, do: func(m *Machine, _ []byte) { m.cutHere() }}
	escI    = command{begins: "\x1bi", length: 2, do: func(m *Machine, _ []byte) { m.FullCuts++; m.cutHere() }}
	status  = command{begins: "\x10\x04", length: 3, do: func(m *Machine, b []byte) {
		if b[2] != 0 { // there is no such question
			m.answer(b[:3])
		}
	}}
	columns = command{begins: "\x1b*\x21", length: 5, image: (*Machine).columns}
)

var epson = []command{
	nul, begin, feed, spacing, usual, kick, escM, escI, status,
	{begins: "\x1dVB", length: 4, do: func(m *Machine, _ []byte) { m.cut() }},
	{begins: "\x1dVA", length: 4, do: func(m *Machine, _ []byte) { m.FullCuts++; m.cut() }},
	{begins: "\x1dv0\x00", length: 8, image: (*Machine).raster},
	{begins: "\x1dI", length: 3, do: func(m *Machine, b []byte) { m.answer(b[:3]) }},
}

var custom = []command{nul, begin, feed, spacing, usual, kick, escM, escI, status, columns}

var daruma = []command{
	nul, begin, feed, spacing, escM, columns,
	{begins: "\x1bp", length: 2, do: func(m *Machine, _ []byte) { m.kick(0) }},
	{begins: "\x05", length: 1, do: func(m *Machine, b []byte) { m.answer(b[:1]) }},
	{begins: "\x1d\x05", length: 2, do: func(m *Machine, b []byte) { m.answer(b[:2]) }},
}

// Both languages of a Bematech have these.
var bematech = []command{
	{begins: "\x1d\xf9\x20", length: 4, do: func(m *Machine, b []byte) { m.speak(b[3]&1 == 1) }},
	{begins: "\x1d\xf9\x1f1", length: 4, do: func(m *Machine, _ []byte) { m.speak(m.back) }},
	{begins: "\x1d\xf81", length: 3, do: func(m *Machine, b []byte) { m.answer(b[:3]) }},
}

var bematechAsEpson = slices.Concat(bematech, epson)

// ESC d is double height here, and there is neither GS v nor GS V.
var bema = append(slices.Clip(bematech), []command{
	nul, begin, feed, escM, columns,
	{begins: "\x1bw", length: 2, do: func(m *Machine, _ []byte) { m.FullCuts++; m.cutHere() }},
	{begins: "\x1bv", length: 3, do: func(m *Machine, b []byte) { m.pulse(0, b[2]) }},
	{begins: "\x1b\x80", length: 3, do: func(m *Machine, b []byte) { m.pulse(1, b[2]) }},
}...)

func (m *Machine) commands() []command {
	switch {
	case m.Language == Daruma:
		return daruma
	case m.Language == Custom:
		return custom
	case m.Language == Bematech && m.other:
		return bematechAsEpson
	case m.Language == Bematech:
		return bema
	}
	return epson
}

// begin is ESC @. Between the dots and the feeds of a paper it only sets the line spacing back.
func (m *Machine) begin() {
	m.above, m.line = 0, nil
	if m.job && !m.spoiled && m.Paper().Height > 0 {
		return
	}
	m.Begun, m.job, m.spoiled = m.Begun+1, true, false
}

// speak is another language from now on.
func (m *Machine) speak(asEpson bool) {
	m.other, m.back = asEpson, m.other
	m.Switched++
	m.above = 0
}

func (m *Machine) kick(pin byte) { m.Kicks, m.Pins = m.Kicks+1, append(m.Pins, pin) }

// pulse opens a drawer, where it is long enough for that and short enough for the coil.
func (m *Machine) pulse(pin, milliseconds byte) {
	if milliseconds >= 50 && milliseconds <= 200 {
		m.kick(pin)
	}
}

// lineFeed prints the line that waits, or moves the paper on by one of text.
func (m *Machine) lineFeed() {
	if m.line == nil {
		m.Fed++
		m.below++
		return
	}
	m.print(m.line)
	m.line = nil
}

// knife is how many lines lie between the head and the knife: a cut in less goes through the print.
const knife = 4

// cutHere is a knife that does not feed.
func (m *Machine) cutHere() {
	if m.below < knife && m.Paper().Height > 0 {
		m.spoiled = true
	}
	m.cut()
}

// raster is GS v 0: 1D 76 30 m xL xH yL yH and the dots.
func (m *Machine) raster(b []byte) (int, error) {
	const header = 8
	width, rows := int(b[4])|int(b[5])<<8, int(b[6])|int(b[7])<<8
	paper := m.Paper()
	if width == 0 || rows == 0 || width > paper.Stride() {
		return 0, fmt.Errorf("%w: a raster of %d bytes by %d rows on paper of %d bytes", ErrUnknown, width, rows, paper.Stride())
	}
	size := header + width*rows
	if len(b) < size {
		return 0, nil
	}
	image := receipt.NewBitmap(m.Width, rows)
	for y := range rows {
		copy(image.Bits[y*image.Stride():], b[header+y*width:][:width])
	}
	m.print(image)
	return size, nil
}

// columns are ESC * 33: 1B 2A 21 nL nH and three bytes a column. A line as wide as the paper prints by itself, one that is not waits for its
// line feed.
func (m *Machine) columns(b []byte) (int, error) {
	const header, rows = 5, 24
	width := int(b[3]) | int(b[4])<<8
	if width == 0 || width > m.Width {
		return 0, fmt.Errorf("%w: %d columns on paper of %d dots", ErrUnknown, width, m.Width)
	}
	size := header + 3*width
	if len(b) < size {
		return 0, nil
	}
	image := receipt.NewBitmap(m.Width, rows)
	for x := range width {
		for y := range rows {
			if b[header+3*x+y/8]&(0x80>>(y%8)) != 0 {
				image.Bits[y*image.Stride()+x/8] |= 0x80 >> (x % 8)
			}
		}
	}
	if m.Language == Custom {
		if m.above != 16+1 {
			return 0, fmt.Errorf("%w: lines of columns %d units apart would leave gaps or overlap", ErrUnknown, m.above-1)
		}
		m.line = image
		return size, nil
	}
	if width != m.Width || m.Language == Daruma && m.above != 0+1 {
		return 0, fmt.Errorf("%w: a line of %d columns, %d units apart, does not print by itself", ErrUnknown, width, m.above-1)
	}
	m.print(image)
	return size, nil
}

func (m *Machine) print(image *receipt.Bitmap) {
	paper := m.Paper()
	paper.Bits = append(paper.Bits, image.Bits...)
	paper.Height += image.Height
	m.below = 0
	m.Rasters = append(m.Rasters, image.Height)
}
