package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/sale"
)

// lineTable keeps the lines of sales, each as one JSON text at its place.
type lineTable struct {
	name                          string
	insert                        [mostLines + 1]string // of as many lines as its index says
	replace, delete, clear, query string
}

// mostLines bounds how many lines one statement inserts: more would save little, and each number of them is a statement
// that stays prepared.
const mostLines = 32

var (
	itemLines, paymentLines      = newLineTable("item"), newLineTable("payment")
	discountLines, additionLines = newLineTable("discount"), newLineTable("addition")

	tables = map[sale.List]*lineTable{
		sale.Items: itemLines, sale.Payments: paymentLines, sale.Discounts: discountLines, sale.Additions: additionLines,
	}
)

func newLineTable(name string) *lineTable {
	t := &lineTable{
		name:    name,
		replace: "REPLACE INTO " + name + " (place, line) VALUES (?, ?)",
		delete:  "DELETE FROM " + name + " WHERE place = ?",
		clear:   "DELETE FROM " + name + " WHERE place BETWEEN ? AND ?",
		query:   "SELECT place, line FROM " + name + " WHERE place BETWEEN ? AND ? ORDER BY place",
	}
	for n := 1; n <= mostLines; n++ {
		t.insert[n] = "INSERT INTO " + name + " (place, line) VALUES (?, ?)" + strings.Repeat(", (?, ?)", n-1)
	}
	return t
}

const (
	seqBits = 32
	seqMask = 1<<seqBits - 1
)

func place(sale, seq int64) int64 { return sale<<seqBits | seq }

// add puts the line off until the batch has more of them: one statement for many costs less than many.
func (t *lineTable) add(sale, seq int64, line string) func(*batch) error {
	return func(b *batch) error { return b.addLine(t, place(sale, seq), line) }
}

func (t *lineTable) change(sale, seq int64, line string) func(*batch) error {
	return func(b *batch) error { return b.exec(t.replace, place(sale, seq), line) }
}

func (t *lineTable) remove(sale, seq int64) func(*batch) error {
	return func(b *batch) error { return b.exec(t.delete, place(sale, seq)) }
}

// empty removes all lines of a sale.
func (t *lineTable) empty(b *batch, sale int64) error {
	return b.exec(t.clear, place(sale, 0), place(sale, seqMask))
}

// addLine keeps a new line for later; any other statement of the batch writes what was kept first.
func (b *batch) addLine(t *lineTable, place int64, line string) error {
	if len(b.lines) > 0 && (b.added != t || len(b.lines) == 2*mostLines) {
		if err := b.ready(); err != nil {
			return err
		}
	}
	b.added = t
	b.lines = append(b.lines, place, line)
	return nil
}

// flush writes the new lines that were kept, which one statement takes.
func (b *batch) flush() error {
	if len(b.lines) == 0 {
		return nil
	}
	lines := b.lines
	b.lines = nil
	_, err := b.run(b.added.insert[len(lines)/2], lines...)
	return err
}

// loadLines reads the lines of a sale in their order.
func loadLines[R, T any](query func(string, ...any) (*sql.Rows, error), t *lineTable, number int64, value func(R) T) ([]sale.Line[T], error) {
	rows, err := query(t.query, place(number, 0), place(number, seqMask))
	return collect(rows, err, func(rows *sql.Rows) (l sale.Line[T], err error) {
		var at int64
		var text []byte
		if err := rows.Scan(&at, &text); err != nil {
			return l, err
		}
		var row R
		if err := json.Unmarshal(text, &row); err != nil {
			return l, fmt.Errorf("%w: %s %d: %w", ErrUnreadable, t.name, at, err)
		}
		return sale.Line[T]{Seq: at & seqMask, Value: value(row)}, nil
	})
}

// itemLine is an item as it is kept; itemText writes it.
type itemLine struct {
	ID             string  `json:"id"`
	Code           string  `json:"code"`
	Description    string  `json:"description"`
	Canceled       bool    `json:"canceled"`
	Quantity       exact   `json:"quantity"`
	UnitPrice      exact   `json:"unitPrice"`
	Discount       *exact  `json:"discount"`
	Addition       *exact  `json:"addition"`
	Total          exact   `json:"total"`
	AdditionalInfo *string `json:"additionalInfo"`
}

// itemText writes the item by hand: it is written for every item scanned, and the library takes four times as long.
func itemText(i sale.Item) string {
	w := newLine()
	w.text("id", &i.ID)
	w.text("code", &i.Code)
	w.text("description", &i.Description)
	if i.Canceled {
		w.key("canceled")
		*w = append(*w, "true"...)
	}
	w.number("quantity", &i.Quantity)
	w.number("unitPrice", &i.UnitPrice)
	w.number("discount", i.Discount)
	w.number("addition", i.Addition)
	w.number("total", &i.Total)
	w.text("additionalInfo", i.AdditionalInfo)
	return w.end()
}

func (l itemLine) item() sale.Item {
	return sale.Item{
		ID: l.ID, Code: l.Code, Description: l.Description, Canceled: l.Canceled, Quantity: l.Quantity.Decimal, UnitPrice: l.UnitPrice.Decimal,
		Discount: decimalOrNil(l.Discount), Addition: decimalOrNil(l.Addition), Total: l.Total.Decimal, AdditionalInfo: l.AdditionalInfo,
	}
}

// paymentLine is a payment as it is kept.
type paymentLine struct {
	ID             string            `json:"id"`
	Type           *sale.PaymentType `json:"type"`
	Description    *string           `json:"description"`
	Value          exact             `json:"value"`
	AdditionalInfo *string           `json:"additionalInfo"`
}

func paymentText(p sale.Payment) string {
	w := newLine()
	w.text("id", &p.ID)
	w.text("type", (*string)(p.Type))
	w.text("description", p.Description)
	w.number("value", &p.Value)
	w.text("additionalInfo", p.AdditionalInfo)
	return w.end()
}

// adjustmentLine is a discount or an addition as it is kept.
type adjustmentLine struct {
	ID             string  `json:"id"`
	Description    *string `json:"description"`
	Value          exact   `json:"value"`
	AdditionalInfo *string `json:"additionalInfo"`
}

func adjustmentText(a sale.Adjustment) string {
	w := newLine()
	w.text("id", &a.ID)
	w.text("description", a.Description)
	w.number("value", &a.Value)
	w.text("additionalInfo", a.AdditionalInfo)
	return w.end()
}

func (l adjustmentLine) adjustment() sale.Adjustment {
	return sale.Adjustment{ID: l.ID, Description: l.Description, Value: l.Value.Decimal, AdditionalInfo: l.AdditionalInfo}
}

// lineWriter writes a JSON object; what is nil is left out.
type lineWriter []byte

var lineWriters = sync.Pool{New: func() any { return new(lineWriter) }}

func newLine() *lineWriter { return lineWriters.Get().(*lineWriter) }

func (w *lineWriter) key(name string) {
	separator := byte(',')
	if len(*w) == 0 {
		separator = '{'
	}
	*w = append(*w, separator, '"')
	*w = append(*w, name...)
	*w = append(*w, '"', ':')
}

func (w *lineWriter) number(name string, d *money.Decimal) {
	if d != nil {
		w.key(name)
		*w = d.Append(*w)
	}
}

func (w *lineWriter) text(name string, s *string) {
	if s == nil {
		return
	}
	w.key(name)
	*w = append(*w, '"')
	for i := range len(*s) {
		switch c := (*s)[i]; {
		case c == '"' || c == '\\':
			*w = append(*w, '\\', c)
		case c < ' ':
			*w = append(*w, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			*w = append(*w, c)
		}
	}
	*w = append(*w, '"')
}

const hexDigits = "0123456789abcdef"

// end is the line; the writer is another's then.
func (w *lineWriter) end() string {
	*w = append(*w, '}')
	line := string(*w)
	if *w = (*w)[:0]; cap(*w) < 64<<10 {
		lineWriters.Put(w)
	}
	return line
}

func (l paymentLine) payment() sale.Payment {
	return sale.Payment{ID: l.ID, Type: l.Type, Description: l.Description, Value: l.Value.Decimal, AdditionalInfo: l.AdditionalInfo}
}

// exact is a decimal as it is kept: a number in JSON, a text in a column.
type exact struct{ money.Decimal }

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *exact) UnmarshalJSON(text []byte) (err error) {
	e.Decimal, err = money.Parse(string(text))
	return err
}

// decimalText is a decimal for a column; nil for none.
func decimalText(d *money.Decimal) *string {
	if d == nil {
		return nil
	}
	text := d.String()
	return &text
}

func decimalOrNil(e *exact) *money.Decimal {
	if e == nil {
		return nil
	}
	return &e.Decimal
}
