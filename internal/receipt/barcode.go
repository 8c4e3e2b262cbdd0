package receipt

import "fmt"

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
func barcodeModule(symbols []byte, paper Paper) (int, error) {
	modules := code128Modules(symbols)
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

func (s setter) barcode(e Barcode) bool {
	symbols, err := code128(e.Text)
	if err != nil {
		return false
	}
	module, err := barcodeModule(symbols, s.paper)
	if err != nil {
		return false
	}
	space, bars := s.paper.dots(barSpace), s.paper.dots(barHeight)
	return s.band(bars+2*space, func(b *Bitmap) {
		x := (s.width - code128Modules(symbols)*module) / 2
		for _, symbol := range symbols {
			// Bar, space, bar, space …: each digit is a width in modules.
			for i, width := range code128Patterns[symbol] {
				dots := int(width-'0') * module
				if i%2 == 0 {
					b.fill(x, space, dots, bars)
				}
				x += dots
			}
		}
	})
}
