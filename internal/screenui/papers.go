package screenui

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// paperOutlet remembers which papers no longer hang out of the printer: those of an earlier start, and those that
// somebody tore off.
type paperOutlet struct {
	mu      sync.Mutex
	earlier int // papers up to this number are an earlier start's
	torn    map[int]bool
}

// begin leaves out what an earlier start has printed.
func (o *paperOutlet) begin(jobs []printing.Printed) {
	o.torn = map[int]bool{}
	for _, j := range jobs {
		o.earlier = max(o.earlier, j.N)
	}
}

// maxPapers is how many hang out of the printer at most.
const maxPapers = 20

// hanging are the papers a page shows, newest first.
func (o *paperOutlet) hanging(jobs []printing.Printed) []object {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := []object{}
	for _, j := range jobs {
		if len(list) < maxPapers && j.N > o.earlier && !o.torn[j.N] {
			list = append(list, object{"n": j.N, "width": j.Width, "height": j.Height})
		}
	}
	return list
}

// tear takes a paper off, 0 all of them.
func (o *paperOutlet) tear(n int, jobs []printing.Printed) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, j := range jobs {
		if n == 0 || n == j.N {
			o.torn[j.N] = true
		}
	}
}

type tearTouch struct {
	N int `json:"n"`
}

func (ui *UI) tearOff(t tearTouch) error {
	ui.papers.tear(t.N, ui.Printer.Jobs())
	ui.Screen.Changed()
	return nil
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
