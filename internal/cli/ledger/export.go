package ledger

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/maquininha/maquininha/internal/brazil"
	"github.com/maquininha/maquininha/internal/cli/ledgertext"
	"github.com/maquininha/maquininha/internal/closing"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// separators are those of a CSV. Where the comma parts the fields, it can't part the cents.
var separators = map[string]rune{";": ';', ",": ',', "tab": '\t'}

// csvSheet is for spreadsheets: UTF-8 with its mark, without which Excel takes it for an older code.
type csvSheet struct {
	*csv.Writer
	point bool // before the cents
}

func newCSV(out io.Writer, l List) (sheet, error) {
	if _, err := io.WriteString(out, "\ufeff"); err != nil {
		return nil, err
	}
	s := &csvSheet{csv.NewWriter(out), l.CSVSeparator == ","}
	s.Comma, s.UseCRLF = separators[l.CSVSeparator], true
	return s, s.Write(csvHeader)
}

var csvHeader = []string{
	"Número", "Data", "Situação", "Tipo", "Parcelas", "Bandeira", "Valor", "Referência", "NSU", "Autorização", "CNPJ do adquirente",
	"txid", "endToEndId", "Estornada em", "NSU do estorno", "Mensagem", "Atualizada em", "Valor estornado",
}

func (s *csvSheet) row(t payment.Transaction) error {
	brand, reversedAt, reversed := "", "", ""
	var reversalNSUs []string // of a payment given back in parts there are several
	if t.Outcome.Brand != "" {
		brand = closing.BrandName(t.Outcome.Brand)
	}
	for _, r := range t.Returned() {
		reversed = s.amount(t.GivenBack())
		if t.Status() == payment.Reversed {
			reversedAt = cellTime(r.At)
		}
		reversalNSUs = append(reversalNSUs, r.NSU)
	}
	record := httpapi.RecordOf(t)
	cells := []string{
		strconv.FormatInt(t.ID, 10), cellTime(t.CreatedAt), ledgertext.Status(t), kindCell(t), strconv.Itoa(t.Installments()), brand,
		s.amount(t.Request.Amount), t.Request.Reference, t.Outcome.NSU, t.Outcome.Authorization, brazil.FormatCNPJ(t.Outcome.AcquirerCNPJ),
		t.Outcome.TxID, t.Outcome.EndToEndID, reversedAt, strings.Join(reversalNSUs, " "), record.Message, cellTime(t.UpdatedAt), reversed,
	}
	for i := range cells {
		cells[i] = asText(cells[i])
	}
	return s.Write(cells)
}

func (s *csvSheet) end() error {
	s.Flush()
	return s.Error()
}

// kindCell names the type; of a choice nobody made yet there is none.
func kindCell(t payment.Transaction) string {
	if t.Method() == payment.AnyMethod {
		return "A escolher"
	}
	return closing.KindOf(t).Name()
}

// cellTime is a moment that spreadsheets of any language take for one.
func cellTime(t time.Time) string { return t.Local().Format(time.DateTime) }

func (s *csvSheet) amount(d money.Decimal) string {
	if s.point {
		return d.Cents()
	}
	return d.Reais()
}

// asText keeps a spreadsheet from computing what a caller has sent as a text: the apostrophe makes it one. Signs that
// steer terminals and break readers are shown as a dot.
func asText(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return '·'
		}
		return r
	}, text)
	if first := strings.TrimLeft(text, " \u00a0\n"); first != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(first)[0]) {
		return "'" + text
	}
	return text
}

// jsonSheet is one array, an object a line.
type jsonSheet struct {
	out   io.Writer
	enc   *json.Encoder
	count int
}

func newJSON(out io.Writer, _ List) (sheet, error) {
	s := &jsonSheet{out: out, enc: json.NewEncoder(out)}
	s.enc.SetEscapeHTML(false)
	return s, nil
}

func (s *jsonSheet) row(t payment.Transaction) error {
	before := ","
	if s.count == 0 {
		before = "["
	}
	s.count++
	if _, err := io.WriteString(s.out, before); err != nil {
		return err
	}
	return s.enc.Encode(httpapi.RecordOf(t))
}

func (s *jsonSheet) end() error {
	after := "]\n"
	if s.count == 0 {
		after = "[]\n"
	}
	_, err := io.WriteString(s.out, after)
	return err
}
