package httpapi

import (
	"bytes"
	"errors"
	"image/png"
	"io"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// drawing is what a caller wants its print to become, instead of paper.
type drawing struct {
	format string
	paper  receipt.Paper
}

// kinds of what is answered, by format.
var drawn = map[string]string{"png": "image/png", "pdf": "application/pdf", "escpos": "application/octet-stream"}

// Papers that printers have, in dots.
const (
	leastPaper = 200
	mostPaper  = 2000
)

func (api *API) readDrawing(r *http.Request) (drawing, error) {
	d := drawing{"png", receipt.Paper{Width: receipt.Paper80.Width, DPI: api.Paper.DPI}}
	q, err := readQuery(r)
	if err != nil {
		return d, err
	}
	if q.Has("format") {
		d.format = q.Get("format")
	}
	if drawn[d.format] == "" {
		return d, invalid("format", oneOf([]string{"png", "pdf", "escpos"}))
	}
	if q.Has("width") {
		d.paper.Width, err = strconv.Atoi(q.Get("width"))
		if err != nil || d.paper.Width < leastPaper || d.paper.Width > mostPaper {
			return d, invalid("width", "deve ser um número inteiro entre "+strconv.Itoa(leastPaper)+" e "+strconv.Itoa(mostPaper))
		}
	}
	return d, nil
}

// document is an answer that is no JSON.
type document struct {
	kind string
	data []byte
}

func (d document) respond(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", d.kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(d.data)))
	w.Write(d.data) //nolint:errcheck // the caller may be gone
	return nil
}

// render answers with what would be printed.
func (api *API) render(s source) handler {
	return func(r *http.Request) (any, error) {
		d, err := api.rendered(r, s)
		if errors.Is(err, operation.ErrBusy) {
			return nil, errCrowded // it needs no free terminal: only room can be missing
		}
		return d, err
	}
}

// rendered draws what came. One is drawn at a time: a long page takes the memory of many requests.
func (api *API) rendered(r *http.Request, s source) (any, error) {
	how, err := api.readDrawing(r)
	if err != nil {
		return nil, err
	}
	body, err := readBody(r, s.limit)
	if err != nil {
		return nil, err
	}
	leave, err := api.drawing.take(r, api.stopping)
	if err != nil {
		return nil, err
	}
	defer leave()
	job, err := s.read(r, body, use{paper: how.paper})
	var bad *unreadable
	if errors.As(err, &bad) {
		return nil, invalid("", reasonOf(bad.err))
	}
	if err != nil {
		return nil, err
	}
	if job.Heavy() {
		defer time.AfterFunc(time.Second, debug.FreeOSMemory) // as after a print
	}
	data, err := api.draw(job, how)
	if err != nil {
		return nil, invalid("", reasonOf(err)) // nothing but what was sent can be wrong with it
	}
	// Callers that read slowly share the room that bodies have; a receipt is as free as a command.
	if err := bodyOf(r).take(int64(max(len(data)-freeBody, 0))); err != nil {
		return nil, err
	}
	return document{drawn[how.format], data}, nil
}

func (api *API) draw(job printing.Job, how drawing) ([]byte, error) {
	if err := job.Check(how.paper); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	switch how.format {
	case "escpos":
		err := api.ESCPOS(&out, job, how.paper)
		return out.Bytes(), err
	case "pdf":
		err := writePDF(&out, job.Pages, how.paper)
		return out.Bytes(), err
	}
	dots, err := dotsOf(onePaper(job.Pages), how.paper)
	if err != nil {
		return nil, err
	}
	err = png.Encode(&out, dots.Image())
	return out.Bytes(), err
}

func writePDF(out io.Writer, pages []receipt.Page, paper receipt.Paper) error {
	if len(pages) == 0 {
		pages = []receipt.Page{{}} // a text may only open the drawer
	}
	var all []*receipt.Bitmap
	for _, page := range pages {
		dots, err := dotsOf(page, paper)
		if err != nil {
			return err
		}
		all = append(all, dots)
	}
	return receipt.WriteDotsPDF(out, all...)
}

// onePaper is several papers below each other, with a line where they would be cut.
func onePaper(pages []receipt.Page) (one receipt.Page) {
	for i, page := range pages {
		if i > 0 {
			one.Add(receipt.Blank{}, receipt.Rule{Dashed: true}, receipt.Blank{})
		}
		one.Add(page.Elements...)
	}
	return one
}

// dotsOf is a page as dots; there is no picture without height.
func dotsOf(page receipt.Page, paper receipt.Paper) (*receipt.Bitmap, error) {
	dots, err := page.Raster(paper)
	if err == nil && dots.Height == 0 {
		dots = receipt.NewBitmap(paper.Width, 1)
	}
	return dots, err
}
