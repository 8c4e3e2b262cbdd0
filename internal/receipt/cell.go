package receipt

import (
	"fmt"
	"image"
	"math"
	"sync"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

var (
	mono     = sync.OnceValue(func() *sfnt.Font { return mustParse(sansMono) })
	monoBold = sync.OnceValue(func() *sfnt.Font { return mustParse(sansMonoBold) })
)

// Shape of the font, in parts of its em.
const (
	monoAdvance  = 1233.0 / 2048
	monoCapitals = 1493.0 / 2048
	slant        = 0.2 // to the right for each dot of height
)

// Heights of capitals at usualDPI: whole dots, so that their upper edge is sharp.
const (
	capitals          = 15
	condensedCapitals = 11
)

// cellKey is what makes a sign look as it does.
type cellKey struct {
	sign  rune
	font  Font
	width int // of the paper, which decides that of the cells
}

// cell is a sign of the font of equally wide signs. It is drawn in the shape
// asked for, rather than in the plain one with its dots doubled: the curves of
// large signs are smooth.
func (c *typeCase) cell(paper Paper, sign rune, f Font) *glyph {
	f.Underline, f.Inverse = false, false
	key := cellKey{sign, f, paper.Width}
	if g, ok := c.cells[key]; ok {
		return g
	}
	if len(c.cells) >= maxCells {
		clear(c.cells)
	}
	g := cutCell(paper, sign, f)
	c.cells[key] = g
	return g
}

func cutCell(paper Paper, sign rune, f Font) *glyph {
	if sign == '-' {
		sign = '\u2212' // the font's hyphen is so short that a condensed one looks like a dot, and receipts are full of rules
	}
	across, up := float64(paper.Width)/float64(paper.columns())/monoAdvance, float64(paper.scaled(capitals))/monoCapitals
	if f.Condensed {
		across, up = across*3/4, float64(paper.scaled(condensedCapitals))/monoCapitals
	}
	if f.Wide {
		across *= 2
	}
	if f.High {
		up *= 2
	}
	lean := 0.0
	if f.Italic {
		lean = slant
	}
	parsed := mono()
	if f.Bold {
		parsed = monoBold()
	}
	var buffer sfnt.Buffer
	index, err := parsed.GlyphIndex(&buffer, sign) // 0 is the empty box of a sign that the font lacks
	if err != nil {
		index = 0
	}
	const em = 1 << 10
	outline, err := parsed.LoadGlyph(&buffer, index, fixed.I(em), nil)
	if err != nil {
		panic(fmt.Sprintf("receipt: a glyph of an embedded font: %v", err))
	}
	place := func(p fixed.Point26_6) (x, y float32) {
		right, down := float64(p.X)/(64*em), float64(p.Y)/(64*em)
		return float32(right*across - lean*down*up), float32(down * up)
	}
	return outlined(outline, place)
}

// outlined is an outline as dots, drawn where place says.
func outlined(outline sfnt.Segments, place func(fixed.Point26_6) (x, y float32)) *glyph {
	box := outlineBox(outline, place)
	if box.Empty() {
		return &glyph{dots: NewBitmap(0, 0)}
	}
	pen := vector.NewRasterizer(box.Dx(), box.Dy())
	at := func(p fixed.Point26_6) (x, y float32) {
		x, y = place(p)
		return x - float32(box.Min.X), y - float32(box.Min.Y)
	}
	for _, segment := range outline {
		x, y := at(segment.Args[0])
		switch segment.Op {
		case sfnt.SegmentOpMoveTo:
			pen.ClosePath()
			pen.MoveTo(x, y)
		case sfnt.SegmentOpLineTo:
			pen.LineTo(x, y)
		case sfnt.SegmentOpQuadTo:
			x1, y1 := at(segment.Args[1])
			pen.QuadTo(x, y, x1, y1)
		case sfnt.SegmentOpCubeTo:
			x1, y1 := at(segment.Args[1])
			x2, y2 := at(segment.Args[2])
			pen.CubeTo(x, y, x1, y1, x2, y2)
		}
	}
	pen.ClosePath()
	mask := image.NewAlpha(image.Rect(0, 0, box.Dx(), box.Dy()))
	pen.Draw(mask, mask.Bounds(), image.Opaque, image.Point{})
	g := &glyph{left: box.Min.X, top: box.Min.Y, dots: NewBitmap(box.Dx(), box.Dy())}
	for y := range box.Dy() {
		for x := range box.Dx() {
			if mask.AlphaAt(x, y).A >= ink {
				g.dots.blacken(x, y)
			}
		}
	}
	return g
}

// outlineBox holds all points of an outline.
func outlineBox(outline sfnt.Segments, place func(fixed.Point26_6) (x, y float32)) (box image.Rectangle) {
	points := map[sfnt.SegmentOp]int{sfnt.SegmentOpMoveTo: 1, sfnt.SegmentOpLineTo: 1, sfnt.SegmentOpQuadTo: 2, sfnt.SegmentOpCubeTo: 3}
	for _, segment := range outline {
		for _, p := range segment.Args[:points[segment.Op]] {
			x, y := place(p)
			left, top := int(math.Floor(float64(x))), int(math.Floor(float64(y)))
			box = box.Union(image.Rect(left, top, left+1, top+1))
		}
	}
	return box
}
