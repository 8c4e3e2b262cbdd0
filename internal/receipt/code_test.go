package receipt

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing/oned"
	"github.com/makiuchi-d/gozxing/qrcode"

	"github.com/maquininha/maquininha/internal/barcode"
	"github.com/maquininha/maquininha/internal/barcode/barcodetest"
)

// The papers that codes are read back from.
var papers = []Paper{Paper58, Paper80, {Width: 512, DPI: 180}}

func (p Paper) String() string { return fmt.Sprintf("%d dots at %d dpi", p.Width, p.dpi()) }

// printed is a page with a code between two texts.
func printed(t *testing.T, paper Paper, code Element) *Bitmap {
	t.Helper()
	page := Page{Elements: []Element{Text{Value: "Consulta via leitor", Align: Center, Size: 8}, code, Text{Value: "Volte sempre", Size: 8}}}
	b, err := page.Raster(paper)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const (
	accessKey = "35261114200166000187650010000000071123456789"
	offLine   = "https://www.homologacao.nfce.fazenda.sp.gov.br/consulta?p=" + accessKey + "|3|2|15|123.45|"
)

// qrTexts are as long as those of coupons.
var qrTexts = map[string]string{
	"short":        "1",
	"v3 on-line":   "https://www.nfce.fazenda.sp.gov.br/NFCeConsultaPublica/Paginas/ConsultaQRCode.aspx?p=" + accessKey + "|3|1",
	"v2 on-line":   "https://www.sefaz.rs.gov.br/NFCE/NFCE-COM.aspx?p=" + accessKey + "|2|1|1|0123456789ABCDEF0123456789ABCDEF01234567&x=" + strings.Repeat("abc", 20),
	"v3 off-line":  offLine + strings.Repeat("Ab9+/xYz", 32) + "==",
	"letters":      "http://nfe.fazenda.gov.br/?p=35261112ABC34501DE35650010000000071123456789|3|1",
	"accents":      "Pão de açúcar – R$ 1,00 €",
	"longest read": strings.Repeat("0a", 700),
}

func TestQRIsReadBackFromThePaper(t *testing.T) {
	for name, text := range qrTexts {
		for _, paper := range papers {
			t.Run(fmt.Sprint(name, " on ", paper), func(t *testing.T) {
				if got := barcodetest.Read(t, printed(t, paper, QR{Text: text, MinMM: 25}).Image(), qrcode.NewQRCodeReader()); got != text {
					t.Errorf("read %q, want %q", got, text)
				}
			})
		}
	}
}

func TestQRIsAsLargeAsAskedAndFitsThePaper(t *testing.T) {
	for _, paper := range append(papers, Paper{Width: 200}) {
		for modules := 21; modules <= 177; modules += 4 {
			size, err := QR{MinMM: 25}.module(modules, paper)
			if err != nil {
				t.Fatalf("%d modules on %v: %v", modules, paper, err)
			}
			if size*(modules+2*quietQR) > paper.Width {
				t.Errorf("%d modules of %d dots are wider than %v", modules, size, paper)
			}
			larger := (size + 1) * (modules + 2*quietQR)
			if mm := float64(size*modules) / float64(paper.dpi()) * 25.4; mm < 25 && larger <= paper.Width {
				t.Errorf("%d modules of %d dots are %.1f mm wide on %v, and there is room", modules, size, mm, paper)
			}
		}
	}
	// The sizes of the manuals, and larger where that is what 25 mm ask.
	for modules, want := range map[int]int{41: 5, 49: 5, 61: 4, 85: 3} {
		if got, _ := (QR{}).module(modules, Paper58); got != want {
			t.Errorf("%d modules: %d dots each, want %d", modules, got, want)
		}
	}
}

func TestQROfEveryVersionIsRead(t *testing.T) {
	seen := map[int]bool{}
	for n := 10; n < 2330; n += 24 {
		text := strings.Repeat("Maquininha ", n/11+1)[:n]
		plan, err := planQR(text, LevelM, qrParts)
		if err != nil {
			t.Fatal(err)
		}
		if seen[plan.modules()] {
			continue
		}
		seen[plan.modules()] = true
		b, err := Page{Elements: []Element{QR{Text: text}}}.Raster(Paper80)
		if err != nil {
			t.Fatal(err)
		}
		if barcodetest.Read(t, b.Image(), qrcode.NewQRCodeReader()) != text {
			t.Errorf("%d modules: another text", plan.modules())
		}
	}
	if len(seen) < 38 {
		t.Errorf("only %d versions tried", len(seen))
	}
}

func TestQRPartsMakeTheCodeSmaller(t *testing.T) {
	plan, err := planQR(qrTexts["v3 on-line"], LevelM, qrParts)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.parts) != 3 || plan.modules() > 45 {
		t.Errorf("%d modules in %v", plan.modules(), plan.parts)
	}
}

func TestCodesThatCannotBePrintedAreFoundBeforeAnythingIs(t *testing.T) {
	for name, tt := range map[string]struct {
		code  Element
		paper Paper
	}{
		"QR too long":        {QR{Text: strings.Repeat("x", 2332)}, Paper80},
		"QR of nothing":      {QR{}, Paper80},
		"QR too wide":        {QR{Text: "x"}, Paper{Width: 28}},
		"barcode too wide":   {Barcode{Text: strings.Repeat("1", 100)}, Paper80},
		"barcode of nothing": {Barcode{}, Paper80},
		"small letters":      {Barcode{Text: "abc"}, Paper80},
		"accents":            {Barcode{Text: "É"}, Paper80},
	} {
		page := Page{Elements: []Element{Text{Value: "antes"}, tt.code, Text{Value: "depois"}}}
		if err := page.Check(tt.paper); !errors.Is(err, ErrCode) {
			t.Errorf("%s: Check says %v, want ErrCode", name, err)
		}
		if _, err := page.Raster(tt.paper); !errors.Is(err, ErrCode) {
			t.Errorf("%s: Raster says %v, want ErrCode", name, err)
		}
		last := (*Bitmap)(nil)
		for band := range (Page{Elements: []Element{tt.code, Text{Value: "depois"}}}).Bands(tt.paper) {
			last = band
		}
		if last != nil {
			t.Errorf("%s: something is printed all the same", name)
		}
	}
}

func TestBarcodeIsReadBackFromThePaper(t *testing.T) {
	for _, text := range []string{
		accessKey,
		"35261112ABC34501DE35650010000000071123456789",
		"352611A2B3C4D5E6F776650010000000071123456789",
		"352611ABCDEFGHIJKL35650010000000071123456789",
		"3526111234567890AB35650010000000071123456789",
		"35261112345678901Z35650010000000071123456789",
		"7", "42", "123", "12345", "A", "A1234", "A123456B", "A12345B", "MAQUININHA-01 $%",
	} {
		for _, paper := range papers {
			t.Run(fmt.Sprint(text, " on ", paper), func(t *testing.T) {
				if got := barcodetest.Read(t, printed(t, paper, Barcode{Text: text}).Image(), oned.NewCode128Reader()); got != text {
					t.Errorf("read %q", got)
				}
			})
		}
	}
}

func TestBarcodeModules(t *testing.T) {
	letters := "352611ABCDEFGHIJKL35650010000000071123456789"
	for _, tt := range []struct {
		text  string
		paper Paper
		want  int
	}{
		{accessKey, Paper58, 1},
		{accessKey, Paper80, 2},
		{letters, Paper58, 1},
		{letters, Paper80, 1},
		{"123456", Paper58, 3},
		{"12345678901234", Paper58, 2},
		{"12345678901234", Paper80, 3},
	} {
		code, err := barcode.Code128(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := barcodeModule(code.Modules(), tt.paper); err != nil || got != tt.want {
			t.Errorf("%s on %v: modules of %d dots, %v; want %d", tt.text, tt.paper, got, err, tt.want)
		}
	}
}
