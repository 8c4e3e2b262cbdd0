package receipt

import (
	"image"
	"image/color"
)

// brightness gives a reader of a picture's rows as grey values on white paper. A
// row may be the picture's own memory: it is not to be written to, and holds until
// the next is read.
//
// The formats that decoders give have ways of their own: asking a picture of
// twelve million pixels for each as a color.Color takes most of a second.
func brightness(picture image.Image) func(y int) []uint8 {
	at, width := picture.Bounds().Min, picture.Bounds().Dx()
	switch p := picture.(type) {
	case *image.YCbCr:
		return func(y int) []uint8 { return p.Y[p.YOffset(at.X, at.Y+y):][:width] }
	case *image.Gray:
		return func(y int) []uint8 { return p.Pix[p.PixOffset(at.X, at.Y+y):][:width] }
	}
	fill := shades(picture)
	row := make([]uint8, width)
	return func(y int) []uint8 {
		fill(y, row)
		return row
	}
}

// shades is brightness for pictures whose grey values have to be worked out.
func shades(picture image.Image) func(y int, row []uint8) {
	at := picture.Bounds().Min
	switch p := picture.(type) {
	case *image.Paletted:
		var shades [256]uint8
		for i, c := range p.Palette {
			shades[i] = shade(c)
		}
		return func(y int, row []uint8) {
			for x, i := range p.Pix[p.PixOffset(at.X, at.Y+y):][:len(row)] {
				row[x] = shades[i]
			}
		}
	case *image.RGBA:
		return func(y int, row []uint8) {
			pix := p.Pix[p.PixOffset(at.X, at.Y+y):]
			for x := range row {
				c := pix[4*x : 4*x+4 : 4*x+4]
				row[x] = grey(uint32(c[0])*0x101, uint32(c[1])*0x101, uint32(c[2])*0x101, uint32(c[3])*0x101)
			}
		}
	case *image.NRGBA:
		return func(y int, row []uint8) {
			pix := p.Pix[p.PixOffset(at.X, at.Y+y):]
			for x := range row {
				c := pix[4*x : 4*x+4 : 4*x+4]
				a := uint32(c[3])
				row[x] = grey(uint32(c[0])*a*0x101/0xff, uint32(c[1])*a*0x101/0xff, uint32(c[2])*a*0x101/0xff, a*0x101)
			}
		}
	case *image.NYCbCrA:
		return func(y int, row []uint8) {
			luma := p.Y[p.YOffset(at.X, at.Y+y):][:len(row)]
			alpha := p.A[p.AOffset(at.X, at.Y+y):][:len(row)]
			for x, v := range luma {
				row[x] = 0xff - uint8(uint32(0xff-v)*uint32(alpha[x])/0xff)
			}
		}
	case placed:
		inside := p.frame.Bounds().Sub(at)
		frame := brightness(p.frame)
		return func(y int, row []uint8) {
			whiten(row)
			if y >= inside.Min.Y && y < inside.Max.Y {
				copy(row[inside.Min.X:], frame(y-inside.Min.Y))
			}
		}
	case image.RGBA64Image: // those of 16 bits and CMYK: no allocation for each pixel
		return func(y int, row []uint8) {
			for x := range row {
				c := p.RGBA64At(at.X+x, at.Y+y)
				row[x] = grey(uint32(c.R), uint32(c.G), uint32(c.B), uint32(c.A))
			}
		}
	}
	return func(y int, row []uint8) {
		for x := range row {
			row[x] = shade(picture.At(at.X+x, at.Y+y))
		}
	}
}

func shade(c color.Color) uint8 {
	return grey(c.RGBA())
}

// grey is the brightness of a colour laid on white; the values are of 16 bits
// and already multiplied by their alpha, as color.Color gives them.
func grey(r, g, b, a uint32) uint8 {
	// The weights are those of color.GrayModel; they add up to 1<<16.
	luma := (19595*r + 38470*g + 7471*b + 1<<15) >> 16
	return uint8((luma + 0xffff - a) >> 8)
}
