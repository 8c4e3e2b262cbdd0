package receipt

import "image"

// scaler gives a picture's rows in another size, from top to bottom, each dot the
// average of the area it covers. Weights are whole numbers, so nothing rounds
// before the end and every machine gets the same dots.
//
// Along a side of n source pixels and m dots, a pixel is m units long and a dot
// n units: both grids then lie on whole units.
type scaler struct {
	read          func(y int) []uint8
	width, height int // of the source
	h             int // of the result
	spans         []span
	whole         uint32 // units of a pixel that lies in one dot

	y     int      // the source row read next
	left  int      // units of the current row not yet used
	sums  []uint32 // the current row, already gathered into dots
	total []uint64
}

// span is the pixels of a row under one dot: one that it may share with the dot
// before, some that it has for itself, and one that it may share with the next.
type span struct {
	first, last int
	lead, tail  uint32 // units of those two
}

func newScaler(picture image.Image, w, h int) *scaler {
	size := picture.Bounds().Size()
	return &scaler{
		read: brightness(picture), width: size.X, height: size.Y, h: h,
		spans: spans(size.X, w), whole: uint32(w),
		sums: make([]uint32, w), total: make([]uint64, w),
	}
}

// spans lays dots over a side of n pixels.
func spans(n, dots int) []span {
	list := make([]span, dots)
	for x := range list {
		begin, end := x*n, (x+1)*n
		s := span{first: begin / dots, last: end / dots}
		if s.tail = uint32(end % dots); s.tail == 0 {
			s.last--
			s.tail = uint32(dots)
		}
		s.lead = uint32((s.first+1)*dots - begin)
		if s.first == s.last { // a dot no longer than a pixel
			s.lead, s.tail = uint32(n), 0
		}
		list[x] = s
	}
	return list
}

// next fills row with the next row of dots.
func (s *scaler) next(row []uint8) {
	clear(s.total)
	for need := s.height; need > 0; {
		if s.left == 0 {
			s.gather(s.read(s.y))
			s.y++
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

// gather adds up a source row dot by dot. Nearly all the time that a photograph
// takes after decoding is spent in its inner loop.
func (s *scaler) gather(pixels []uint8) {
	for x, at := range s.spans {
		sum := at.lead * uint32(pixels[at.first])
		if at.last > at.first {
			var own uint32
			for _, v := range pixels[at.first+1 : at.last] {
				own += uint32(v)
			}
			sum += s.whole*own + at.tail*uint32(pixels[at.last])
		}
		s.sums[x] = sum
	}
}
