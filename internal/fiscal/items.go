package fiscal

import (
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/receipt"
)

// items is division II. A wide roll has a column for each of the six; on a narrow
// one an item has its name on one line and its numbers on the next.
func (s *slip) items(items []Item) {
	notes := make([]string, len(items))
	for i, item := range items {
		if s.style.ItemNotes {
			notes[i] = paragraphs(item.Notes)
		}
		if item.Apart {
			notes[i] = joined("\n", "(não compõe o total)", notes[i])
		}
	}
	s.Add(receipt.Either{Wide: wideItems(items, notes), Narrow: narrowItems(items, notes)})
}

// priceDecimals are as many as a unit price shows: it may have ten, of a division that
// nobody cares for.
const priceDecimals = 4

func (i Item) price() string { return i.UnitPrice.atMost(priceDecimals).Brazilian(2) }

// indent lets the eye tell an item's numbers from the next one's name.
const indent = nbsp + nbsp + nbsp

func narrowItems(items []Item, notes []string) []receipt.Element {
	rows := make([]receipt.Element, 0, 2*len(items)+1)
	rows = append(rows, receipt.Pair{Left: "Código  Descrição\n" + indent + "Qtde UN × Vl Unit", Right: "Vl Total", Size: caption, Bold: true})
	for n, i := range items {
		quantity := i.Quantity.Brazilian(0) + " " + i.Unit + " × " + i.price()
		rows = append(rows,
			receipt.Text{Value: joined("  ", i.Code, i.Description), Size: small},
			receipt.Pair{Left: indent + quantity, Right: i.Amount.Brazilian(2), Size: small})
		if notes[n] != "" {
			rows = append(rows, noteUnder(notes[n], noteIndent))
		}
	}
	return rows
}

// noteIndent is how far a note stands in, of tableWidth, where no column of codes says it.
const noteIndent = 24

// noteUnder is what the issuer says of an item, under it.
func noteUnder(note string, from int) receipt.Element {
	return receipt.Columns{Cells: []receipt.Cell{{Weight: from}, {Value: note, Weight: tableWidth - tableGap - from}}, Size: caption}
}

// The table of the wide roll, in dots of 203 to the inch: six columns and the gaps
// between them. Paper of another width gives every column the same share.
const (
	tableWidth = 568
	tableGap   = 12
	columns    = 6
	// widestCode is a code of seven digits. Bar codes have more and would leave the
	// names no room: such a table has codes and names in one column.
	widestCode = 100
)

const (
	codeColumn = iota
	nameColumn
	quantityColumn
	unitColumn
	priceColumn
	amountColumn
)

// row is what an item shows in the columns of the table.
type row [columns]string

var (
	heads      = row{"Código", "Descrição", "Qtde", "UN", "Vl" + nbsp + "Unit", "Vl" + nbsp + "Total"}
	headWidths = [columns]int{72, 100, 52, 32, 72, 78}
)

func wideItems(items []Item, notes []string) []receipt.Element {
	rows := make([]row, 0, len(items)+1)
	rows = append(rows, heads)
	for _, item := range items {
		rows = append(rows, row{
			item.Code, item.Description,
			item.Quantity.Brazilian(0), item.Unit, item.price(), item.Amount.Brazilian(2),
		})
	}
	widths := tableWidths(rows[1:])
	if widths[codeColumn] == 0 {
		for i, r := range rows {
			rows[i][codeColumn], rows[i][nameColumn] = "", joined("  ", r[codeColumn], r[nameColumn])
		}
	}
	out := make([]receipt.Element, 0, 2*len(rows))
	out = append(out, receipt.Columns{Cells: rows[0].cells(widths), Size: caption, Bold: true})
	for i, r := range rows[1:] {
		if width(r[nameColumn]) > widths[nameColumn] {
			// A name in one piece reads better than one stacked up in its column.
			out = append(out, receipt.Columns{Cells: r.title(widths), Size: small})
			r[codeColumn], r[nameColumn] = "", ""
		}
		out = append(out, receipt.Columns{Cells: r.cells(widths), Size: small})
		if notes[i] != "" {
			out = append(out, noteUnder(notes[i], max(widths[codeColumn], noteIndent)))
		}
	}
	return out
}

// tableWidths gives every column what its widest value takes, and the names the
// rest. The column of codes is zero where there is to be none.
func tableWidths(rows []row) (widths [columns]int) {
	widths = headWidths
	for _, r := range rows {
		for column, value := range r {
			if column != nameColumn {
				widths[column] = max(widths[column], width(value))
			}
		}
	}
	widths[nameColumn] = tableWidth - (columns-1)*tableGap
	if widths[codeColumn] > widestCode {
		widths[codeColumn] = 0
		widths[nameColumn] += tableGap
	}
	for column, w := range widths {
		if column != nameColumn {
			widths[nameColumn] -= w
		}
	}
	// Numbers of absurd length leave no room: then they wrap, too.
	widths[nameColumn] = max(widths[nameColumn], headWidths[nameColumn])
	return widths
}

// title are the code and the name of an item alone on a line.
func (r row) title(widths [columns]int) []receipt.Cell {
	code := widths[codeColumn]
	if code == 0 {
		return []receipt.Cell{{Value: r[nameColumn], Weight: 1}}
	}
	return []receipt.Cell{
		{Value: r[codeColumn], Weight: code},
		{Value: r[nameColumn], Weight: tableWidth - tableGap - code},
	}
}

func (r row) cells(widths [columns]int) []receipt.Cell {
	cells := make([]receipt.Cell, 0, columns)
	for column, value := range r {
		align := receipt.Right
		switch column {
		case codeColumn, nameColumn, unitColumn:
			align = receipt.Left
		}
		if widths[column] > 0 {
			cells = append(cells, receipt.Cell{Value: value, Weight: widths[column], Align: align})
		}
	}
	return cells
}

// width is about how many dots a text takes in small print. The page is laid out
// before its paper is known, so this is a guess: a bad one costs a line.
func width(text string) (dots int) {
	for _, r := range text {
		if r < utf8.RuneSelf {
			dots += int(dotsOf[r])
		} else {
			dots += usualDots
		}
	}
	return dots
}

// usualDots is the width of a digit, and of most letters or a little more.
const usualDots = 13

// dotsOf has the widths of the signs of ASCII.
var dotsOf = func() (dots [utf8.RuneSelf]uint8) {
	for r := range dots {
		dots[r] = usualDots
	}
	for signs, width := range map[string]uint8{".,:;'|!ijlI ": 7, "/()-frt": 9, "ABCDEFGHJKLNOPQRSTUVXYZ": 14, "mwMW%@": 19} {
		for _, r := range signs {
			dots[r] = width
		}
	}
	return dots
}()
