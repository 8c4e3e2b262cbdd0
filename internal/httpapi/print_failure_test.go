package httpapi_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// notPrinted checks the literal error, its reason in the header and, whole, in the log.
func (m *terminal) notPrinted(a *answer, reason string) {
	m.t.Helper()
	a.is(500, "Erro ao imprimir")
	if code := fmt.Sprint(a.json()["code"]); code != "500" {
		m.t.Errorf("%s: code %s", a.what, code)
	}
	why := a.header.Get("X-Motivo")
	if why == "" || strings.ContainsFunc(why, func(r rune) bool { return r < 0x20 || r > 0x7e }) || !strings.Contains(strings.ToLower(why), reason) {
		m.t.Errorf("%s: X-Motivo %q, want ASCII with %q", a.what, why, reason)
	}
	if !strings.Contains(a.header.Get("Access-Control-Expose-Headers"), "X-Motivo") {
		m.t.Error("a page in a browser cannot read X-Motivo")
	}
	newest := m.entries("level=error&limit=1")
	if len(newest) == 0 || newest[0].Details == nil || *newest[0].Details == "" || !strings.Contains(newest[0].Message, strings.TrimPrefix(a.what, "POST ")) {
		m.t.Errorf("%s: error entry %+v, want one with the reason", a.what, newest)
	}
}

func TestPrintImagesThatAreNone(t *testing.T) {
	t.Parallel()
	m := start(t)
	whole := encodedAs(t, "png", halfBlack(300, 300))
	huge := bytes.Clone(whole)
	copy(huge[16:24], "\x00\x0f\x42\x40\x00\x0f\x42\x40") // claims a million by a million
	for name, data := range map[string][]byte{
		"garbage": []byte("isto não é uma imagem"), "one byte": {0x89}, "truncated png": whole[:len(whole)/2], "only a header": whole[:33],
		"truncated jpeg": encodedAs(t, "jpeg", halfBlack(300, 300))[:400], "truncated gif": encodedAs(t, "gif", halfBlack(300, 300))[:60],
		"SVG": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), "bomb": huge,
	} {
		t.Log(name)
		m.notPrinted(m.call("POST", "/print/image", data), "")
	}
	if jobs := m.printJobs(); len(jobs) != 0 {
		t.Errorf("something was printed: %+v", jobs)
	}
}

func TestPrintImagesOfAKindNobodyReads(t *testing.T) {
	t.Parallel()
	m := start(t)
	rle := make([]byte, 54+1024+100)
	copy(rle, "BM\x9e\x04\x00\x00\x00\x00\x00\x00\x36\x04\x00\x00\x28\x00\x00\x00\x08\x00\x00\x00\x08\x00\x00\x00\x01\x00\x08\x00\x01")
	animated := "RIFF\x26\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x07\x00\x00\x07\x00\x00ANIM\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	for name, data := range map[string][]byte{"RLE BMP": rle, "animated WebP": []byte(animated)} {
		t.Log(name)
		m.notPrinted(m.call("POST", "/print/image", data), "imagem de um tipo nao suportado")
	}
	m.notPrinted(m.call("POST", "/print/image", encodedAs(t, "png", halfBlack(300, 300))[:60]), "imagem danificada")
}

// between drops what lies from one mark to another, both included.
func between(t testing.TB, s, from, to string) string {
	t.Helper()
	a, rest, ok := strings.Cut(s, from)
	_, b, found := strings.Cut(rest, to)
	if !ok || !found {
		t.Fatalf("the document has no %s…%s", from, to)
	}
	return a + b
}

func TestPrintXMLThatCannotBePrinted(t *testing.T) {
	t.Parallel()
	m := start(t)
	good := fiscalDocument(t, "nfce.xml")
	for name, xml := range map[string]string{
		"no XML": "cupom", "JSON": `{"nfe":1}`, "cut off": good[:len(good)/2], "another document": "<recibo><valor>1</valor></recibo>",
		"not closed": "<nfeProc>", "version 3.10": strings.ReplaceAll(good, `versao="4.00"`, `versao="3.10"`),
		"no protocol": between(t, good, "<protNFe", "</protNFe>"), "no issuer": between(t, good, "<emit>", "</emit>"),
		"no totals": between(t, good, "<total>", "</total>"), "entity": `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>` + good,
	} {
		t.Log(name)
		m.notPrinted(m.printXML(xml), "")
	}
	if jobs := m.printJobs(); len(jobs) != 0 {
		t.Errorf("something was printed: %+v", jobs)
	}
}

// A charset of the request counts where the document declares none, and only there.
func TestPrintXMLInTheEncodingOfItsRequest(t *testing.T) {
	t.Parallel()
	m := start(t)
	good := fiscalDocument(t, "nfce.xml")
	_, bare, _ := strings.Cut(good, "?>")
	latin, err := charmap.ISO8859_1.NewEncoder().String(bare)
	if err != nil {
		t.Fatal(err)
	}
	as := func(xml, kind string) *answer { return m.call("POST", "/print/xml", xml, header{"Content-Type", kind}) }
	as(latin, "text/xml; charset=ISO-8859-1").is(200, printedOK)
	as(latin, `text/xml;charset="windows-1252"`).is(200, printedOK)
	as(good, "text/xml; charset=iso-8859-1").is(200, printedOK)
	as(bare, "text/xml; charset=utf-8").is(200, printedOK)
	as(bare, "text/xml; charset").is(200, printedOK)
	m.notPrinted(as(latin, "text/xml"), "utf-8")
	m.notPrinted(as(bare, "text/xml; charset=utf-7"), "utf-7")
}

func TestPrintXMLThatIsNone(t *testing.T) {
	t.Parallel()
	m := start(t)
	good := fiscalDocument(t, "nfce.xml")
	key := "42261123145678000168650010000043211876543211"
	cancelled := "<retEvento><infEvento><cStat>135</cStat><chNFe>" + key + "</chNFe><tpEvento>110111</tpEvento></infEvento></retEvento></nfeProc>"
	for reason, body := range map[string]string{
		"documento cancelado: o evento 110111":  strings.Replace(good, "</nfeProc>", cancelled, 1),
		"de outro documento":                    strings.Replace(good, "<chNFe>"+key, "<chNFe>"+key[:43]+"9", 1),
		"pagamento 1 sem forma ou valor":        strings.Replace(good, "<vPag>1200.00</vPag>", "", 1),
		"o conteudo e um arquivo zip":           "PK\x03\x04",
		"o conteudo e um arquivo gzip":          "\x1f\x8b\x08",
		"o conteudo e uma imagem png":           string(encodedAs(t, "png", halfBlack(5, 5))),
		"o conteudo e uma imagem jpeg":          string(encodedAs(t, "jpeg", halfBlack(5, 5))),
		`a codificacao "utf-16" nao e aceita; `: "\xff\xfe<\x00",
	} {
		m.notPrinted(m.printXML(body), reason)
	}
}

func TestPrinterStates(t *testing.T) {
	t.Parallel()
	m := start(t)
	image, xml := encodedAs(t, "png", halfBlack(50, 50)), fiscalDocument(t, "nfce.xml")
	for _, c := range []struct{ state, reason string }{{"paperOut", "papel"}, {"coverOpen", "tampa"}, {"offline", "impressora"}} {
		m.call("POST", "/emulator/printer", `{"state":"`+c.state+`"}`).is(200, "Impressora alterada com sucesso")
		m.notPrinted(m.call("POST", "/print/image", image), c.reason)
		m.notPrinted(m.call("POST", "/print/text", `[{"text":{"value":"a"}}]`), c.reason)
		m.notPrinted(m.printXML(xml), c.reason)
		if info := m.call("GET", "/info", nil).ok().json(); info["isBusy"] != false {
			t.Errorf("%s: still busy after a failure", c.state)
		}
	}
	if jobs := m.printJobs(); len(jobs) != 0 {
		t.Errorf("a false success: %+v", jobs)
	}
	m.call("POST", "/emulator/printer", `{"state":"ok"}`).is(200, "Impressora alterada com sucesso")
	m.call("POST", "/print/text", `[{"text":{"value":"a"}}]`).is(200, printedOK)
}

func TestProductionWithoutAPrinterSaysSo(t *testing.T) {
	t.Parallel()
	m := start(t, production)
	m.notPrinted(m.call("POST", "/print/text", `[{"text":{"value":"a"}}]`), "impressora")
}
