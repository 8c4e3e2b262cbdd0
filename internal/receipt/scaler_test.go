package receipt

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"
)

// averaged is the plainest way to scale: every dot asks every pixel how much of it
// it covers.
func averaged(picture image.Image, w, h int) []uint8 {
	size := picture.Bounds().Size()
	read := brightness(picture)
	overlap := func(dot, n, pixel, m int) int {
		return max(min((dot+1)*n, (pixel+1)*m)-max(dot*n, pixel*m), 0)
	}
	total := make([]int, w*h)
	for py := range size.Y {
		for px, v := range read(py) {
			for y := range h {
				for x := range w {
					total[y*w+x] += int(v) * overlap(x, size.X, px, w) * overlap(y, size.Y, py, h)
				}
			}
		}
	}
	row := make([]uint8, w*h)
	area := size.X * size.Y
	for i, sum := range total {
		row[i] = uint8((sum + area/2) / area)
	}
	return row
}

func TestScalerIsThePlainAverage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		width, height := 1+random.IntN(24), 1+random.IntN(24)
		w, h := 1+random.IntN(width), 1+random.IntN(height)
		if random.IntN(4) == 0 {
			w, h = 2*width, 2*height
		}
		m := noise(random, random.IntN(3), width, height)
		how := orientation(1 + random.IntN(8))
		shown := how.size(image.Pt(w, h))
		next := scaled(upright{m, how}, shown.X, shown.Y)
		if how == asStored {
			next = scaled(m, w, h)
		}
		want := averaged(m, w, h)
		row := make([]uint8, shown.X)
		for y := range shown.Y {
			next(row)
			for x, got := range row {
				at := how.source(x, y, shown.X, shown.Y)
				if want := want[at.Y*w+at.X]; got != want {
					t.Fatalf("%T of %d×%d to %d×%d, orientation %d: dot %d, %d is %d, want %d",
						m, width, height, w, h, how, x, y, got, want)
				}
			}
		}
	}
}

// noise is a picture of a kind with a bound that is not at zero.
func noise(random *rand.Rand, kind, width, height int) image.Image {
	at := image.Rect(3, 5, 3+width, 5+height)
	switch kind {
	case 0:
		m := image.NewYCbCr(at, image.YCbCrSubsampleRatio420)
		for i := range m.Y {
			m.Y[i] = uint8(random.IntN(256))
		}
		return m
	case 1:
		m := image.NewNRGBA(at)
		for i := range m.Pix {
			m.Pix[i] = uint8(random.IntN(256))
		}
		return m
	}
	m := image.NewPaletted(at, color.Palette{color.White, color.Black, color.Transparent, color.Gray{Y: 77}})
	for i := range m.Pix {
		m.Pix[i] = uint8(random.IntN(4))
	}
	return m
}

func TestWidestPictureDoesNotOverflow(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, maxSide, 1200))
	for i := range m.Pix {
		m.Pix[i] = 0xff
	}
	next := scaled(m, 576, 21)
	row := make([]uint8, 576)
	for range 21 {
		next(row)
		for x, v := range row {
			if v != 0xff {
				t.Fatalf("dot %d of white is %d", x, v)
			}
		}
	}
}
