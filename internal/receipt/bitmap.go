package receipt

import (
	"image"
	"image/color"
)

// Bitmap is black dots on white paper, one bit a dot, each row padded to whole
// bytes. A set bit is black and the leftmost dot is the highest bit: the order
// in which thermal printers take a raster, so a driver sends Bits as they are.
type Bitmap struct {
	Width, Height int
	Bits          []byte
}

// NewBitmap is a white bitmap.
func NewBitmap(width, height int) *Bitmap {
	return &Bitmap{Width: width, Height: height, Bits: make([]byte, stride(width)*height)}
}

func stride(width int) int { return (width + 7) / 8 }

// Stride is the number of bytes a row takes.
func (b *Bitmap) Stride() int { return stride(b.Width) }

// Black tells whether there is a dot; outside the bitmap there is none.
func (b *Bitmap) Black(x, y int) bool {
	if x < 0 || y < 0 || x >= b.Width || y >= b.Height {
		return false
	}
	return b.Bits[y*b.Stride()+x/8]&(0x80>>(x%8)) != 0
}

// blacken sets a dot; outside the bitmap there is no paper to blacken.
func (b *Bitmap) blacken(x, y int) {
	if x < 0 || y < 0 || x >= b.Width || y >= b.Height {
		return
	}
	b.Bits[y*b.Stride()+x/8] |= 0x80 >> (x % 8)
}

// Trimmed is what of the bitmap is left without the white around its dots.
func (b *Bitmap) Trimmed() *Bitmap {
	var box image.Rectangle
	for y := range b.Height {
		for x := range b.Width {
			if b.Black(x, y) {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	trimmed := NewBitmap(box.Dx(), box.Dy())
	trimmed.stamp(b, -box.Min.X, -box.Min.Y)
	return trimmed
}

// fill blackens a rectangle, eight dots at a time.
func (b *Bitmap) fill(left, top, width, height int) {
	from, to := max(left, 0), min(left+width, b.Width)
	if from >= to {
		return
	}
	first, last := from/8, (to-1)/8
	for y := max(top, 0); y < min(top+height, b.Height); y++ {
		row := b.Bits[y*b.Stride():][:b.Stride()]
		for i := first; i <= last; i++ {
			bits := byte(0xff)
			if i == first {
				bits &= 0xff >> (from & 7)
			}
			if i == last {
				bits &= 0xff << (-to & 7)
			}
			row[i] |= bits
		}
	}
}

// stamp adds the dots of another bitmap with its top left corner at left, top,
// eight at a time: text is most of what is drawn. What falls beside the paper is
// lost, and the bits that pad a row stay white.
func (b *Bitmap) stamp(dots *Bitmap, left, top int) {
	stride, padding := b.Stride(), byte(0xff)<<(-b.Width&7)
	for y := max(0, -top); y < dots.Height && top+y < b.Height; y++ {
		row := b.Bits[(top+y)*stride:][:stride]
		for i, bits := range dots.Bits[y*dots.Stride():][:dots.Stride()] {
			x := left + 8*i
			at, shift := x>>3, x&7
			if at >= 0 && at < stride {
				row[at] |= bits >> shift
			}
			if at+1 >= 0 && at+1 < stride {
				row[at+1] |= bits << (8 - shift)
			}
		}
		if stride > 0 {
			row[stride-1] &= padding
		}
	}
}

// erase whitens where another bitmap is black, with its top left corner at left, top.
func (b *Bitmap) erase(dots *Bitmap, left, top int) {
	for y := max(0, -top); y < dots.Height && top+y < b.Height; y++ {
		row := b.Bits[(top+y)*b.Stride():][:b.Stride()]
		for x := max(0, -left); x < dots.Width && left+x < b.Width; x++ {
			if dots.Black(x, y) {
				row[(left+x)/8] &^= 0x80 >> ((left + x) % 8)
			}
		}
	}
}

// append puts a band of the same width below.
func (b *Bitmap) append(band *Bitmap) {
	b.Bits = append(b.Bits, band.Bits...)
	b.Height += band.Height
}

// Image is the bitmap as a picture of two colours. It is a view, not a copy: a
// metre of paper as one byte a dot would cost eight times its memory.
func (b *Bitmap) Image() image.PalettedImage { return picture{b} }

var blackOnWhite = color.Palette{color.Gray{Y: 0xff}, color.Gray{Y: 0}}

type picture struct{ bitmap *Bitmap }

func (p picture) ColorModel() color.Model { return blackOnWhite }

func (p picture) Bounds() image.Rectangle {
	return image.Rect(0, 0, p.bitmap.Width, p.bitmap.Height)
}

func (p picture) At(x, y int) color.Color { return blackOnWhite[p.ColorIndexAt(x, y)] }

func (p picture) ColorIndexAt(x, y int) uint8 {
	if p.bitmap.Black(x, y) {
		return 1
	}
	return 0
}
