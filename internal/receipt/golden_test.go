package receipt

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/makiuchi-d/gozxing/oned"
	"github.com/makiuchi-d/gozxing/qrcode"

	"github.com/maquininha/maquininha/internal/barcode/barcodetest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// everything is a page that shows each element.
func everything() (page Page) {
	page.Add(
		Text{Value: "Padaria São João", Size: 20, Bold: true, Align: Center},
		Text{Value: "CNPJ 12.ABC.345/01DE-35\nRua das Acácias, 123 – Centro\nSão Paulo – SP", Size: 8, Align: Center},
		Rule{},
		Text{Value: "Corpo 6: à esquerda", Size: 6},
		Text{Value: "Corpo 8: ao centro", Size: 8, Align: Center},
		Text{Value: "Corpo 10: à direita", Size: 10, Align: Right},
		Text{Value: "Corpo 16"},
		Text{Value: "Corpo 24, negrito", Size: 24, Bold: true},
		Text{Value: "“Aspas” ‘simples’ – — … • ° º ª § € R$ ½ × ✓ « » ™ ® ≤ ≥", Size: 9},
		Text{Value: "ÁÀÂÃÄÇÉÊÍÑÓÔÕÖÚÜ áàâãäçéêíñóôõöúü AVATAR Tomé", Size: 9},
		Text{Value: "Sinais que a fonte não tem: 漢字", Size: 9},
		Rule{Dashed: true},
		Either{
			Wide: []Element{
				table(true, "Código", "Descrição", "Qtde", "Un", "Vl Total"),
				table(false, "7891000100103", "Leite condensado integral semidesnatado 395 g", "2", "UN", "12,98"),
				table(false, "42", "Pão francês", "0,355", "KG", "1.234,56"),
			},
			Narrow: []Element{
				Text{Value: "7891000100103 Leite condensado integral semidesnatado 395 g", Size: 7},
				Pair{Left: "2 UN × 6,49", Right: "12,98", Size: 7},
			},
		},
		Columns{Size: 8, Cells: []Cell{{Value: "Sem peso"}, {Value: "o resto da linha, que quebra onde precisa quebrar", Weight: 1}, {Value: "9,99"}}},
		Columns{Size: 8, Cells: []Cell{{Value: "um", Weight: 1, Align: Center}, {Value: "dois", Weight: 1, Align: Center}, {Value: "três", Weight: 1, Align: Center}}},
		Rule{Dashed: true},
		Pair{Left: "Qtde. total de itens", Right: "3", Size: 8},
		Pair{Left: "Um rótulo comprido que não cabe numa linha só com o seu valor", Right: "1.247,54", Size: 8},
		Pair{Left: "Valor a Pagar R$", Right: "1.247,54", Size: 12, Bold: true},
		Blank{Size: 8},
		Text{Value: "www.nfce.fazenda.sp.gov.br/NFCeConsultaPublica/Paginas/ConsultaQRCode.aspx", Size: 8, Align: Center},
		Barcode{Text: accessKey},
		Text{Value: "3526 1114 2001 6600 0187 6500 1000 0000 0711 2345 6789", Size: 8, Align: Center},
		QR{Text: qrTexts["v3 on-line"], MinMM: 25},
		Rule{},
	)
	return page
}

func table(bold bool, code, name, quantity, unit, total string) Columns {
	return Columns{Size: 7, Bold: bold, Cells: []Cell{
		{Value: code, Weight: 5},
		{Value: name, Weight: 7},
		{Value: quantity, Weight: 2, Align: Right},
		{Value: unit, Weight: 1},
		{Value: total, Weight: 3, Align: Right},
	}}
}

func TestGoldenPages(t *testing.T) {
	for _, paper := range []Paper{Paper58, Paper80} {
		t.Run(fmt.Sprint(paper.Width), func(t *testing.T) {
			got, err := everything().Raster(paper)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				writePNG(t, filepath.Join("testdata", "golden", fmt.Sprintf("everything-%d.png", paper.Width)), got)
			}
			samePicture(t, "everything", got)
			if text := barcodetest.Read(t, got.Image(), qrcode.NewQRCodeReader()); text != qrTexts["v3 on-line"] {
				t.Errorf("QR code reads %q", text)
			}
			if text := barcodetest.Read(t, got.Image(), oned.NewCode128Reader()); text != accessKey {
				t.Errorf("barcode reads %q", text)
			}
		})
	}
}

func TestGoldenText(t *testing.T) {
	name, got := filepath.Join("testdata", "golden", "everything.txt"), everything().Plain()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("plain form (-want +got):\n%s", diff)
	}
}

func TestEither(t *testing.T) {
	page := Page{Elements: []Element{Either{
		Wide:   []Element{Either{Wide: []Element{Text{Value: "largo"}}}},
		Narrow: []Element{Blank{}, Blank{}, Blank{}},
	}}}
	for paper, rows := range map[Paper]int{{Width: 384}: 3, {Width: 576}: 1, {Width: 512, DPI: 180}: 1, {Width: 432}: 3} {
		n := 0
		for range page.Bands(paper) {
			n++
		}
		if n != rows {
			t.Errorf("%v: %d lines, want %d", paper, n, rows)
		}
	}
	if got := page.Plain(); got != "largo\n" {
		t.Errorf("plain form %q", got)
	}
}
