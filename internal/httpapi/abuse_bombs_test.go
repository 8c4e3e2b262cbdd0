//go:build !race || everything

package httpapi_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// pngOf is a PNG that claims a size and a depth; what it packs is zeros for a number of lines.
func pngOf(t testing.TB, width, height uint32, depth, colour byte, lineBytes, lines int) []byte {
	t.Helper()
	b := bytes.NewBufferString("\x89PNG\r\n\x1a\n")
	chunk := func(name string, data []byte) {
		body := append([]byte(name), data...)
		binary.Write(b, binary.BigEndian, uint32(len(data))) //nolint:errcheck // a buffer takes everything
		b.Write(body)
		binary.Write(b, binary.BigEndian, crc32.ChecksumIEEE(body)) //nolint:errcheck // as above
	}
	head := binary.BigEndian.AppendUint32(nil, width)
	head = append(binary.BigEndian.AppendUint32(head, height), depth, colour, 0, 0, 0)
	chunk("IHDR", head)
	var packed bytes.Buffer
	z, _ := zlib.NewWriterLevel(&packed, zlib.BestCompression)
	line := make([]byte, lineBytes+1)
	for range lines {
		z.Write(line) //nolint:errcheck // as above
	}
	z.Close()
	chunk("IDAT", packed.Bytes())
	chunk("IEND", nil)
	return b.Bytes()
}

// gifOf is a GIF of many frames, each as large as the whole.
func gifOf(t testing.TB, width, height, frames int) []byte {
	t.Helper()
	frame := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White, color.Black})
	all := &gif.GIF{}
	for range frames {
		all.Image, all.Delay = append(all.Image, frame), append(all.Delay, 0)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, all); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// claimed is a picture's beginning with a size put over what it had.
func claimed(picture []byte, at int, order binary.ByteOrder, size uint16) []byte {
	picture = bytes.Clone(picture)
	order.PutUint16(picture[at:], size)
	order.PutUint16(picture[at+2:], size)
	return picture
}

// A few bytes that would become gigabytes are refused by what they claim, or cost no more than an honest picture.
func TestAbusePictureBombs(t *testing.T) {
	m := start(t)
	small := encodedAs(t, "jpeg", halfBlack(16, 16))
	sof := bytes.Index(small, []byte{0xff, 0xc0})
	bombs := map[string][]byte{
		"PNG that claims 4 billion a side": pngOf(t, 1<<31-1, 1<<31-1, 8, 6, 100, 1),
		"PNG that claims 65,535 a side":    pngOf(t, 65535, 65535, 16, 6, 100, 1),
		"PNG of 900 million dots":          pngOf(t, 30000, 30000, 1, 0, 3750, 30000),
		"PNG with more than it claims":     pngOf(t, 8, 8, 8, 6, 1<<20, 200),
		"PNG of 16 bits":                   pngOf(t, 6000, 6000, 16, 6, 48000, 60),
		"GIF that claims 65,535 a side":    claimed(encodedAs(t, "gif", halfBlack(16, 16)), 6, binary.LittleEndian, 65535),
		"JPEG that claims 65,500 a side":   claimed(small, sof+5, binary.BigEndian, 65500),
		"BMP that claims 2 billion a side": append([]byte("BM\x36\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00\xff\xff\xff\x7f\xff\xff\xff\x7f\x01\x00\x18\x00"), make([]byte, 60)...),
		"WebP that claims 16,384 a side":   []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\xff\xff\xff\x0f\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
	}
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for name, bomb := range bombs {
		if len(bomb) > 16<<20 {
			t.Fatalf("%s: %d bytes are no bomb", name, len(bomb))
		}
		for path, words := range map[string]string{"/print/image": "Erro ao imprimir", "/display/image": "Erro ao exibir imagem"} {
			if a := m.unchecked("POST", path, bomb); a.status != 500 || a.json()["message"] != words {
				t.Errorf("%s at %s: %d %s", name, path, a.status, a.body)
			}
		}
		carousel := fmt.Sprintf(`{"backgroundColor":"#fff","images":["%s"]}`, base64.StdEncoding.EncodeToString(bomb))
		if a := m.unchecked("POST", "/display/carousel", carousel); a.status < 400 {
			t.Errorf("%s in a carousel: %d %s", name, a.status, a.body)
		}
		m.othersAreServed("after a " + name)
	}
	var after runtime.MemStats
	runtime.ReadMemStats(&after)
	if grown := int64(after.Sys) - int64(before.Sys); grown > 400<<20 {
		t.Errorf("the bombs took %d MiB from the system", grown>>20)
	}
	// Of many frames only the first counts.
	m.call("POST", "/print/image", gifOf(t, 300, 300, 2000)).is(200, printedOK)
	m.alive()
}

func TestAbuseXMLBombs(t *testing.T) {
	t.Parallel()
	m := start(t)
	lol := `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "lol">`
	for c := 'b'; c <= 'k'; c++ {
		lol += fmt.Sprintf(`<!ENTITY %c "%s">`, c, strings.Repeat(fmt.Sprintf("&%c;", c-1), 10))
	}
	lol += "]><nfeProc>&k;</nfeProc>"
	for name, bomb := range map[string]string{
		"billion laughs":    lol,
		"quadratic":         `<!DOCTYPE l [<!ENTITY a "` + strings.Repeat("a", 100_000) + `">]><nfeProc>` + strings.Repeat("&a;", 100_000) + `</nfeProc>`,
		"outside entity":    `<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><nfeProc>&x;</nfeProc>`,
		"outside DTD":       `<!DOCTYPE l SYSTEM "http://127.0.0.1:1/x.dtd"><nfeProc/>`,
		"parameter entity":  `<!DOCTYPE l [<!ENTITY % p SYSTEM "file:///etc/passwd">%p;]><nfeProc/>`,
		"deep":              strings.Repeat("<a>", 1_000_000),
		"deep and closed":   strings.Repeat("<a>", 500_000) + strings.Repeat("</a>", 500_000),
		"huge attribute":    `<nfeProc versao="` + strings.Repeat("4", 4<<20-100) + `"/>`,
		"many attributes":   `<nfeProc ` + attributes(200_000) + `/>`,
		"huge name":         `<` + strings.Repeat("n", 4<<20-100) + `/>`,
		"many siblings":     `<nfeProc>` + strings.Repeat("<a/>", 1_000_000) + `</nfeProc>`,
		"character numbers": `<nfeProc>` + strings.Repeat("&#x10FFFF;", 300_000) + `&#99999999999999999999;</nfeProc>`,
		"endless comment":   `<nfeProc><!--` + strings.Repeat("- ", 2_000_000),
		"endless CDATA":     `<nfeProc><![CDATA[` + strings.Repeat("]] ", 1_000_000),
		"invalid UTF-8":     "<nfeProc>\xff\xfe\xc0\xaf</nfeProc>",
		"UTF-16":            "\xff\xfe<\x00a\x00/\x00>\x00",
	} {
		a := m.unchecked("POST", "/print/xml", bomb, header{"Content-Type", "text/xml"})
		if a.status != http.StatusInternalServerError && a.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
		if strings.Contains(string(a.body)+fmt.Sprint(a.header), "root:") {
			t.Errorf("%s: the answer holds a file: %s", name, a.body)
		}
	}
	m.othersAreServed("after XML bombs")
	m.alive()
}

func attributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `a%d="1" `, i)
	}
	return b.String()
}

// JSON that is deep, wide, or of numbers without an end; what each field says to it, input_test.go knows.
func TestAbuseJSONBombs(t *testing.T) {
	t.Parallel()
	m := start(t)
	var all sync.WaitGroup
	for name, row := range map[string]struct {
		path, body string
	}{
		"deep array":    {"/sale", strings.Repeat("[", 1<<20)},
		"deep object":   {"/transaction", strings.Repeat(`{"details":`, 90_000)},
		"deep details":  {"/transaction", `{"tPag":"03","amount":1,"details":` + strings.Repeat("[", 500_000) + strings.Repeat("]", 500_000) + `}`},
		"same names":    {"/sale", `{` + strings.Repeat(`"a":1,`, 170_000) + `"a":}`},
		"400 digits":    {"/transaction", `{"tPag":"03","amount":` + strings.Repeat("9", 400) + `}`},
		"a megabyte":    {"/transaction", `{"tPag":"03","amount":` + strings.Repeat("9", 1<<20-100) + `}`},
		"exponent":      {"/transaction", `{"tPag":"03","amount":1e999999}`},
		"exponents":     {"/transaction", `{"tPag":"03","amount":1e` + strings.Repeat("9", 1<<19) + `}`},
		"tiny":          {"/transaction", `{"tPag":"03","amount":1e-999999999}`},
		"invalid UTF-8": {"/sale", "{\"customerName\":\"\xff\xfe\"}"},
		"surrogates":    {"/sale", `{"customerName":"` + strings.Repeat(`\ud800`, 100_000)},
		"many objects":  {"/print/text", `[` + strings.Repeat(`{},`, 340_000) + `{}]`},
		"many values":   {"/display/carousel", `{"images":[` + strings.Repeat(`0,`, 2<<20) + `0]}`},
		"escapes":       {"/sale", `{"customerName":"` + strings.Repeat(`\u0000`, 150_000)},
	} {
		all.Go(func() {
			if a := m.unchecked("POST", row.path, row.body); a.status != http.StatusBadRequest {
				t.Errorf("%s: %d %.200s", name, a.status, a.body)
			}
		})
	}
	m.othersAreServed("while JSON bombs go off")
	all.Wait()
	m.alive()
}
