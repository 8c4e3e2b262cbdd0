package receipt

import (
	"strings"

	"golang.org/x/image/math/fixed"
)

// A column is a cell laid out: its lines and where they may stand.
type column struct {
	left, width fixed.Int26_6
	align       Align
	lines       []string
	measure     ruler

	weight  int
	text    string        // of the cell, made printable
	natural fixed.Int26_6 // the width of the text on as few lines as it has
	word    fixed.Int26_6 // the width of its longest word, once asked for
	fit     fixed.Int26_6 // the width of the longest word of its column, where that is known
	pinned  bool          // its width is decided
}

// lay gives every cell its width and wraps it there. It measures by rulers
// alone, the nth for the nth cell, so paper and plain text share it.
func lay(cells []Cell, measure func(n int) ruler, room, gap fixed.Int26_6) []column {
	row := make([]column, len(cells))
	for i, cell := range cells {
		row[i] = column{align: cell.Align, weight: max(cell.Weight, 0), text: printable(cell.Value), measure: measure(i)}
		for line := range strings.SplitSeq(row[i].text, "\n") {
			row[i].natural = max(row[i].natural, row[i].measure.width(line))
		}
		if cell.Fit != "" {
			row[i].fit = row[i].measure.width(printable(cell.Fit))
			row[i].natural = max(row[i].natural, row[i].fit)
		}
	}
	widths(row, max(room-gap*fixed.Int26_6(len(cells)-1), 1))
	var left fixed.Int26_6
	for i := range row {
		c := &row[i]
		c.left = left
		c.lines = c.measure.wrapped(c.text, c.natural, c.width)
		left += c.width + gap
	}
	return row
}

// same is one ruler for all cells.
func same(measure ruler) func(int) ruler { return func(int) ruler { return measure } }

// widths parts the free width among the cells.
func widths(row []column, free fixed.Int26_6) {
	var taken fixed.Int26_6
	weights := 0
	for i := range row {
		if row[i].weight == 0 {
			row[i].width = min(row[i].natural, free)
			taken += row[i].width
		}
		weights += row[i].weight
	}
	// Cells as wide as what they hold must leave the others room to be read in.
	most := free
	if weights > 0 {
		most = free * 2 / 3
	}
	if taken > most {
		for i := range row {
			row[i].width = fixed.Int26_6(int64(row[i].width) * int64(most) / int64(taken))
		}
		taken = most
	}
	if weights > 0 {
		share(row, free-taken)
	}
}

// share parts a width among the cells that have weights. A sum or a unit broken
// in two is not read: a cell too narrow for its longest word is widened at the
// others' cost, the least needy first, as long as those keep room for theirs.
func share(row []column, width fixed.Int26_6) {
	for rest := width; ; {
		open := 0
		for i := range row {
			if !row[i].pinned {
				open += row[i].weight
			}
		}
		var least *column // in need
		seen := 0
		for i := range row {
			c := &row[i]
			if c.weight == 0 || c.pinned {
				continue
			}
			// Shares are cut from one length, so their rounding does not add up.
			from := int64(rest) * int64(seen) / int64(open)
			seen += c.weight
			c.width = fixed.Int26_6(int64(rest)*int64(seen)/int64(open) - from)
			if c.natural <= c.width {
				continue
			}
			if c.word == 0 {
				c.word = max(c.measure.longestWord(c.text), c.fit)
			}
			if c.word > c.width && (least == nil || c.word < least.word) {
				least = c
			}
		}
		if least == nil || rest-least.word < width/4 {
			return
		}
		least.pinned, least.width = true, least.word
		rest -= least.word
	}
}

// longestWord is the width of the longest word of a printable text.
func (measure ruler) longestWord(text string) (longest fixed.Int26_6) {
	// Not at every kind of space: some hold words together.
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == '\n' }) {
		longest = max(longest, measure.width(word))
	}
	return longest
}

// wrapped wraps a printable text whose width on one line is known: most cells
// need no second look.
func (measure ruler) wrapped(text string, natural, limit fixed.Int26_6) (lines []string) {
	if natural <= limit && !strings.Contains(text, "\n") {
		return []string{strings.TrimRight(text, " ")}
	}
	for paragraph := range strings.SplitSeq(text, "\n") {
		lines = measure.wrapParagraph(lines, paragraph, limit)
	}
	return lines
}

// height is the number of lines of a row.
func height(row []column) int {
	most := 0
	for _, c := range row {
		most = max(most, len(c.lines))
	}
	return most
}

func (s setter) columns(e Columns) bool {
	faces, above, below := make([]*face, len(e.Cells)), 0, 0
	room, need := s.needed(e)
	for i, cell := range e.Cells {
		size := pointSize(cell.size(e))
		if need > room {
			size = max(size*room/need, MinSize)
		}
		f := s.cases.styled(style{size, e.Bold || cell.Bold, cell.Italic})
		faces[i], above, below = f, max(above, f.ascent), max(below, f.height-f.ascent)
	}
	row := lay(e.Cells, func(n int) ruler { return faces[n].step }, s.room(), fixed.I(gap))
	for i := range height(row) {
		if !s.band(above+below, func(b *Bitmap) {
			for n, c := range row {
				if i < len(c.lines) { // all stand on one base line
					faces[n].draw(b, margin+c.left.Round()+start(c.align, c.width, c.measure, c.lines[i]), above-faces[n].ascent, c.lines[i])
				}
			}
		}) {
			return false
		}
	}
	return true
}

// needed is what the longest words of a row that may shrink take side by side, in bold: rows of one table then shrink alike.
func (s setter) needed(e Columns) (room, need int) {
	room = max(int(s.room()-fixed.I(gap*(len(e.Cells)-1))), 1)
	if !e.Shrink {
		return room, 0
	}
	for _, cell := range e.Cells {
		bold := ruler(s.cases.face(cell.size(e), true).step)
		need += int(max(bold.longestWord(printable(cell.Value)), bold.width(printable(cell.Fit))))
	}
	return room, need
}

// size is that of a cell of a row.
func (c Cell) size(row Columns) int {
	if c.Size == 0 {
		return row.Size
	}
	return c.Size
}
