package httpapi

import (
	"bytes"
	"image/png"
	"strings"

	"github.com/maquininha/maquininha/internal/barcode"
	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/screen"
)

// Measures of codes as callers give them, in dots of the paper: 8 are a millimetre.
const (
	dotsPerMM     = 8
	mostCodeSize  = 1000
	leastBars     = 16
	mostBars      = 400
	usualBars     = 0 // 10 mm
	longestCode   = 255
	longestQRText = 7089
)

var places = map[string]receipt.Place{"left": receipt.LeftEdge, "center": receipt.Middle, "right": receipt.RightEdge}

var levels = map[string]receipt.Level{"L": receipt.LevelL, "M": receipt.LevelM, "Q": receipt.LevelQ, "H": receipt.LevelH}

func readQR(f *fields) receipt.QR {
	var size int
	var level, align string
	code := receipt.QR{}
	f.text("content", &code.Text, longestQRText)
	f.rounded("size", &size, 0, 0, mostCodeSize)
	choice(f, "level", &level, "M", "L", "M", "Q", "H")
	choice(f, "align", &align, "center", "left", "center", "right")
	code.MinMM, code.Level, code.Place = (size+dotsPerMM-1)/dotsPerMM, levels[level], places[align]
	if f.err() == nil && code.Err() != nil {
		f.wrong("content", "está vazio ou não cabe num QR code")
	}
	return code
}

// kindOfBars is a kind of bar code.
type kindOfBars struct {
	name   string
	encode func(string) (barcode.Code, error)
}

var kindsOfBars = []kindOfBars{
	{"code128", code128},
	{"code39", barcode.Code39},
	{"code93", barcode.Code93},
	{"ean13", checked(12, barcode.EAN13)},
	{"ean8", checked(7, barcode.EAN8)},
	{"upca", checked(11, barcode.UPCA)},
	{"upce", barcode.UPCE},
	{"itf", barcode.Interleaved},
	{"codabar", barcode.Codabar},
}

// code128 takes the shortest form for digits and capitals, and small letters as well.
func code128(text string) (barcode.Code, error) {
	if code, err := barcode.Code128(text); err == nil {
		return code, nil
	}
	return barcode.Code128B(text)
}

// checked takes a number with its check digit, which must be right, or without.
func checked(digits int, encode func(string) (barcode.Code, error)) func(string) (barcode.Code, error) {
	return func(text string) (barcode.Code, error) {
		if len(text) != digits+1 {
			return encode(text)
		}
		code, err := encode(text[:digits])
		if err == nil && code.Text != text {
			return code, barcode.ErrContent
		}
		return code, err
	}
}

func readBarcode(f *fields) receipt.Barcode {
	var content, kind, align string
	code := receipt.Barcode{}
	f.text("content", &content, longestCode)
	names := make([]string, len(kindsOfBars))
	for i, k := range kindsOfBars {
		names[i] = k.name
	}
	choice(f, "type", &kind, names[0], names...)
	f.rounded("height", &code.Height, usualBars, leastBars, mostBars)
	f.flag("showText", &code.ShowText, true)
	choice(f, "align", &align, "center", "left", "center", "right")
	code.Place = places[align]
	if f.err() != nil {
		return code
	}
	for _, k := range kindsOfBars {
		if k.name != kind {
			continue
		}
		var err error
		if code.Code, err = k.encode(content); err != nil {
			f.wrong("content", "não serve para um código de barras "+strings.ToUpper(kind))
		}
	}
	return code
}

// shownCode is a code for the screen: a picture of its dots, without the white around it.
func shownCode(e receipt.Element) (*screen.Code, error) {
	code := &screen.Code{}
	switch e := e.(type) {
	case receipt.QR:
		code.Kind, code.Text, code.Size = "qrcode", e.Text, e.MinMM*dotsPerMM
	case receipt.Barcode:
		code.Kind, code.Text = "barcode", e.Code.Text
	}
	dots, err := receipt.Page{Elements: []receipt.Element{e}}.Raster(receipt.Paper80)
	if err != nil {
		return nil, err
	}
	dots = dots.Trimmed()
	var data bytes.Buffer
	if err := png.Encode(&data, dots.Image()); err != nil {
		return nil, err
	}
	code.Picture = screen.Picture{Data: data.Bytes(), ContentType: "image/png", Width: dots.Width, Height: dots.Height}
	return code, nil
}
