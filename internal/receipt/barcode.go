package receipt

import (
	"fmt"

	"github.com/maquininha/maquininha/internal/barcode"
)

// Measures of a barcode: tenths of a millimetre, and modules.
const (
	barHeight = 100
	barSpace  = 10 // above and below
	quietBar  = 10 // white modules left and right, as Code 128 asks
	// A part of the quiet zone may fall on the edges of the roll that no printer
	// reaches, 3 mm or more: an access key on 80 mm then has modules of two dots.
	quietOnPaper = 5
)

// barcodeModule is how many dots a module takes on the paper: three where that
// leaves the code four fifths of the width, two where they fit, else one.
func barcodeModule(modules int, paper Paper) (int, error) {
	switch {
	case 3*(modules+2*quietBar) <= paper.Width*4/5:
		return 3, nil
	case 2*(modules+2*quietOnPaper) <= paper.Width:
		return 2, nil
	case modules+2*quietOnPaper <= paper.Width:
		return 1, nil
	}
	return 0, fmt.Errorf("barcode of %d modules is wider than %d dots", modules, paper.Width)
}

// bars are the code, and the dots of a module on the paper: none for one whose
// text is printed instead.
func (e Barcode) bars(paper Paper) (code barcode.Code, module int, err error) {
	code = e.Code
	if code.Widths == nil {
		if code, err = barcode.Code128(e.Text); err != nil {
			return code, 0, err
		}
	}
	if e.Module <= 0 {
		if module, err = barcodeModule(code.Modules(), paper); err != nil {
			code = code.Squeezed()
			module, err = barcodeModule(code.Modules(), paper)
		}
		return code, module, err
	}
	for _, c := range []barcode.Code{code, code.Squeezed()} {
		if c.Modules()*e.Module <= paper.Width {
			return c, e.Module, nil
		}
	}
	return code, 0, nil
}

// CodeTooWide tells whether a bar code's text is printed on the paper instead of its bars.
func (p Page) CodeTooWide(paper Paper) bool {
	for e := range p.on(paper) {
		if e, ok := e.(Barcode); ok {
			if _, module, err := e.bars(paper); err == nil && module == 0 {
				return true
			}
		}
	}
	return false
}

// measures are the height of the bars and the white above and below. The caller's
// own height is all there is, as on printers that draw codes themselves.
func (e Barcode) measures(paper Paper) (bars, space int) {
	if e.Height > 0 {
		return e.Height, 0
	}
	return paper.dots(barHeight), paper.dots(barSpace)
}

func (s setter) barcode(e Barcode) bool {
	code, module, err := e.bars(s.paper)
	if err != nil {
		return false
	}
	text := []Run{{Text: code.Text}}
	if module == 0 {
		return s.rows(text, func(width int) int { return e.Place.left(s.width, width) })
	}
	bars, space := e.measures(s.paper)
	wide := code.Modules() * module
	left := e.Place.left(s.width, wide)
	return s.band(bars+2*space, func(b *Bitmap) {
		x := left
		for i, width := range code.Widths {
			dots := int(width) * module
			if i%2 == 0 {
				b.fill(x, space, dots, bars)
			}
			x += dots
		}
	}) && (!e.ShowText || s.rows(text, func(width int) int {
		return min(max(left+(wide-width)/2, 0), s.width-width) // below the bars, as far as the paper goes
	}))
}

// height is at least that of the code.
func (e Barcode) height(paper Paper) int {
	bars, space := e.measures(paper)
	code, _, err := e.bars(paper)
	if err != nil {
		return bars
	}
	return bars + 2*space + Line{Runs: []Run{{Text: code.Text}}}.height(paper)
}

func (e Barcode) plain() string {
	if e.Code.Widths == nil {
		return "[Code 128: " + e.Text + "]"
	}
	return "[|||: " + e.Code.Text + "]"
}
