//go:build !race || everything

package httpapi_test

import (
	"bytes"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing/qrcode"

	"github.com/maquininha/maquininha/internal/barcode/barcodetest"
)

// What is rendered is what is printed, dot by dot, whatever the terminal does meanwhile.
func TestRender(t *testing.T) {
	t.Parallel()
	m := start(t)
	nfce, err := os.ReadFile("../fiscal/testdata/nfce.xml")
	if err != nil {
		t.Fatal(err)
	}
	bodies := map[string]struct {
		body any
		kind string
	}{
		"image": {pngBytes(t, noise(300, 90)), "application/octet-stream"},
		"text":  {`[{"text":{"value":"Pedido 42","bold":true}},{"qrcode":{"content":"https://exemplo.com.br/42"}}]`, "application/json"},
		"xml":   {string(nfce), "text/xml"},
		"acbr":  {"</ce><n>Pão</n>\n</linha_simples>\n</corte>", "text/plain"},
	}
	papers := map[string][]byte{}
	for name, b := range bodies {
		m.call("POST", "/print/"+name, b.body, header{"Content-Type", b.kind}).is(200, printedOK)
		papers[name] = m.call("GET", m.printJobs()[0].Picture, nil).ok().body
	}
	printed := len(m.printJobs())
	pay := m.keepOpen("POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"r"}`)
	m.awaitStep("card")
	for name, b := range bodies {
		a := m.call("POST", "/render/"+name+"?width=384", b.body, header{"Content-Type", b.kind}).ok()
		if a.header.Get("Content-Type") != "image/png" || !samePicture(t, a.body, papers[name]) {
			t.Errorf("/render/%s is %s, and not what was printed", name, a.header.Get("Content-Type"))
		}
		pdf := m.call("POST", "/render/"+name+"?format=pdf", b.body, header{"Content-Type", b.kind}).ok()
		if pdf.header.Get("Content-Type") != "application/pdf" || !bytes.HasPrefix(pdf.body, []byte("%PDF-")) {
			t.Errorf("/render/%s?format=pdf: %.20q", name, pdf.body)
		}
		raw := m.call("POST", "/render/"+name+"?format=escpos&width=576", b.body, header{"Content-Type", b.kind}).ok()
		if !bytes.HasPrefix(raw.body, []byte("\x1b@")) {
			t.Errorf("/render/%s?format=escpos: %.20q", name, raw.body)
		}
	}
	wide, err := png.Decode(bytes.NewReader(m.call("POST", "/render/text", bodies["text"].body).ok().body))
	if err != nil || wide.Bounds().Dx() != 576 {
		t.Fatalf("%v, %v", wide.Bounds(), err)
	}
	if got := barcodetest.Read(t, wide, qrcode.NewQRCodeReader()); got != "https://exemplo.com.br/42" {
		t.Errorf("read %q", got)
	}
	if n := len(m.printJobs()); n != printed {
		t.Errorf("%d papers came of it", n-printed)
	}
	pay.held()
	m.call("POST", "/emulator/payment", `{"outcome":"approve"}`).ok()
	pay.answer().is(200, "Transação aprovada")
}

func samePicture(t *testing.T, a, b []byte) bool {
	t.Helper()
	one, err := png.Decode(bytes.NewReader(a))
	if err != nil {
		t.Fatal(err)
	}
	other, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if one.Bounds() != other.Bounds() {
		return false
	}
	for y := range one.Bounds().Dy() {
		for x := range one.Bounds().Dx() {
			if one.At(x, y) != other.At(x, y) {
				return false
			}
		}
	}
	return true
}

// A bar code wider than the paper is printed as its text; who reads the log learns why there are no bars. What is
// drawn goes by its own paper.
func TestPrintACBrTellsOfACodeTooWide(t *testing.T) {
	t.Parallel()
	m := start(t)
	const key = "<code128c>35261114200166000187650010000000071123456789</code128c>"
	const told = "tags ACBr: código de barras mais largo do que o papel: impresso como texto"
	m.call("POST", "/render/acbr", []byte(key)).ok()
	m.printACBr("<barra_largura>1</barra_largura>"+key).is(200, printedOK)
	m.tells("mais largo")
	m.printACBr(key+key).is(200, printedOK)
	m.tells("mais largo", told)
	m.call("POST", "/render/acbr?width=384", []byte(key)).ok()
	m.tells("mais largo", told, told)
	for _, e := range m.story("mais largo") {
		if e.Level != "warning" || e.facts()["op"] == "" {
			t.Errorf("%+v", e)
		}
	}
}

func TestRenderRefusals(t *testing.T) {
	t.Parallel()
	m := start(t, longBodyTimeout)
	text := `[{"text":"Pedido"}]`
	for _, tt := range []struct{ path, body, message string }{
		{"/render/image", "", "Nenhuma imagem enviada"},
		{"/render/text", "", "Nenhum texto enviado"},
		{"/render/xml", "", "Nenhum XML enviado"},
		{"/render/acbr", "", "Nenhum conteúdo enviado"},
		{"/render/text?format=gif", text, "Requisição inválida: format deve ser um de: png, pdf, escpos"},
		{"/render/text?format=", text, "Requisição inválida: format deve ser um de: png, pdf, escpos"},
		{"/render/text?width=199", text, "Requisição inválida: width deve ser um número inteiro entre 200 e 2000"},
		{"/render/text?width=2001", text, "Requisição inválida: width deve ser um número inteiro entre 200 e 2000"},
		{"/render/text?width=", text, "Requisição inválida: width deve ser um número inteiro entre 200 e 2000"},
		{"/render/text", `[{"text":{}}]`, "Requisição inválida: [0].text.value é obrigatório"},
		{"/render/text?width=200", `[{"barcode":{"content":"` + strings.Repeat("1", 100) + `"}}]`, "Requisição inválida: código de barras ou QR não cabe no papel"},
		{"/render/image", "nada", "Requisição inválida: os bytes não são uma imagem PNG, JPEG, GIF, BMP ou WebP"},
		{"/render/xml", "<nada/>", `Requisição inválida: a raiz "nada" não é de NF-e, NFC-e nem CT-e`},
		{"/render/acbr", strings.Repeat("a\n", 20_000), "Requisição inválida: impressão longa demais"},
	} {
		m.call("POST", tt.path, tt.body, header{"Content-Type", map[bool]string{true: "application/json", false: "application/octet-stream"}[strings.HasPrefix(tt.path, "/render/text")]}).is(400, tt.message)
	}
	if only := m.call("POST", "/render/acbr?format=pdf", []byte("</abre_gaveta>")).ok(); !bytes.Contains(only.body, []byte("/Count 1")) {
		t.Errorf("a drawer without paper: %q", only.body)
	}
	m.call("POST", "/render/acbr", []byte(strings.Repeat("x", 1<<20+1))).is(413, "Requisição grande demais: o limite é de 1 MiB")
	// Two slips are one picture, with a line where they are cut.
	one := m.call("POST", "/render/acbr", []byte("UM\n</corte>")).ok()
	two := m.call("POST", "/render/acbr", []byte("UM\n</corte>DOIS\n</corte>")).ok()
	a, _ := png.DecodeConfig(bytes.NewReader(one.body))
	b, _ := png.DecodeConfig(bytes.NewReader(two.body))
	if a.Height != 30 || b.Height <= 2*a.Height {
		t.Errorf("pictures %d and %d dots high", a.Height, b.Height)
	}
}
