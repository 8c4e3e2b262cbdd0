package acbr

import (
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/oned"
	"github.com/makiuchi-d/gozxing/qrcode"

	"github.com/maquininha/maquininha/internal/barcode/barcodetest"
	"github.com/maquininha/maquininha/internal/receipt"
)

// papers are a text's on a roll.
func papers(t testing.TB, text string, roll receipt.Paper) (all []*receipt.Bitmap) {
	t.Helper()
	for _, page := range mustRead(t, text).Pages {
		dots, err := page.Raster(roll)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, dots)
	}
	return all
}

func onePaper(t testing.TB, text string, roll receipt.Paper) *receipt.Bitmap {
	t.Helper()
	all := papers(t, text, roll)
	if len(all) != 1 {
		t.Fatalf("%d papers", len(all))
	}
	return all[0]
}

// pitch is the height of a line without high signs.
const pitch = 30

// inked is what of a paper's rows is black.
func inked(b *receipt.Bitmap, from, to int) (box image.Rectangle) {
	for y := from; y < min(to, b.Height); y++ {
		for x := range b.Width {
			if b.Black(x, y) {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

// block is a sign that blackens its whole cell.
const block = "█"

func TestColumnsAreExact(t *testing.T) {
	for _, tt := range []struct {
		text     string
		roll     receipt.Paper
		from, to int // the dots of the first line
		lines    int
	}{
		{strings.Repeat(block, 48), receipt.Paper80, 0, 576, 1},
		{strings.Repeat(block, 49), receipt.Paper80, 0, 576, 2},
		{strings.Repeat(block, 32), receipt.Paper58, 0, 384, 1},
		{strings.Repeat(block, 33), receipt.Paper58, 0, 384, 2},
		{"<c>" + strings.Repeat(block, 64), receipt.Paper80, 0, 576, 1},
		{"<c>" + strings.Repeat(block, 65), receipt.Paper80, 0, 576, 2},
		{"<c>" + strings.Repeat(block, 42), receipt.Paper58, 0, 378, 1},
		{"<c>" + strings.Repeat(block, 43), receipt.Paper58, 0, 378, 2},
		{"<e>" + strings.Repeat(block, 24), receipt.Paper80, 0, 576, 1},
		{"<e>" + strings.Repeat(block, 17), receipt.Paper58, 0, 384, 2},
		{"<c><e>" + strings.Repeat(block, 32), receipt.Paper80, 0, 576, 1},
		{"<c><e>" + strings.Repeat(block, 21), receipt.Paper58, 0, 378, 1},
		{"</fb>" + strings.Repeat(block, 56), receipt.Paper80, 0, 504, 1},
		{strings.Repeat(block, 48), receipt.Paper{Width: 512}, 0, 512, 1},
		{strings.Repeat(block, 49), receipt.Paper{Width: 512}, 0, 512, 2},
		{"<c>" + strings.Repeat(block, 64), receipt.Paper{Width: 512}, 0, 512, 1},

		{"</ce>" + strings.Repeat(block, 17), receipt.Paper80, 186, 390, 1},
		{"</ce><c>" + strings.Repeat(block, 47), receipt.Paper80, 76, 499, 1},
		{"</ce><c>" + strings.Repeat(block, 53), receipt.Paper80, 49, 526, 1},
		{"</ce><e>" + strings.Repeat(block, 9), receipt.Paper80, 180, 396, 1},
		{"</ad>" + block, receipt.Paper80, 564, 576, 1},
		{"</ad><c>" + block, receipt.Paper58, 375, 384, 1},
		{"<ce>" + strings.Repeat(block, 4) + "</ce>", receipt.Paper80, 264, 312, 1},
		{"<ce>" + strings.Repeat(block, 4) + "</ce>", receipt.Paper58, 168, 216, 1},
		{"<ad>" + block + "</ad>", receipt.Paper80, 564, 576, 1},
		{"<ad>" + block + "</ad>", receipt.Paper58, 372, 384, 1},
		{"<ce><n>" + block + "</n>" + block + "</ce>", receipt.Paper80, 276, 300, 1},
		{"<e><ad>" + block + "</ad></e>", receipt.Paper58, 360, 384, 1},
		{"<in> </in>", receipt.Paper80, 0, 12, 1},
		{"ab<in> x </in>", receipt.Paper80, 0, 60, 1},
		{"<s>   </s>", receipt.Paper80, 0, 36, 1},
	} {
		t.Run(fmt.Sprintf("%.20s on %d", tt.text, tt.roll.Width), func(t *testing.T) {
			b := onePaper(t, tt.text, tt.roll)
			box := inked(b, 0, pitch)
			if strings.HasPrefix(tt.text, "ab") { // a letter begins inside its cell
				box.Min.X = 0
			}
			if box.Min.X != tt.from || box.Max.X != tt.to {
				t.Errorf("black from %d to %d, want %d to %d", box.Min.X, box.Max.X, tt.from, tt.to)
			}
			if b.Height != pitch*tt.lines {
				t.Errorf("%d dots high, want %d lines", b.Height, tt.lines)
			}
		})
	}
}

func TestStyles(t *testing.T) {
	count := func(text string) (n int) {
		b := onePaper(t, text, receipt.Paper80)
		for y := range b.Height {
			for x := range b.Width {
				if b.Black(x, y) {
					n++
				}
			}
		}
		return n
	}
	plain := inked(onePaper(t, "Hoje", receipt.Paper80), 0, 100)
	if bold, thin := count("<n>Hoje</n>"), count("Hoje"); bold < thin*5/4 {
		t.Errorf("bold has %d dots, plain %d", bold, thin)
	}
	if box := inked(onePaper(t, "<i>Hoje</i>", receipt.Paper80), 0, 100); box == plain || box.Dy() != plain.Dy() {
		t.Errorf("italic lies at %v, plain at %v", box, plain)
	}
	high := onePaper(t, "<a>Hoje</a>█", receipt.Paper80)
	if box := inked(high, 0, 100); box.Dy() < 2*plain.Dy()-2 || high.Height <= pitch {
		t.Errorf("high letters take %v of %d, plain ones %v", box, high.Height, plain)
	}
	// High and plain signs stand on one base line.
	a, b := inked(onePaper(t, "<a>H</a>", receipt.Paper80), 0, 100), inked(onePaper(t, "<a> </a>H", receipt.Paper80), 0, 100)
	if a.Max.Y != b.Max.Y {
		t.Errorf("high signs end at %d, plain ones beside them at %d", a.Max.Y, b.Max.Y)
	}
	white := onePaper(t, "<in> I </in>", receipt.Paper80)
	box := inked(white, 0, 100)
	if box != image.Rect(0, 0, 36, 24) {
		t.Errorf("white on black covers %v, want three cells", box)
	}
	if n := count("<in> I </in>"); n >= 36*24 || n < 36*24/2 {
		t.Errorf("%d dots of it are black", n)
	}
	if same := count("<n><s><c>a</fn>b"); same <= count("<c>a</c>b") {
		t.Error("styles do not add up")
	}
}

func TestCodesAreReadFromThePaper(t *testing.T) {
	for _, tt := range []struct {
		tags   string
		reader gozxing.Reader
		want   string
	}{
		{"<ean13>789100010010</ean13>", oned.NewEAN13Reader(), "7891000100103"},
		{"<ean8>7891234</ean8>", oned.NewEAN8Reader(), "78912342"},
		{"<upca>03600029145</upca>", oned.NewUPCAReader(), "036000291452"},
		{"<upce>123450</upce>", oned.NewUPCEReader(), "01234505"},
		{"<code39>PED-42</code39>", oned.NewCode39Reader(), "PED-42"},
		{"<code93>Ped 42</code93>", oned.NewCode93Reader(), "Ped 42"},
		{"<code128>Pedido 42</code128>", oned.NewCode128Reader(), "Pedido 42"},
		{"<code128a>PEDIDO 42</code128a>", oned.NewCode128Reader(), "PEDIDO 42"},
		{"<code128c>0123456789</code128c>", oned.NewCode128Reader(), "0123456789"},
		{"<inter>0123456789</inter>", oned.NewITFReader(), "0123456789"},
		{"<codabar>A123456B</codabar>", oned.NewCodaBarReader(), "123456"},
		{"<qrcode>https://exemplo.com.br/?p=1|ção</qrcode>", qrcode.NewQRCodeReader(), "https://exemplo.com.br/?p=1|ção"},
		{"<qrcode_error>3</qrcode_error><qrcode_largura>3</qrcode_largura><qrcode>HELLO 42</qrcode>", qrcode.NewQRCodeReader(), "HELLO 42"},
	} {
		for _, roll := range []receipt.Paper{receipt.Paper58, receipt.Paper80} {
			for _, where := range []string{"</ce>", "<ce>", "<barra_mostrar>1</barra_mostrar><barra_altura>90</barra_altura></ce>"} {
				end := ""
				if where == "<ce>" {
					end = "</ce>"
				}
				text := "antes\n" + where + tt.tags + end + "\ndepois"
				t.Run(fmt.Sprint(text, " on ", roll.Width), func(t *testing.T) {
					if got := barcodetest.Read(t, onePaper(t, text, roll).Image(), tt.reader); got != tt.want {
						t.Errorf("read %q", got)
					}
				})
			}
		}
	}
}

func TestSizesOfCodes(t *testing.T) {
	const key = "35261114200166000187650010000000071123456789"
	for _, tt := range []struct {
		text string
		roll receipt.Paper
		want image.Rectangle
	}{
		{"<code128c>" + key + "</code128c>", receipt.Paper80, image.Rect(0, 0, 554, 50)},
		{"</ad><code128c>" + key + "</code128c>", receipt.Paper80, image.Rect(576-554, 0, 576, 50)},
		{"</ce><barra_largura>1</barra_largura><barra_altura>80</barra_altura><code128c>" + key + "</code128c>", receipt.Paper58, image.Rect(53, 0, 53+277, 80)},
		{"<barra_largura>9</barra_largura><ean8>1</ean8>", receipt.Paper80, image.Rect(0, 0, 4*67, 50)},
		{"<barra_largura> 3</barra_largura><barra_altura>999</barra_altura><ean8>1</ean8>", receipt.Paper80, image.Rect(0, 0, 3*67, 255)},
		{"<qrcode>a</qrcode>", receipt.Paper80, image.Rect(0, 16, 84, 100)},
		{"</ce><qrcode_largura>6</qrcode_largura></zera></ce><qrcode>a</qrcode>", receipt.Paper80, image.Rect(225, 24, 351, 150)},
		{"</ad><qrcode_largura>99</qrcode_largura><qrcode>a</qrcode>", receipt.Paper58, image.Rect(384-336, 64, 384, 400)},
		{"<bmp>1111111111\n1000000001\n1111111111</bmp>", receipt.Paper80, image.Rect(0, 0, 10, 3)},
		{"</ad><bmp>\n1111111111\n1000000001\n1111111111\n</bmp>", receipt.Paper58, image.Rect(374, 0, 384, 3)},
	} {
		if got := inked(onePaper(t, tt.text, tt.roll), 0, 500); got != tt.want {
			t.Errorf("%s on %d lies at %v, want %v", tt.text, tt.roll.Width, got, tt.want)
		}
	}
	// A code wider than the paper is printed as its text, a QR code with smaller modules.
	narrow := onePaper(t, "<code128c>"+key+"</code128c>", receipt.Paper58)
	if narrow.Height != 2*pitch {
		t.Errorf("a code too wide takes %d dots, want 44 digits on two lines", narrow.Height)
	}
	d := mustRead(t, "<ean13>1</ean13></corte>\n<code128c>"+key+"</code128c>")
	if onWide, onNarrow := d.WarningsOn(receipt.Paper80), d.WarningsOn(receipt.Paper58); onWide != nil || len(onNarrow) != 1 || !strings.Contains(onNarrow[0], "mais largo") {
		t.Errorf("of a code too wide for 58 mm it is told %q on 80 mm and %q on 58 mm", onWide, onNarrow)
	}
	long := strings.Repeat("Maquininha ", 40)
	if got := barcodetest.Read(t, onePaper(t, "</ce><qrcode_largura>16</qrcode_largura><qrcode>"+long+"</qrcode>", receipt.Paper80).Image(), qrcode.NewQRCodeReader()); got != long {
		t.Errorf("read %q", got)
	}
}

func TestPicturesInBase64(t *testing.T) {
	picture := image.NewPaletted(image.Rect(0, 0, 40, 20), color.Palette{color.White, color.Black})
	for i := range picture.Pix {
		picture.Pix[i] = 1
	}
	var file strings.Builder
	if err := png.Encode(&file, picture); err != nil {
		t.Fatal(err)
	}
	text := base64.StdEncoding.EncodeToString([]byte(file.String()))
	if box := inked(onePaper(t, "</ce><bmp>\n"+text+"\n</bmp>", receipt.Paper80), 0, 500); box != image.Rect(268, 0, 308, 20) {
		t.Errorf("it lies at %v", box)
	}
}

func TestLogo(t *testing.T) {
	logo := image.NewPaletted(image.Rect(0, 0, 300, 300), color.Palette{color.White, color.Black})
	for i := range logo.Pix {
		logo.Pix[i] = 1
	}
	for text, want := range map[string]image.Rectangle{
		"</ce></logo>": image.Rect(208, 0, 368, 160), // 20 mm
		"</logo>":      image.Rect(0, 0, 160, 160),
		"</ad><logo_fatorx>2</logo_fatorx></logo>": image.Rect(276, 0, 576, 300), // as large as the picture is
		"<logo_imprimir>0</logo_imprimir></logo>":  {},
		"<logo_kc1>48</logo_kc1></logo>":           image.Rect(0, 0, 160, 160),
	} {
		for shop, drawn := range map[string]Shop{"with": {Logo: logo}, "without": {}} {
			d, err := drawn.Read(text)
			if err != nil {
				t.Fatal(err)
			}
			dots, err := d.Pages[0].Raster(receipt.Paper80)
			if err != nil {
				t.Fatal(err)
			}
			if box := inked(dots, 0, 500); shop == "with" && box != want || shop == "without" && strings.Contains(text, "</ce>") && !box.Empty() {
				t.Errorf("%s %s a logo: black at %v, want %v", text, shop, box, want)
			}
		}
	}
}

// edges are where lines of known texts begin and end, in dots: a letter begins up to three dots inside its cell.
var edges = map[string]map[int][2]int{ // by line
	"acbr-sample-1.txt, 576 dots, paper 1": {
		0: {186, 390}, 1: {76, 499}, 2: {99, 477}, 3: {0, 576}, 4: {27, 549}, 5: {0, 576}, 6: {0, 576}, 7: {0, 576}, 8: {0, 576}, 9: {0, 576},
		10: {0, 576}, 11: {0, 576}, 12: {0, 576}, 13: {0, 576}, 14: {0, 576}, 16: {130, 445}, 17: {45, 531},
	},
	"acbr-sample-2.txt, 576 dots, paper 1": {0: {180, 396}, 2: {0, 576}, 3: {0, 576}, 4: {0, 576}, 8: {0, 576}, 9: {432, 576}, 12: {96, 480}},
	"acbr-sample-2.txt, 576 dots, paper 2": {0: {180, 396}, 2: {0, 576}, 9: {432, 576}},
	"acbr-sample-3.txt, 576 dots, paper 1": {0: {0, 576}, 1: {0, 576}, 2: {0, 576}, 3: {0, 576}},
	"acbr-sample-3.txt, 384 dots, paper 1": {0: {0, 384}, 1: {0, 384}, 3: {0, 384}, 5: {0, 378}},
}

func checkLines(t *testing.T, name string, dots *receipt.Bitmap) {
	t.Helper()
	for line, want := range edges[name] {
		box := inked(dots, line*pitch, (line+1)*pitch)
		if left, right := box.Min.X-want[0], want[1]-box.Max.X; left < 0 || left > 5 || right < 0 || right > 10 {
			t.Errorf("%s: line %d lies from %d to %d, want %d to %d", name, line, box.Min.X, box.Max.X, want[0], want[1])
		}
	}
}

// TestSamples runs against a folder of other people's texts, and leaves pictures of them for a person to look at.
func TestSamples(t *testing.T) {
	folder := os.Getenv("MAQUININHA_ACBR_SAMPLES")
	if folder == "" {
		t.Skip("MAQUININHA_ACBR_SAMPLES names no folder")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts in %s (%v)", folder, err)
	}
	pictures, err := os.MkdirTemp("", "acbr")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("pictures in %s", pictures)
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, roll := range []receipt.Paper{receipt.Paper58, receipt.Paper80} {
			for i, dots := range papers(t, Decode(data, ""), roll) {
				checkLines(t, fmt.Sprintf("%s, %d dots, paper %d", filepath.Base(path), roll.Width, i+1), dots)
				file, err := os.Create(filepath.Join(pictures, fmt.Sprintf("%s-%d-%d.png", filepath.Base(path), roll.Width, i+1)))
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
}
