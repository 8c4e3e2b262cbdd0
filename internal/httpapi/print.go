package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"image/jpeg"
	"image/png"
	"mime"
	"net/http"
	"syscall"

	"golang.org/x/image/bmp"

	"github.com/maquininha/maquininha/internal/fiscal"
	"github.com/maquininha/maquininha/internal/operation"
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
	page, err := api.imagePage(r, data)
	if err != nil {
		return nil, err
	}
	return api.print(r, printing.OnePage(printing.Image, page))
}

func (api *API) imagePage(r *http.Request, data []byte) (receipt.Page, error) {
	leave, err := api.decoding.take(r, api.stopping)
	if err != nil {
		return receipt.Page{}, err
	}
	defer leave()
	if api.Device.Gate.Busy() { // since it came, another has begun to print: no memory for what would be refused
		return receipt.Page{}, operation.ErrBusy
	}
	page, err := ImagePage(data)
	if err != nil {
		return page, api.notPrinted(r, printing.Image, err)
	}
	return page, nil
}

// errImageKind means a picture that is well, but of a kind no decoder here reads.
var errImageKind = errors.New("kind of image that is not supported")

// ImagePage is a page with one picture on it.
func ImagePage(data []byte) (receipt.Page, error) {
	picture, err := receipt.DecodeImage(data)
	if err != nil {
		why := errBadImage
		if unsupported(data, err) {
			why = errImageKind
		}
		return receipt.Page{}, fmt.Errorf("%w: %w", why, err)
	}
	return receipt.Page{Elements: []receipt.Element{receipt.Image{Picture: picture}}}, nil
}

// unsupported tells a picture of a kind that no decoder reads from a damaged one. The decoder of WebP calls an animation
// damaged, so that its header is looked at.
func unsupported(data []byte, err error) bool {
	var ofPNG png.UnsupportedError
	var ofJPEG jpeg.UnsupportedError
	const flags, animation = 20, 1 << 1
	return errors.Is(err, bmp.ErrUnsupported) || errors.As(err, &ofPNG) || errors.As(err, &ofJPEG) ||
		len(data) > flags && string(data[:4]) == "RIFF" && string(data[8:16]) == "WEBPVP8X" && data[flags]&animation != 0
}

func (api *API) printText(r *http.Request) (any, error) {
	body, err := readBody(r, api.Limits.JSON)
	if err != nil {
		return nil, err
	}
	page, remarks, err := textPage(body, bodyOf(r))
	if err != nil {
		return nil, err
	}
	for _, remark := range remarks {
		api.Story.Remark(r.Context(), remark)
	}
	return api.print(r, printing.OnePage(printing.Text, page))
}

// TextPage is the page that the instructions of a body ask for, and what had to be changed about it. An error says
// in words what is wrong with them.
func TextPage(body []byte) (page receipt.Page, remarks []string, err error) {
	return textPage(body, nil)
}

func textPage(body []byte, in *boundedBody) (page receipt.Page, remarks []string, err error) {
	value, empty, err := parseBody(body, in)
	if err != nil {
		return page, nil, err
	}
	elements, ok := value.([]any)
	if !ok && !empty && value != nil {
		return page, nil, invalid("", "o corpo deve ser uma lista de instruções")
	}
	if len(elements) == 0 {
		return page, nil, errNoText
	}
	instructions, err := readInstructions(elements, "")
	if err != nil {
		return page, nil, err
	}
	for i, in := range instructions {
		size, remark := clamp(in, i)
		switch {
		case in.rule && in.divider:
			page.Add(receipt.Rule{})
		case in.rule:
			page.Add(receipt.Blank{})
		default:
			page.Add(receipt.Text{Value: in.value, Size: size, Bold: in.bold, Align: alignments[in.align]})
		}
		if remark != "" {
			remarks = append(remarks, remark)
		}
	}
	return page, remarks, nil
}

// clamp brings the size of a text into its range, and says so.
func clamp(in instruction, index int) (size int, remark string) {
	size, outside := receipt.ClampSize(in.size)
	if outside && !in.rule {
		remark = fmt.Sprintf("instrução %d: tamanho %d fora da faixa, usado %d", index, in.size, size)
	}
	return size, remark
}

// clamped leaves the remark in the log.
func (api *API) clamped(r *http.Request, in instruction, index int) int {
	size, remark := clamp(in, index)
	if remark != "" {
		api.Story.Remark(r.Context(), remark)
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
	_, parameters, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // one that can't be read says nothing
	document, err := fiscal.ParseAs(data, parameters["charset"])
	if err != nil {
		return nil, api.notPrinted(r, printing.XML, err)
	}
	for _, w := range document.Warnings {
		api.Story.Remark(r.Context(), "documento fiscal: "+w)
	}
	var style fiscal.Style
	if api.CouponStyle != nil {
		style = api.CouponStyle()
	}
	job := printing.OnePage(printing.XML, style.Layout(document))
	job.Name = documentName(document)
	return api.print(r, job)
}

// documentName is what people call a document by, and find it by.
func documentName(d *fiscal.Document) string {
	kind := "CT-e"
	switch d.Kind {
	case fiscal.NFCe:
		kind = "NFC-e"
	case fiscal.NFe:
		kind = "NF-e"
	case fiscal.CTeOS:
		kind = "CT-e OS"
	}
	return kind + " " + d.Number + ", série " + d.Series + ", chave " + d.Key
}

func (api *API) print(r *http.Request, job printing.Job) (any, error) {
	if err := api.Printing.Print(r.Context(), job); err != nil {
		return nil, err
	}
	return done("Impressão realizada com sucesso")
}

// notPrinted is for what never came as far as the printer.
func (api *API) notPrinted(r *http.Request, kind printing.Kind, why error) error {
	api.counters.unreadable.Inc()
	api.Story.NotPrinted(r.Context(), kind, why)
	return fmt.Errorf("%w: %w", printing.ErrFailed, why)
}

// whyNotPrinted are the words of X-Motivo.
var whyNotPrinted = []struct {
	err  error
	text string
}{
	{printing.ErrPaperOut, "impressora sem papel"},
	{printing.ErrCoverOpen, "tampa da impressora aberta"},
	{printing.ErrOffline, "impressora fora do ar"},
	{printing.ErrNoPrinter, "terminal sem impressora"},
	{printing.ErrStopped, "serviço encerrado no meio da impressão"},
	{syscall.ENOSPC, "não há espaço no disco"}, // the virtual printer's
	{receipt.ErrNotImage, "os bytes não são uma imagem PNG, JPEG, GIF, BMP ou WebP"},
	{receipt.ErrImageTooLarge, "imagem com dimensões grandes demais"},
	{errImageKind, "imagem de um tipo não suportado"},
	{errBadImage, "imagem danificada ou incompleta"}, // after what else can be wrong with one
	{receipt.ErrTooLong, "impressão longa demais"},
	{receipt.ErrCode, "código de barras ou QR não cabe no papel"},
}

// WhyNotPrinted says in words why something could not be printed.
func WhyNotPrinted(err error) string {
	var said *requestError
	switch {
	case errors.As(err, &said):
		return said.message
	case errors.Is(err, errNoText):
		return "nenhum texto"
	}
	return reasonOf(err)
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
