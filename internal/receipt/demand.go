package receipt

import (
	"image"
	"image/color"
)

// demand is how many bytes a picture's decoder takes for its dots at most. It is
// worked out from the headers: a colour model alone does not tell what is kept
// besides, as the coefficients of a progressive JPEG are.
func demand(data []byte, format string, config image.Config) int64 {
	pixels := int64(config.Width) * int64(config.Height)
	switch format {
	case "jpeg":
		return jpegDemand(data, config)
	case "png":
		return pixels * pngPixel(data, config.ColorModel)
	case "gif":
		return pixels * 2 // an interlaced one is put in order in a copy
	case "webp":
		return pixels * webpPixel(data)
	}
	return pixels * pixelBytes(config.ColorModel)
}

// pixelBytes is what a pixel of a colour model takes.
func pixelBytes(model color.Model) int64 {
	if _, paletted := model.(color.Palette); paletted {
		return 1
	}
	switch model {
	case color.GrayModel:
		return 1
	case color.Gray16Model:
		return 2
	case color.RGBAModel, color.NRGBAModel, color.CMYKModel:
		return 4
	}
	return 8
}

func pngPixel(data []byte, model color.Model) int64 {
	bytes := pixelBytes(model)
	for kind, body := range pngChunks(data) {
		switch {
		case kind == "tRNS" && (model == color.GrayModel || model == color.Gray16Model):
			bytes *= 4 // grey with a colour that is transparent becomes red, green, blue and alpha
		case kind == "IHDR" && len(body) == 13 && body[12] != 0:
			bytes *= 2 // interlaced: each pass is a picture of its own
		case kind == "IDAT":
			return bytes
		}
	}
	return bytes
}

func webpPixel(data []byte) int64 {
	for kind := range webpChunks(data) {
		switch kind {
		case "VP8L", "ALPH":
			return 8 // colours by number are replaced in a copy; alpha is a lossless picture besides the lossy one
		case "VP8 ":
			return 2 // one for brightness and half of one for colour
		}
	}
	return 8
}

// jpegDemand counts samples as the decoder lays them out: in blocks of 8 by 8, a
// number of them for each component.
func jpegDemand(data []byte, config image.Config) int64 {
	pixels := int64(config.Width) * int64(config.Height)
	const head, component, block = 6, 3, 64
	for marker, frame := range segments(data) {
		if marker != baseline && marker != extendedJPEG && marker != progressive {
			continue
		}
		if len(frame) < head+component || len(frame) < head+component*int(frame[5]) {
			break
		}
		across, down := int64(frame[head+1]>>4), int64(frame[head+1]&15) // of the first component, which has the most
		if across == 0 || down == 0 {
			break
		}
		blocks := int64(1)
		if frame[5] == 1 {
			across, down = 1, 1
		} else {
			blocks = 0
			for i := range int(frame[5]) {
				factors := frame[head+component*i+1]
				blocks += int64(factors>>4) * int64(factors&15)
			}
		}
		columns := (int64(config.Width) + 8*across - 1) / (8 * across)
		rows := (int64(config.Height) + 8*down - 1) / (8 * down)
		total := columns * rows * blocks * block
		if marker == progressive {
			total *= 1 + 4 // a coefficient has four bytes
		}
		if config.ColorModel == color.RGBAModel || config.ColorModel == color.CMYKModel {
			total += 4 * pixels // those are copied in the end
		}
		return total
	}
	return pixels * (3*(1+4) + 4)
}

// Heavy tells whether a page holds pictures of so many bytes that whoever has
// printed it should give the memory back to the system (debug.FreeOSMemory): a
// terminal prints such a picture once and may then idle for hours.
func (p Page) Heavy() bool {
	const heavy = 32 << 20
	return p.Held() > heavy
}

// Held is what the page's pictures take, in bytes.
func (p Page) Held() (bytes int) {
	for e := range p.on(Paper80) {
		if e, ok := e.(Image); ok {
			bytes += held(e.Picture)
		}
	}
	return bytes
}

// held is what a decoded picture holds, in bytes.
func held(picture image.Image) int {
	switch p := picture.(type) {
	case upright:
		return held(p.stored)
	case placed:
		return held(p.frame)
	case *image.YCbCr:
		return len(p.Y) + len(p.Cb) + len(p.Cr)
	case *image.NYCbCrA:
		return len(p.Y) + len(p.Cb) + len(p.Cr) + len(p.A)
	}
	size := picture.Bounds().Size()
	return size.X * size.Y * int(pixelBytes(picture.ColorModel()))
}
