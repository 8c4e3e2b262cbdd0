package receipt

import (
	"errors"
	"iter"

	"golang.org/x/image/math/fixed"
)

// MaxHeight is the longest page in dots: 20 metres of paper. A page of 500 items
// takes about four; one beyond this is a mistake that would empty the roll.
const MaxHeight = 160_000

// ErrTooLong means a page would take more paper than MaxHeight.
var ErrTooLong = errors.New("page is longer than 20 metres of paper")

// Measures of the layout, in dots.
const (
	margin    = 4 // left and right of text; pictures go to the edge
	gap       = 12
	ruleSpace = 9
	ruleThick = 2
)

// Raster is the whole page as dots for paper of the given width.
func (p Page) Raster(width int) (*Bitmap, error) {
	page := NewBitmap(width, 0)
	for band := range p.Bands(width) {
		if page.Height+band.Height > MaxHeight {
			return nil, ErrTooLong
		}
		page.append(band)
	}
	return page, nil
}

// Bands are the page's dots from top to bottom, each band as wide as the paper.
// A band is a line of text or a slice of a picture: drawn when asked for.
func (p Page) Bands(width int) iter.Seq[*Bitmap] {
	return func(yield func(*Bitmap) bool) {
		s := setter{width: width, cases: typeCase{}, yield: yield}
		for _, e := range p.Elements {
			if !s.set(e) {
				return
			}
		}
	}
}

// setter lays out one page. Its methods return false when no more is wanted.
type setter struct {
	width int
	cases typeCase
	yield func(*Bitmap) bool
}

func (s setter) set(e Element) bool {
	switch e := e.(type) {
	case Text:
		return s.text(e)
	case Pair:
		return s.pair(e)
	case Rule:
		return s.rule()
	case Blank:
		return s.yield(NewBitmap(s.width, s.cases.face(e.Size, false).height))
	case Image:
		return s.image(e)
	}
	panic("receipt: an element of no known kind")
}

// room is how wide a line of text may be.
func (s setter) room() fixed.Int26_6 { return fixed.I(max(s.width-2*margin, 1)) }

func (s setter) text(t Text) bool {
	f := s.cases.face(t.Size, t.Bold)
	measure := ruler(f.step)
	for _, line := range measure.wrap(t.Value, s.room()) {
		band := NewBitmap(s.width, f.height)
		f.draw(band, s.start(t.Align, measure.width(line)), 0, line)
		if !s.yield(band) {
			return false
		}
	}
	return true
}

// start is where a line of a width begins.
func (s setter) start(align Align, width fixed.Int26_6) int {
	free := max((s.room() - width).Floor(), 0)
	switch align {
	case Center:
		return margin + free/2
	case Right:
		return margin + free
	}
	return margin
}

func (s setter) pair(p Pair) bool {
	f := s.cases.face(p.Size, p.Bold)
	measure := ruler(f.step)
	value := printable(p.Right)
	left := s.room() - measure.width(value) - fixed.I(gap)
	// A label squeezed into less than a third of the line is harder to read
	// than a value on a line of its own.
	if left < s.room()/3 && measure.width(printable(p.Left)) > left {
		return s.text(Text{Value: p.Left, Size: p.Size, Bold: p.Bold}) &&
			s.text(Text{Value: p.Right, Size: p.Size, Bold: p.Bold, Align: Right})
	}
	lines := measure.wrap(p.Left, left)
	for i, line := range lines {
		band := NewBitmap(s.width, f.height)
		f.draw(band, margin, 0, line)
		if i == len(lines)-1 {
			f.draw(band, s.start(Right, measure.width(value)), 0, value)
		}
		if !s.yield(band) {
			return false
		}
	}
	return true
}

func (s setter) rule() bool {
	band := NewBitmap(s.width, ruleThick+2*ruleSpace)
	for y := range ruleThick {
		for x := margin; x < s.width-margin; x++ {
			band.blacken(x, ruleSpace+y)
		}
	}
	return s.yield(band)
}
