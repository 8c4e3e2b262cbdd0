package ledger

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/ledgertext"
	"github.com/maquininha/maquininha/internal/closing"
	"github.com/maquininha/maquininha/internal/payment"
)

// table is for a person at a terminal of 120 columns. The reference, of any length, comes last.
type table struct {
	out    io.Writer
	totals *closing.Report
	count  int
	parts  bool // some payment was given back in part
}

func newTable(out io.Writer, _ List) (sheet, error) {
	return &table{out: out, totals: closing.New(closing.Period{})}, nil
}

const tableWidth = 120

func (t *table) line(number, at, status, kind, brand, amount, nsu, reference string) error {
	text := fmt.Sprintf("%6s  %-14s  %-9s %s %s %12s  %s %s", number, at, status, cell(kind, 11), cell(brand, 10), amount, cell(nsu, 12), reference)
	_, err := fmt.Fprintln(t.out, strings.TrimRight(cut(text, tableWidth), " "))
	return err
}

func (t *table) row(tx payment.Transaction) error {
	if t.count == 0 {
		if err := t.line("Nº", "DATA", "SITUAÇÃO", "TIPO", "BANDEIRA", "VALOR R$", "NSU", "REFERÊNCIA"); err != nil {
			return err
		}
	}
	t.count++
	t.totals.Add(tx)
	t.totals.Pending = nil // counted, not listed again
	brand := ""
	if tx.Outcome.Brand != "" {
		brand = closing.BrandName(tx.Outcome.Brand)
	}
	status := ledgertext.Status(tx)
	if tx.Status() != payment.Reversed && len(tx.Returned()) > 0 {
		status, t.parts = status+"*", true
	}
	return t.line(fmt.Sprint(tx.ID), tx.CreatedAt.Format("02/01/06 15:04"), status, ledgertext.Briefly(tx), brand,
		closing.Brazilian(tx.Request.Amount), tx.Outcome.NSU, tx.Request.Reference)
}

func (t *table) end() error {
	if t.count == 0 {
		_, err := fmt.Fprintln(t.out, "Nenhuma transação encontrada.")
		return err
	}
	var parts []string
	for _, s := range closing.StatusOrder {
		if sum := t.totals.Statuses[s]; sum.Count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s %s", sum.Count, closing.StatusName(s, sum.Count > 1), closing.Brazilian(sum.Amount)))
		}
	}
	noun := "transações"
	if t.count == 1 {
		noun = "transação"
	}
	if t.parts {
		if _, err := fmt.Fprintln(t.out, "\n* estornada em parte"); err != nil {
			return err
		}
	}
	total := t.totals.Total
	_, err := fmt.Fprintf(t.out, "\n%d %s: %s\nBruto R$ %s · estornos R$ %s · líquido R$ %s\n", t.count, noun, strings.Join(parts, " · "),
		closing.Brazilian(total.Gross.Amount), closing.Brazilian(total.Reversed.Amount), closing.Brazilian(total.Net()))
	return err
}

// cell is a text in a column of its own.
func cell(text string, width int) string {
	text = cut(text, width)
	return text + strings.Repeat(" ", width-utf8.RuneCountInString(text))
}

// cut shortens a text that is too long, and lets nothing through that a terminal would obey.
func cut(text string, width int) string {
	signs := []rune(console.Dotted(text))
	if len(signs) > width {
		signs = append(signs[:width-1], '…')
	}
	return string(signs)
}
