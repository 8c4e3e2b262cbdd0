package receipt

// Of a dot of line art, half black makes it black. Lines thinner than a dot would
// vanish by that rule where they fall between two, so in a picture that is made
// smaller a dot is black as well where it is the darkest across a line: a table of
// hairlines keeps them, each one dot thick. For white lines on black the same holds,
// with more caution: those are rare, and holes in bold letters are ugly.
const (
	half     = 0x80
	faint    = 48 // how far from white the dot of a thin line is, at least
	hole     = 88 // how far from black that of a white one is
	contrast = 48 // and how far they are from the two beside them, together
)

// crisp makes rows of line art purely black and white; next gives h rows of w dots.
func crisp(next func(row []uint8), w, h int) func(row []uint8) {
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
			case v >= half:
				row[x] = 0xff
				if v <= 0xff-faint && thin(v, left, right, above[x], below[x]) {
					row[x] = 0
				}
			default:
				row[x] = 0
				if v >= hole && thin(^v, ^left, ^right, ^above[x], ^below[x]) {
					row[x] = 0xff
				}
			}
		}
	}
}

// thin tells whether a dot that is light rather than dark belongs to a thin dark
// line, upright or level. A line goes on: the tip of a stroke does not.
func thin(v, left, right, above, below uint8) bool {
	return across(v, left, right) && (pale(above) || pale(below)) ||
		across(v, above, below) && (pale(left) || pale(right))
}

// across tells whether a dot is the darkest of three. Where a line lies evenly on
// two dots, the first has it.
func across(v, before, after uint8) bool {
	return before >= half && after >= half && before > v && after >= v &&
		int(before)+int(after)-2*int(v) >= contrast
}

// pale is the grey of a thin line's dots.
func pale(v uint8) bool { return v >= half && v <= 0xff-faint }

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
