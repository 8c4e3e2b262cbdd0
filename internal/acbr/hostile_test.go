package acbr

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image"
	"image/png"
	"runtime"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/thorough"
)

// full is a text of a quarter of the largest body that is taken, and of all of it in the long run.
func full(of string) string { return strings.Repeat(of, thorough.Rounds(256<<10, 1<<20)/len(of)) }

// TestHostileTexts reads texts made to cost much. Work that grew with the square of a text would take hours here, and
// what is allocated in all is held to a multiple of it.
func TestHostileTexts(t *testing.T) {
	var bomb bytes.Buffer
	if err := png.Encode(&bomb, image.NewGray(image.Rect(0, 0, 4000, 1900))); err != nil {
		t.Fatal(err)
	}
	picture := "<bmp>" + base64.StdEncoding.EncodeToString(bomb.Bytes()) + "</bmp>"
	for name, text := range map[string]string{
		"beginnings":             full("<ce>"),
		"beginnings of all":      full("<ce><ad><ae><qrcode><ean13><bmp><std><inter><ignorar_tags>"),
		"signs":                  full("<"),
		"tags of nothing":        full("<>"),
		"styles":                 full("<n>a</n>a"),
		"rules":                  full("</linha_simples>"),
		"wide rules":             "<c>" + full("</linha_dupla>"),
		"blocks of nothing":      full("<ce></ce>"),
		"blocks":                 full("<ad>a</ad>"),
		"one block":              "<ce>" + full("a<n>") + "</ce>",
		"blocks in blocks":       "<ce><ad><ae>" + full("<n>a") + "</ae></ad></ce>",
		"a code of blocks":       "<qrcode><std><msi>" + full("<ce>a</ce>") + "</msi></std></qrcode>",
		"cuts":                   full("</corte>"),
		"papers of nothing":      full("\n</corte>"),
		"feeds":                  full("</lf>"),
		"room to tear":           full("a</pular_linhas>"),
		"drawers":                full("</abre_gaveta>"),
		"codes":                  full("<ean8>1</ean8>"),
		"small codes":            "<barra_altura>1</barra_altura>" + full("<ean8>1</ean8>"),
		"QR codes":               "<qrcode_largura>1</qrcode_largura>" + full("<qrcode>1</qrcode>"),
		"a QR code":              "<qrcode>" + strings.Repeat("x", 100<<10) + "</qrcode>",
		"a bar code":             "<code128>" + full("x") + "</code128>",
		"numbers":                full("<barra_altura>99999999999999999999</barra_altura>"),
		"a picture of signs":     "<bmp>" + full("01") + "\n" + full("1") + full("\n1") + "</bmp>",
		"pictures":               strings.Repeat(picture, 30),
		"pictures unlike others": strings.Repeat(picture+strings.Replace(picture, "</bmp>", " </bmp>", 1), 30),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d, err := Read(text)
			if err != nil && !errors.Is(err, receipt.ErrTooLong) {
				t.Fatal(err)
			}
			for _, page := range d.Pages {
				for _, roll := range []receipt.Paper{receipt.Paper58, receipt.Paper80} {
					if err := page.Check(roll); err != nil && !errors.Is(err, receipt.ErrTooLong) {
						t.Error(err)
					}
				}
			}
			runtime.ReadMemStats(&after)
			if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 400 {
				t.Errorf("%d MiB were taken", took)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"", "</zera></ce><n>a</n>\n</linha_simples>\n<qrcode>x</qrcode></corte>b", "<ce><ad>a\nb</ad></ce>", "<c><e></linha_dupla>", "<bmp>0000000000\n1</bmp>",
		"<ean13>1</ean13><code128>{A</code128>", "a</pular_linhas>b</corte_parcial>c", "<ce>a<ean8>1</ean8>b</ce>", "<<n>>é\xff", "<in> <s> </in>\t",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Read(text)
		if err != nil {
			if !errors.Is(err, receipt.ErrTooLong) {
				t.Fatal(err)
			}
			return
		}
		for _, page := range d.Pages {
			for _, roll := range []receipt.Paper{receipt.Paper58, receipt.Paper80} {
				if _, err := page.Raster(roll); err != nil && !errors.Is(err, receipt.ErrTooLong) {
					t.Error(err)
				}
			}
		}
	})
}
