package receipt

import (
	"image"
	"image/color"
)

// bandRows is how many rows of a picture make a band.
const bandRows = 64

func (s setter) image(e Image) bool {
	src := e.Picture.Bounds()
	if src.Empty() {
		return true
	}
	width, height := fit(src.Dx(), src.Dy(), s.width)
	left := (s.width - width) / 2
	scaled := newScaler(e.Picture, width, height)
	dots := newDither(width)
	row := make([]uint8, width)
	for y := 0; y < height; y += bandRows {
		band := NewBitmap(s.width, min(bandRows, height-y))
		for by := range band.Height {
			scaled.next(row)
			dots.row(row, func(x int) { band.blacken(left+x, by) })
		}
		if !s.yield(band) {
			return false
		}
	}
	return true
}

// fit is the size of a picture on the paper. Growing is by whole dots only: a QR
// code of uneven modules would not scan.
func fit(width, height, paper int) (int, int) {
	switch {
	case width > paper:
		return paper, max((height*paper+width/2)/width, 1)
	case 2*width <= paper:
		return 2 * width, 2 * height
	}
	return width, height
}

// scaler gives a picture's rows in another size, from top to bottom, each dot the
// average of the area it covers. Weights are whole numbers, so nothing rounds
// before the end and every machine gets the same dots.
//
// Along a side of n source pixels and m dots, a pixel is m units long and a dot
// n units: both grids then lie on whole units.
type scaler struct {
	read          func(y int, row []uint8)
	width, height int // of the source
	w, h          int // of the result

	y       int      // the source row read next
	left    int      // units of the current row not yet used
	current []uint8  // the source row
	sums    []uint32 // that row, already gathered into dots
	total   []uint64
}

func newScaler(picture image.Image, w, h int) *scaler {
	size := picture.Bounds().Size()
	return &scaler{
		read: brightness(picture), width: size.X, height: size.Y, w: w, h: h,
		current: make([]uint8, size.X), sums: make([]uint32, w), total: make([]uint64, w),
	}
}

// next fills row with the next row of dots.
func (s *scaler) next(row []uint8) {
	clear(s.total)
	for need := s.height; need > 0; {
		if s.left == 0 {
			s.gather()
			s.left = s.h
		}
		take := min(need, s.left)
		for x, sum := range s.sums {
			s.total[x] += uint64(sum) * uint64(take)
		}
		need -= take
		s.left -= take
	}
	area := uint64(s.width) * uint64(s.height)
	for x, sum := range s.total {
		row[x] = uint8((sum + area/2) / area)
	}
}

// gather reads a source row and adds up its pixels dot by dot.
func (s *scaler) gather() {
	s.read(s.y, s.current)
	s.y++
	clear(s.sums)
	x, room := 0, s.width
	for _, v := range s.current {
		for left := s.w; left > 0; {
			take := min(left, room)
			s.sums[x] += uint32(v) * uint32(take)
			left -= take
			if room -= take; room == 0 {
				x, room = x+1, s.width
			}
		}
	}
}

// brightness gives a reader of a picture's rows as grey values on white paper.
// The formats that decoders give have ways of their own: asking a picture of
// twelve million pixels for each as a color.Color takes most of a second.
func brightness(picture image.Image) func(y int, row []uint8) {
	at := picture.Bounds().Min
	switch p := picture.(type) {
	case *image.YCbCr:
		return func(y int, row []uint8) { copy(row, p.Y[p.YOffset(at.X, at.Y+y):]) }
	case *image.Gray:
		return func(y int, row []uint8) { copy(row, p.Pix[p.PixOffset(at.X, at.Y+y):]) }
	case *image.Paletted:
		shades := make([]uint8, 256)
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
