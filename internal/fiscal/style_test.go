package fiscal

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/maquininha/maquininha/internal/receipt"
)

// sign is a logo: a black disc with a white ring in it, on nothing.
func sign(side int) image.Image {
	picture := image.NewNRGBA(image.Rect(0, 0, 2*side, side))
	for y := range side {
		for x := range 2 * side {
			dx, dy := float64(x)/float64(side)-1, 2*float64(y)/float64(side)-1
			switch r := dx*dx + dy*dy; {
			case r > 1:
			case r > 0.5 && r < 0.7:
				picture.Set(x, y, color.White)
			default:
				picture.Set(x, y, color.Black)
			}
		}
	}
	return picture
}

func encoded(t *testing.T, picture image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func mustReadLogo(t *testing.T, picture image.Image) image.Image {
	t.Helper()
	logo, err := ReadLogo(encoded(t, picture))
	if err != nil {
		t.Fatal(err)
	}
	return logo
}

// withPhone is a document whose issuer can be called.
func withPhone(xml, number string) string {
	return strings.Replace(xml, "</enderEmit>", "<fone>"+number+"</fone></enderEmit>", 1)
}

func TestStyledCoupons(t *testing.T) {
	nfce, nfe, cte := withPhone(serviced(t, sample(t, "nfce.xml")), "4832221234"), withPhone(sample(t, "nfe.xml"), "5534999887766"), withPhone(sample(t, "cte.xml"), "4133334444")
	cte = strings.Replace(cte, "<xNome>Transportes Araucária Ltda</xNome>", "<xNome>Transportes Araucária Ltda</xNome><xFant>Araucária Cargas Rápidas</xFant>", 1)
	all := Style{Logo: mustReadLogo(t, sign(240)), TradeName: true, Phone: true, ItemNotes: true}
	for name, xml := range map[string]string{"styled-nfce": nfce, "styled-nfe": nfe, "styled-cte": cte} {
		d := mustParse(t, xml)
		page := all.Layout(d)
		checkText(t, name, page.Plain())
		for roll, paper := range rolls {
			dots, err := page.Raster(paper)
			if err != nil {
				t.Fatal(err)
			}
			checkPicture(t, name+"-"+roll, dots)
			checkCodes(t, d, dots)
		}
	}
}

// What nobody has asked for is not there, and each thing comes alone.
func TestStyleIsOffByDefault(t *testing.T) {
	d := mustParse(t, withPhone(serviced(t, sample(t, "nfce.xml")), "48999991234"))
	marks := map[string]Style{
		"[480×240]":            {Logo: mustReadLogo(t, sign(240))},
		"Padaria São João\n":   {TradeName: true},
		"Fone (48) 99999-1234": {Phone: true},
		"Assado na hora\n":     {ItemNotes: true},
	}
	plain := Layout(d).Plain()
	for mark, style := range marks {
		if strings.Contains(plain, mark) {
			t.Errorf("%q without asking", mark)
		}
		styled := style.Layout(d).Plain()
		for other := range marks {
			if strings.Contains(styled, other) != (other == mark) {
				t.Errorf("%+v: %q is there: %v", style, other, other != mark)
			}
		}
	}
}

// A trade name that is the name is not said twice, and a phone abroad stays as it is.
func TestStyleOfOddIssuers(t *testing.T) {
	xml := strings.Replace(sample(t, "nfce.xml"), "<xFant>Padaria São João</xFant>", "<xFant>PADARIA E CONFEITARIA SÃO JOÃO LTDA</xFant>", 1)
	plain := Style{TradeName: true, Phone: true}.Layout(mustParse(t, withPhone(xml, "0800123456789"))).Plain()
	if strings.Contains(plain, "PADARIA") || !strings.Contains(plain, "Fone 0800123456789") {
		t.Error(plain)
	}
	plain = Style{TradeName: true, Phone: true}.Layout(mustParse(t, sample(t, "nfe.xml"))).Plain()
	if strings.Contains(plain, "Fone") {
		t.Error(plain)
	}
}

func TestLogosFitThePaper(t *testing.T) {
	for _, side := range []int{8, 60, 100, 240, 700} {
		logo := mustReadLogo(t, sign(side))
		for _, paper := range []receipt.Paper{receipt.Paper58, receipt.Paper80, {Width: 512, DPI: 180}} {
			page := receipt.Page{Elements: []receipt.Element{receipt.Image{Picture: logo, MaxMM: logoMM}}}
			dots, err := page.Raster(paper)
			if err != nil {
				t.Fatal(err)
			}
			most := logoMM*paper.DPI*10/254 + 1
			if dots.Height > most || dots.Height < min(side, most-1) {
				t.Errorf("side %d on %+v: %d dots high, at most %d", side, paper, dots.Height, most)
			}
		}
	}
}

func TestReadLogoRefuses(t *testing.T) {
	white := image.NewGray(image.Rect(0, 0, 10, 10))
	for i := range white.Pix {
		white.Pix[i] = 0xff
	}
	whole := encoded(t, sign(100))
	for name, tt := range map[string]struct {
		data []byte
		says string
	}{
		"nothing":        {nil, "não é uma imagem PNG"},
		"another format": {[]byte("GIF89a"), "não é uma imagem PNG"},
		"too heavy":      {make([]byte, MaxLogoBytes+1), "mais de 512 KB"},
		"too large":      {encoded(t, image.NewGray(image.Rect(0, 0, 2000, 1000))), "2000 por 1000 pontos"},
		"cut":            {whole[:len(whole)/2], "danificado"},
		"white":          {encoded(t, white), "em branco"},
		"transparent":    {encoded(t, image.NewNRGBA(image.Rect(0, 0, 10, 10))), "em branco"},
	} {
		_, err := ReadLogo(tt.data)
		var why LogoError
		if !errors.As(err, &why) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", name, err, tt.says)
		}
	}
}
