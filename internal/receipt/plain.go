package receipt

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/image/math/fixed"
)

// columns is the width of the plain form, that of a roll of 80 mm in the
// printers' own font.
const columns = 48

// oneColumn measures text in columns: every sign is one wide.
func oneColumn(rune, rune) fixed.Int26_6 { return fixed.I(1) }

// Plain is the page as plain text, for logs and for tests that compare words
// rather than dots. Sizes and weights don't show; alignment and wrapping do. Of
// an Either it is the wide form.
func (p Page) Plain() string {
	var out strings.Builder
	line := func(s string) {
		// Spaces that hold words together have done so by now.
		s = strings.ReplaceAll(s, "\u00a0", " ")
		out.WriteString(strings.TrimRight(s, " ") + "\n")
	}
	for e := range p.on(Paper80) {
		switch e := e.(type) {
		case Text:
			for _, l := range ruler(oneColumn).wrap(e.Value, fixed.I(columns)) {
				free := columns - utf8.RuneCountInString(l)
				switch e.Align {
				case Center:
					l = strings.Repeat(" ", free/2) + l
				case Right:
					l = strings.Repeat(" ", free) + l
				}
				line(l)
			}
		case Line:
			e.plain(line)
		case Pair:
			plainPair(e, line)
		case Columns:
			plainColumns(e, line)
		case Rule:
			if e.Dashed {
				line(strings.Repeat("- ", columns/2))
			} else {
				line(strings.Repeat("-", columns))
			}
		case Blank:
			line("")
		case QR:
			line("[QR: " + e.Text + "]")
		case Barcode:
			line(e.plain())
		case Image:
			size := e.Picture.Bounds().Size()
			line(fmt.Sprintf("[%d×%d]", size.X, size.Y))
		}
	}
	return out.String()
}

func plainPair(p Pair, line func(string)) {
	value := printable(p.Right)
	valueWidth := utf8.RuneCountInString(value)
	room := columns - valueWidth - 1
	if room < columns/3 {
		for _, l := range ruler(oneColumn).wrap(p.Left, fixed.I(columns)) {
			line(l)
		}
		line(fmt.Sprintf("%*s", columns, value))
		return
	}
	lines := ruler(oneColumn).wrap(p.Left, fixed.I(room))
	for i, l := range lines {
		if i == len(lines)-1 {
			l += strings.Repeat(" ", columns-valueWidth-utf8.RuneCountInString(l)) + value
		}
		line(l)
	}
}

func plainColumns(e Columns, line func(string)) {
	row := lay(e.Cells, same(oneColumn), fixed.I(columns), fixed.I(1))
	for i := range height(row) {
		var l strings.Builder
		at := 0
		for _, c := range row {
			if i >= len(c.lines) {
				continue
			}
			left := c.left.Round()
			begin := left + start(c.align, fixed.I((c.left+c.width).Round()-left), oneColumn, c.lines[i])
			l.WriteString(strings.Repeat(" ", max(begin-at, 0)))
			l.WriteString(c.lines[i])
			at = begin + utf8.RuneCountInString(c.lines[i])
		}
		line(l.String())
	}
}
