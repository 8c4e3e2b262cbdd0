package receipt

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

// A line of 0.42 of a dot is still there, wherever it falls, and one dot thick.
func TestThinLinesStay(t *testing.T) {
	for _, width := range []int{600, 700, 800, 900, 1000, 1200, 1350} {
		m := filled(width, 400, color.White)
		rules := 0
		for y := 11; y < 390; y += 37 {
			rules++
			for x := range width {
				m.Set(x, y, color.Black)
			}
		}
		for y := range 400 {
			m.Set(width/3, y, color.Black)
			m.Set(width/2+1, y, color.Black)
		}
		for _, paper := range []int{384, 576} {
			if 100*paper < 42*width {
				continue
			}
			b := raster(t, m, paper)
			for _, line := range []struct {
				want  int
				black func(i int) bool
			}{
				{rules, func(i int) bool { return b.Black(b.Width/5, i) }},
				{2, func(i int) bool { return b.Black(i, 1) }},
			} {
				found := 0
				for i := range max(b.Width, b.Height) {
					if line.black(i) {
						found++
					}
				}
				if found != line.want {
					t.Errorf("%d pixels on %d dots: %d of %d lines", width, paper, found, line.want)
				}
			}
		}
	}
}

// lettering is text and a frame, black and white, as a program of the shop draws a coupon.
func lettering(t *testing.T, width int) *Bitmap {
	t.Helper()
	b, err := Page{Elements: []Element{
		Text{Value: "PADARIA PÃO & CIA", Size: 30, Bold: true, Align: Center},
		Rule{},
		Text{Value: "Obrigado pela preferência! Volte sempre: Rua das Acácias, 123, São Paulo.", Size: 20},
		Pair{Left: "Total", Right: "R$ 1.234,56", Size: 24, Bold: true},
	}}.Raster(Paper{Width: width})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// smoothed is a picture whose edges are grey, as most programs draw.
func smoothed(t *testing.T, b *Bitmap, times int) *image.Gray {
	t.Helper()
	w, h := b.Width/times, b.Height/times
	m := image.NewGray(image.Rect(0, 0, w, h))
	next := scaled(b.Image(), w, h)
	for y := range h {
		next(m.Pix[y*m.Stride:][:w])
	}
	return m
}

func photo(width, height int) *image.Gray {
	m := image.NewGray(image.Rect(0, 0, width, height))
	grain := rand.New(rand.NewPCG(3, 4))
	for y := range height {
		for x := range width {
			across, down := float64(x)/float64(width), float64(y)/float64(height)
			v := 130 + 90*math.Sin(4*across+2*down)*math.Cos(3*down)
			if math.Hypot(across-0.3, down-0.5) < 0.2 {
				v = 255 * down
			}
			m.SetGray(x, y, color.Gray{Y: uint8(min(max(v+4*grain.NormFloat64(), 0), 255))})
		}
	}
	return m
}

// halftone is a photograph that was dithered before.
func halftone(m *image.Gray) *image.Gray {
	out := image.NewGray(m.Rect)
	d := newDither(m.Rect.Dx())
	for y := range m.Rect.Dy() {
		row := out.Pix[y*out.Stride:][:m.Rect.Dx()]
		for x := range row {
			row[x] = 0xff
		}
		d.row(m.Pix[y*m.Stride:][:m.Rect.Dx()], func(x int) { row[x] = 0 })
	}
	return out
}

func TestLineArtIsTold(t *testing.T) {
	code, _ := qrPicture(t, 7)
	night := photo(900, 600)
	for i, v := range night.Pix {
		night.Pix[i] = v / 4
	}
	corner := image.NewGray(image.Rect(0, 0, 1000, 1000)) // a photograph on a white sheet
	for i := range corner.Pix {
		corner.Pix[i] = 0xff
	}
	for y := range 150 {
		copy(corner.Pix[(y+100)*corner.Stride+100:], photo(200, 150).Pix[y*200:][:200])
	}
	for _, tt := range []struct {
		name    string
		picture image.Image
		want    bool
	}{
		{"QR code", code, true},
		{"QR code as a poor JPEG", blurred(t, code, 30), true},
		{"bars", barPicture(t, key, 5), true},
		{"lettering", lettering(t, 1000).Image(), true},
		{"smoothed lettering", smoothed(t, lettering(t, 1600), 2), true},
		{"smoothed lettering as a JPEG", blurred(t, smoothed(t, lettering(t, 1600), 2), 75), true},
		{"white", filled(700, 10, color.White), true},
		{"photograph", photo(900, 600), false},
		{"photograph on its side", upright{photo(900, 600), 6}, false},
		{"photograph at night", night, false},
		{"photograph on a white sheet", corner, false},
		{"grey", filled(700, 10, color.Gray{Y: 200}), false},
		{"dithered photograph", halftone(photo(1200, 800)), false},
	} {
		if got := survey(tt.picture).lineArt(tt.picture.Bounds().Dx(), 576); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// No dot of scaled line art lies where its picture has none around: noise would.
func TestLineArtHasNoNoise(t *testing.T) {
	for _, paper := range []int{384, 576} {
		source := lettering(t, 1000)
		b := raster(t, source.Image(), paper)
		for y := range b.Height {
			for x := range b.Width {
				black, white := 0, 0
				for sy := y * source.Height / b.Height; sy <= min((y+1)*source.Height/b.Height, source.Height-1); sy++ {
					for sx := x * 1000 / paper; sx <= (x+1)*1000/paper; sx++ {
						if source.Black(sx, sy) {
							black++
						} else {
							white++
						}
					}
				}
				if b.Black(x, y) && 7*black < white || !b.Black(x, y) && 7*white < black {
					t.Fatalf("on %d: dot %d, %d is black: %v, over %d black and %d white pixels", paper, x, y, b.Black(x, y), black, white)
				}
			}
		}
	}
}

// A photograph is as bright on the paper as on the screen, all over and in each part.
func TestPhotographKeepsItsBrightness(t *testing.T) {
	for name, m := range map[string]*image.Gray{"photograph": photo(1200, 900), "dithered before": halftone(photo(1200, 900))} {
		for _, paper := range []int{384, 576} {
			b := raster(t, m, paper)
			const parts = 4
			for part := range parts * parts {
				px, py := part%parts, part/parts
				var want, got float64
				for y := py * 900 / parts; y < (py+1)*900/parts; y++ {
					for x := px * 1200 / parts; x < (px+1)*1200/parts; x++ {
						want += float64(m.GrayAt(x, y).Y)
					}
				}
				want /= 255 * 900 * 1200 / parts / parts
				for y := py * b.Height / parts; y < (py+1)*b.Height/parts; y++ {
					for x := px * b.Width / parts; x < (px+1)*b.Width/parts; x++ {
						if !b.Black(x, y) {
							got++
						}
					}
				}
				got /= float64(b.Width * b.Height / parts / parts)
				if math.Abs(got-want) > 0.01 {
					t.Errorf("%s on %d, part %d: %.3f of the dots are white, want %.3f", name, paper, part, got, want)
				}
			}
		}
	}
}

func TestGoldenPictures(t *testing.T) {
	veil := image.NewNRGBA(image.Rect(0, 0, 800, 300))
	for y := range 300 {
		for x := range 800 {
			if math.Hypot(float64(x-200), float64(y-150)) < 120 {
				veil.SetNRGBA(x, y, color.NRGBA{A: uint8(x * 255 / 400)})
			}
			if x > 450 && x < 700 && y > 50 && y < 250 && (x/25+y/25)%2 == 0 {
				veil.SetNRGBA(x, y, color.NRGBA{R: 200, G: 30, B: 30, A: 0xff})
			}
		}
	}
	code, _ := qrPicture(t, 9)
	for name, m := range map[string]image.Image{
		"photograph": photo(900, 600), "transparency": veil, "qr": code, "bars": barPicture(t, key, 3),
		"line-art": lettering(t, 1000).Image(), "line-art-smoothed": smoothed(t, lettering(t, 1600), 2),
	} {
		for _, paper := range []int{384, 576} {
			samePicture(t, name, raster(t, m, paper))
		}
	}
}
