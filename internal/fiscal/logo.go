package fiscal

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
)

// Limits of a logo, which stays in memory while the service runs, a byte a pixel.
const (
	MaxLogoBytes  = 512 << 10
	maxLogoPixels = 1 << 20
)

// LogoError is why a picture can't be a shop's logo, in a sentence for the shop.
type LogoError string

func (e LogoError) Error() string { return string(e) }

// ReadLogo reads a PNG for a Style, laid on white paper. The error, if any, is a LogoError.
func ReadLogo(data []byte) (image.Image, error) {
	if len(data) > MaxLogoBytes {
		return nil, LogoError(fmt.Sprintf("o logotipo tem mais de %d KB", MaxLogoBytes>>10))
	}
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, LogoError("o logotipo não é uma imagem PNG")
	}
	if config.Width <= 0 || config.Height <= 0 || config.Height > maxLogoPixels/config.Width {
		return nil, LogoError(fmt.Sprintf("o logotipo tem %d por %d pontos; o máximo é um milhão ao todo", config.Width, config.Height))
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, LogoError("o logotipo é um PNG danificado ou incompleto")
	}
	logo, black := onPaper(picture)
	if !black {
		return nil, LogoError("o logotipo sairia em branco no papel")
	}
	return logo, nil
}

// onPaper is a picture in greys with white behind it, and whether anything of it would
// print.
func onPaper(picture image.Image) (logo *image.Gray, black bool) {
	const faint = 200 // beyond it next to nothing is left on paper
	bounds := picture.Bounds()
	logo = image.NewGray(image.Rect(0, 0, bounds.Dx(), bounds.Dy()))
	for y := range bounds.Dy() {
		for x := range bounds.Dx() {
			c := color.NRGBAModel.Convert(picture.At(bounds.Min.X+x, bounds.Min.Y+y)).(color.NRGBA)
			grey, alpha := int(color.GrayModel.Convert(color.NRGBA{c.R, c.G, c.B, 0xff}).(color.Gray).Y), int(c.A)
			shade := uint8((grey*alpha + 0xff*(0xff-alpha)) / 0xff)
			logo.Pix[y*logo.Stride+x] = shade
			black = black || shade < faint
		}
	}
	return logo, black
}
