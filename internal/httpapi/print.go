package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"

	"github.com/maquininha/maquininha/internal/fiscal"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

func (api *API) printImage(r *http.Request) (any, error) {
	data, err := readBody(r, api.Limits.Image)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, errNoImage
	}
	picture, err := receipt.DecodeImage(data)
	if err != nil {
		return nil, notPrinted(fmt.Errorf("%w: %w", errBadImage, err))
	}
	return api.print(r, printing.Image, receipt.Page{Elements: []receipt.Element{receipt.Image{Picture: picture}}})
}

func (api *API) printText(r *http.Request) (any, error) {
	value, empty, err := readJSON(r, api.Limits.JSON)
	if err != nil {
		return nil, err
	}
	elements, ok := value.([]any)
	if !ok && !empty && value != nil {
		return nil, invalid("", "o corpo deve ser uma lista de instruções")
	}
	if len(elements) == 0 {
		return nil, errNoText
	}
	instructions, err := readInstructions(elements, "")
	if err != nil {
		return nil, err
	}
	var page receipt.Page
	for i, in := range instructions {
		page.Add(api.printed(in, i))
	}
	return api.print(r, printing.Text, page)
}

// printed is an instruction as the paper has it.
func (api *API) printed(in instruction, index int) receipt.Element {
	if in.rule {
		if in.divider {
			return receipt.Rule{}
		}
		return receipt.Blank{}
	}
	return receipt.Text{Value: in.value, Size: api.clamped(in, index), Bold: in.bold, Align: alignments[in.align]}
}

// clamped brings a size into its range and leaves a trace of it.
func (api *API) clamped(in instruction, index int) int {
	size, outside := receipt.ClampSize(in.size)
	if outside {
		api.Logs.Add(logbook.Warning, logbook.App, fmt.Sprintf("instrução %d: tamanho %d fora da faixa, usado %d", index, in.size, size), "")
	}
	return size
}

var alignments = map[string]receipt.Align{"left": receipt.Left, "center": receipt.Center, "right": receipt.Right}

func (api *API) printXML(r *http.Request) (any, error) {
	data, err := readBody(r, api.Limits.XML)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errNoXML
	}
	document, err := fiscal.Parse(data)
	if err != nil {
		return nil, notPrinted(err)
	}
	for _, w := range document.Warnings {
		api.Logs.Add(logbook.Warning, logbook.App, "documento fiscal: "+w, "")
	}
	return api.print(r, printing.XML, fiscal.Layout(document))
}

func (api *API) print(r *http.Request, kind printing.Kind, page receipt.Page) (any, error) {
	err := api.Printing.Print(r.Context(), printing.Job{Kind: kind, Page: page})
	if errors.Is(err, printing.ErrClosed) {
		return nil, ErrStopping
	}
	if err != nil {
		return nil, err
	}
	return done("Impressão realizada com sucesso")
}

func notPrinted(why error) error { return fmt.Errorf("%w: %w", printing.ErrFailed, why) }

// whyNotPrinted are the words of X-Motivo.
var whyNotPrinted = []struct {
	err  error
	text string
}{
	{printing.ErrPaperOut, "impressora sem papel"},
	{printing.ErrCoverOpen, "tampa da impressora aberta"},
	{printing.ErrOffline, "impressora fora do ar"},
	{printing.ErrNoPrinter, "terminal sem impressora"},
	{receipt.ErrNotImage, "os bytes não são uma imagem PNG, JPEG, GIF, BMP ou WebP"},
	{receipt.ErrImageTooLarge, "imagem com dimensões grandes demais"},
	{errBadImage, "imagem danificada ou incompleta"}, // after what else can be wrong with one
	{receipt.ErrTooLong, "impressão longa demais"},
}

// reasonOf says why nothing was printed.
func reasonOf(err error) string {
	var refusal *fiscal.Refusal
	if errors.As(err, &refusal) {
		return refusal.Error()
	}
	for _, row := range whyNotPrinted {
		if errors.Is(err, row.err) {
			return row.text
		}
	}
	return "falha na impressão"
}
