package receipt

// Of a dot of line art, half black makes it black. Lines thinner than a dot would
// vanish by that rule where they fall between two, so in a picture that is made
// smaller a dot is black as well where it is the darkest across a line: a table of
// hairlines keeps them, each one dot thick. For white lines on black the same holds,
// with more caution: those are rare, and holes in bold letters are ugly.
//
// The more pixels there are to a dot, the fainter a line is: faintest says how far
// from white its dot is at least, and how far from the two beside it, together.
const (
	half = 0x80
	hole = 88 // how far from black the dot of a white line is

	faintWhite = 48 // what faintest is for lines of black, for those of white
)

// faintest is for a line of one pixel that lies evenly on two dots, with a tenth to
// spare. In pictures made a little smaller such a line is dark, and what is faint is
// the edge of something else.
func faintest(pixels, dots int) uint8 {
	const most, least = 48, 2
	return uint8(min(max(9*0xff*dots/(20*pixels), least), most))
}

// crisper knows the lines of a picture by how faint they may be.
type crisper struct{ faint uint8 }

// crisp makes rows of line art purely black and white; next gives h rows of w dots.
// Only where strokes are so close that dots show an even grey does it leave that, for
// the dither: hatching would vanish.
func crisp(next func(row []uint8), w, h int, faint uint8) func(row []uint8) {
	c, inverse := crisper{faint}, crisper{faintWhite}
	above, here, below := blank(w), blank(w), blank(w)
	y := 0
	return func(row []uint8) {
		if y == 0 {
			next(below)
		}
		above, here, below = here, below, above
		if y++; y < h {
			next(below)
		} else {
			whiten(below)
		}
		for x, v := range here {
			left, right := uint8(0xff), uint8(0xff)
			if x > 0 {
				left = here[x-1]
			}
			if x+1 < w {
				right = here[x+1]
			}
			switch {
			case v >= half && c.pale(v) && c.thin(v, left, right, above[x], below[x]):
				row[x] = 0
			case v < half && v >= hole && inverse.thin(^v, ^left, ^right, ^above[x], ^below[x]):
				row[x] = 0xff
			case c.even(v, left, right, above[x], below[x]):
				row[x] = v
			case v >= half:
				row[x] = 0xff
			default:
				row[x] = 0
			}
		}
	}
}

// thin tells whether a dot that is light rather than dark belongs to a thin dark
// line, upright or level. A line goes on: the tip of a stroke does not.
func (c crisper) thin(v, left, right, above, below uint8) bool {
	return c.across(v, left, right) && (c.pale(above) || c.pale(below)) ||
		c.across(v, above, below) && (c.pale(left) || c.pale(right))
}

// across tells whether a dot is the darkest of three. Where a line lies evenly on
// two dots, the first has it.
func (c crisper) across(v, before, after uint8) bool {
	return before >= half && after >= half && before > v && after >= v &&
		int(before)+int(after)-2*int(v) >= c.contrast()
}

// contrast is how far a line's dot is from the two beside it. Where faint lines cross it is less.
func (c crisper) contrast() int {
	if c.faint >= faintWhite {
		return int(c.faint)
	}
	return int(c.faint) * 3 / 4
}

// pale is the grey of a thin line's dots.
func (c crisper) pale(v uint8) bool { return v >= half && v <= 0xff-c.faint }

// even tells whether a dot is of a grey that goes on all around it. Only pictures made
// much smaller have such: a dot must cover several strokes.
func (c crisper) even(v, left, right, above, below uint8) bool {
	if c.faint >= faintWhite || v < c.faint || v > 0xff-c.faint {
		return false
	}
	near := func(other uint8) bool { return apart(int(v), int(other)) < int(c.faint) }
	return near(left) && near(right) && near(above) && near(below)
}

// twoTone is crisp for a picture that loses nothing: it has no lines thinner than a
// dot, and what looks like one is the noise that a JPEG leaves.
func twoTone(next func(row []uint8)) func(row []uint8) {
	return func(row []uint8) {
		next(row)
		for x, v := range row {
			row[x] = 0xff
			if v < half {
				row[x] = 0
			}
		}
	}
}

func blank(w int) []uint8 {
	row := make([]uint8, w)
	whiten(row)
	return row
}

func whiten(row []uint8) {
	for x := range row {
		row[x] = 0xff
	}
}
