//go:build !race || everything

package httpapi

import (
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/oned"
	"github.com/makiuchi-d/gozxing/qrcode"

	"github.com/maquininha/maquininha/internal/barcode/barcodetest"
	"github.com/maquininha/maquininha/internal/receipt"
)

// otherDialect is a receipt as the library of another terminal writes it.
const otherDialect = `[
	{"line": {"customization": {"font_style": {"bold": true, "italic": false}, "font_size": 18, "alignment": 1}, "content": "PADARIA DA PRAÇA"}},
	{"line": {"customization": {"font_style": null, "font_size": 12.0, "alignment": 1}, "content": "Rua das Flores, 120"}},
	{"line": {"divider": true, "content": null}},
	{"line": {"column": [{"header": [
		{"row": {"customization": {"font_size": 12, "font_style": {"bold": true}}, "content": "DESCRIÇÃO", "size": 50}},
		{"row": {"customization": {"font_size": 12, "alignment": 2, "font_style": {"bold": true}}, "content": "QTD", "size": 14}},
		{"row": {"customization": {"font_size": 12, "alignment": 2, "font_style": {"bold": true}}, "content": "VALOR", "size": 36}}],
	"items": [
		[{"row": {"customization": {"font_size": 12}, "content": "Pão francês", "size": null}}, {"row": {"customization": {"font_size": 12, "alignment": 2}, "content": "6", "size": null}},
		 {"row": {"customization": {"font_size": 12, "alignment": 2}, "content": "5,40", "size": null}}],
		[{"content": "Café", "customization": {"font_size": 12}}, {"content": "1", "customization": {"font_size": 12, "alignment": 2}}, {"content": "18,90", "customization": {"font_size": 12, "alignment": 2}}]]}]}},
	{"line": {"divider": true}},
	{"line": {"column": [{"row": {"content": "Total", "customization": {"font_size": 10}, "size": null}}, {"row": {"content": "24,30", "size": 30, "customization": {"font_size": 16, "alignment": 2, "font_style": {"bold": true}}}}]}},
	{"line": {"qrcode": {"content": "https://exemplo.com.br/nota/1234", "size": 150, "level": "L"}}},
	{"line": {"content": "Volte sempre", "customization": {"font_style": {"italic": true}, "alignment": 2}}},
	{"line": {}},
	{"text": "Aguardando operador"}
]`

func TestTheOtherDialectPrintsWhatItSays(t *testing.T) {
	page, remarks, err := TextPage([]byte(otherDialect))
	if err != nil || remarks != nil {
		t.Fatal(err, remarks)
	}
	want := `                PADARIA DA PRAÇA
              Rua das Flores, 120
------------------------------------------------
DESCRIÇÃO                  QTD             VALOR
Pão francês                  6              5,40
Café                         1             18,90
------------------------------------------------
Total                                      24,30
[QR: https://exemplo.com.br/nota/1234]
                                    Volte sempre

Aguardando operador
`
	if diff := cmp.Diff(want, page.Plain()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, paper := range []receipt.Paper{receipt.Paper58, receipt.Paper80} {
		dots := rastered(t, page, paper)
		if got := barcodetest.Read(t, dots.Image(), qrcode.NewQRCodeReader()); got != "https://exemplo.com.br/nota/1234" {
			t.Errorf("read %q", got)
		}
		if folder := os.Getenv("MAQUININHA_PICTURES"); folder != "" { // for a person to look at
			file, err := os.Create(filepath.Join(folder, strings.ReplaceAll(t.Name(), "/", "-")+map[int]string{384: "-58", 576: "-80"}[paper.Width]+".png"))
			if err != nil {
				t.Fatal(err)
			}
			if err := png.Encode(file, dots.Image()); err != nil {
				t.Fatal(err)
			}
			file.Close()
		}
	}
}

func rastered(t *testing.T, page receipt.Page, paper receipt.Paper) *receipt.Bitmap {
	t.Helper()
	dots, err := page.Raster(paper)
	if err != nil {
		t.Fatal(err)
	}
	return dots
}

func TestCodesOfInstructions(t *testing.T) {
	for _, tt := range []struct {
		code   string
		reader gozxing.Reader
		want   string
	}{
		{`{"qrcode": {"content": "https://exemplo.com.br/?p=ção"}}`, qrcode.NewQRCodeReader(), "https://exemplo.com.br/?p=ção"},
		{`{"qrcode": {"content": "HELLO 42", "size": 300.4, "level": "H", "align": "left"}}`, qrcode.NewQRCodeReader(), "HELLO 42"},
		{`{"line": {"barcode": {"content": "Pedido 42", "showText": false}}}`, oned.NewCode128Reader(), "Pedido 42"},
		{`{"barcode": {"content": "35261114200166000187650010000000071123456789"}}`, oned.NewCode128Reader(), "35261114200166000187650010000000071123456789"},
		{`{"barcode": {"content": "789100010010", "type": "ean13", "height": 60}}`, oned.NewEAN13Reader(), "7891000100103"},
		{`{"barcode": {"content": "7891000100103", "type": "ean13"}}`, oned.NewEAN13Reader(), "7891000100103"},
		{`{"barcode": {"content": "78912342", "type": "ean8"}}`, oned.NewEAN8Reader(), "78912342"},
		{`{"barcode": {"content": "03600029145", "type": "upca"}}`, oned.NewUPCAReader(), "036000291452"},
		{`{"barcode": {"content": "123450", "type": "upce"}}`, oned.NewUPCEReader(), "01234505"},
		{`{"barcode": {"content": "PED-42", "type": "code39"}}`, oned.NewCode39Reader(), "PED-42"},
		{`{"barcode": {"content": "Ped 42", "type": "code93"}}`, oned.NewCode93Reader(), "Ped 42"},
		{`{"barcode": {"content": "0123456789", "type": "itf"}}`, oned.NewITFReader(), "0123456789"},
		{`{"barcode": {"content": "A123456B", "type": "codabar"}}`, oned.NewCodaBarReader(), "123456"},
	} {
		page, _, err := TextPage([]byte(`[{"text": "antes"}, ` + tt.code + `, {"text": "depois"}]`))
		if err != nil {
			t.Errorf("%s: %v", tt.code, err)
			continue
		}
		for _, paper := range []receipt.Paper{receipt.Paper58, receipt.Paper80} {
			if got := barcodetest.Read(t, rastered(t, page, paper).Image(), tt.reader); got != tt.want {
				t.Errorf("%s on %d: read %q", tt.code, paper.Width, got)
			}
		}
		// The screen's picture is read as well, with the white that the page has around it.
		shown, err := shownCode(page.Elements[1])
		if err != nil || shown.Picture.Width == 0 || shown.Text == "" {
			t.Errorf("%s on the screen: %+v, %v", tt.code, shown, err)
		}
	}
}

func TestWrongInstructionsAreNamed(t *testing.T) {
	many := strings.Repeat(`{"row": {"content": "x"}},`, mostCells) + `{"row": {}}`
	for element, want := range map[string]string{
		`{"qrcode": {}}`:              "[0].qrcode.content é obrigatório",
		`{"qrcode": {"content": ""}}`: "[0].qrcode.content está vazio ou não cabe num QR code",
		`{"qrcode": {"content": "` + strings.Repeat("x", 3000) + `"}}`: "[0].qrcode.content está vazio ou não cabe num QR code",
		`{"qrcode": {"content": "x", "level": "l"}}`:                   "[0].qrcode.level deve ser um de: L, M, Q, H",
		`{"qrcode": {"content": "x", "size": -1}}`:                     "[0].qrcode.size deve estar entre 0 e 1000",
		`{"qrcode": {"content": "x", "size": 1e400}}`:                  "[0].qrcode.size deve estar entre 0 e 1000",
		`{"qrcode": "x"}`: "[0].qrcode deve ser um objeto",
		`{"barcode": {"content": "7891000100104", "type": "ean13"}}`:     "[0].barcode.content não serve para um código de barras EAN13",
		`{"barcode": {"content": "ção"}}`:                                "[0].barcode.content não serve para um código de barras CODE128",
		`{"barcode": {"content": "1", "type": "qr"}}`:                    "[0].barcode.type deve ser um de: code128, code39, code93, ean13, ean8, upca, upce, itf, codabar",
		`{"line": {"content": 5}}`:                                       "[0].line.content deve ser um texto",
		`{"line": {"content": "x", "customization": {"alignment": 3}}}`:  "[0].line.customization.alignment deve estar entre 0 e 2",
		`{"line": {"column": {}}}`:                                       "[0].line.column deve ser uma lista",
		`{"line": {"column": []}}`:                                       "[0].line.column deve ter ao menos uma célula",
		`{"line": {"column": ["x"]}}`:                                    "[0].line.column[0] deve ser um objeto",
		`{"line": {"column": [{"row": {"content": "x", "size": 101}}]}}`: "[0].line.column[0].row.size deve estar entre 0 e 100",
		`{"line": {"column": [{"items": [5]}]}}`:                         "[0].line.column[0].items[0] deve ser uma lista",
		`{"line": {"column": [` + many + `]}}`:                           "[0].line tem células demais lado a lado: o limite é de 20",
		`{"linha": {}}`:                                                  "[0] deve ter exatamente uma chave: text, line, qrcode ou barcode",
	} {
		_, _, err := TextPage([]byte("[" + element + "]"))
		var said *requestError
		if !errors.As(err, &said) || said.message != "Requisição inválida: "+want {
			t.Errorf("%.60s: %v, want %s", element, err, want)
		}
	}
	// A size outside of its range is brought into it, wherever it stands.
	_, remarks, err := TextPage([]byte(`[{"line": {"column": [{"row": {"content": "x", "customization": {"font_size": 500}}}]}}]`))
	if err != nil || len(remarks) != 1 || remarks[0] != "instrução 0: tamanho 500 fora da faixa, usado 96" {
		t.Errorf("remarks %q, %v", remarks, err)
	}
}
