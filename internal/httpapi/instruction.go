package httpapi

import (
	"fmt"
	"slices"

	"github.com/maquininha/maquininha/internal/receipt"
)

// instruction is an element of what /print/text prints and /display/text shows: a text, or a line.
type instruction struct {
	value string
	size  int
	bold  bool
	align string

	rule    bool // a line, drawn when divider
	divider bool
}

// readInstructions reads a list; path is the field it stands in, "" for the body itself.
func readInstructions(elements []any, path string) ([]instruction, error) {
	outer := &fields{fault: new(error)}
	out := make([]instruction, 0, len(elements))
	for i, v := range elements {
		out = append(out, readInstruction(outer.element(path, i, v)))
		if outer.err() != nil {
			return nil, outer.err()
		}
	}
	return out, nil
}

func readInstruction(f *fields) (in instruction) {
	if f.err() != nil {
		return in
	}
	if len(f.members) != 1 {
		*f.fault = invalid(f.path, "deve ter exatamente uma chave: text ou line")
		return in
	}
	switch {
	case f.has("text"):
		t := f.object("text")
		t.text("value", &in.value, longestText)
		t.whole("size", &in.size, receipt.DefaultSize)
		t.flag("bold", &in.bold, false)
		choice(t, "align", &in.align, "left", "left", "center", "right")
	case f.has("line"):
		in.rule = true
		f.object("line").flag("divider", &in.divider, false)
	default:
		*f.fault = invalid(f.path, "deve ter exatamente uma chave: text ou line")
	}
	return in
}

// instructionBody is an instruction as the caller would write it.
func instructionBody(in instruction) any {
	if in.rule {
		return map[string]any{"line": map[string]any{"divider": in.divider}}
	}
	return map[string]any{"text": map[string]any{"value": in.value, "size": in.size, "bold": in.bold, "align": in.align}}
}

var hexDigits = []byte("0123456789abcdefABCDEF")

// colour reads #RGB or #RRGGBB.
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
	if !ok {
		f.wrong(name, fmt.Sprintf("deve ser uma cor #RGB ou #RRGGBB, não %q", shorten(s)))
	}
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 20 {
		return string(r[:20]) + "…"
	}
	return s
}
