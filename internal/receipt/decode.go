package receipt

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
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
	maxPixels  = 40_000_000
	maxSide    = 32_767
	maxDecoded = 128 << 20 // bytes, by demand
	// A progressive JPEG may go over all its pixels again with every few bytes.
	// Encoders use a dozen scans.
	maxScans = 200
)

// DecodeImage reads a PNG, JPEG, GIF (its first frame), BMP or WebP picture and
// turns it the way its EXIF data says. Its dimensions are checked before memory is
// taken for them; each decoder holds the picture to those it has announced.
func DecodeImage(data []byte) (image.Image, error) {
	kind, err := formatOf(data)
	if err != nil {
		return nil, err
	}
	format := kind.name
	config, err := kind.config(bytes.NewReader(data))
	if err != nil {
		return nil, &undecodable{"reading the image's header", err}
	}
	if config.Width <= 0 || config.Height <= 0 {
		return nil, fmt.Errorf("%s image of %d x %d pixels is empty", format, config.Width, config.Height)
	}
	if config.Width > maxSide || config.Height > maxSide || int64(config.Width)*int64(config.Height) > maxPixels {
		return nil, fmt.Errorf("%w: %s, %d x %d pixels", ErrImageTooLarge, format, config.Width, config.Height)
	}
	if demand(data, format, config) > maxDecoded {
		return nil, fmt.Errorf("%w: %s, %d x %d pixels takes more than %d MiB to decode", ErrImageTooLarge, format, config.Width, config.Height, maxDecoded>>20)
	}
	if format == "jpeg" && scans(data) > maxScans {
		return nil, fmt.Errorf("%w: more than %d scans", ErrImageTooLarge, maxScans)
	}
	picture, err := kind.decode(bytes.NewReader(data))
	if err != nil {
		return nil, &undecodable{"decoding the " + format + " image", err}
	}
	switch format {
	case "webp":
		stretch(picture)
	case "bmp":
		unveil(picture)
	case "gif":
		screen := image.Rect(0, 0, config.Width, config.Height)
		if picture.Bounds() != screen {
			picture = placed{picture, screen}
		}
	}
	if how := turning(data, format); how != asStored {
		picture = upright{picture, how}
	}
	return picture, nil
}

// undecodable is a decoder's error in our words: each has its own, which help nobody who only sent a picture.
type undecodable struct {
	doing string
	err   error
}

func (e *undecodable) Error() string {
	if errors.Is(e.err, io.ErrUnexpectedEOF) || errors.Is(e.err, io.EOF) {
		return e.doing + ": it is cut short"
	}
	return e.doing + ": it is damaged, or of a kind that no decoder reads"
}

func (e *undecodable) Unwrap() error { return e.err }

// unveil makes a BMP opaque that claims to be transparent all over: programs
// leave that byte zero and mean nothing by it.
func unveil(picture image.Image) {
	p, ok := picture.(*image.NRGBA)
	if !ok {
		return
	}
	for i := 3; i < len(p.Pix); i += 4 {
		if p.Pix[i] != 0 {
			return
		}
	}
	for i := 3; i < len(p.Pix); i += 4 {
		p.Pix[i] = 0xff
	}
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
