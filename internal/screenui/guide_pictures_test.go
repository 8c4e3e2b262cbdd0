//go:build !race || everything

package screenui_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	scale "golang.org/x/image/draw"

	"github.com/maquininha/maquininha/docs/guia"
	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/browsertest"
)

// dismissed has a result away, by hand or because its time was up while the picture was taken.
const dismissed = `(document.querySelector('[data-do="dismiss"]')?.click(), !document.querySelector('[data-view="result"]'))`

// TestGuidePictures makes every picture of the guide; make guide-pictures keeps them. Otherwise it shows that they can still be
// made, and that the guide has just these.
func TestGuidePictures(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("MAQUININHA_GUIDE_PICTURES")
	m := start(t, lasting, func(c *app.Config) { c.PaperWidth = 576 })
	g := &illustrator{openPage(t, m, browsertest.Window(480, 800)), dir, nil}

	sell := func() {
		m.must("POST", "/sale", object{"customerName": "Ana", "sellerName": "Bruno"})
		m.must("POST", "/sale/item", object{"id": "1", "code": "7891000100103", "description": "Café 500 g", "quantity": 2, "unitPrice": 18.9, "total": 37.8})
		m.must("POST", "/sale/item", object{"id": "2", "code": "7896004000855", "description": "Pão de queijo kg", "quantity": 0.412, "unitPrice": 39.9, "total": 16.44})
		g.sees(`document.body.innerText.includes("54,24")`)
	}
	sell()
	film := []image.Image{g.take("venda")}
	held := g.asks(object{"type": "CPF", "question": "CPF na nota?"}, object{"showCancelButton": true, "buttonCancelText": "Sem CPF"})
	g.do(browsertest.Type("5299822"))
	g.sees(typed + `.includes("529.982.2")`)
	film = append(film, g.take("cpf"))
	m.must("POST", "/emulator/answer", object{"value": "52998224725"})
	m.ends(held)

	held = m.hold("/transaction", object{"tPag": "17", "amount": 54.24, "referenceId": "pedido-1"})
	g.step("pix")
	g.take("pix")
	m.must("POST", "/emulator/payment", object{"outcome": "cancel"})
	m.ends(held)
	g.sees(dismissed)
	held = m.hold("/transaction", object{"tPag": "03", "amount": 54.24, "referenceId": "pedido-1"})
	g.step("card")
	film = append(film, g.take("cartao"))
	m.must("POST", "/emulator/card", object{"entry": "tap"})
	m.ends(held)
	g.finds(`[data-view="result"][data-verdict="approved"]`)
	film = append(film, g.take("aprovado"))
	g.sees(dismissed)
	m.must("POST", "/sale/payment", object{"id": "1", "tPag": "03", "value": 54.24})
	m.must("POST", "/sale/finalize", object{"message": "Obrigado!", "messageInterval": 600000})
	g.finds(`[data-view="closing"]`)
	g.keep("venda-inteira", filmStrip(append(film, g.still())))
	m.must("POST", "/display/clear", nil)

	nota, err := os.ReadFile("../fiscal/testdata/nfce.xml")
	if err != nil {
		t.Fatal(err)
	}
	m.must("POST", "/print/xml", nota)
	g.keep("cupom", halved(t, m.call("GET", "/emulator/printer/jobs/1.png", nil).body))

	g.do(browsertest.Resize(browsertest.Window(1280, 800)), chromedp.Navigate(m.screen+"/"))
	sell()
	g.finds(`[data-view="sale"]`)
	g.lacks(".paper.printing")
	held = m.hold("/transaction", object{"tPag": "03", "amount": 54.24, "referenceId": "pedido-2"})
	g.step("card")
	g.take("painel")
	m.must("POST", "/emulator/payment", object{"outcome": "cancel"})
	m.ends(held)

	docs := browsertest.Start(t, browsertest.Window(1024, 640))
	browsertest.Run(t, docs, chromedp.Navigate(m.api+"/docs"), chromedp.WaitVisible(".opblock", chromedp.ByQuery),
		chromedp.Evaluate(`document.querySelector(".opblock-tag").scrollIntoView()`, nil))
	g.keep("documentacao", seen(t, docs))

	want, err := fs.Glob(guia.Pictures, "img/*.png")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(g.made)
	if !slices.Equal(g.made, want) && dir == "" {
		t.Errorf("made %q, and the guide has %q", g.made, want)
	}
}

// illustrator keeps pictures of a page.
type illustrator struct {
	*page
	dir  string // empty: nowhere
	made []string
}

func (g *illustrator) take(name string) image.Image {
	g.t.Helper()
	picture := g.still()
	g.keep(name, picture)
	return picture
}

// still is the page when nothing moves.
func (g *illustrator) still() image.Image {
	g.t.Helper()
	g.lacks(".has-toast")
	browsertest.Eval[bool](g.t, g.ctx, browsertest.Rest)
	return seen(g.t, g.ctx)
}

// filmStrip has pictures side by side, each at half its size.
func filmStrip(pictures []image.Image) image.Image {
	const gap = 16
	size := pictures[0].Bounds().Size().Div(2)
	strip := image.NewRGBA(image.Rect(0, 0, gap+len(pictures)*(size.X+gap), size.Y+2*gap))
	draw.Draw(strip, strip.Bounds(), image.NewUniform(color.RGBA{0xd9, 0xde, 0xe5, 255}), image.Point{}, draw.Src)
	for i, p := range pictures {
		at := image.Pt(gap+i*(size.X+gap), gap)
		scale.CatmullRom.Scale(strip, image.Rectangle{at, at.Add(size)}, p, p.Bounds(), draw.Src, nil)
	}
	return strip
}

func seen(t testing.TB, page context.Context) image.Image {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(browsertest.Screenshot(t, page)))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// keep writes a picture with 256 colours: they travel in the program.
func (g *illustrator) keep(name string, picture image.Image) {
	g.t.Helper()
	g.made = append(g.made, fmt.Sprintf("img/%s.png", name))
	if g.dir == "" {
		return
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, paletted(picture)); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(g.dir, name+".png"), out.Bytes(), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

// paletted has the commonest colours of a picture; the few others become the nearest of them.
func paletted(picture image.Image) *image.Paletted {
	plain := image.NewRGBA(image.Rectangle{Max: picture.Bounds().Size()})
	draw.Draw(plain, plain.Bounds(), picture, picture.Bounds().Min, draw.Src)
	at := func(i int) color.RGBA { return color.RGBA{plain.Pix[i], plain.Pix[i+1], plain.Pix[i+2], 255} }
	count := map[color.RGBA]int{}
	for i := 0; i < len(plain.Pix); i += 4 {
		count[at(i)]++
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int { return cmp.Compare(count[b], count[a]) })
	var palette color.Palette
	for _, c := range colours[:min(len(colours), 256)] {
		palette = append(palette, c)
	}
	index := map[color.RGBA]uint8{}
	for _, c := range colours {
		index[c] = uint8(palette.Index(c))
	}
	out := image.NewPaletted(plain.Bounds(), palette)
	for i := range out.Pix {
		out.Pix[i] = index[at(4*i)]
	}
	return out
}

// halved is a paper at half its size, in greys, as the eye sees it from afar.
func halved(t *testing.T, paper []byte) image.Image {
	t.Helper()
	dots, err := png.Decode(bytes.NewReader(paper))
	if err != nil {
		t.Fatal(err)
	}
	size := dots.Bounds().Size().Div(2)
	out := image.NewGray(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			sum := 0
			for _, p := range []image.Point{{2 * x, 2 * y}, {2*x + 1, 2 * y}, {2 * x, 2*y + 1}, {2*x + 1, 2*y + 1}} {
				sum += int(color.GrayModel.Convert(dots.At(p.X, p.Y)).(color.Gray).Y)
			}
			out.SetGray(x, y, color.Gray{Y: uint8(sum / 4)})
		}
	}
	return out
}
