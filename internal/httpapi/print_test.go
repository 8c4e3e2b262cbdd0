package httpapi_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/waittest"
)

type printJob struct {
	N                     int
	Kind                  string
	CreatedAt             time.Time
	WidthDots, HeightDots int
	Picture               string
}

func (m *terminal) printJobs() (jobs []printJob) {
	m.t.Helper()
	m.call("GET", "/emulator/printer/jobs", nil).ok().into(&jobs)
	return jobs
}

// paper is a job as a picture; it must be the PNG it says it is.
func (m *terminal) paper(j printJob) image.Image {
	m.t.Helper()
	a := m.call("GET", j.Picture, nil).ok()
	if ct := a.header.Get("Content-Type"); ct != "image/png" {
		m.t.Errorf("%s is %q", j.Picture, ct)
	}
	picture, err := png.Decode(bytes.NewReader(a.body))
	if err != nil {
		m.t.Fatalf("%s: %v", j.Picture, err)
	}
	if size := picture.Bounds().Size(); size.X != 384 || size.X != j.WidthDots || size.Y != j.HeightDots {
		m.t.Errorf("job %d says %d x %d, its picture is %v; the paper has 384 dots", j.N, j.WidthDots, j.HeightDots, size)
	}
	return picture
}

// ink is the part of a picture that is dark.
func ink(p image.Image) float64 {
	b, dark := p.Bounds(), 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if g := color.GrayModel.Convert(p.At(x, y)).(color.Gray); g.Y < 128 {
				dark++
			}
		}
	}
	return float64(dark) / float64(max(1, b.Dx()*b.Dy()))
}

// halfBlack is grey in one half and black in the other.
func halfBlack(width, height int) image.Image {
	p := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White, color.Black, color.Gray{128}})
	for i := range p.Pix {
		p.Pix[i] = uint8(1 + i%width*2/width)
	}
	return p
}

func encodedAs(t testing.TB, format string, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch format {
	case "png":
		err = png.Encode(&b, p)
	case "jpeg":
		err = jpeg.Encode(&b, p, nil)
	case "gif":
		err = gif.Encode(&b, p, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const printedOK = "Impressão realizada com sucesso"

func TestPrintImages(t *testing.T) {
	t.Parallel()
	m := start(t)
	for i, format := range []string{"png", "jpeg", "gif"} {
		m.call("POST", "/print/image", encodedAs(t, format, halfBlack(800, 600))).is(200, printedOK)
		jobs := m.printJobs()
		if len(jobs) != i+1 || jobs[0].Kind != "image" {
			t.Fatalf("%s: jobs %+v", format, jobs)
		}
		if h := jobs[0].HeightDots; h < 250 || h > 330 {
			t.Errorf("%s: 800x600 became %d dots high, want about 288", format, h)
		}
		if part := ink(m.paper(jobs[0])); part < 0.6 || part > 0.9 {
			t.Errorf("%s: %.2f of the paper is dark, want black and grey halves, dithered", format, part)
		}
	}
	m.call("POST", "/print/image", encodedAs(t, "png", halfBlack(20, 10))).is(200, printedOK)
	if j := m.printJobs()[0]; j.HeightDots > 20+8 {
		t.Errorf("a picture 10 high became %d dots: never up beyond 2x", j.HeightDots)
	}
	m.call("POST", "/print/image", encodedAs(t, "png", image.NewNRGBA(image.Rect(0, 0, 100, 100)))).is(200, printedOK)
	if part := ink(m.paper(m.printJobs()[0])); part != 0 {
		t.Errorf("transparency printed %.2f dark, want white", part)
	}
}

func TestPrintWithNothingToPrint(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, c := range []struct {
		path, body, message string
		code                int
	}{
		{"/print/image", "", "Nenhuma imagem enviada", 400},
		{"/print/text", "", "Nenhum texto enviado", 500},
		{"/print/text", "[]", "Nenhum texto enviado", 500},
		{"/print/text", " \n", "Nenhum texto enviado", 500},
		{"/print/text", "null", "Nenhum texto enviado", 500},
		{"/print/xml", "", "Nenhum XML enviado", 403},
		{"/print/xml", " \r\n\t", "Nenhum XML enviado", 403},
	} {
		var body any
		if c.body != "" {
			body = c.body
		}
		a := m.call("POST", c.path, body).is(400, c.message)
		if got := fmt.Sprint(a.json()["code"]); got != fmt.Sprint(c.code) {
			t.Errorf("%s %q: code %s, want %d", c.path, c.body, got, c.code)
		}
	}
	if jobs := m.printJobs(); len(jobs) != 0 {
		t.Errorf("something was printed: %+v", jobs)
	}
}

func TestPrintTextShapes(t *testing.T) {
	t.Parallel()
	m := start(t)
	for _, c := range []struct{ body, names string }{
		{`{"text":{"value":"a"}}`, ""},
		{`"oi"`, ""},
		{`[`, ""},
		{`[{"text":{"value":"a"}}] []`, ""},
		{`[{"text":{"value":"a"}},{}]`, "[1]"},
		{`[{"text":{"value":"a"},"line":{"divider":true}}]`, "[0]"},
		{`[{"text":{"value":"a"}},{"line":{}},{"image":{}}]`, "[2]"},
		{`[{"text":{"value":"a"}},"b"]`, "[1]"},
		{`[null]`, "[0]"},
		{`[{"text":5}]`, "[0].text"},
		{`[{"text":{}}]`, "[0].text.value"},
		{`[{"text":{"value":1}}]`, "[0].text.value"},
		{`[{"text":{"value":"a","size":"16"}}]`, "[0].text.size"},
		{`[{"text":{"value":"a","size":16.5}}]`, "[0].text.size"},
		{`[{"text":{"value":"a","bold":"yes"}}]`, "[0].text.bold"},
		{`[{"text":{"value":"a","align":"centro"}}]`, "[0].text.align"},
		{`[{"text":{"value":"a","align":"CENTER"}}]`, "[0].text.align"},
		{`[{"line":{}},{"line":{"divider":1}}]`, "[1].line.divider"},
		{`[{"line":true}]`, "[0].line"},
	} {
		m.call("POST", "/print/text", c.body).isInvalid(c.names)
	}
	if jobs := m.printJobs(); len(jobs) != 0 {
		t.Errorf("something was printed: %+v", jobs)
	}
	for _, body := range []string{
		`[{"text":{"value":"Olá, ação","size":20,"bold":true,"align":"center"}},{"line":{"divider":true}},{"text":{"value":"à direita","align":"right"}}]`,
		`[{"text":{"value":"só o valor"}}]`,
		`[{"text":{"value":"nulos","size":null,"bold":null,"align":null}}]`,
		`[{"text":{"value":"campo a mais","font":"x"}}]`,
		`[{"line":{"divider":false}}]`,
	} {
		m.call("POST", "/print/text", body).is(200, printedOK)
	}
	// The description names a type; sloppy callers send none, or another.
	for _, contentType := range []string{"", "text/plain", "application/x-www-form-urlencoded"} {
		resp, err := m.client.Do(m.request("POST", "/print/text", `[{"text":{"value":"sem tipo"}}]`, header{"Content-Type", contentType}))
		if err != nil {
			t.Fatal(err)
		}
		if resp.Body.Close(); resp.StatusCode != http.StatusOK {
			t.Errorf("Content-Type %q: %d", contentType, resp.StatusCode)
		}
	}
}

func TestPrintTextLayout(t *testing.T) {
	t.Parallel()
	m := start(t)
	paper := func(body string) image.Image {
		m.call("POST", "/print/text", body).is(200, printedOK)
		return m.paper(m.printJobs()[0])
	}
	if ink(paper(`[{"line":{"divider":false}}]`)) != 0 {
		t.Error("an empty line has ink")
	}
	if ink(paper(`[{"line":{"divider":true}}]`)) == 0 {
		t.Error("a divider has none")
	}
	small, large := paper(`[{"text":{"value":"x","size":8}}]`), paper(`[{"text":{"value":"x","size":40}}]`)
	if small.Bounds().Dy() >= large.Bounds().Dy() {
		t.Errorf("size 8 is %d high, size 40 %d", small.Bounds().Dy(), large.Bounds().Dy())
	}
	half := func(p image.Image, right bool) float64 {
		b := p.Bounds()
		if b.Max.X = 192; right {
			b.Min.X, b.Max.X = 192, 384
		}
		return ink(p.(interface {
			SubImage(image.Rectangle) image.Image
		}).SubImage(b))
	}
	left, right := paper(`[{"text":{"value":"aqui"}}]`), paper(`[{"text":{"value":"aqui","align":"right"}}]`)
	if half(left, false) == 0 || half(left, true) != 0 || half(right, true) == 0 || half(right, false) != 0 {
		t.Error("align is not on its side of the paper")
	}
}

func TestPrintSizesAreClampedWithAWarning(t *testing.T) {
	t.Parallel()
	m := start(t)
	height := func(size int) int {
		m.call("POST", "/print/text", fmt.Sprintf(`[{"text":{"value":"x","size":%d}}]`, size)).is(200, printedOK)
		return m.printJobs()[0].HeightDots
	}
	warnings := func() int { return len(m.entries("level=warning&source=app")) }
	least, most := height(6), height(96)
	if n := warnings(); n != 0 {
		t.Fatalf("%d warnings about sizes that are in range", n)
	}
	for i, c := range []struct{ size, want int }{{5, least}, {0, least}, {-3, least}, {97, most}, {2000, most}} {
		if got := height(c.size); got != c.want {
			t.Errorf("size %d: %d dots, want %d", c.size, got, c.want)
		}
		if got := warnings(); got != i+1 {
			t.Errorf("size %d: %d warnings, want %d", c.size, got, i+1)
		}
	}
}

func fiscalDocument(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "fiscal", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (m *terminal) printXML(xml string) *answer {
	m.t.Helper()
	return m.call("POST", "/print/xml", xml, header{"Content-Type", "text/xml"})
}

func TestPrintXML(t *testing.T) {
	t.Parallel()
	m := start(t)
	for i, name := range []string{"nfce.xml", "nfe.xml", "cte.xml"} {
		m.printXML(fiscalDocument(t, name)).is(200, printedOK)
		jobs := m.printJobs()
		if len(jobs) != i+1 || jobs[0].Kind != "xml" {
			t.Fatalf("%s: jobs %+v", name, jobs)
		}
		if p := m.paper(jobs[0]); p.Bounds().Dy() < 200 || ink(p) == 0 {
			t.Errorf("%s: a coupon of %v with %.2f ink", name, p.Bounds(), ink(p))
		}
	}
}

func TestPrintJobsAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	m := start(t)
	if got := strings.TrimSpace(string(m.call("GET", "/emulator/printer/jobs", nil).ok().body)); got != "[]" {
		t.Errorf("before: %s", got)
	}
	before := time.Now().Add(-time.Second)
	m.call("POST", "/print/text", `[{"text":{"value":"um"}}]`).ok()
	m.call("POST", "/print/image", encodedAs(t, "gif", halfBlack(100, 50))).ok()
	m.printXML(fiscalDocument(t, "nfce.xml")).ok()
	var kinds []string
	for i, j := range m.printJobs() {
		kinds = append(kinds, j.Kind)
		if j.N != 3-i || j.Picture != fmt.Sprintf("/emulator/printer/jobs/%d.png", j.N) || j.CreatedAt.Before(before) || j.CreatedAt.After(time.Now()) {
			t.Errorf("job %+v", j)
		}
		m.paper(j)
	}
	if diff := cmp.Diff([]string{"xml", "image", "text"}, kinds); diff != "" {
		t.Error(diff)
	}
	for _, n := range []string{"4", "0", "99999999999999999999"} {
		m.call("GET", "/emulator/printer/jobs/"+n+".png", nil).is(404, "Impressão não encontrada")
	}
	again := m.again()
	if jobs := again.printJobs(); len(jobs) != 3 {
		t.Errorf("%d jobs after a restart, want 3", len(jobs))
	}
}

func TestPrintingIsBusy(t *testing.T) {
	t.Parallel()
	m := start(t)
	large := encodedAs(t, "png", halfBlack(384, 2000))
	long := "[" + strings.TrimSuffix(strings.Repeat(`{"text":{"value":"uma linha que leva tempo","size":30}},`, 30), ",") + "]"
	xml := fiscalDocument(t, "nfe.xml")
	for name, print := range map[string]func() *http.Request{
		"image": func() *http.Request { return m.request("POST", "/print/image", large) },
		"text":  func() *http.Request { return m.request("POST", "/print/text", long) },
		"xml":   func() *http.Request { return m.request("POST", "/print/xml", xml, header{"Content-Type", "text/xml"}) },
	} {
		var seen atomic.Bool
		finished := make(chan struct{})
		go func() { // prints until somebody has seen it printing
			defer close(finished)
			for !seen.Load() && t.Context().Err() == nil {
				resp, err := m.client.Do(print())
				if err != nil {
					return
				}
				resp.Body.Close()
			}
		}()
		waittest.Until(t, name+" prints while busy", func() bool {
			seen.Store(m.call("GET", "/info", nil).ok().json()["isBusy"] == true)
			return seen.Load()
		})
		<-finished
	}
}
