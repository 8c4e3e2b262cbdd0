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
	q, err := readQuery(r)
	if err != nil {
		return nil, err
	}
	closes, err := q.flag("showCloseButton", true)
	if err != nil {
		return nil, err
	}
	picture, err := api.pictureOf(r, data)
	if err != nil {
		return nil, err
	}
	api.display(r, screen.Image{Picture: picture, ShowCloseButton: closes})
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
	read, err := readInstructions(f, "content", content)
	if err != nil {
		return nil, err
	}
	if text.Lines, err = read.lines(); err != nil {
		return nil, err
	}
	api.remark(r, "", read.remarks)
	api.display(r, text)
	return done("Texto exibido com sucesso")
}

// mostShownCodes bounds the pictures that one text takes.
const mostShownCodes = 20

// lines are what the instructions are on the screen.
func (read *instructions) lines() (lines []screen.Line, err error) {
	codes := 0
	for _, in := range read.all {
		line := screen.Line{Letters: in.letters(), Rule: in.rule, Divider: in.divider}
		for _, c := range in.cells {
			line.Cells = append(line.Cells, screen.Cell{Letters: c.letters(), Weight: c.weight})
		}
		if in.code != nil {
			if codes++; codes > mostShownCodes {
				return nil, invalid("content", fmt.Sprintf("tem códigos demais: o limite é de %d", mostShownCodes))
			}
			if line.Code, err = shownCode(in.code); err != nil {
				return nil, invalid("content", reasonOf(err))
			}
		}
		lines = append(lines, line)
	}
	return lines, nil
}

func (l lettering) letters() screen.Letters {
	return screen.Letters{Value: l.value, Size: l.size, Bold: l.bold, Italic: l.italic, Align: l.align}
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
	choice(f, "transition", &c.Transition, "fade", "fade", "slide", "zoom", "none")
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
	api.display(r, c)
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

// display shows content, and tells of it.
func (api *API) display(r *http.Request, c screen.Content) {
	api.Screen.Push(c)
	api.Story.Displayed(r.Context(), c)
}

func (api *API) clearDisplay(r *http.Request) (any, error) {
	api.Screen.Clear()
	api.Story.DisplayCleared(r.Context(), "limpo pelo PDV")
	return done("Display limpo com sucesso")
}

func (api *API) popDisplay(r *http.Request) (any, error) {
	api.Screen.Pop()
	api.Story.DisplayCleared(r.Context(), "fechado pelo PDV")
	return done("Display fechado com sucesso")
}
