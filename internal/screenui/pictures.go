package screenui

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"rsc.io/qr"

	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
	"github.com/maquininha/maquininha/internal/screen"
)

func (ui *UI) apiQR(w http.ResponseWriter, _ *http.Request) { writeQR(w, ui.APIURL) }

// paymentQR draws the PIX on the screen, and only that one.
func (ui *UI) paymentQR(w http.ResponseWriter, r *http.Request) {
	shown, ok := ui.Payments.Shown()
	if !ok || shown.Prompt.BRCode == "" || r.PathValue("serial") != strconv.FormatUint(shown.Serial, 10)+".svg" {
		refuse(w, http.StatusNotFound, "Código não encontrado")
		return
	}
	writeQR(w, shown.Prompt.BRCode)
}

// writeQR draws the code as a picture that stays sharp at any size, with the margin that readers need.
func writeQR(w http.ResponseWriter, text string) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "Código grande demais")
		return
	}
	const margin = 4
	side := code.Size + 2*margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%dv%dH0z"/><path d="`, side, side, side, side)
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", from+margin, y+margin, x-from, x-from)
			}
		}
	}
	b.WriteString(`"/></svg>`)
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Write(b.Bytes()) //nolint:errcheck // the page may be gone
}

// picture is one of those the display shows; its address is never used for another.
func (ui *UI) picture(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.ParseUint(r.PathValue("id"), 10, 64)
	n, err := strconv.Atoi(r.PathValue("n"))
	for _, shown := range ui.Screen.State().Stack {
		if err != nil || shown.ID != id {
			continue
		}
		if p, ok := pictureOf(shown.Content, n); ok {
			w.Header().Set("Content-Type", p.ContentType)
			w.Header().Set("Cache-Control", "private, max-age=3600, immutable")
			w.Write(p.Data) //nolint:errcheck // the page may be gone
			return
		}
	}
	refuse(w, http.StatusNotFound, "Imagem não encontrada")
}

func pictureOf(c screen.Content, n int) (screen.Picture, bool) {
	switch c := c.(type) {
	case screen.Image:
		return c.Picture, n == 0
	case screen.Carousel:
		if n >= 0 && n < len(c.Pictures) {
			return c.Pictures[n], true
		}
	}
	return screen.Picture{}, false
}

// tray is the paper in the printer's mouth, until somebody tears it off.
type tray struct {
	mu   sync.Mutex
	from int // what was printed up to here lies elsewhere
	torn map[int]bool
}

// begin leaves out what an earlier start has printed.
func (t *tray) begin(jobs []printing.Printed) {
	t.torn = map[int]bool{}
	for _, j := range jobs {
		t.from = max(t.from, j.N)
	}
}

func (t *tray) holds(j printing.Printed) bool { return j.N > t.from && !t.torn[j.N] }

// mostPapers is how many hang out of the printer at most.
const mostPapers = 20

func (ui *UI) papers() []object {
	list := []object{}
	ui.tray.mu.Lock()
	defer ui.tray.mu.Unlock()
	for _, j := range ui.Printer.Jobs() {
		if len(list) == mostPapers {
			break
		}
		if ui.tray.holds(j) {
			list = append(list, object{"n": j.N, "kind": j.Kind, "createdAt": j.CreatedAt.UnixMilli(), "width": j.Width, "height": j.Height})
		}
	}
	return list
}

// tear takes a paper off, 0 all of them.
func (ui *UI) tear(t touched) (any, error) {
	ui.tray.mu.Lock()
	for _, j := range ui.Printer.Jobs() {
		if t.N == 0 || t.N == j.N {
			ui.tray.torn[j.N] = true
		}
	}
	ui.tray.mu.Unlock()
	ui.Screen.Changed()
	return nil, nil
}

// paper is what was printed, as a picture or as a document of the paper's own size.
func (ui *UI) paper(w http.ResponseWriter, r *http.Request) {
	name, kind, _ := strings.Cut(r.PathValue("file"), ".")
	n, err := strconv.Atoi(name)
	if err != nil || kind != "png" && kind != "pdf" {
		refuse(w, http.StatusNotFound, "Impressão não encontrada")
		return
	}
	picture, err := ui.Printer.Picture(n)
	if errors.Is(err, printing.ErrNoJob) {
		refuse(w, http.StatusNotFound, "Impressão não encontrada")
		return
	}
	if err == nil && kind == "pdf" {
		var pdf bytes.Buffer
		err = receipt.WritePDF(&pdf, picture)
		picture = pdf.Bytes()
	}
	if err != nil {
		refuse(w, http.StatusInternalServerError, "Impressão ilegível")
		return
	}
	w.Header().Set("Content-Type", map[string]string{"png": "image/png", "pdf": "application/pdf"}[kind])
	w.Write(picture) //nolint:errcheck // the page may be gone
}
