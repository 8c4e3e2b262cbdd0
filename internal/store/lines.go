package store

import (
	"database/sql"
	"encoding/json"
	"strings"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/sale"
)

// lineTable keeps the lines of sales, each as one JSON text at its place.
type lineTable struct{ name, insert, insertMany, replace, delete, query string }

var itemLines, paymentLines = newLineTable("item"), newLineTable("payment")

func newLineTable(name string) lineTable {
	return lineTable{
		name:       name,
		insert:     "INSERT INTO " + name + " (place, line) VALUES (?, ?)",
		insertMany: "INSERT INTO " + name + " (place, line) VALUES (?, ?)" + strings.Repeat(", (?, ?)", insertRows-1),
		replace:    "REPLACE INTO " + name + " (place, line) VALUES (?, ?)",
		delete:     "DELETE FROM " + name + " WHERE place = ?",
		query:      "SELECT place, line FROM " + name + " WHERE place BETWEEN ? AND ? ORDER BY place",
	}
}

const (
	seqBits = 32
	seqMask = 1<<seqBits - 1
)

func place(sale, seq int64) int64 { return sale<<seqBits | seq }

// add puts the line off until the batch has more of them: one statement for many costs less than many.
func (t lineTable) add(sale, seq int64, line any) func(*batch) error {
	text, err := json.Marshal(line)
	return func(b *batch) error {
		if err != nil {
			return err
		}
		return b.addLine(t, place(sale, seq), string(text))
	}
}

func (t lineTable) change(sale, seq int64, line any) func(*batch) error {
	text, err := json.Marshal(line)
	return func(b *batch) error {
		if err != nil {
			return err
		}
		return b.exec(t.replace, place(sale, seq), string(text))
	}
}

func (t lineTable) remove(sale, seq int64) func(*batch) error {
	return func(b *batch) error { return b.exec(t.delete, place(sale, seq)) }
}

// addLine keeps a new line for later; any other statement of the batch writes what was kept first.
func (b *batch) addLine(t lineTable, place int64, line string) error {
	if b.added.name != t.name {
		if err := b.flush(); err != nil {
			return err
		}
		b.added = t
	}
	b.lines = append(b.lines, place, line)
	if len(b.lines) == 2*insertRows {
		return b.flush()
	}
	return nil
}

// flush writes the new lines that were kept.
func (b *batch) flush() error {
	lines := b.lines
	b.lines = b.lines[:0]
	if len(lines) == 2*insertRows {
		return b.exec(b.added.insertMany, lines...)
	}
	for i := 0; i < len(lines); i += 2 {
		if err := b.exec(b.added.insert, lines[i:i+2]...); err != nil {
			return err
		}
	}
	return nil
}

// loadLines reads the lines of a sale in their order.
func loadLines[R, T any](b *batch, t lineTable, number int64, value func(R) T) ([]sale.Line[T], error) {
	rows, err := b.query(t.query, place(number, 0), place(number, seqMask))
	return collect(rows, err, func(rows *sql.Rows) (l sale.Line[T], err error) {
		var at int64
		var text []byte
		if err := rows.Scan(&at, &text); err != nil {
			return l, err
		}
		var row R
		if err := json.Unmarshal(text, &row); err != nil {
			return l, err
		}
		return sale.Line[T]{Seq: at & seqMask, Value: value(row)}, nil
	})
}

// itemLine is an item as it is kept.
type itemLine struct {
	ID             string  `json:"id"`
	Code           string  `json:"code"`
	Description    string  `json:"description"`
	Canceled       bool    `json:"canceled,omitempty"`
	Quantity       exact   `json:"quantity"`
	UnitPrice      exact   `json:"unitPrice"`
	Discount       *exact  `json:"discount,omitempty"`
	Addition       *exact  `json:"addition,omitempty"`
	Total          exact   `json:"total"`
	AdditionalInfo *string `json:"additionalInfo,omitempty"`
}

func itemLineOf(i sale.Item) itemLine {
	return itemLine{
		i.ID, i.Code, i.Description, i.Canceled, exact{i.Quantity}, exact{i.UnitPrice},
		exactOrNil(i.Discount), exactOrNil(i.Addition), exact{i.Total}, i.AdditionalInfo,
	}
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
	Type           *sale.PaymentType `json:"type,omitempty"`
	Description    *string           `json:"description,omitempty"`
	Value          exact             `json:"value"`
	AdditionalInfo *string           `json:"additionalInfo,omitempty"`
}

func paymentLineOf(p sale.Payment) paymentLine {
	return paymentLine{p.ID, p.Type, p.Description, exact{p.Value}, p.AdditionalInfo}
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

func exactOrNil(d *money.Decimal) *exact {
	if d == nil {
		return nil
	}
	return &exact{*d}
}

func decimalOrNil(e *exact) *money.Decimal {
	if e == nil {
		return nil
	}
	return &e.Decimal
}
