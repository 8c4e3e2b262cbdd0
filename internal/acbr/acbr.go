// Package acbr reads receipts in the markup of ACBr, in which Brazilian
// point-of-sale programs write for receipt printers: text with tags like <n> for
// bold, lines filled to the last column with blanks, codes and cuts.
//
// It does what printers do with such a text, and keeps to columns exactly. Wrong
// input never fails: an unknown tag is printed, a code that can't be made prints
// nothing or its content, and only a text that would empty the roll is refused.
// Work and memory stay in proportion to the text. Nothing in it reads files.
package acbr

import (
	"image"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/receipt"
)

// Document is what a text asks for.
type Document struct {
	Pages    []receipt.Page // a paper each
	Drawers  []int          // to open, each once
	Warnings []string       // in Portuguese: what was left out, whatever the paper
}

// WarningsOn are the Warnings, and what does not fit the paper.
func (d Document) WarningsOn(paper receipt.Paper) []string {
	if slices.ContainsFunc(d.Pages, func(p receipt.Page) bool { return p.CodeTooWide(paper) }) {
		return append(slices.Clip(d.Warnings), "código de barras mais largo do que o papel: impresso como texto")
	}
	return d.Warnings
}

// Limits of a text. Beyond them it is a mistake that would empty the roll.
const (
	maxElements = 10_000 // lines and codes
	maxPapers   = 100
	maxWarnings = 10
)

// Shop is what a text may use of the shop. The zero value has nothing.
type Shop struct {
	Logo image.Image // where a text wants one; nil for none
}

// Read lays a text out, with nothing of a shop.
func Read(text string) (Document, error) { return Shop{}.Read(text) }

// Read lays a text out. The one error is receipt.ErrTooLong.
func (s Shop) Read(text string) (Document, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	// Rules and blocks count columns, and nobody knows the paper yet: the text is laid out for both.
	found := &findings{shop: s, pictures: map[string]drawn{}}
	wide, narrow := newLayout(receipt.WideColumns, found), newLayout(receipt.NarrowColumns, found)
	for _, l := range []*layout{wide, narrow} {
		l.read(text)
		l.end()
		if l.tooLong {
			return Document{}, receipt.ErrTooLong
		}
	}
	d := Document{Drawers: found.drawers, Warnings: found.warnings}
	for i, paper := range wide.papers {
		d.Pages = append(d.Pages, receipt.Page{
			Elements: []receipt.Element{receipt.Either{Wide: paper.elements, Narrow: narrow.papers[i].elements}},
			FullCut:  paper.fullCut,
		})
	}
	if len(d.Pages) == 0 && len(d.Drawers) == 0 {
		d.Pages = []receipt.Page{{}} // nothing to see, but something was to be printed
	}
	return d, nil
}

// findings are what does not depend on the paper.
type findings struct {
	shop     Shop
	drawers  []int
	warnings []string
	pictures map[string]drawn // by what stands in the text
	pixels   int              // of all pictures
}

func (f *findings) warn(what string) {
	if len(f.warnings) < maxWarnings && !slices.Contains(f.warnings, what) {
		f.warnings = append(f.warnings, what)
	}
}

// openDrawer opens a drawer, once a text: both layouts find it.
func (f *findings) openDrawer(n int) {
	if !slices.Contains(f.drawers, n) {
		f.drawers = append(f.drawers, n)
	}
}
