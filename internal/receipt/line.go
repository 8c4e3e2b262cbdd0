package receipt

import (
	"strings"
	"unicode/utf8"
)

// Line is one line of a font whose signs are all equally wide, as printers have
// built in: 48 on wide paper, 32 on narrow. What is longer breaks at the last
// column, inside words, as printers do it. A line of nothing is an empty one.
type Line struct {
	Runs  []Run
	Align Align
}

// Run is a part of a Line in one font.
type Run struct {
	Text string
	Font Font
}

// Font is how a Run looks. The zero value is plain.
type Font struct {
	Bold, Underline, Italic bool
	Inverse                 bool // white on black, blanks too
	Wide, High              bool // twice
	Condensed               bool // three quarters as wide: 64 and 42 columns
}

// The columns of a Line on wide and on narrow paper.
const (
	WideColumns   = 48
	NarrowColumns = 32
)

func (p Paper) columns() int {
	if p.wide() {
		return WideColumns
	}
	return NarrowColumns
}

// Widths are counted in quarters of a column: a condensed sign takes three.
const quarters = 4

// Quarters is how many quarters of a column a sign takes.
func (f Font) Quarters() int {
	width := quarters
	if f.Condensed {
		width--
	}
	if f.Wide {
		width *= 2
	}
	return width
}

// blankShows tells whether a blank can be seen.
func (f Font) blankShows() bool { return f.Underline || f.Inverse }

// Measures of the cells at usualDPI, in dots: above and below the base line, and
// between lines. Printers have cells of 24 dots in lines of 30, and condensed ones of 17.
const (
	cellAbove, cellBelow           = 19, 5
	condensedAbove, condensedBelow = 14, 3
	cellGap                        = 6
)

// scaled is a measure of cells on the paper.
func (p Paper) scaled(dots int) int { return (dots*p.dpi() + usualDPI/2) / usualDPI }

// reach is how far a cell goes above and below the base line.
func (f Font) reach(paper Paper) (above, below int) {
	above, below = cellAbove, cellBelow
	if f.Condensed {
		above, below = condensedAbove, condensedBelow
	}
	if f.High {
		above, below = 2*above, 2*below
	}
	return paper.scaled(above), paper.scaled(below)
}

// row is what of a line stands side by side.
type row struct {
	runs         []Run
	width        int // in quarters
	above, below int // of the base line, in dots
}

func (r row) height(paper Paper) int { return r.above + r.below + paper.scaled(cellGap) }

// rows breaks runs at the paper's last column, each row as soon as it is full. It
// ends early when false is returned.
func rows(runs []Run, paper Paper, yield func(row) bool) {
	room := quarters * paper.columns()
	plain := row{above: paper.scaled(cellAbove), below: paper.scaled(cellBelow)}
	now := plain
	for left := visible(runs, room); len(left) > 0; left = left[1:] {
		run := left[0]
		width := run.Font.Quarters()
		text := strings.ReplaceAll(printable(run.Text), "\n", " ")
		for text != "" {
			end, n := 0, 0
			for end < len(text) && now.width+(n+1)*width <= room {
				_, size := utf8.DecodeRuneInString(text[end:])
				end += size
				n++
			}
			if n == 0 && now.width == 0 { // a paper of no columns
				_, end = utf8.DecodeRuneInString(text)
				n = 1
			}
			if n > 0 {
				above, below := run.Font.reach(paper)
				now.runs = append(now.runs, Run{text[:end], run.Font})
				now.width += n * width
				now.above, now.below = max(now.above, above), max(now.below, below)
				text = text[end:]
			}
			if text != "" {
				if !yield(now) {
					return
				}
				now = plain
			}
		}
	}
	yield(now)
}

// visible are runs that go over the edge without the blanks at their end: nobody
// sees those, and they would make an empty row.
func visible(runs []Run, room int) []Run {
	width := 0
	for _, run := range runs {
		width += utf8.RuneCountInString(run.Text) * run.Font.Quarters()
	}
	if width <= room {
		return runs
	}
	for n := len(runs); n > 0; n-- {
		last := runs[n-1]
		if last.Font.blankShows() {
			return runs[:n]
		}
		if text := strings.TrimRight(last.Text, " "); text != "" {
			return append(runs[:n-1:n-1], Run{text, last.Font})
		}
	}
	return nil
}

// height is that of all rows.
func (l Line) height(paper Paper) (height int) {
	rows(l.Runs, paper, func(r row) bool {
		height += r.height(paper)
		return height <= MaxHeight
	})
	return height
}

func (s setter) line(l Line) bool {
	return s.rows(l.Runs, func(width int) int {
		switch l.Align {
		case Center:
			return (s.width - width) / 2
		case Right:
			return s.width - width
		}
		return 0
	})
}

// rows sets runs, each row where left says by its width in dots.
func (s setter) rows(runs []Run, left func(width int) int) (more bool) {
	rows(runs, s.paper, func(r row) bool {
		more = s.band(r.height(s.paper), func(b *Bitmap) { s.row(b, r, left(s.paper.along(r.width))) })
		return more
	})
	return more
}

// along is how many dots so many quarters are.
func (p Paper) along(width int) int { return width * p.Width / (quarters * p.columns()) }

func (s setter) row(b *Bitmap, r row, left int) {
	at := 0
	for _, run := range r.runs {
		above, below := run.Font.reach(s.paper)
		width := run.Font.Quarters()
		from := left + s.paper.along(at)
		to := left + s.paper.along(at+utf8.RuneCountInString(run.Text)*width)
		stamp := b.stamp
		if run.Font.Inverse {
			b.fill(from, r.above-above, to-from, above+below)
			stamp = b.erase
		}
		for _, sign := range run.Text {
			if sign != ' ' && sign != '\u00a0' {
				g := s.cases.cell(s.paper, sign, run.Font)
				stamp(g.dots, left+s.paper.along(at)+g.left, r.above+g.top)
			}
			at += width
		}
		if run.Font.Underline && !run.Font.Inverse {
			b.fill(from, r.above+s.paper.scaled(underlineBelow), to-from, s.paper.scaled(underlineThick))
		}
	}
}

// The line below underlined signs, in dots.
const (
	underlineBelow = 3
	underlineThick = 2
)

// plain is the line as text, one row a line.
func (l Line) plain(line func(string)) {
	rows(l.Runs, Paper80, func(r row) bool {
		free := WideColumns - (r.width+quarters-1)/quarters
		var text strings.Builder
		switch l.Align {
		case Center:
			text.WriteString(strings.Repeat(" ", max(free/2, 0)))
		case Right:
			text.WriteString(strings.Repeat(" ", max(free, 0)))
		}
		for _, run := range r.runs {
			text.WriteString(run.Text)
		}
		line(text.String())
		return true
	})
}
