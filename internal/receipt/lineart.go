package receipt

import "image"

// Line art is lettering, drawings, QR codes and bars: black and white, even where
// its edges are smoothed or a JPEG has blurred them. Scaling makes greys of those
// edges that nobody drew; spreading their error would scatter dots around every
// letter, and a scanner stumbles over them. So line art is not dithered: crisp.go
// says what becomes of it.
//
// What tells it from a photograph is tone: pixels of a grey that goes on in both
// directions. A smoothed edge has greys, but across it they change steeply. And its
// strokes must be wide enough to survive: a photograph that somebody has dithered
// already is made of black and white too, but on the paper only the share of black
// in an area is left of it. A drawing of hairlines is told from that by how far its
// lines go: dithering leaves specks.
const (
	darkest, lightest = 24, 231 // beyond these a grey is black or white
	steep             = 16      // the difference of neighbours across an edge, at least
	toneShare         = 200     // one pixel of tone in so many makes a photograph
	wholeLine         = 24      // pixels that hang together in a drawing, on average, at least
	drawnShare        = 4       // and no more than one pixel in so many is black
)

// findings are what a look over a picture found.
type findings struct {
	tone           bool // so much of it that nothing else was counted
	area           int  // pixels in all
	black, strokes int  // pixels, and the runs in which they lie along rows
	tops           int  // of those, the ones under which something begins: nothing black is above them
	pitch          int  // what the lengths of all runs are multiples of
}

// survey looks over a picture as it is printed. It stops as soon as it has seen
// tone enough: with a photograph, near the top.
func survey(picture image.Image) (f findings) {
	turned, sideways := picture.(upright)
	if sideways {
		picture, sideways = turned.stored, turned.how.sideways()
	}
	read := brightness(picture)
	size := picture.Bounds().Size()
	most := size.X * size.Y / toneShare
	above := blank(size.X)
	tone := 0
	f.area = size.X * size.Y
	for y := range size.Y {
		row := read(y)
		if y > 0 {
			if tone += tones(above, row); tone > most {
				return findings{tone: true}
			}
		}
		f.count(above, row)
		copy(above, row)
	}
	if sideways {
		f.pitch = 0 // it was that of columns
	}
	return f
}

// lineArt tells how to print a picture of a width in pixels that will be so many
// dots wide: the mean stroke must be at least a dot, or nothing be lost by scaling.
func (f findings) lineArt(width, dots int) bool {
	return !f.tone && (dots >= width || f.black*dots >= f.strokes*width || f.drawn())
}

// drawn tells a drawing of lines, however thin.
func (f findings) drawn() bool {
	return f.black >= wholeLine*f.tops && drawnShare*f.black <= f.area
}

// fit takes the size that a picture is to have and makes it smaller where bars
// would otherwise be lost. Of modules between one dot and two, some come out twice
// as wide as others and no scanner reads them; at one dot each it does. This is the
// access key of a fiscal document on paper of 58 mm.
func (f findings) fit(size image.Point, width, height int) (int, int) {
	if f.tone || f.pitch < 2 || width < size.X/f.pitch || 10*width*f.pitch >= 19*size.X {
		return width, height
	}
	return max(size.X/f.pitch, 1), max(size.Y/f.pitch, 1)
}

// tones counts the pixels of a row that belong to an area of grey.
func tones(above, row []uint8) (n int) {
	above = above[:len(row)]
	left := 0xff
	for x, v := range row {
		grey := int(v)
		// Most pixels of line art end at the first comparison.
		if grey > darkest && grey < lightest && apart(grey, left) < steep && apart(grey, int(above[x])) < steep {
			n++
		}
		left = grey
	}
	return n
}

// count adds the strokes of a row.
func (f *findings) count(above, row []uint8) {
	before, last := uint8(0), -1
	if n := len(row); row[n-1] < half && isTop(above, row, n-1) {
		f.tops++ // the run that the edge ends
	}
	for x, v := range row {
		now := ^v >> 7 // 1 for black
		f.black += int(now)
		if now == before {
			continue
		}
		f.strokes += int(now)
		if now == 0 && isTop(above, row, x-1) {
			f.tops++
		}
		if before = now; last >= 0 && f.pitch != 1 {
			f.pitch = divisor(x-last, f.pitch)
		}
		last = x
	}
}

// isTop tells whether nothing black touches a run of black from above, seen from its last pixel.
func isTop(above, row []uint8, last int) bool {
	if last+1 < len(above) && above[last+1] < half {
		return false
	}
	for x := last; x >= 0; x-- {
		if above[x] < half {
			return false
		}
		if row[x] >= half {
			break
		}
	}
	return true
}

// divisor is the greatest that two numbers have in common.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func apart(a, b int) int { return max(a-b, b-a) }
