package escpos

import "time"

// Dialect is how a family of printers wants to be spoken to: one row of the table below.
type Dialect struct {
	Name      string
	Prelude   []byte        // comes before everything, even the first question
	Begin     []byte        // of a paper
	Image     Image         // how dots go
	Rows      int           // of one image at most; exactly, where Image is of columns
	Pause     time.Duration // after each image, for printers that lose what comes too fast
	Text      []byte        // after the dots: a line feed is a line of text again
	Cut       []byte        // but for a thread
	CutOff    []byte        // whole
	Knife     int           // lines from the head to the knife, where the cut does not feed them itself
	Drawers   [2][]byte     // nil: there is no such drawer
	Questions []Question    // how the printer is; none: it can't say
	Identify  []byte        // asks for the model, which comes between a _ and a zero byte; nil: can't be asked
	End       []byte        // of the job
}

// Image is a command that prints dots.
type Image uint8

// The ways of dots: rows by GS v 0; columns of 24 dots by ESC * 33, as wide as the paper so that the printer moves on by itself, or as
// wide as they are with a line feed.
const (
	Raster Image = iota
	Columns
	ColumnsFed
)

// columnRows is the height of a column.
const columnRows = 24

// The dialects.
//
// A line feed is the only feed that all of them have in common: ESC d is double height for a Bematech. A pulse for a drawer lasts 50 ms,
// and the coil has half a second to cool; Elgin's need more.
var (
	ESCPOS = Dialect{
		Name: "escpos", Begin: []byte{esc, '@'}, Rows: 64, Cut: []byte{gs, 'V', 66, 0}, CutOff: []byte{gs, 'V', 65, 0},
		Drawers: [2][]byte{{esc, 'p', 0, 25, 250}, {esc, 'p', 1, 25, 250}}, Questions: epsonQuestions, Identify: []byte{gs, 'I', 67},
	}
	// Those that do not know GS V, or do not cut by it.
	Direct = ESCPOS.with(func(d *Dialect) {
		d.Name, d.Cut, d.CutOff, d.Knife = "escpos-esc-m", []byte{esc, 'm'}, []byte{esc, 'i'}, 5
	})
	Elgin = ESCPOS.with(func(d *Dialect) {
		d.Name, d.Drawers = "elgin", [2][]byte{{esc, 'p', 0, 50, 250}, {esc, 'p', 1, 50, 250}}
	})
	// Printers that lose bytes: on Bluetooth, and cheap ones on USB.
	Weak = ESCPOS.with(func(d *Dialect) {
		d.Name, d.Rows, d.Pause, d.Questions, d.Identify = "escpos-weak", 24, 30*time.Millisecond, nil, nil
	})
	// A Bematech has two languages. It is an Epson for the job, and then what it was before.
	Bematech = ESCPOS.with(func(d *Dialect) {
		d.Name, d.Prelude, d.End = "bematech", []byte{gs, 0xf9, 0x20, 1}, []byte{gs, 0xf9, 0x1f, '1'}
	})
	// Bema is a Bematech in its own language, for models and firmware without the other.
	Bema = Dialect{
		Name: "bema", Prelude: []byte{gs, 0xf9, 0x20, 0}, Begin: []byte{esc, '@'}, Image: Columns, Rows: columnRows,
		Cut: []byte{esc, 'm'}, CutOff: []byte{esc, 'w'}, Knife: 5, Drawers: [2][]byte{{esc, 'v', 100}, {esc, 0x80, 100}},
		Questions: bemaQuestions, End: []byte{gs, 0xf9, 0x1f, '1'},
	}
	Daruma = Dialect{
		Name: "daruma", Begin: []byte{esc, '@', esc, '3', 0}, Image: Columns, Rows: columnRows, Text: []byte{esc, '@'},
		Cut: []byte{esc, 'm'}, CutOff: []byte{esc, 'm'}, Knife: 5, Drawers: [2][]byte{{esc, 'p'}}, Questions: darumaQuestions,
	}
	// Custom (Nitere), Datecs, Wincor: what others print by rows they do not.
	Column = Direct.with(func(d *Dialect) {
		d.Name, d.Begin, d.Image, d.Rows, d.Text, d.Identify = "column", []byte{esc, '@', esc, '3', 16}, ColumnsFed, columnRows, []byte{esc, '2'}, nil
	})
)

// Dialects are all of them, the usual one first.
var Dialects = []Dialect{ESCPOS, Direct, Elgin, Weak, Bematech, Bema, Daruma, Column}

func (d Dialect) with(change func(*Dialect)) Dialect {
	change(&d)
	return d
}

// BlockBytes is the most that one image takes, for paper of a width in dots.
func (d Dialect) BlockBytes(width int) int {
	if d.Image == Raster {
		return HeaderBytes + d.Rows*((width+7)/8)
	}
	return HeaderBytes + 3*width
}
