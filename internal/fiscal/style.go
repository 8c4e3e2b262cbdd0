package fiscal

import (
	"image"

	"github.com/maquininha/maquininha/internal/receipt"
)

// Style is what a shop wants on its coupons besides what must be there. The zero value
// adds nothing.
type Style struct {
	Logo      image.Image // above everything; nil for none
	TradeName bool        // the issuer's, above its name
	Phone     bool        // the issuer's, below its address
	ItemNotes bool        // infAdProd on an NFC-e; an NF-e always has them
}

// Layout is the document as a receipt, with nothing added.
func Layout(d *Document) receipt.Page { return Style{}.Layout(d) }

// Layout is the document as a receipt. The page fits any roll: what a wide one has
// room for on one line stands on two of a narrow one.
func (style Style) Layout(d *Document) receipt.Page {
	if d.Kind == NFe {
		style.ItemNotes = true
	}
	s := &slip{style: style}
	switch {
	case d.Freight != nil:
		s.dacte(d)
	case d.Kind == NFe && !d.Type2:
		s.invoice(d)
	default:
		s.danfe(d)
	}
	return s.Page
}
