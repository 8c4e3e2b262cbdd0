package acbr

import (
	"encoding/base64"
	"image"
	"image/color"
	"strings"

	"github.com/maquininha/maquininha/internal/receipt"
)

// maxPixels is how large all pictures of a text may be together: a few bytes can claim any size.
const maxPixels = 8_000_000

// drawn is a picture of the text, or why there is none.
type drawn struct {
	picture image.Image
	warning string
}

// picture prints one that stands in the text, as zeros and ones or as a file in
// Base64. A path is passed over: a text from outside must not read files here.
func (l *layout) picture(content string) {
	content = strings.TrimSpace(content)
	if l.inner || content == "" {
		return
	}
	d, known := l.found.pictures[content]
	if !known {
		d = l.found.drawn(content)
		l.found.pictures[content] = d
	}
	if d.picture == nil {
		l.found.warn(d.warning)
		return
	}
	// A picture that is drawn often is in the memory once, and costs the processor each time.
	size := d.picture.Bounds().Size()
	if size.X*size.Y > maxPixels-l.pixels {
		l.found.warn(tooLarge)
		return
	}
	l.pixels += size.X * size.Y
	l.draw(receipt.Image{Picture: d.picture, Exact: true, Place: l.place()})
}

// Measures of the shop's logo: its height in millimetres, as on coupons, and how many times as large a text may want it.
const (
	logoMM   = 20
	mostLogo = 4
)

// logo prints the shop's, where it has one. It keeps its shape, whatever the two factors are.
func (l *layout) logo() {
	if l.inner || l.settings.noLogo || l.found.shop.Logo == nil {
		return
	}
	l.draw(receipt.Image{Picture: l.found.shop.Logo, MaxMM: logoMM * max(l.settings.logoX, l.settings.logoY), Place: l.place()})
}

const tooLarge = "imagem grande demais: não impressa"

func (f *findings) drawn(content string) drawn {
	const notFound = "imagem que não é uma matriz de 0 e 1 nem um arquivo em Base64: não impressa"
	if zerosAndOnes(content) {
		rows := strings.Split(content, "\n")
		if len(rows) < 2 {
			return drawn{warning: notFound}
		}
		size := image.Pt(len(strings.TrimRight(rows[1], " \t")), len(rows))
		if size.X < leastWidth || !f.room(size) {
			return drawn{warning: tooLarge}
		}
		return drawn{picture: dotted(rows, size)}
	}
	file, err := base64.StdEncoding.DecodeString(content)
	if err != nil {
		return drawn{warning: notFound}
	}
	size, err := receipt.ImageSize(file)
	if err != nil {
		return drawn{warning: notFound}
	}
	if !f.room(size) {
		return drawn{warning: tooLarge}
	}
	picture, err := receipt.DecodeImage(file)
	if err != nil {
		return drawn{warning: notFound}
	}
	return drawn{picture: picture}
}

// leastWidth of a picture of zeros and ones, which its first row is known by.
const leastWidth = 10

func zerosAndOnes(content string) bool {
	return len(content) >= leastWidth && strings.Trim(content[:leastWidth], "01") == ""
}

// room takes up room for a picture, while there is some.
func (f *findings) room(size image.Point) bool {
	if size.X <= 0 || size.Y <= 0 || size.X > maxPixels || size.Y > maxPixels || size.X*size.Y > maxPixels-f.pixels {
		return false
	}
	f.pixels += size.X * size.Y
	return true
}

// dotted is a picture of rows in which 1 is black.
func dotted(rows []string, size image.Point) image.Image {
	picture := image.NewPaletted(image.Rectangle{Max: size}, color.Palette{color.White, color.Black})
	for y, row := range rows {
		for x := range min(len(row), size.X) {
			if row[x] == '1' {
				picture.Pix[y*picture.Stride+x] = 1
			}
		}
	}
	return picture
}
