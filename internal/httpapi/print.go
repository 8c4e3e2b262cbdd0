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
	"github.com/maquininha/maquininha/internal/syserror"
)

// source is a way to say what is to be printed: how large a body may be, and the job that it is.
type source struct {
	limit int64
	// read refuses a body that is none, or no whole request; of one whose content can't be laid out it is an *unreadable.
	read func(r *http.Request, body []byte, to use) (printing.Job, error)
}

// use is what becomes of a job.
type use struct {
	paper  receipt.Paper
	prints bool // else it is only drawn, and the terminal may be busy meanwhile
}

// unreadable is a body whose content can't be laid out.
type unreadable struct {
	kind printing.Kind
	err  error
}

func (e *unreadable) Error() string { return e.err.Error() }
func (e *unreadable) Unwrap() error { return e.err }

func (api *API) images() source { return source{api.Limits.Image, api.imageJob} }
func (api *API) texts() source  { return source{api.Limits.JSON, api.textJob} }
func (api *API) xmls() source   { return source{api.Limits.XML, api.xmlJob} }
func (api *API) acbrs() source  { return source{api.Limits.JSON, api.acbrJob} }

// print puts what comes on paper.
func (api *API) print(s source) handler {
	return func(r *http.Request) (any, error) {
		body, err := readBody(r, s.limit)
		if err != nil {
			return nil, err
		}
		job, err := s.read(r, body, use{paper: api.Paper, prints: true})
		var bad *unreadable
		if errors.As(err, &bad) {
			return nil, api.notPrinted(r, bad.kind, bad.err)
		}
		if err != nil {
			return nil, err
		}
		if err := api.Printing.Print(r.Context(), job); err != nil {
			return nil, err
		}
		return done("Impressão realizada com sucesso")
	}
}

func (api *API) imageJob(r *http.Request, body []byte, to use) (printing.Job, error) {
	if len(body) == 0 {
		return printing.Job{}, errNoImage
	}
	leave, err := api.decode(r, to)
	if err != nil {
		return printing.Job{}, err
	}
	defer leave()
	page, err := ImagePage(body)
	if err != nil {
		return printing.Job{}, &unreadable{printing.Image, err}
	}
	return printing.OnePage(printing.Image, page), nil
}

// decode waits for the turn to decode a picture.
func (api *API) decode(r *http.Request, to use) (leave func(), err error) {
	leave, err = api.decoding.take(r, api.stopping)
	if err == nil && to.prints && api.Device.Gate.Busy() { // since it came, another has begun to print: no memory for what would be refused
		leave()
		return nil, operation.ErrBusy
	}
	return leave, err
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

func (api *API) textJob(r *http.Request, body []byte, _ use) (printing.Job, error) {
	page, remarks, err := textPage(body, bodyOf(r))
	if err != nil {
		return printing.Job{}, err
	}
	api.remark(r, "", remarks)
	return printing.OnePage(printing.Text, page), nil
}

// remark leaves in the log what is odd about a body.
func (api *API) remark(r *http.Request, about string, remarks []string) {
	for _, remark := range remarks {
		api.Story.Remark(r.Context(), about+remark)
	}
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
	read, err := readInstructions(newFields(nil, in), "", elements)
	if err != nil {
		return page, nil, err
	}
	return read.page(), read.remarks, nil
}

func (api *API) xmlJob(r *http.Request, body []byte, _ use) (printing.Job, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return printing.Job{}, errNoXML
	}
	_, parameters, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // one that can't be read says nothing
	document, err := fiscal.ParseAs(body, parameters["charset"])
	if err != nil {
		return printing.Job{}, &unreadable{printing.XML, err}
	}
	api.remark(r, "documento fiscal: ", document.Warnings)
	job := printing.OnePage(printing.XML, api.couponStyle().Layout(document))
	job.Name = documentName(document)
	return job, nil
}

// couponStyle is what the shop wants at the moment.
func (api *API) couponStyle() (style fiscal.Style) {
	if api.CouponStyle != nil {
		style = api.CouponStyle()
	}
	return style
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
		if syserror.Is(err, row.err) {
			return row.text
		}
	}
	return "falha na impressão"
}
