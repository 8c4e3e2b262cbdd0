package httpapi

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"

	"github.com/maquininha/maquininha/internal/receipt"
)

// instruction is an element of what /print/text prints and /display/text shows: a text, a line, cells side by side or a code.
type instruction struct {
	lettering
	rule    bool // a line, drawn when divider
	divider bool
	cells   []cell
	code    receipt.Element // receipt.QR or receipt.Barcode; nil for what is none
}

// lettering is a text and how it looks.
type lettering struct {
	value        string
	size         int
	bold, italic bool
	align        string
}

// cell is one of a line's.
type cell struct {
	lettering
	weight int    // its share of the width
	fit    string // the longest word of its column in a table
}

// instructions are read from a list; sizes outside of their range are brought into it, with a remark.
type instructions struct {
	all     []instruction
	remarks []string
}

// readInstructions reads a list that stands in a field, or is the body itself: "".
func readInstructions(outer *fields, path string, elements []any) (read instructions, err error) {
	read.all = make([]instruction, 0, len(elements))
	for i, v := range elements {
		from := len(read.all)
		read.element(outer.element(path, i, v))
		if outer.err() != nil {
			return read, outer.err()
		}
		for n := range read.all[from:] {
			read.clamp(&read.all[from+n], i)
		}
	}
	return read, nil
}

const oneKey = "deve ter exatamente uma chave: text, line, qrcode ou barcode"

func (read *instructions) element(f *fields) {
	switch {
	case f.err() != nil:
	case len(f.members) != 1:
		*f.fault = invalid(f.path, oneKey)
	case f.has("text"):
		read.add(instruction{lettering: readText(f)})
	case f.has("line"):
		read.line(f.object("line"))
	case f.has("qrcode"):
		read.add(instruction{code: readQR(f.object("qrcode"))})
	case f.has("barcode"):
		read.add(instruction{code: readBarcode(f.object("barcode"))})
	default:
		*f.fault = invalid(f.path, oneKey)
	}
}

func (read *instructions) add(in instruction) { read.all = append(read.all, in) }

// readText takes a bare text for one of the usual looks.
func readText(f *fields) (l lettering) {
	if v, _ := f.given("text"); v != nil {
		if _, bare := v.(string); bare {
			l = lettering{size: receipt.DefaultSize, align: "left"}
			f.text("text", &l.value, longestText)
			return l
		}
	}
	t := f.object("text")
	t.text("value", &l.value, longestText)
	t.whole("size", &l.size, receipt.DefaultSize)
	t.flag("bold", &l.bold, false)
	choice(t, "align", &l.align, "left", "left", "center", "right")
	return l
}

// clamp brings the sizes of an instruction into their range, and says so.
func (read *instructions) clamp(in *instruction, index int) {
	letters := []*lettering{&in.lettering}
	for i := range in.cells {
		letters = append(letters, &in.cells[i].lettering)
	}
	for _, l := range letters {
		if l.align == "" { // no text
			continue
		}
		size, outside := receipt.ClampSize(l.size)
		if outside {
			read.remarks = append(read.remarks, fmt.Sprintf("instrução %d: tamanho %d fora da faixa, usado %d", index, l.size, size))
		}
		l.size = size
	}
}

var alignments = map[string]receipt.Align{"left": receipt.Left, "center": receipt.Center, "right": receipt.Right}

// page is what the instructions are on paper.
func (read *instructions) page() (page receipt.Page) {
	for _, in := range read.all {
		switch {
		case in.code != nil:
			page.Add(in.code)
		case in.cells != nil:
			row := receipt.Columns{Shrink: true}
			for _, c := range in.cells {
				row.Cells = append(row.Cells, receipt.Cell{Value: c.value, Weight: c.weight, Fit: c.fit, Align: alignments[c.align], Size: c.size, Bold: c.bold, Italic: c.italic})
			}
			page.Add(row)
		case in.divider:
			page.Add(receipt.Rule{})
		case in.rule:
			page.Add(receipt.Blank{})
		default:
			page.Add(receipt.Text{Value: in.value, Size: in.size, Bold: in.bold, Italic: in.italic, Align: alignments[in.align]})
		}
	}
	return page
}

// rounded reads a number that some callers write with decimals, to the next whole one.
func (f *fields) rounded(name string, to *int, otherwise, least, most int) {
	*to = otherwise
	v, ok := f.given(name)
	if !ok {
		return
	}
	n, ok := v.(json.Number)
	if !ok {
		f.wrong(name, "deve ser um número")
		return
	}
	x, err := strconv.ParseFloat(n.String(), 64)
	if err != nil || x < float64(least) || x > float64(most) {
		f.wrong(name, fmt.Sprintf("deve estar entre %d e %d", least, most))
		return
	}
	*to = int(math.Round(x))
}

var hexDigits = []byte("0123456789abcdefABCDEF")

// colour reads #RGB, #RRGGBB or the name that browsers have for a colour, which becomes #RRGGBB.
func (f *fields) colour(name string, to *string) {
	f.label(name, to)
	if f.err() != nil {
		return
	}
	s := *to
	ok := (len(s) == 4 || len(s) == 7) && s[0] == '#'
	for i := 1; ok && i < len(s); i++ {
		ok = slices.Contains(hexDigits, s[i])
	}
	if ok {
		return
	}
	if c, named := colornames.Map[strings.ToLower(s)]; named {
		*to = fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B)
		return
	}
	f.wrong(name, fmt.Sprintf("deve ser uma cor #RGB ou #RRGGBB, ou um nome como white, não %q", shorten(s)))
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 20 {
		return string(r[:20]) + "…"
	}
	return s
}
