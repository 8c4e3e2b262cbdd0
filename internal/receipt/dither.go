package receipt

// dither turns grey rows into dots by Floyd–Steinberg error diffusion, row by
// row, in alternating directions so that no pattern leans to one side.
type dither struct {
	here, below []int // errors carried to this row and the next, in sixteenths
	backwards   bool
	pure        bool // the picture is of specks of black, however few: they add up across what is white
}

// newDither keeps one cell beyond either edge, so that errors may fall off it.
func newDither(width int) *dither {
	return &dither{here: make([]int, width+2), below: make([]int, width+2)}
}

// Nearly black is black and nearly white is white: the noise that JPEG leaves
// around lettering would otherwise come out as stray dots.
const (
	surelyBlack = 7
	surelyWhite = 248
)

// row calls black for every dot of the next row. Dots that are black or white in
// the picture are taken as they are and pass no error on: lettering and QR codes
// stay crisp beside a photograph.
func (d *dither) row(values []uint8, black func(x int)) {
	clear(d.below)
	x, end, ahead := 0, len(values), 1
	if d.backwards {
		x, end, ahead = len(values)-1, -1, -1
	}
	for ; x != end; x += ahead {
		switch v := values[x]; {
		case v <= surelyBlack:
			black(x)
		case v < surelyWhite || d.pure:
			cell := x + 1
			wanted := int(v) + d.here[cell]/16
			missed := wanted - 0xff
			if wanted < 0x80 {
				black(x)
				missed = wanted
			}
			d.here[cell+ahead] += 7 * missed
			d.below[cell-ahead] += 3 * missed
			d.below[cell] += 5 * missed
			d.below[cell+ahead] += missed
		}
	}
	d.here, d.below = d.below, d.here
	d.backwards = !d.backwards
}
