//go:build !race || everything

package screenui_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strconv"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/browsertest"
	"github.com/maquininha/maquininha/internal/thorough"
)

var (
	red   = color.RGBA{0xd0, 0x20, 0x20, 0xff}
	green = color.RGBA{0x10, 0x90, 0x40, 0xff}
	blue  = color.RGBA{0x20, 0x40, 0xc0, 0xff}
)

// plain is a picture of one colour.
func plain(c color.Color, width, height int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// centre waits until the middle of the screen has a colour.
func (p *page) centre(want color.RGBA) {
	p.t.Helper()
	var got color.RGBA
	p.m.until("the middle of the screen is as sent", func() bool {
		img, err := png.Decode(bytes.NewReader(browsertest.Screenshot(p.t, p.ctx)))
		p.must(err)
		size := img.Bounds().Size()
		got = color.RGBAModel.Convert(img.At(size.X/2, size.Y/2)).(color.RGBA)
		return near(got.R, want.R) && near(got.G, want.G) && near(got.B, want.B)
	})
}

// near allows for what a scaled or blended picture loses.
func near(a, b uint8) bool { return max(a, b)-min(a, b) <= 3 }

func TestDisplayImage(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	m.must("POST", "/display/image?showCloseButton=false", plain(red, 60, 40))
	p.finds(`[data-view="display"][data-kind="image"]`)
	p.lacks(`[data-do="close"]`)
	p.centre(red)
	m.must("POST", "/display/image", plain(blue, 60, 40))
	p.centre(blue)
	p.push("close")
	p.centre(red) // it is closed: only what is shown can be
	m.must("POST", "/display/image?showCloseButton=false", plain(green, 3000, 20))
	p.centre(green)
	p.sees(`(r => r.left >= 0 && r.right <= innerWidth && r.top >= 0 && r.bottom <= innerHeight)(document.querySelector(".display-image").getBoundingClientRect())`)
	m.must("POST", "/display/pop", nil)
	p.centre(red)
	m.must("POST", "/display/pop", nil)
	p.view("idle")
}

// Columns, codes and the caller's notice, which the next command does not take away.
func TestDisplayOfMoreThanText(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	m.must("POST", "/display/text", object{"backgroundColor": "midnightblue", "content": []object{
		{"line": object{"content": "Seu pedido", "customization": object{"font_size": 24, "alignment": 1, "font_style": object{"italic": true}}}},
		{"line": object{"column": []object{{"row": object{"content": "Pão francês"}}, {"row": object{"content": "5,40", "size": 30, "customization": object{"alignment": 2}}}}}},
		{"qrcode": object{"content": "https://exemplo.com.br/pedido/42"}},
		{"barcode": object{"content": "789100010010", "type": "ean13"}},
	}})
	p.says(".display-row", "Pão francês 5,40")
	p.sees(`(s => s.fontStyle === "italic" && s.textAlign === "center")(getComputedStyle(document.querySelector(".display-text p")))`)
	p.sees(`(([left, right]) => Math.abs(left.width / right.width - 7 / 3) < 0.2)([...document.querySelectorAll(".display-row p")].map((cell) => cell.getBoundingClientRect()))`)
	p.sees(`[...document.querySelectorAll(".display-code img")].filter((img) => img.complete && img.naturalWidth > 0).length === 2`)
	p.scanned("https://exemplo.com.br/pedido/42")
	m.must("POST", "/notification", object{"title": "Caixa 3", "message": "Chame o gerente para autorizar o desconto"})
	p.says(".toast.is-said", "Caixa 3 Chame o gerente para autorizar o desconto")
	m.must("POST", "/sale", nil)
	p.says(".toast.is-said", "Caixa 3 Chame o gerente para autorizar o desconto")
	p.push("close")
	p.view("sale")
}

func TestDisplayText(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	line := func(value string, size int, bold bool, align string) object {
		return object{"text": object{"value": value, "size": size, "bold": bold, "align": align}}
	}
	// shape is the n-th line's size per point, weight and alignment, as the browser has it.
	shape := func(n int, points string) string {
		return `(s => [Math.round(parseFloat(s.fontSize) / ` + points + ` * 100), s.fontWeight >= 600, s.textAlign].join())(getComputedStyle(document.querySelectorAll(".display-text > *")[` + strconv.Itoa(n) + `]))`
	}
	for _, c := range []struct{ background, text string }{
		{"#101820", "rgb(255, 255, 255)"}, {"#FFFFFF", "rgb(0, 0, 0)"}, {"#fd0", "rgb(0, 0, 0)"}, {"#0044cc", "rgb(255, 255, 255)"},
	} {
		m.must("POST", "/display/text", object{"backgroundColor": c.background, "content": []object{
			line("Promoção", 40, true, "center"),
			{"line": object{"divider": true}},
			line("Leve 3, pague 2", 16, false, "left"),
			{"line": object{"divider": false}},
			line("<b>só hoje</b>", 12, false, "right"),
		}})
		p.sees(`getComputedStyle(document.querySelector("[data-kind=text]")).color === %q`, c.text)
		p.says(".display-text", "Promoção Leve 3, pague 2 <b>só hoje</b>")
		point := strings.TrimSuffix(browsertest.Eval[string](t, p.ctx, shape(0, "40")), ",true,center")
		p.sees("%s === %q && %s === %q", shape(2, "16"), point+",false,left", shape(4, "12"), point+",false,right")
		p.sees(`document.querySelectorAll(".display-rule").length === 1 && document.querySelectorAll(".display-gap").length === 1`)
		p.push("close")
		p.view("idle")
	}
	p.press("Escape") // nothing is left to close
	m.must("POST", "/display/text", object{"backgroundColor": "#fff", "showCloseButton": false, "content": []object{line("Fica", 16, false, "left")}})
	p.says(".display-text", "Fica")
	p.lacks(`[data-do="close"]`)
	p.press("Escape")
	m.must("POST", "/display/clear", nil)
	p.view("idle")
}

func TestDisplayCarousel(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	pictures := []string{
		base64.StdEncoding.EncodeToString(plain(red, 60, 40)),
		"data:image/png;base64," + base64.StdEncoding.EncodeToString(plain(green, 40, 60)),
		base64.StdEncoding.EncodeToString(plain(blue, 50, 50)),
	}
	for _, transition := range []string{"fade", "slide", "zoom", "none"} {
		m.must("POST", "/display/carousel", object{
			"images": pictures, "intervalMs": 700, "transition": transition, "backgroundColor": "#000000", "showCloseButton": true,
		})
		p.finds(".carousel.by-" + transition)
		turns := []color.RGBA{green, blue, red} // and it begins again
		if transition != "fade" {
			turns = turns[:thorough.Rounds(1, len(turns))]
		}
		for _, c := range turns {
			p.centre(c)
		}
		p.push("close")
		p.view("idle")
	}
}

func TestDisplayIsAStack(t *testing.T) {
	t.Parallel()
	m := start(t)
	p := handheld(t, m)
	m.cart(2)
	p.view("sale")
	m.must("POST", "/display/image", plain(red, 60, 40))
	m.must("POST", "/display/text", object{"backgroundColor": "#fff", "content": []object{{"text": object{"value": "Por cima"}}}})
	p.says(`[data-view="display"]`, "Por cima")
	m.must("POST", "/display/image", plain(blue, 60, 40))
	p.centre(blue)
	m.must("POST", "/display/pop", nil)
	p.says(`[data-view="display"]`, "Por cima")
	held := m.hold("/ask", object{"question": object{"type": "NUMBER"}})
	p.view("question")
	p.pad("1")
	p.push("confirm")
	m.ends(held)
	p.says(`[data-view="display"]`, "Por cima")
	p.push("close")
	p.centre(red)
	m.must("POST", "/display/text", object{"backgroundColor": "#fff", "content": []object{{"text": object{"value": "Mais um"}}}})
	p.says(`[data-view="display"]`, "Mais um")
	m.must("POST", "/display/clear", nil)
	p.view("sale")
}
