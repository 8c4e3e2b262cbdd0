// Package receipt is a printed page before it knows its printer: a list of
// texts, lines, pairs, columns, rules, blanks, codes and pictures, and the rasteriser
// that lays them out for a roll of paper.
//
// The rasteriser is pure and deterministic: the same page for the same paper is
// the same dots on every machine, so pictures can be compared in tests. It
// works from top to bottom and hands out finished bands, so that a long page
// need never be whole in memory and paper can move while the rest is drawn.
package receipt

import (
	"image"

	"github.com/maquininha/maquininha/internal/barcode"
)

// Page is what goes on the paper, from top to bottom.
type Page struct {
	Elements []Element
	FullCut  bool // where the knife can: the paper is cut off whole, instead of hanging on by a thread
}

// Add puts elements at the end of the page.
func (p *Page) Add(elements ...Element) {
	p.Elements = append(p.Elements, elements...)
}

// An Element is one of Text, Line, Pair, Columns, Rule, Blank, QR, Barcode, Image or Either.
// The set is closed: the raster and the plain form must both know every member.
type Element interface{ element() }

// Text is a paragraph. Line feeds in it break lines, and lines too long for the
// paper are wrapped at spaces; a word longer than a line is broken, never cut.
type Text struct {
	Value string
	Size  int // points; zero is DefaultSize
	Bold  bool
	Align Align

	Italic bool
}

// Pair is a label at the left and its value at the right of one line. The label
// wraps in the room the value leaves; a value that leaves too little goes below.
type Pair struct {
	Left, Right string
	Size        int // points; zero is DefaultSize
	Bold        bool
}

// Columns are cells side by side, each wrapped in its own width; the row is as
// high as the longest of them.
type Columns struct {
	Cells []Cell
	Size  int // points; zero is DefaultSize
	Bold  bool
	// Shrink makes the letters smaller where the paper is too narrow for the longest words side by side.
	Shrink bool
}

// Cell is one of Columns. Rows of one table line up when their weights are the
// same; a cell without weight is as wide as what it holds.
type Cell struct {
	Value  string
	Weight int // its share of the width that cells without weight leave
	Align  Align

	// Fit is the longest word of the column it stands in. Rows that are as wide as it asks line up.
	Fit string

	Size         int  // points; zero is that of the row
	Bold, Italic bool // besides what the row is
}

// Rule is a line across the paper.
type Rule struct {
	Dashed bool
}

// QR is a QR code. Its modules are as large as MinMM asks and no wider than the
// paper with the quiet zone.
//
// One with a Module is the caller's own: it is made smaller where the paper is too
// narrow, and one that can't be made at all prints nothing.
type QR struct {
	Text   string
	MinMM  int // the side of the code in millimetres where the paper allows; zero is 25
	Module int // the side of a module in dots; zero is what MinMM asks
	Level  Level
	Place  Place
}

// Level is how much of a QR code may be damaged.
type Level int

// The levels; the zero value is LevelM.
const (
	LevelM Level = iota // 15 %
	LevelL              // 7 %
	LevelQ              // 25 %
	LevelH              // 30 %
)

// Barcode is a barcode: Code, or else the Text as Code 128, digits in pairs,
// letters and signs of ASCII up to the capitals one by one.
//
// One with a Module is the caller's own: where the paper is too narrow its text is
// printed instead.
type Barcode struct {
	Text     string
	Code     barcode.Code
	Module   int  // the narrowest bar in dots; zero is what fits well
	Height   int  // of the bars in dots; zero is 10 mm
	ShowText bool // below the bars
	Place    Place
}

// Place is where a code or a picture stands.
type Place int

// The places; the zero value is Middle.
const (
	Middle Place = iota
	LeftEdge
	RightEdge
)

// left is where something of a width begins.
func (p Place) left(room, width int) int {
	switch p {
	case LeftEdge:
		return 0
	case RightEdge:
		return room - width
	}
	return (room - width) / 2
}

// Blank is the height of one empty line of text.
type Blank struct {
	Size int // points; zero is DefaultSize
}

// Image is a picture. A wide one is scaled down to the paper, a small
// one is doubled where that fits: most pictures are drawn for screens with half
// the paper's dots.
type Image struct {
	Picture image.Image
	MaxMM   int  // its height in millimetres at most; zero is any
	Exact   bool // its pixels are dots: a small one is not doubled
	Place   Place
}

// Either is one list of elements on wide paper and another on narrow, so that a
// page need not know its printer: a table of six columns on 80 mm takes two lines
// an item on 58 mm.
type Either struct {
	Wide, Narrow []Element
}

func (Text) element()    {}
func (Line) element()    {}
func (Pair) element()    {}
func (Columns) element() {}
func (Rule) element()    {}
func (Blank) element()   {}
func (QR) element()      {}
func (Barcode) element() {}
func (Image) element()   {}
func (Either) element()  {}

// Align says where the lines of a Text or a Cell stand.
type Align int

// The alignments; the zero value is Left.
const (
	Left Align = iota
	Center
	Right
)

// Sizes of text, in points (1/72 inch) on the paper.
const (
	DefaultSize = 16
	MinSize     = 6
	MaxSize     = 96
)

// ClampSize brings a size into MinSize…MaxSize and tells whether it had to. Zero
// is a size like any other here: who means "not given" says DefaultSize.
func ClampSize(size int) (clampedSize int, clamped bool) {
	clampedSize = min(max(size, MinSize), MaxSize)
	return clampedSize, clampedSize != size
}

// pointSize is the size an element's field stands for.
func pointSize(size int) int {
	if size == 0 {
		return DefaultSize
	}
	size, _ = ClampSize(size)
	return size
}
