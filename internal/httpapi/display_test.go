package httpapi_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/waittest"
)

// screenView is what tests look at of GET /emulator/screen.
type screenView struct {
	View          string
	Busy          bool
	Sale          map[string]any
	Closing       map[string]any
	Success       map[string]any
	Payment       map[string]any
	Display       []map[string]any
	Notifications []map[string]any
	Question      *struct {
		Index, Count         int
		Parameters, Question map[string]any
		Answers              []map[string]any
	}
}

func (m *terminal) screenNow() (s screenView) {
	m.t.Helper()
	m.call("GET", "/emulator/screen", nil).ok().into(&s)
	return s
}

// awaitScreen looks until the screen is as it should become.
func (m *terminal) awaitScreen(what string, is func(screenView) bool) (s screenView) {
	m.t.Helper()
	waittest.Until(m.t, what, func() bool {
		s = m.screenNow()
		return is(s)
	})
	return s
}

// noise is an image that no compression makes small.
func noise(width, height int) image.Image {
	img, random := image.NewRGBA(image.Rect(0, 0, width, height)), rand.New(rand.NewPCG(1, 2))
	for i := range img.Pix {
		img.Pix[i] = byte(random.Uint32())
	}
	return img
}

func pngBytes(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const red = `{"content":[{"text":{"value":"Total"}}],"backgroundColor":"#f00"}`

// displayed checks the whole stack, bottom first.
func (m *terminal) displayed(want string) {
	m.t.Helper()
	got, _ := json.Marshal(m.screenNow().Display)
	(&answer{t: m.t, what: "display", body: got}).equals(want)
}

func TestDisplayImage(t *testing.T) {
	t.Parallel()
	m := start(t)
	var asJPEG, asGIF bytes.Buffer
	if err := jpeg.Encode(&asJPEG, noise(5, 4), nil); err != nil {
		t.Fatal(err)
	}
	if err := gif.Encode(&asGIF, image.NewPaletted(image.Rect(0, 0, 6, 7), color.Palette{color.White, color.Black}), nil); err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{pngBytes(t, noise(3, 2)), asJPEG.Bytes(), asGIF.Bytes()} {
		m.call("POST", "/display/image", data).ok().equals(`{"message":"Imagem exibida com sucesso"}`)
	}
	m.displayed(`[{"kind":"image","contentType":"image/png","width":3,"height":2,"showCloseButton":true},{"kind":"image","contentType":"image/jpeg","width":5,"height":4,"showCloseButton":true},{"kind":"image","contentType":"image/gif","width":6,"height":7,"showCloseButton":true}]`)
	m.call("POST", "/display/clear", nil).ok()

	m.call("POST", "/display/image", nil).is(400, "Nenhuma imagem enviada")
	m.call("POST", "/display/image", []byte{}).is(400, "Nenhuma imagem enviada")
	good := pngBytes(t, noise(50, 50))
	for _, data := range [][]byte{[]byte("isto não é uma imagem"), good[:len(good)/2], good[:8], {0}, []byte("%PDF-1.7"), []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`)} {
		m.call("POST", "/display/image", data).is(500, "Erro ao exibir imagem")
	}
	if s := m.screenNow(); len(s.Display) != 0 || s.View != "idle" {
		t.Errorf("what could not be shown is on the display: %+v", s)
	}
	// The raw bytes are what counts, whatever the header says.
	if a := m.unchecked("POST", "/display/image", good, header{"Content-Type", "image/png"}); a.status != 200 {
		t.Errorf("with image/png: %d %s", a.status, a.body)
	}
	if a := m.unchecked("POST", "/display/image", good, header{"Content-Type", ""}); a.status != 200 {
		t.Errorf("without Content-Type: %d %s", a.status, a.body)
	}
}

func TestDisplayText(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/display/text", `{"content":[{"text":{"value":"Total","size":24,"bold":true,"align":"center"}},{"line":{"divider":true}},{"line":{}},{"text":{"value":""}},{"text":{"value":"R$ 5","size":null,"bold":null,"align":null}}],
		"backgroundColor":"#0B5d3B","showCloseButton":false,"outro":1}`).ok().equals(`{"message":"Texto exibido com sucesso"}`)
	m.call("POST", "/display/text", `{"content":[{"text":{"value":"x","align":"right"}}],"backgroundColor":"#fff","showCloseButton":null}`).ok()
	m.displayed(`[{"kind":"text","backgroundColor":"#0B5d3B","showCloseButton":false,"content":[
			{"text":{"value":"Total","size":24,"bold":true,"align":"center"}},{"line":{"divider":true}},{"line":{"divider":false}},
			{"text":{"value":"","size":16,"bold":false,"align":"left"}},{"text":{"value":"R$ 5","size":16,"bold":false,"align":"left"}}]},
		{"kind":"text","backgroundColor":"#fff","showCloseButton":true,"content":[{"text":{"value":"x","size":16,"bold":false,"align":"right"}}]}]`)
	before := m.warnings()
	m.call("POST", "/display/text", `{"content":[{"text":{"value":"x","size":5}},{"text":{"value":"x","size":6}},{"text":{"value":"x","size":96}},{"text":{"value":"x","size":97}}],"backgroundColor":"#FFF"}`).ok()
	if got := m.warnings() - before; got != 2 {
		t.Errorf("two sizes outside their range: %d warnings", got)
	}
	var sizes []any
	for _, in := range m.screenNow().Display[2]["content"].([]any) {
		sizes = append(sizes, in.(map[string]any)["text"].(map[string]any)["size"])
	}
	if diff := cmp.Diff([]any{json.Number("6"), json.Number("6"), json.Number("96"), json.Number("96")}, sizes); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}

	m.call("POST", "/display/clear", nil).ok()
	for _, row := range []struct{ body, field string }{
		{`{"backgroundColor":"#fff"}`, "content"},
		{`{"content":null,"backgroundColor":"#fff"}`, "content"},
		{`{"content":{},"backgroundColor":"#fff"}`, "content"},
		{`{"content":"x","backgroundColor":"#fff"}`, "content"},
		{`{"content":[]}`, "backgroundColor"},
		{`{"content":[],"backgroundColor":null}`, "backgroundColor"},
		{`{"content":[5],"backgroundColor":"#fff"}`, "content[0]"},
		{`{"content":[{"line":{}},{}],"backgroundColor":"#fff"}`, "content[1]"},
		{`{"content":[{"text":{"value":"x"},"line":{}}],"backgroundColor":"#fff"}`, "content[0]"},
		{`{"content":[{"imagem":{}}],"backgroundColor":"#fff"}`, "content[0]"},
		{`{"content":[{"text":{}}],"backgroundColor":"#fff"}`, "content[0].text.value"},
		{`{"content":[{"text":{"value":5}}],"backgroundColor":"#fff"}`, "content[0].text.value"},
		{`{"content":[{"text":{"value":"x","size":"16"}}],"backgroundColor":"#fff"}`, "content[0].text.size"},
		{`{"content":[{"text":{"value":"x","bold":1}}],"backgroundColor":"#fff"}`, "content[0].text.bold"},
		{`{"content":[{"text":{"value":"x","align":"centro"}}],"backgroundColor":"#fff"}`, "content[0].text.align"},
		{`{"content":[{"text":{"value":"x","align":"LEFT"}}],"backgroundColor":"#fff"}`, "content[0].text.align"},
		{`{"content":[{"text":["x"]}],"backgroundColor":"#fff"}`, "content[0].text"},
		{`{"content":[{"line":true}],"backgroundColor":"#fff"}`, "content[0].line"},
		{`{"content":[{"line":{"divider":"x"}}],"backgroundColor":"#fff"}`, "content[0].line.divider"},
		{`{"content":[],"backgroundColor":"#fff","showCloseButton":"x"}`, "showCloseButton"},
	} {
		m.call("POST", "/display/text", row.body).blames(row.field)
	}
	m.displayed(`[]`)
}

func TestDisplayColours(t *testing.T) {
	t.Parallel()
	m := start(t)
	image := base64.StdEncoding.EncodeToString(pngBytes(t, noise(1, 1)))
	bodies := map[string]string{"/display/text": `{"content":[],"backgroundColor":%}`, "/display/carousel": `{"images":["` + image + `"],"backgroundColor":%}`}
	for path, body := range bodies {
		for _, colour := range []string{`"#000"`, `"#aBc"`, `"#09aF7e"`, `"white"`, `"DarkSlateGray"`} {
			m.call("POST", path, strings.Replace(body, "%", colour, 1)).ok()
		}
		for _, colour := range []string{`""`, `"#"`, `"#ff"`, `"#ffff"`, `"#ggg"`, `"#fffff"`, `"#ffffffff"`, `"fff"`, `"ffffff"`, `"vermelho"`, `" #fff"`, `"#fff "`, `"rgb(0,0,0)"`, `5`, `[]`, `"#ção"`} {
			m.call("POST", path, strings.Replace(body, "%", colour, 1)).blames("backgroundColor")
		}
	}
}

func TestDisplayCarousel(t *testing.T) {
	t.Parallel()
	m := start(t)
	data := pngBytes(t, noise(9, 9))
	plain, unpadded := base64.StdEncoding.EncodeToString(data), base64.RawStdEncoding.EncodeToString(data)
	m.call("POST", "/display/carousel", map[string]any{"images": []string{plain}, "backgroundColor": "#000"}).ok().equals(`{"message":"Carrossel exibido com sucesso"}`)
	m.call("POST", "/display/carousel", map[string]any{
		"images": []string{plain, "data:image/png;base64," + plain, unpadded}, "intervalMs": 0, "transition": "zoom", "backgroundColor": "#123456", "showCloseButton": true,
	}).ok()
	m.call("POST", "/display/carousel", `{"images":["`+plain+`"],"intervalMs":null,"transition":null,"backgroundColor":"#000","showCloseButton":null}`).ok()
	m.displayed(`[{"kind":"carousel","images":1,"intervalMs":3000,"transition":"fade","backgroundColor":"#000","showCloseButton":false},
		{"kind":"carousel","images":3,"intervalMs":0,"transition":"zoom","backgroundColor":"#123456","showCloseButton":true},
		{"kind":"carousel","images":1,"intervalMs":3000,"transition":"fade","backgroundColor":"#000","showCloseButton":false}]`)
	m.call("POST", "/display/carousel", map[string]any{"images": []string{plain}, "transition": "slide", "backgroundColor": "#000"}).ok()
	large := base64.StdEncoding.EncodeToString(pngBytes(t, noise(600, 450))) // more than any other JSON body may have
	m.call("POST", "/display/carousel", map[string]any{"images": []string{large}, "backgroundColor": "#000"}).ok()
	m.call("POST", "/display/clear", nil).ok()

	good := `"` + plain + `"`
	for _, row := range []struct{ body, field string }{
		{`{"backgroundColor":"#000"}`, "images"},
		{`{"images":null,"backgroundColor":"#000"}`, "images"},
		{`{"images":[],"backgroundColor":"#000"}`, "images"},
		{`{"images":"x","backgroundColor":"#000"}`, "images"},
		{`{"images":[` + good + `]}`, "backgroundColor"},
		{`{"images":[` + good + `,"*não*"],"backgroundColor":"#000"}`, "images[1]"},
		{`{"images":["` + plain[:40] + `"],"backgroundColor":"#000"}`, "images[0]"},
		{`{"images":[` + good + `,` + good + `,""],"backgroundColor":"#000"}`, "images[2]"},
		{`{"images":[null],"backgroundColor":"#000"}`, "images[0]"},
		{`{"images":[5],"backgroundColor":"#000"}`, "images[0]"},
		{`{"images":["dGV4dG8="],"backgroundColor":"#000"}`, "images[0]"},
		{`{"images":["data:image/png;base64"],"backgroundColor":"#000"}`, "images[0]"},
		{`{"images":[` + good + `],"intervalMs":-1,"backgroundColor":"#000"}`, "intervalMs"},
		{`{"images":[` + good + `],"intervalMs":"1","backgroundColor":"#000"}`, "intervalMs"},
		{`{"images":[` + good + `],"intervalMs":1.5,"backgroundColor":"#000"}`, "intervalMs"},
		{`{"images":[` + good + `],"transition":"Fade","backgroundColor":"#000"}`, "transition"},
		{`{"images":[` + good + `],"transition":"","backgroundColor":"#000"}`, "transition"},
		{`{"images":[` + good + `],"transition":1,"backgroundColor":"#000"}`, "transition"},
		{`{"images":[` + good + `],"showCloseButton":"x","backgroundColor":"#000"}`, "showCloseButton"},
	} {
		m.call("POST", "/display/carousel", row.body).blames(row.field)
	}
	m.displayed(`[]`)
}

func TestDisplayStack(t *testing.T) {
	t.Parallel()
	m := start(t)
	for range 2 {
		m.call("POST", "/display/pop", nil).ok().equals(`{"message":"Display fechado com sucesso"}`)
		m.call("POST", "/display/clear", nil).ok().equals(`{"message":"Display limpo com sucesso"}`)
	}
	stack := func(view string, colours ...any) {
		t.Helper()
		s := m.screenNow()
		var got []any
		for _, d := range s.Display {
			got = append(got, d["backgroundColor"])
		}
		if diff := cmp.Diff(colours, got); diff != "" || s.View != view {
			t.Errorf("view %s, want %s; stack (-want +got):\n%s", s.View, view, diff)
		}
	}
	push := func(colour string) {
		t.Helper()
		m.call("POST", "/display/text", strings.Replace(red, "#f00", colour, 1)).ok()
	}
	stack("idle")
	push("#111")
	push("#222")
	push("#333")
	stack("display", "#111", "#222", "#333")
	m.call("POST", "/display/pop", nil).ok()
	stack("display", "#111", "#222")
	m.call("POST", "/display/clear", nil).ok()
	stack("idle")

	for _, ending := range []string{"/sale/finalize", "/sale/cancel"} {
		m.call("POST", "/sale", nil).ok()
		stack("sale")
		push("#111")
		push("#222")
		m.call("POST", ending, `{"showMessage":false}`).ok()
		stack("display", "#111") // popped, not cleared
		m.call("POST", "/sale/finalize", nil).is(409, "Nenhuma venda ativa!")
		stack("display", "#111") // a refused ending pops nothing
		m.call("POST", "/display/pop", nil).ok()
		stack("idle")
	}
	push("#111")
	m = m.again()
	stack("idle") // not kept over a restart
}

func TestDisplayWhileBusy(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.call("POST", "/display/text", red).ok()
	payment := m.holdOpen("/transaction", `{"tPag":"17","amount":5.00,"referenceId":"r1"}`)
	if s := m.awaitScreen("the payment", paying); s.View != "payment" {
		t.Errorf("the payment is under the display: %+v", s)
	}
	for _, path := range []string{"/display/image", "/display/text", "/display/carousel", "/display/clear", "/display/pop"} {
		m.call("POST", path, nil).is(503, "Aplicativo ocupado realizando outra operação, tente mais tarde!")
	}
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	payment.answer().is(200, "Transação aprovada")
	s := m.awaitScreen("the display back", func(s screenView) bool { return s.View == "display" })
	if len(s.Display) != 1 {
		t.Errorf("after the payment: %+v", s)
	}
}

func TestDisplayClosingMessage(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, row := range []struct{ path, body, want string }{
		{"/sale/finalize", `{"messageInterval":600000}`, `{"outcome":"finalized","message":null,"showMessage":true,"showCloseButton":true,"buttonCloseText":null,"messageInterval":600000}`},
		{"/sale/finalize", ``, `{"outcome":"finalized","message":null,"showMessage":true,"showCloseButton":true,"buttonCloseText":null,"messageInterval":3000}`},
		{
			"/sale/cancel", `{"message":"Até logo","showMessage":true,"showCloseButton":false,"buttonCloseText":"Sair","messageInterval":500000}`,
			`{"outcome":"cancelled","message":"Até logo","showMessage":true,"showCloseButton":false,"buttonCloseText":"Sair","messageInterval":500000}`,
		},
		{"/sale/cancel", `{"showMessage":false}`, `null`},
	} {
		m.call("POST", "/sale", nil).ok()
		m.call("POST", row.path, bodyOf(row.body)).ok()
		s := m.screenNow()
		got, _ := json.Marshal(s.Closing)
		(&answer{t: t, what: row.path + " " + row.body, body: got}).equals(row.want)
		if (s.View == "closing") != (row.want != "null") {
			t.Errorf("%s %s: view %s", row.path, row.body, s.View)
		}
	}
	// Who hands money over needs longer, unless the caller knows better.
	for body, want := range map[string]string{``: "8000", `{"messageInterval":null}`: "8000", `{"messageInterval":3000}`: "3000"} {
		for _, path := range []string{"/sale/finalize", "/sale/cancel"} {
			m.call("POST", "/sale", nil).ok()
			m.call("POST", "/sale/payment", `{"tPag":"money","value":10}`).ok()
			m.call("POST", path, bodyOf(body)).ok()
			if got, _ := json.Marshal(m.screenNow().Closing); !strings.Contains(string(got), `"messageInterval":`+want+`,`) {
				t.Errorf("%s %s: %s", path, body, got)
			}
		}
	}
	m.call("POST", "/sale", nil).ok()
	m.call("POST", "/sale/finalize", `{"messageInterval":30}`).ok()
	m.awaitScreen("the closing message to pass", func(s screenView) bool { return s.Closing == nil && s.View == "idle" })
}

func TestDisplayNotifications(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, path := range []string{"/status", "/info", "/logs", "/sale", "/transaction", "/transaction/nada", "/emulator/screen", "/emulator/printer/jobs", "/nada"} {
		m.call("GET", path, nil)
	}
	m.call("POST", "/emulator/reset", nil).ok()
	m.call("POST", "/sale", nil, header{"Authorization", ""}).is(401, "Credenciais ausentes ou inválidas")
	m.call("DELETE", "/sale", nil).is(405, "Método não permitido")
	if s := m.screenNow(); len(s.Notifications) != 0 {
		t.Errorf("notifications without a command: %v", s.Notifications)
	}
	item := url.PathEscape("a/b")
	for i, c := range []struct{ method, path, body, command string }{
		{"POST", "/sale", "", "POST /sale"},
		{"PATCH", "/sale", "", "PATCH /sale"},
		{"POST", "/sale/item", "{", ""},
		{"DELETE", "/sale/item/" + item, "", ""},
		{"POST", "/sale/item/x/cancel", "", ""},
		{"POST", "/sale/payment", cash, ""},
		{"PATCH", "/sale/payment/p1", "{}", ""},
		{"POST", "/ask", "{}", ""},
		{"POST", "/ask/form", "{}", ""},
		{"POST", "/ask/cancel", "", ""},
		{"POST", "/print/text", "[]", ""},
		{"POST", "/print/image", "", ""},
		{"POST", "/print/xml", "", ""},
		{"POST", "/transaction", "{}", ""},
		{"POST", "/transaction/x/reversal", "", ""},
		{"POST", "/display/pop", "", ""},
		{"POST", "/display/image", "", ""},
		{"POST", "/restart", "", ""},
		{"POST", "/sale/finalize", "", ""},
	} {
		m.call(c.method, c.path, bodyOf(c.body))
		all := m.screenNow().Notifications
		if len(all) != i+1 {
			t.Fatalf("after %s %s: %d notifications, want %d", c.method, c.path, len(all), i+1)
		}
		newest := all[0]
		if newest["title"] != "Comando recebido" || newest["text"] != "Restaure o aplicativo" || !strings.HasPrefix(newest["command"].(string), c.method+" ") || c.command != "" && newest["command"] != c.command {
			t.Errorf("%s %s shows %v", c.method, c.path, newest)
		}
	}
}
