package receipt

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The faces of the paper, packed; fonts/VENDOR.md tells where they are from.
var (
	//go:embed fonts/DejaVuSans.ttf.gz
	sans []byte
	//go:embed fonts/DejaVuSans-Bold.ttf.gz
	sansBold []byte
	//go:embed fonts/DejaVuSansMono.ttf.gz
	sansMono []byte
	//go:embed fonts/DejaVuSansMono-Bold.ttf.gz
	sansMonoBold []byte
)

// The fonts are parsed at first use: a terminal that never prints pays neither
// the memory nor the time. The parsed font is read-only and shared.
var (
	regular = sync.OnceValue(func() *opentype.Font { return mustParse(sans) })
	bold    = sync.OnceValue(func() *opentype.Font { return mustParse(sansBold) })
)

// mustParse panics on a bad font: it is part of the program.
func mustParse(packed []byte) *opentype.Font {
	ttf, err := unpack(packed)
	var f *opentype.Font
	if err == nil {
		f, err = opentype.Parse(ttf)
	}
	if err != nil {
		panic(fmt.Sprintf("receipt: parsing an embedded font: %v", err))
	}
	return f
}

func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// type case limits: a page of ordinary text stays far below; a page that shows
// every sign in every size must not hold them all.
const (
	maxFaces  = 8
	maxGlyphs = 256
	maxKerns  = 1024
	maxCells  = 1024
	latin     = 256 // signs that have a place of their own
)

// A typeCase holds the faces one page uses and the glyphs already drawn. One
// page at a time has it, so nothing is shared between goroutines. Cutting the
// glyphs takes as long as the rest of a coupon: the case waits for the next page,
// which uses the same ones, and is forgotten when none comes.
//
// A point is taken literally, 1/72 inch on the paper, so that a size means the
// same on every roll and printer: size 8 (22 dots) is the usual small print of
// coupons, about 30 characters on 384 dots; 16 is twice that, read at arm's length.
type typeCase struct {
	dpi   int
	faces map[style]*face
	cells map[cellKey]*glyph
}

func newTypeCase(paper Paper) *typeCase {
	return &typeCase{dpi: paper.dpi(), faces: map[style]*face{}, cells: map[cellKey]*glyph{}}
}

var typeCases sync.Pool

// borrowTypeCase returns one that another page may have used; putting it back is
// no duty.
func borrowTypeCase(paper Paper) *typeCase {
	if c, ok := typeCases.Get().(*typeCase); ok && c.dpi == paper.dpi() {
		return c
	}
	return newTypeCase(paper)
}

type style struct {
	size         int
	bold, italic bool
}

func (c *typeCase) face(size int, heavy bool) *face {
	return c.styled(style{pointSize(size), heavy, false})
}

func (c *typeCase) styled(key style) *face {
	if f, ok := c.faces[key]; ok {
		return f
	}
	if len(c.faces) >= maxFaces {
		clear(c.faces)
	}
	parsed := regular
	if key.bold {
		parsed = bold
	}
	drawn, err := opentype.NewFace(parsed(), &opentype.FaceOptions{Size: float64(key.size), DPI: float64(c.dpi)})
	if err != nil {
		panic(fmt.Sprintf("receipt: a face of an embedded font: %v", err)) // it only fails on a nil font
	}
	f := &face{Face: drawn, italic: key.italic, glyphs: map[rune]*glyph{}, kerns: map[[2]rune]fixed.Int26_6{}}
	metrics := drawn.Metrics()
	f.ascent, f.height = metrics.Ascent.Ceil(), metrics.Ascent.Ceil()+metrics.Descent.Ceil()
	c.faces[key] = f
	return f
}

// face is a font in one size.
type face struct {
	font.Face
	italic         bool
	ascent, height int // dots above the baseline, and of a whole line
	latin          [latin]*glyph
	latinKerns     [latin]*[latin]int16 // by the sign before, and the sign
	glyphs         map[rune]*glyph      // the rest
	kerns          map[[2]rune]fixed.Int26_6
}

// glyph is a sign as dots, placed relative to the pen on the baseline.
type glyph struct {
	left, top int
	dots      *Bitmap
	advance   fixed.Int26_6
}

// ink is the coverage from which a dot is black. Below one half, because thin
// strokes cover few dots whole and must not fall apart.
const ink = 0x68

func (f *face) glyph(r rune) *glyph {
	if r >= 0 && r < latin {
		if f.latin[r] == nil {
			f.latin[r] = f.cut(r)
		}
		return f.latin[r]
	}
	g, ok := f.glyphs[r]
	if !ok {
		if len(f.glyphs) >= maxGlyphs {
			clear(f.glyphs)
		}
		g = f.cut(r)
		f.glyphs[r] = g
	}
	return g
}

// cut makes a glyph. A sign that the font lacks becomes its empty box: a reader
// sees that something was there.
func (f *face) cut(r rune) *glyph {
	// Glyphs are drawn at whole dots: every "e" of a line then has the same
	// shape, which at this resolution reads better than exact spacing.
	at, mask, origin, advance, _ := f.Glyph(fixed.Point26_6{}, r)
	g := &glyph{left: at.Min.X, top: at.Min.Y, advance: advance, dots: NewBitmap(at.Dx(), at.Dy())}
	for y := range at.Dy() {
		for x := range at.Dx() {
			if _, _, _, alpha := mask.At(origin.X+x, origin.Y+y).RGBA(); alpha>>8 >= ink {
				g.dots.blacken(x, y)
			}
		}
	}
	if f.italic {
		return g.slanted()
	}
	return g
}

// slanted is the glyph with each row moved to the right by its height above the baseline: the program has no italic font.
func (g *glyph) slanted() *glyph {
	shift := func(y int) int { return int(math.Round(-slant * float64(g.top+y))) }
	if g.dots.Height == 0 {
		return g
	}
	least, most := shift(g.dots.Height-1), shift(0)
	leaning := &glyph{left: g.left + least, top: g.top, advance: g.advance, dots: NewBitmap(g.dots.Width+most-least, g.dots.Height)}
	for y := range g.dots.Height {
		for x := range g.dots.Width {
			if g.dots.Black(x, y) {
				leaning.dots.blacken(x+shift(y)-least, y)
			}
		}
	}
	return leaning
}

// kern is how much closer r stands to prev. The font takes longer to say it than
// the dots take to draw, and texts have few pairs.
func (f *face) kern(prev, r rune) fixed.Int26_6 {
	if prev >= 0 && prev < latin && r >= 0 && r < latin {
		row := f.latinKerns[prev]
		if row == nil {
			row = new([latin]int16)
			f.latinKerns[prev] = row
		}
		// One more than the kern, so that zero is not yet known.
		if row[r] == 0 {
			row[r] = int16(f.Kern(prev, r)) + 1
		}
		return fixed.Int26_6(row[r]) - 1
	}
	pair := [2]rune{prev, r}
	closer, ok := f.kerns[pair]
	if !ok {
		if len(f.kerns) >= maxKerns {
			clear(f.kerns)
		}
		closer = f.Kern(prev, r)
		f.kerns[pair] = closer
	}
	return closer
}

// step is how far the pen moves for r when it comes after prev (none: below zero).
func (f *face) step(prev, r rune) fixed.Int26_6 {
	advance := f.glyph(r).advance
	if prev >= 0 {
		advance += f.kern(prev, r)
	}
	return advance
}

// draw puts a line of text on the bitmap with its top left corner at x, y.
func (f *face) draw(b *Bitmap, x, y int, line string) {
	pen, prev := fixed.I(x), rune(-1)
	for _, r := range line {
		g := f.glyph(r)
		if prev >= 0 {
			pen += f.kern(prev, r)
		}
		b.stamp(g.dots, pen.Round()+g.left, y+f.ascent+g.top)
		pen += g.advance
		prev = r
	}
}
