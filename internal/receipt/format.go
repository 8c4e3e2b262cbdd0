package receipt

import (
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/bmp"
	ofwebp "golang.org/x/image/webp"
)

// format is a kind of picture. Package image has a register of its own, but any library may put itself there: on Windows one of the
// notifications read BMP before ours, and took what ours refuses.
type format struct {
	name, magic string // a question mark is any byte
	config      func(io.Reader) (image.Config, error)
	decode      func(io.Reader) (image.Image, error)
}

var formats = []format{
	{"png", "\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode},
	{"jpeg", "\xff\xd8", jpeg.DecodeConfig, jpeg.Decode},
	{"gif", "GIF8?a", gif.DecodeConfig, gif.Decode},
	{"bmp", "BM????\x00\x00\x00\x00", bmp.DecodeConfig, bmp.Decode},
	{"webp", "RIFF????WEBPVP8", ofwebp.DecodeConfig, ofwebp.Decode},
}

// RegisterFormat adds a kind of picture, before any is read: tests have one that tells of its decoder at work.
func RegisterFormat(name, magic string, decode func(io.Reader) (image.Image, error), config func(io.Reader) (image.Config, error)) {
	formats = append(formats, format{name, magic, config, decode})
}

func (f format) matches(data []byte) bool {
	if len(data) < len(f.magic) {
		return false
	}
	for i, c := range []byte(f.magic) {
		if c != '?' && c != data[i] {
			return false
		}
	}
	return true
}

// formatOf is the kind of the picture in these bytes.
func formatOf(data []byte) (format, error) {
	for _, f := range formats {
		if f.matches(data) {
			return f, nil
		}
	}
	return format{}, ErrNotImage
}

// ImageSize is that of a picture DecodeImage would read, by its header alone.
func ImageSize(data []byte) (image.Point, error) {
	f, err := formatOf(data)
	if err != nil {
		return image.Point{}, err
	}
	config, err := f.config(bytes.NewReader(data))
	return image.Pt(config.Width, config.Height), err
}
