package httpapi

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/receipt"
)

// Some callers put everything under line, as another terminal's library writes it: its content, or a column of cells, of which a
// table is one. What the interface knows of a line, its divider, stays what it is.

// mostCells bounds what stands side by side.
const mostCells = 20

func (read *instructions) line(f *fields) {
	in := instruction{rule: true}
	f.flag("divider", &in.divider, false)
	_, content := f.given("content")
	_, column := f.given("column")
	_, qrcode := f.given("qrcode")
	_, barcode := f.given("barcode")
	switch {
	case content:
		read.add(instruction{lettering: readLettering(f)})
	case column:
		read.column(f)
	case qrcode:
		read.add(instruction{code: readQR(f.object("qrcode"))})
	case barcode:
		read.add(instruction{code: readBarcode(f.object("barcode"))})
	case !in.divider:
		read.add(in)
	}
	if in.divider {
		read.add(in)
	}
}

// readLettering reads content and customization.
func readLettering(f *fields) (l lettering) {
	f.textOr("content", &l.value, "", longestText)
	look := f.object("customization")
	look.rounded("font_size", &l.size, receipt.DefaultSize, 0, 1000)
	var align int
	look.rounded("alignment", &align, 0, 0, 2)
	l.align = [...]string{"left", "center", "right"}[align]
	style := look.object("font_style")
	style.flag("bold", &l.bold, false)
	style.flag("italic", &l.italic, false)
	return l
}

// column reads cells that stand side by side, and tables among them.
func (read *instructions) column(f *fields) {
	var row []cell
	cells := f.array("column")
	if len(cells) == 0 {
		f.wrong("column", "deve ter ao menos uma célula")
		return
	}
	for i, v := range cells {
		e := f.element("column", i, v)
		if e.err() != nil {
			return
		}
		_, header := e.given("header")
		_, items := e.given("items")
		if !header && !items {
			row = append(row, readCell(e))
			continue
		}
		read.row(f, row)
		row = nil
		read.table(e)
	}
	read.row(f, row)
}

// table has a row of headings, which rule the widths of the columns, and rows of items.
func (read *instructions) table(f *fields) {
	header := f.cells("header", f.array("header"))
	rows := [][]cell{header}
	for i, v := range f.array("items") {
		at := fmt.Sprintf("items[%d]", i)
		list, ok := v.([]any)
		if !ok {
			f.wrong(at, "deve ser uma lista")
		}
		row := f.cells(at, list)
		for n := range min(len(row), len(header)) {
			row[n].weight = header[n].weight
		}
		rows = append(rows, row)
	}
	fit(rows)
	for _, row := range rows {
		read.row(f, row)
	}
}

// fit tells the cells of each column its longest word.
func fit(rows [][]cell) {
	var longest [mostCells]string
	for _, row := range rows {
		for n, c := range row[:min(len(row), mostCells)] {
			for word := range strings.FieldsSeq(c.value) {
				if utf8.RuneCountInString(word) > utf8.RuneCountInString(longest[n]) {
					longest[n] = word
				}
			}
		}
	}
	for _, row := range rows {
		for n := range row[:min(len(row), mostCells)] {
			row[n].fit = longest[n]
		}
	}
}

func (f *fields) cells(name string, list []any) (row []cell) {
	for i, v := range list {
		e := f.element(name, i, v)
		if e.err() != nil {
			break
		}
		row = append(row, readCell(e))
	}
	return row
}

// readCell reads a cell, with its wrapping or without.
func readCell(f *fields) (c cell) {
	if f.has("row") {
		f = f.object("row")
	}
	c.lettering = readLettering(f)
	f.rounded("size", &c.weight, 0, 0, 100)
	return c
}

// row adds cells, of which those without a width share what the others leave.
func (read *instructions) row(f *fields, cells []cell) {
	if len(cells) == 0 || f.err() != nil {
		return
	}
	if len(cells) > mostCells {
		*f.fault = invalid(f.path, fmt.Sprintf("tem células demais lado a lado: o limite é de %d", mostCells))
		return
	}
	given, open := 0, 0
	for _, c := range cells {
		given += c.weight
		if c.weight == 0 {
			open++
		}
	}
	const whole = 100
	rest := max(whole-given, 0)
	for i := range cells {
		if cells[i].weight == 0 {
			cells[i].weight = max(rest/open, 1)
		}
	}
	if open == 0 && rest > 0 {
		cells = append(cells, cell{weight: rest}) // the edge stays free, as asked for
	}
	read.add(instruction{cells: cells})
}
