package client

import (
	"context"
	"net/http"
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

// Instruction is one element of a printed or displayed text: exactly one of the two.
type Instruction struct {
	Text *Text `json:"text,omitempty"`
	Line *Rule `json:"line,omitempty"`
}

// Write is a Text as an instruction.
func Write(t Text) Instruction { return Instruction{Text: &t} }

// Divide is a rule across the paper.
func Divide() Instruction { return Instruction{Line: &Rule{Divider: true}} }

// Skip is an empty line.
func Skip() Instruction { return Instruction{Line: &Rule{}} }

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

// DisplayPage is text on the whole screen.
type DisplayPage struct {
	Content         []Instruction `json:"content"`
	BackgroundColor string        `json:"backgroundColor"` // #RGB or #RRGGBB
	ShowCloseButton *bool         `json:"showCloseButton,omitempty"`
}

// Carousel is a row of pictures on the whole screen.
type Carousel struct {
	Images          [][]byte `json:"images"`
	IntervalMs      *int     `json:"intervalMs,omitempty"`
	Transition      string   `json:"transition,omitempty"` // fade, slide or zoom
	BackgroundColor string   `json:"backgroundColor"`      // #RGB or #RRGGBB
	ShowCloseButton *bool    `json:"showCloseButton,omitempty"`
}

// DisplayImage shows a picture on the whole screen.
func (c *Client) DisplayImage(ctx context.Context, image []byte) error {
	return c.send(ctx, call{method: http.MethodPost, path: "/display/image", kind: bytesKind}, image, nil)
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
