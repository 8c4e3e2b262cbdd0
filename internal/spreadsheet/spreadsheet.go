// Package spreadsheet writes CSV as spreadsheets read it.
package spreadsheet

import (
	"encoding/csv"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// Writer is a sheet on its way out.
type Writer struct{ csv *csv.Writer }

// New begins a sheet, with the sign between cells and the names of its columns. It is UTF-8 with its mark, without which Excel takes
// it for an older code.
func New(out io.Writer, separator rune, head []string) (*Writer, error) {
	if _, err := io.WriteString(out, "\ufeff"); err != nil {
		return nil, err
	}
	w := &Writer{csv.NewWriter(out)}
	w.csv.Comma, w.csv.UseCRLF = separator, true
	return w, w.csv.Write(head)
}

// Row writes a line of cells.
func (w *Writer) Row(cells ...string) error {
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = asText(c)
	}
	return w.csv.Write(texts)
}

// End writes what is left.
func (w *Writer) End() error {
	w.csv.Flush()
	return w.csv.Error()
}

// negative is an amount below zero, whoever wrote it: spreadsheets are to add it up, and there is nothing to compute in it.
var negative = regexp.MustCompile(`^-[0-9]+[.,][0-9]{2}$`)

// asText keeps a spreadsheet from computing what somebody has sent as a text: the apostrophe makes it one. Signs that steer
// terminals and break readers are shown as a dot.
func asText(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return '·'
		}
		return r
	}, text)
	if negative.MatchString(text) {
		return text
	}
	if first := strings.TrimLeft(text, " \u00a0\n"); first != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(first)[0]) {
		return "'" + text
	}
	return text
}

// Time is a moment that spreadsheets of any language take for one, as it was in a zone.
func Time(t time.Time, zone *time.Location) string { return t.In(zone).Format(time.DateTime) }
