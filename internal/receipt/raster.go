package receipt

import (
	"iter"

	"golang.org/x/image/math/fixed"
)

// Measures of the layout, in dots.
const (
	margin    = 4 // left and right of text; pictures go to the edge
	gap       = 12
	ruleSpace = 9
	ruleThick = 2
	dash      = 6 // of a dashed rule, and the room after it
)

// Raster is the whole page as dots, or the error of Check.
func (p Page) Raster(paper Paper) (*Bitmap, error) {
	if err := p.Check(paper); err != nil {
		return nil, err
	}
	page := NewBitmap(paper.Width, 0)
	for band := range p.Bands(paper) {
		if page.Height+band.Height > MaxHeight {
			return nil, ErrTooLong
		}
		page.append(band)
	}
	return page, nil
}

// Bands are the page's dots from top to bottom, each band as wide as the paper
// and the receiver's to keep. A band is a line of text, a code or a slice of a
// picture: drawn when asked for.
//
// Who moves paper asks Check first: the bands of a page that it refuses end
// where the trouble is.
func (p Page) Bands(paper Paper) iter.Seq[*Bitmap] {
	return func(yield func(*Bitmap) bool) {
		cases := borrowTypeCase(paper)
		p.set(setter{paper: paper, width: paper.Width, cases: cases, yield: yield})
		typeCases.Put(cases)
	}
}

func (p Page) set(s setter) {
	for e := range p.on(s.paper) {
		if !s.set(e) {
			return
		}
	}
}

// on are the page's elements for a paper, each Either decided.
func (p Page) on(paper Paper) iter.Seq[Element] {
	return func(yield func(Element) bool) { chosen(p.Elements, paper.wide(), yield) }
}

func chosen(elements []Element, wide bool, yield func(Element) bool) bool {
	for _, e := range elements {
		either, ok := e.(Either)
		switch {
		case !ok:
			if !yield(e) {
				return false
			}
		case wide:
			if !chosen(either.Wide, wide, yield) {
				return false
			}
		default:
			if !chosen(either.Narrow, wide, yield) {
				return false
			}
		}
	}
	return true
}

// setter lays out one page. Its methods return false when no more is wanted.
type setter struct {
	paper Paper
	width int
	cases *typeCase
	yield func(*Bitmap) bool

	measured *int // unless nil, nothing is drawn and heights are added up here
}

func (s setter) set(e Element) bool {
	switch e := e.(type) {
	case Text:
		return s.text(e)
	case Line:
		return s.line(e)
	case Pair:
		return s.pair(e)
	case Columns:
		return s.columns(e)
	case Rule:
		return s.rule(e)
	case Blank:
		return s.band(s.cases.face(e.Size, false).height, func(*Bitmap) {})
	case QR:
		return s.qr(e)
	case Barcode:
		return s.barcode(e)
	case Image:
		if s.measured != nil {
			return s.band(imageHeight(e, s.paper), nil)
		}
		return s.image(e)
	}
	panic("receipt: an element of no known kind")
}

func imageHeight(e Image, paper Paper) (height int) {
	if size := e.Picture.Bounds().Size(); size.X > 0 && size.Y > 0 {
		_, height = e.fit(paper)
	}
	return height
}

// band hands out a band of a height, or only counts it.
func (s setter) band(height int, draw func(*Bitmap)) bool {
	if s.measured != nil {
		*s.measured += height
		return *s.measured <= MaxHeight
	}
	b := NewBitmap(s.width, height)
	draw(b)
	return s.yield(b)
}

// room is how wide a line of text may be.
func (s setter) room() fixed.Int26_6 { return fixed.I(max(s.width-2*margin, 1)) }

func (s setter) text(t Text) bool {
	f := s.cases.styled(style{pointSize(t.Size), t.Bold, t.Italic})
	measure := ruler(f.step)
	lines := measure.wrap(t.Value, s.room())
	if t.Align == Center && len(lines) > 1 {
		lines = measure.balance(t.Value, s.room())
	}
	for _, line := range lines {
		if !s.band(f.height, func(b *Bitmap) {
			f.draw(b, margin+start(t.Align, s.room(), measure, line), 0, line)
		}) {
			return false
		}
	}
	return true
}

// start is how many dots from the left of its room a line begins.
func start(align Align, room fixed.Int26_6, measure ruler, line string) int {
	if align != Center && align != Right {
		return 0
	}
	free := max((room - measure.width(line)).Floor(), 0)
	if align == Center {
		return free / 2
	}
	return free
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
		if !s.band(f.height, func(b *Bitmap) {
			f.draw(b, margin, 0, line)
			if i == len(lines)-1 {
				f.draw(b, margin+start(Right, s.room(), measure, value), 0, value)
			}
		}) {
			return false
		}
	}
	return true
}

func (s setter) rule(r Rule) bool {
	return s.band(ruleThick+2*ruleSpace, func(b *Bitmap) {
		length := s.width - 2*margin
		if !r.Dashed {
			b.fill(margin, ruleSpace, length, ruleThick)
			return
		}
		// It begins and ends with a whole dash; what does not divide stays free at both ends.
		dashes := (length + dash) / (2 * dash)
		left := margin + (length-(2*dashes-1)*dash)/2
		for i := range dashes {
			b.fill(left+2*dash*i, ruleSpace, dash, ruleThick)
		}
	})
}
