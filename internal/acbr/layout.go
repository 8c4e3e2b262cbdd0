package acbr

import (
	"strings"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/receipt"
)

// layout is a text being laid out for paper of a number of columns.
type layout struct {
	columns  int // of the plain font
	found    *findings
	settings *settings
	inner    bool // only the words count: what is laid out becomes the content of a block
	pixels   int  // of the pictures drawn so far, each as often as it is

	font  receipt.Font
	fontB bool // looks condensed, and does not count as such
	align receipt.Align

	line  []receipt.Run
	begun bool   // the line has something on it, seen or not
	frame *frame // of the innermost block that pads

	page     []receipt.Element
	ink      bool // the page shows something
	tear     bool // room to tear the paper, once something follows
	cutNow   bool // nothing came since the knife
	elements int
	papers   []paper
	tooLong  bool
}

// paper is a finished page.
type paper struct {
	elements []receipt.Element
	fullCut  bool
}

func newLayout(columns int, found *findings) *layout {
	return &layout{columns: columns, found: found, settings: &settings{qrModule: 4, logoX: 1, logoY: 1}}
}

// tearLines are between slips that a person tears off: ACBr leaves them to the installation.
const tearLines = 5

// text prints a text, each line feed ending a line.
func (l *layout) text(text string) {
	if text != "" && l.cutNow {
		l.cutNow = false
		text = strings.TrimPrefix(text, "\n") // the end of the line with the cut on it: the paper has moved
	}
	for text != "" && !l.tooLong {
		line, rest, ended := strings.Cut(text, "\n")
		l.write(line)
		if ended {
			l.feed()
		}
		text = rest
	}
}

// write adds to the line.
func (l *layout) write(text string) {
	if text == "" {
		return
	}
	font := l.look()
	l.line = append(l.line, receipt.Run{Text: text, Font: font})
	l.begun, l.cutNow = true, false
	if font.Underline || font.Inverse || strings.Trim(text, " \t") != "" {
		l.seen()
	}
}

// seen notes that the page shows something.
func (l *layout) seen() {
	l.ink = true
	if l.tear {
		l.tear = false
		for range tearLines {
			l.add(receipt.Line{})
		}
	}
}

// look is the font of what is printed now.
func (l *layout) look() receipt.Font {
	font := l.font
	font.Condensed = font.Condensed || l.fontB
	return font
}

// columnsNow are those of the font that was switched on: condensed counts before wide, and font B for nothing.
func (l *layout) columnsNow() int {
	switch {
	case l.font.Condensed:
		return l.columns * 4 / 3
	case l.font.Wide:
		return l.columns / 2
	}
	return l.columns
}

// Rules, longer than any paper: parts of them are printed, none is copied.
var (
	simpleRule = strings.Repeat("-", 2*receipt.WideColumns)
	doubleRule = strings.Repeat("=", 2*receipt.WideColumns)
	blanks     = strings.Repeat(" ", 2*receipt.WideColumns)
)

func (l *layout) rule(of string) { l.write(of[:l.columnsNow()]) }

// feed ends the line, or makes an empty one.
func (l *layout) feed() {
	l.cutNow = false
	for f := l.frame; f != nil; f = f.around {
		l.line = f.close(l.line)
	}
	l.add(receipt.Line{Runs: l.line, Align: l.align})
	l.line, l.begun = nil, false
}

// add puts an element on the page.
func (l *layout) add(e receipt.Element) {
	if l.elements++; l.elements > maxElements {
		l.tooLong = true
		return
	}
	l.page = append(l.page, e)
}

// endLine ends a line that has something on it.
func (l *layout) endLine() {
	if l.begun {
		l.feed()
	}
}

// skip makes room to tear the paper, unless nothing follows: printers feed at the end themselves.
func (l *layout) skip() {
	l.endLine()
	l.tear = l.ink
}

// cut ends the paper. One on which nothing can be seen is none.
func (l *layout) cut(full bool) {
	l.endLine()
	if l.inner {
		return
	}
	if l.ink {
		l.papers = append(l.papers, paper{l.page, full})
		l.tooLong = l.tooLong || len(l.papers) > maxPapers
	}
	l.page, l.ink, l.tear, l.cutNow = nil, false, false, true
}

// end is the end of the text. Empty lines alone are a paper where there is no other.
func (l *layout) end() {
	l.endLine()
	if l.ink || len(l.papers) == 0 && len(l.found.drawers) == 0 && len(l.page) > 0 {
		l.papers = append(l.papers, paper{l.page, false})
	}
}

func (l *layout) plainFont() { l.font, l.fontB = receipt.Font{}, false }

func (l *layout) reset() {
	l.plainFont()
	l.align = receipt.Left
}

// alignTo aligns what follows, from the start of a line: in its middle printers pass over it.
func (l *layout) alignTo(align receipt.Align) {
	if !l.begun {
		l.align = align
	}
}

// frame is a block that pads what is in it to its columns.
type frame struct {
	align  receipt.Align
	room   int // in quarters of a column
	font   receipt.Font
	before []receipt.Run // on the same line
	fed    bool          // a line of it has ended
	around *frame
}

// aligned pads a block's content with blanks, and cuts it where it is longer.
func (l *layout) aligned(content string, align receipt.Align) {
	font := l.look()
	f := &frame{align: align, font: font, before: l.line, around: l.frame}
	f.room = min(l.columnsNow()*font.Quarters(), l.columns*receipt.Font{}.Quarters())
	l.line, l.frame, l.begun = nil, f, true
	l.read(content)
	if f.fed && len(l.line) == 0 {
		l.begun = false // nothing came after the last line feed in it
	} else {
		l.line = f.close(l.line)
	}
	l.frame = f.around
}

// close is the line with what stands in the frame.
func (f *frame) close(line []receipt.Run) []receipt.Run {
	line, width := shortened(line, f.room)
	free := (f.room - width) / f.font.Quarters()
	left := 0
	switch f.align {
	case receipt.Center:
		left = free / 2
	case receipt.Right:
		left = free
	}
	all := padded(f.before, left, f.font)
	all = append(all, line...)
	f.before, f.fed = nil, true
	return padded(all, free-left, f.font)
}

func padded(line []receipt.Run, n int, font receipt.Font) []receipt.Run {
	if n == 0 {
		return line
	}
	return append(line, receipt.Run{Text: blanks[:n], Font: font})
}

// shortened is a line cut to its room, and its width.
func shortened(line []receipt.Run, room int) (cut []receipt.Run, width int) {
	for i, run := range line {
		each, n := run.Font.Quarters(), utf8.RuneCountInString(run.Text)
		if width+n*each > room {
			run.Text = string([]rune(run.Text)[:(room-width)/each])
			return append(line[:i:i], run), width + utf8.RuneCountInString(run.Text)*each
		}
		width += n * each
	}
	return line, width
}
