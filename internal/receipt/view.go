package receipt

import (
	"image"
	"image/color"
)

// orientation is how a picture is stored, by the numbers of EXIF: 1 is upright.
type orientation uint8

const asStored orientation = 1

// sideways tells whether rows are stored as columns.
func (o orientation) sideways() bool { return o >= 5 && o <= 8 }

// size is a picture's size after turning, and before it as well.
func (o orientation) size(p image.Point) image.Point {
	if o.sideways() {
		return image.Pt(p.Y, p.X)
	}
	return p
}

// source is where a pixel of the upright picture, which is w by h, is stored.
func (o orientation) source(x, y, w, h int) image.Point {
	switch o {
	case 2:
		return image.Pt(w-1-x, y)
	case 3:
		return image.Pt(w-1-x, h-1-y)
	case 4:
		return image.Pt(x, h-1-y)
	case 5:
		return image.Pt(y, x)
	case 6:
		return image.Pt(y, w-1-x)
	case 7:
		return image.Pt(h-1-y, w-1-x)
	case 8:
		return image.Pt(h-1-y, x)
	}
	return image.Pt(x, y)
}

// upright is a turned or mirrored picture the way people see it. It is a view: a
// photograph that lies on its side is not copied to stand up.
type upright struct {
	stored image.Image
	how    orientation
}

func (u upright) ColorModel() color.Model { return u.stored.ColorModel() }

func (u upright) Bounds() image.Rectangle {
	return image.Rectangle{Max: u.how.size(u.stored.Bounds().Size())}
}

func (u upright) At(x, y int) color.Color {
	size := u.Bounds().Size()
	at := u.stored.Bounds().Min.Add(u.how.source(x, y, size.X, size.Y))
	return u.stored.At(at.X, at.Y)
}

// placed is a GIF's frame where it lies on the picture's screen, with nothing
// around it. Programs that write animations store the first frame cut to what is
// not blank.
type placed struct {
	frame  image.Image
	screen image.Rectangle
}

func (p placed) ColorModel() color.Model { return color.RGBAModel }
func (p placed) Bounds() image.Rectangle { return p.screen }

func (p placed) At(x, y int) color.Color {
	if !image.Pt(x, y).In(p.frame.Bounds()) {
		return color.RGBA{}
	}
	return color.RGBAModel.Convert(p.frame.At(x, y))
}
