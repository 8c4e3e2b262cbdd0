package httpapi

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/screen"
)

func (api *API) displayImage(r *http.Request) (any, error) {
	data, err := readBody(r, api.Limits.Image)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, errNoImage
	}
	picture, err := api.pictureOf(r, data)
	if err != nil {
		return nil, err
	}
	api.Screen.Push(screen.Image{Picture: picture})
	return done("Imagem exibida com sucesso")
}

// pictureOf checks that the page will be able to show the bytes; if not, it is errNotShowable.
func (api *API) pictureOf(r *http.Request, data []byte) (screen.Picture, error) {
	leave, err := api.decoding.take(r, api.stopping)
	if err != nil {
		return screen.Picture{}, err
	}
	defer leave()
	decoded, err := receipt.DecodeImage(data)
	if err != nil {
		return screen.Picture{}, fmt.Errorf("%w: %w", errNotShowable, err)
	}
	size := decoded.Bounds().Size()
	return screen.Picture{Data: data, ContentType: http.DetectContentType(data), Width: size.X, Height: size.Y}, nil
}

func (api *API) displayText(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsFault)
	if err != nil {
		return nil, err
	}
	var text screen.Text
	if _, given := f.given("content"); !given {
		f.wrong("content", "é obrigatório")
	}
	content := f.array("content")
	f.colour("backgroundColor", &text.BackgroundColor)
	f.flag("showCloseButton", &text.ShowCloseButton, true)
	if f.err() != nil {
		return nil, f.err()
	}
	instructions, err := readInstructions(content, "content")
	if err != nil {
		return nil, err
	}
	for i, in := range instructions {
		line := screen.Line{Value: in.value, Bold: in.bold, Align: in.align, Rule: in.rule, Divider: in.divider}
		if !in.rule {
			line.Size = api.clamped(in, i)
		}
		text.Lines = append(text.Lines, line)
	}
	api.Screen.Push(text)
	return done("Texto exibido com sucesso")
}

func (api *API) displayCarousel(r *http.Request) (any, error) {
	f, err := api.readFieldsUpTo(r, emptyIsFault, api.Limits.Carousel)
	if err != nil {
		return nil, withoutExcerpt(err)
	}
	var c screen.Carousel
	images := f.array("images")
	if len(images) == 0 {
		f.wrong("images", "deve ter ao menos uma imagem")
	}
	f.milliseconds("intervalMs", &c.Interval, 3*time.Second)
	choice(f, "transition", &c.Transition, "fade", "fade", "slide", "zoom")
	f.colour("backgroundColor", &c.BackgroundColor)
	f.flag("showCloseButton", &c.ShowCloseButton, false)
	for i, v := range images {
		if f.err() != nil {
			break
		}
		if text, ok := v.(string); ok {
			if err := bodyOf(r).take(int64(base64.RawStdEncoding.DecodedLen(len(text)))); err != nil {
				return nil, err
			}
		}
		data, problem := carouselPicture(v)
		if problem != "" {
			f.wrong(fmt.Sprintf("images[%d]", i), problem)
			break
		}
		picture, err := api.pictureOf(r, data)
		if errors.Is(err, errNotShowable) {
			f.wrong(fmt.Sprintf("images[%d]", i), "não é uma imagem que o terminal possa exibir")
		} else if err != nil {
			return nil, err
		}
		c.Pictures = append(c.Pictures, picture)
	}
	if f.err() != nil {
		return nil, f.err()
	}
	api.Screen.Push(c)
	return done("Carrossel exibido com sucesso")
}

// carouselPicture reads a Base64 image, with or without a data: prefix, padded or not, in either alphabet.
func carouselPicture(v any) (data []byte, problem string) {
	text, ok := v.(string)
	if !ok {
		return nil, "deve ser um texto em Base64"
	}
	if strings.HasPrefix(text, "data:") {
		_, text, _ = strings.Cut(text, ",")
	}
	if strings.ContainsAny(text, " -_") { // most have none, and a copy of a picture is worth saving
		text = strings.NewReplacer(" ", "", "-", "+", "_", "/").Replace(text)
	}
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "=\r\n")) // which passes over line breaks
	if err != nil {
		return nil, "não é Base64 válido"
	}
	return data, ""
}

func (api *API) clearDisplay(*http.Request) (any, error) {
	api.Screen.Clear()
	return done("Display limpo com sucesso")
}

func (api *API) popDisplay(*http.Request) (any, error) {
	api.Screen.Pop()
	return done("Display fechado com sucesso")
}
