package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// Align is where a line of text stands.
type Align string

// The alignments of the interface.
const (
	Left   Align = "left"
	Center Align = "center"
	Right  Align = "right"
)

// Text is a paragraph; Size is in points, 16 when left out.
type Text struct {
	Value string `json:"value"`
	Size  int    `json:"size,omitempty"`
	Bold  bool   `json:"bold,omitempty"`
	Align Align  `json:"align,omitempty"`
}

// Rule is a line across the paper; without Divider it is an empty one.
type Rule struct {
	Divider bool `json:"divider"`
}

// QRCode is a QR code; Size is its side in dots of paper, 8 a millimetre, 200 when left out.
type QRCode struct {
	Content string `json:"content"`
	Size    int    `json:"size,omitempty"`
	Level   string `json:"level,omitempty"` // L, M (the default), Q or H: how much of it may be damaged
	Align   Align  `json:"align,omitempty"` // Center when left out
}

// Barcode is a bar code.
type Barcode struct {
	Content  string `json:"content"`
	Type     string `json:"type,omitempty"`     // code128 (the default), code39, code93, ean13, ean8, upca, upce, itf or codabar
	Height   int    `json:"height,omitempty"`   // of the bars in dots of paper, 8 a millimetre; 80 when left out
	ShowText *bool  `json:"showText,omitempty"` // below the bars; true when left out
	Align    Align  `json:"align,omitempty"`    // Center when left out
}

// Instruction is one element of a printed or displayed text: exactly one of these.
type Instruction struct {
	Text    *Text    `json:"text,omitempty"`
	Line    *Rule    `json:"line,omitempty"`
	QRCode  *QRCode  `json:"qrcode,omitempty"`
	Barcode *Barcode `json:"barcode,omitempty"`
}

// Write is a Text as an instruction.
func Write(t Text) Instruction { return Instruction{Text: &t} }

// Divide is a rule across the paper.
func Divide() Instruction { return Instruction{Line: &Rule{Divider: true}} }

// Skip is an empty line.
func Skip() Instruction { return Instruction{Line: &Rule{}} }

// DrawQR is a QRCode as an instruction.
func DrawQR(q QRCode) Instruction { return Instruction{QRCode: &q} }

// DrawBars is a Barcode as an instruction.
func DrawBars(b Barcode) Instruction { return Instruction{Barcode: &b} }

const bytesKind = "application/octet-stream"

// PrintImage prints a PNG, JPEG, GIF, BMP or WebP. A print whose answer was lost (ErrNoAnswer) is not repeated: only a person sees
// whether the paper came.
func (c *Client) PrintImage(ctx context.Context, image []byte) error {
	return c.send(ctx, call{method: http.MethodPost, path: "/print/image", kind: bytesKind, held: true}, image, nil)
}

// PrintText prints a receipt of the caller's own layout.
func (c *Client) PrintText(ctx context.Context, page ...Instruction) error {
	if page == nil {
		page = []Instruction{}
	}
	return c.send(ctx, call{method: http.MethodPost, path: "/print/text", held: true}, page, nil)
}

// PrintXML prints the coupon of an authorised NF-e, NFC-e or CT-e.
func (c *Client) PrintXML(ctx context.Context, xml []byte) error {
	return c.send(ctx, call{method: http.MethodPost, path: "/print/xml", kind: "text/xml", held: true}, xml, nil)
}

// PrintACBr prints text with the tags of ACBr, as written for receipt printers: <n>, <ce>, </linha_simples>, <qrcode>, </corte>. Several cuts make
// several papers.
func (c *Client) PrintACBr(ctx context.Context, text string) error {
	return c.send(ctx, call{method: http.MethodPost, path: "/print/acbr", kind: "text/plain; charset=utf-8", held: true}, []byte(text), nil)
}

// OpenDrawer opens the cash drawer at the printer.
func (c *Client) OpenDrawer(ctx context.Context) error {
	return c.send(ctx, call{method: http.MethodPost, path: "/drawer", held: true}, nil, nil)
}

// Drawing is what a document is drawn as; the zero value is a PNG of 576 dots.
type Drawing struct {
	Format string // png, pdf or escpos, the bytes that a printer would be sent
	Width  int    // of the paper in dots, 200 to 2000
}

func (d Drawing) query() url.Values {
	q := url.Values{}
	if d.Format != "" {
		q.Set("format", d.Format)
	}
	if d.Width != 0 {
		q.Set("width", strconv.Itoa(d.Width))
	}
	return q
}

func (c *Client) render(ctx context.Context, what, kind string, d Drawing, body any) (document []byte, err error) {
	err = c.send(ctx, call{method: http.MethodPost, path: "/render/" + what, query: d.query(), kind: kind}, body, &document)
	return document, err
}

// RenderImage draws what PrintImage would print. Nothing is printed, and a busy terminal answers too.
func (c *Client) RenderImage(ctx context.Context, image []byte, d Drawing) ([]byte, error) {
	return c.render(ctx, "image", bytesKind, d, image)
}

// RenderText draws what PrintText would print.
func (c *Client) RenderText(ctx context.Context, d Drawing, page ...Instruction) ([]byte, error) {
	if page == nil {
		page = []Instruction{}
	}
	return c.render(ctx, "text", "", d, page)
}

// RenderXML draws what PrintXML would print.
func (c *Client) RenderXML(ctx context.Context, xml []byte, d Drawing) ([]byte, error) {
	return c.render(ctx, "xml", "text/xml", d, xml)
}

// RenderACBr draws what PrintACBr would print; several papers are pages of a PDF, and stand below each other on a picture.
func (c *Client) RenderACBr(ctx context.Context, text string, d Drawing) ([]byte, error) {
	return c.render(ctx, "acbr", "text/plain; charset=utf-8", d, []byte(text))
}

// Notify tells whoever is at the terminal, over whatever is on its screen.
func (c *Client) Notify(ctx context.Context, title, message string) error {
	return c.post(ctx, "/notification", map[string]string{"title": title, "message": message}, nil)
}

// DisplayPage is text on the whole screen.
type DisplayPage struct {
	Content         []Instruction `json:"content"`
	BackgroundColor string        `json:"backgroundColor"` // #RGB, #RRGGBB or a name like white
	ShowCloseButton *bool         `json:"showCloseButton,omitempty"`
}

// Carousel is a row of pictures on the whole screen.
type Carousel struct {
	Images          [][]byte `json:"images"`
	IntervalMs      *int     `json:"intervalMs,omitempty"`
	Transition      string   `json:"transition,omitempty"` // fade, slide, zoom or none
	BackgroundColor string   `json:"backgroundColor"`      // #RGB, #RRGGBB or a name like white
	ShowCloseButton *bool    `json:"showCloseButton,omitempty"`
}

// DisplayImage shows a picture on the whole screen, with a button to close it.
func (c *Client) DisplayImage(ctx context.Context, image []byte) error {
	return c.send(ctx, call{method: http.MethodPost, path: "/display/image", kind: bytesKind}, image, nil)
}

// DisplayFixedImage shows a picture on the whole screen, without a button to close it.
func (c *Client) DisplayFixedImage(ctx context.Context, image []byte) error {
	return c.send(ctx, call{method: http.MethodPost, path: "/display/image", query: url.Values{"showCloseButton": {"false"}}, kind: bytesKind}, image, nil)
}

// DisplayText shows text on the whole screen.
func (c *Client) DisplayText(ctx context.Context, page DisplayPage) error {
	return c.post(ctx, "/display/text", page, nil)
}

// DisplayCarousel shows pictures in turn.
func (c *Client) DisplayCarousel(ctx context.Context, pictures Carousel) error {
	return c.post(ctx, "/display/carousel", pictures, nil)
}

// ClearDisplay takes everything off the screen that was displayed.
func (c *Client) ClearDisplay(ctx context.Context) error {
	return c.post(ctx, "/display/clear", nil, nil)
}

// PopDisplay takes the topmost off the screen.
func (c *Client) PopDisplay(ctx context.Context) error {
	return c.post(ctx, "/display/pop", nil, nil)
}
