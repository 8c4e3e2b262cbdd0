package receipt

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // each of these registers itself with image.Decode
	_ "image/jpeg"
	_ "image/png"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/webp"
)

// Errors of DecodeImage.
var (
	// ErrNotImage means bytes that are no picture of a known format.
	ErrNotImage = errors.New("not a PNG, JPEG, GIF, BMP or WebP image")
	// ErrImageTooLarge means a picture whose dimensions would take memory or paper beyond reason.
	ErrImageTooLarge = errors.New("image dimensions are too large")
)

// Limits of a picture. A few bytes can claim any dimensions, and a decoder takes
// the memory before it reads the dots: the worst, a progressive JPEG, wants
// fifteen bytes a pixel.
const (
	maxPixels = 40_000_000
	maxSide   = 32_767
)

// DecodeImage reads a PNG, JPEG, GIF (its first frame), BMP or WebP picture. Its
// dimensions are checked before memory is taken for them.
func DecodeImage(data []byte) (image.Image, error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if errors.Is(err, image.ErrFormat) {
		return nil, ErrNotImage
	}
	if err != nil {
		return nil, fmt.Errorf("reading the image's header: %w", err)
	}
	if config.Width <= 0 || config.Height <= 0 {
		return nil, fmt.Errorf("%s image of %d x %d pixels is empty", format, config.Width, config.Height)
	}
	if config.Width > maxSide || config.Height > maxSide || int64(config.Width)*int64(config.Height) > maxPixels {
		return nil, fmt.Errorf("%w: %s of %d x %d pixels", ErrImageTooLarge, format, config.Width, config.Height)
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decoding the %s image: %w", format, err)
	}
	if format == "webp" {
		stretch(picture)
	}
	return picture, nil
}

// stretch mends the brightness of a lossy WebP picture. That format keeps its
// values between 16 and 235, and the decoder hands them out as though they went
// from 0 to 255: white paper would print as a grey grid.
func stretch(picture image.Image) {
	var planes *image.YCbCr
	switch p := picture.(type) {
	case *image.YCbCr:
		planes = p
	case *image.NYCbCrA:
		planes = &p.YCbCr
	default:
		return // a lossless one
	}
	spread := func(plane []uint8, from, steps, to int) {
		for i, v := range plane {
			plane[i] = uint8(min(max((int(v)-from)*0xff/steps+to, 0), 0xff))
		}
	}
	spread(planes.Y, 16, 219, 0)
	spread(planes.Cb, 128, 224, 128)
	spread(planes.Cr, 128, 224, 128)
}
