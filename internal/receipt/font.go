package receipt

import (
	"fmt"
	"sync"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"codeberg.org/go-fonts/dejavu/dejavusansbold"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// dotsPerInch is the resolution of nearly every receipt printer: 8 dots a
// millimetre. A point is taken literally, 1/72 inch on the paper, so that a size
// means the same on a roll of 58 mm and on one of 80 mm: size 8 (22 dots) is the
// usual small print of coupons, about 30 characters on 384 dots; 16 is twice
// that, read at arm's length.
const dotsPerInch = 203

// The fonts are parsed at first use: a terminal that never prints pays neither
// the memory nor the time. The parsed font is read-only and shared.
var (
	regular = sync.OnceValue(func() *opentype.Font { return mustParse(dejavusans.TTF) })
	bold    = sync.OnceValue(func() *opentype.Font { return mustParse(dejavusansbold.TTF) })
)

// mustParse panics on a bad font: it is part of the program.
func mustParse(ttf []byte) *opentype.Font {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic(fmt.Sprintf("receipt: parsing an embedded font: %v", err))
	}
	return f
}

// type case limits: a page of ordinary text stays far below; a page that shows
// every sign in every size must not hold them all.
const (
	maxFaces  = 8
	maxGlyphs = 256
)

// A typeCase holds the faces one page uses and the glyphs already drawn. It
// lives as long as the page is being laid out, so nothing stays in memory
// between prints and nothing is shared between goroutines.
type typeCase map[style]*face

type style struct {
	size int
	bold bool
}

func (c typeCase) face(size int, heavy bool) *face {
	key := style{pointSize(size), heavy}
	if f, ok := c[key]; ok {
		return f
	}
	if len(c) >= maxFaces {
		clear(c)
	}
	parsed := regular
	if heavy {
		parsed = bold
	}
	drawn, err := opentype.NewFace(parsed(), &opentype.FaceOptions{Size: float64(key.size), DPI: dotsPerInch})
	if err != nil {
		panic(fmt.Sprintf("receipt: a face of an embedded font: %v", err)) // it only fails on a nil font
	}
	f := &face{Face: drawn, glyphs: map[rune]glyph{}}
	metrics := drawn.Metrics()
	f.ascent, f.height = metrics.Ascent.Ceil(), metrics.Ascent.Ceil()+metrics.Descent.Ceil()
	c[key] = f
	return f
}

// face is a font in one size.
type face struct {
	font.Face
	ascent, height int // dots above the baseline, and of a whole line
	glyphs         map[rune]glyph
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

func (f *face) glyph(r rune) glyph {
	if g, ok := f.glyphs[r]; ok {
		return g
	}
	// Glyphs are drawn at whole dots: every "e" of a line then has the same
	// shape, which at this resolution reads better than exact spacing.
	at, mask, origin, advance, _ := f.Glyph(fixed.Point26_6{}, r)
	g := glyph{left: at.Min.X, top: at.Min.Y, advance: advance, dots: NewBitmap(at.Dx(), at.Dy())}
	for y := range at.Dy() {
		for x := range at.Dx() {
			if _, _, _, alpha := mask.At(origin.X+x, origin.Y+y).RGBA(); alpha>>8 >= ink {
				g.dots.blacken(x, y)
			}
		}
	}
	if len(f.glyphs) >= maxGlyphs {
		clear(f.glyphs)
	}
	f.glyphs[r] = g
	return g
}

// step is how far the pen moves for r when it comes after prev (none: below zero).
func (f *face) step(prev, r rune) fixed.Int26_6 {
	advance := f.glyph(r).advance
	if prev >= 0 {
		advance += f.Kern(prev, r)
	}
	return advance
}

// draw puts a line of text on the bitmap with its top left corner at x, y.
func (f *face) draw(b *Bitmap, x, y int, line string) {
	pen, prev := fixed.I(x), rune(-1)
	for _, r := range line {
		g := f.glyph(r)
		if prev >= 0 {
			pen += f.Kern(prev, r)
		}
		b.stamp(g.dots, pen.Round()+g.left, y+f.ascent+g.top)
		pen += g.advance
		prev = r
	}
}
