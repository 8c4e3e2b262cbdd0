package receipt

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"
)

// white is a sheet of paper.
func white(width, height int) *image.Gray {
	m := image.NewGray(image.Rect(0, 0, width, height))
	whiten(m.Pix)
	return m
}

// grid is a table of lines of a thickness; at is where they begin, across and down.
func grid(width, height, thick, step int) (m *image.Gray, across, down []int) {
	m = white(width, height)
	for x := step / 3; x+thick < width; x += step {
		across = append(across, x)
		for y := range height {
			for i := range thick {
				m.SetGray(x+i, y, color.Gray{})
			}
		}
	}
	for y := step / 3; y+thick < height; y += step {
		down = append(down, y)
		for i := range thick {
			for x := range width {
				m.SetGray(x, y+i, color.Gray{})
			}
		}
	}
	return m, across, down
}

// Every line of a table is on the paper, where it belongs and along its whole length, but for the odd dot where lines cross.
func TestEveryLineOfAGridIsThere(t *testing.T) {
	for _, width := range []int{1000, 1800, 2100, 3000, 4000} {
		for _, thick := range []int{1, 2} {
			for _, step := range []int{width / 60, width / 20, width/9 + 1} {
				m, across, down := grid(width, width/3, thick, step)
				for _, paper := range []int{384, 576} {
					checkGrid(t, fmt.Sprintf("%d pixels, lines of %d every %d, on %d", width, thick, step, paper), raster(t, m, paper), m.Rect, across, down)
				}
			}
		}
	}
}

func checkGrid(t *testing.T, name string, b *Bitmap, source image.Rectangle, across, down []int) {
	t.Helper()
	// The picture may be narrower than the paper.
	w, h := b.Width, b.Height
	if dots := source.Dx() / 2; h == source.Dy()/2 {
		w = dots
	}
	left := (b.Width - w) / 2
	missing := func(at, pixels, dots, length int, black func(at, along int) bool) (n int) {
		near := at * dots / pixels
		for along := range length {
			if !black(near-1, along) && !black(near, along) && !black(near+1, along) {
				n++
			}
		}
		return n
	}
	for _, x := range across {
		if n := missing(x, source.Dx(), w, h, func(at, y int) bool { return b.Black(left+at, y) }); n > h/50 {
			t.Fatalf("%s: the upright line at %d lacks %d of %d dots", name, x, n, h)
		}
	}
	for _, y := range down {
		if n := missing(y, source.Dy(), h, w, func(at, x int) bool { return b.Black(left+x, at) }); n > w/50 {
			t.Fatalf("%s: the level line at %d lacks %d of %d dots", name, y, n, w)
		}
	}
	if share := float64(blackDots(b)) / float64(w*h); share > 0.6 {
		t.Errorf("%s: %.2f of it is black", name, share)
	}
}

// Hatching finer than the dots is neither lost nor black.
func TestHatchingIsGrey(t *testing.T) {
	for _, width := range []int{2100, 3000, 4000} {
		m := white(width, 900)
		for y := 100; y < 800; y++ {
			for x := 100; x < width-100; x += 4 {
				m.SetGray(x, y, color.Gray{})
			}
		}
		b := raster(t, m, 384)
		black, dots := 0, 0
		for y := 120 * 384 / width; y < 780*384/width; y++ {
			for x := 120 * 384 / width; x < (width-120)*384/width; x++ {
				dots++
				if b.Black(x, y) {
					black++
				}
			}
		}
		if share := float64(black) / float64(dots); share < 0.15 || share > 0.45 {
			t.Errorf("%d pixels: %.2f of the dots are black", width, share)
		}
	}
}

// Nothing that has black on it comes out blank.
func TestNoPictureVanishes(t *testing.T) {
	for _, width := range []int{1000, 2100, 4000} {
		const height = 900
		slanted, curve, specks := white(width, height), white(width, height), white(width, height)
		for y := range height {
			slanted.SetGray(y*2/3+50, y, color.Gray{})
		}
		for i := range 20_000 {
			angle := float64(i) / 20_000 * 2 * math.Pi
			curve.SetGray(width/2+int(400*math.Cos(angle)), height/2+int(400*math.Sin(angle)), color.Gray{})
		}
		for y := 3; y < height; y += 9 {
			for x := 3; x < width; x += 9 {
				specks.SetGray(x, y, color.Gray{})
			}
		}
		for name, m := range map[string]image.Image{"slanted": slanted, "curve": curve, "specks": specks} {
			for _, paper := range []int{384, 576} {
				if n := blackDots(raster(t, m, paper)); n < 10 {
					t.Errorf("%s of %d pixels on %d: %d dots", name, width, paper, n)
				}
			}
		}
	}
}
