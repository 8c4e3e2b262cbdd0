package receipt

import "image"

// bandRows is how many rows of a picture make a band.
const bandRows = 64

func (s setter) image(e Image) bool {
	size := e.Picture.Bounds().Size()
	if size.X <= 0 || size.Y <= 0 {
		return true
	}
	width, height := e.fit(s.paper)
	found := survey(e.Picture)
	width, height = found.fit(size, width, height)
	left := e.Place.left(s.width, width)
	next := scaled(e.Picture, width, height)
	dots := newDither(width)
	switch {
	case !found.lineArt(size.X, width):
		dots.pure = !found.tone
	case width < size.X:
		next = crisp(next, width, height, faintest(size.X, width))
	default:
		next = twoTone(next)
	}
	row := make([]uint8, width)
	var band *Bitmap
	var at int
	blacken := func(x int) { band.blacken(left+x, at) } // one for all rows: a tall picture has 30,000
	for y := 0; y < height; y += bandRows {
		band = NewBitmap(s.width, min(bandRows, height-y))
		for at = range band.Height {
			next(row)
			dots.row(row, blacken)
		}
		if !s.yield(band) {
			return false
		}
	}
	return true
}

// fit is the size of the picture on a paper.
func (e Image) fit(paper Paper) (width, height int) {
	size := e.Picture.Bounds().Size()
	if e.Exact && size.X <= paper.Width {
		return size.X, size.Y
	}
	width, height = fit(size.X, size.Y, paper.Width)
	most := paper.dots(10 * e.MaxMM)
	if e.MaxMM <= 0 || height <= most {
		return width, height
	}
	if size.X <= paper.Width && size.Y <= most {
		return size.X, size.Y // only doubled it would be too high
	}
	return max((width*most+height/2)/height, 1), most
}

// fit is the size of a picture of any height. Growing is by whole dots only: a QR
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

// scaled gives a picture's rows in another size, from top to bottom.
//
// A picture that has to be turned is scaled as it is stored and then read the
// other way: averages of areas are the same either way round, and what is kept is
// the size of the paper instead of the size of the photograph.
func scaled(picture image.Image, w, h int) func(row []uint8) {
	turned, ok := picture.(upright)
	if !ok {
		return newScaler(picture, w, h).next
	}
	size := turned.how.size(image.Pt(w, h))
	small := newScaler(turned.stored, size.X, size.Y)
	var pix []uint8
	y := 0
	return func(row []uint8) {
		if pix == nil {
			pix = make([]uint8, w*h)
			for from := 0; from < len(pix); from += size.X {
				small.next(pix[from : from+size.X])
			}
		}
		for x := range row {
			at := turned.how.source(x, y, w, h)
			row[x] = pix[at.Y*size.X+at.X]
		}
		y++
	}
}
