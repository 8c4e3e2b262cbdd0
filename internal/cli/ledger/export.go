package ledger

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/brazil"
	"github.com/maquininha/maquininha/internal/cli/ledgertext"
	"github.com/maquininha/maquininha/internal/closing"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/spreadsheet"
)

// separators are those of a CSV. Where the comma parts the fields, it can't part the cents.
var separators = map[string]rune{";": ';', ",": ',', "tab": '\t'}

// csvSheet is for spreadsheets.
type csvSheet struct {
	*spreadsheet.Writer
	point bool // before the cents
}

func newCSV(out io.Writer, l List) (sheet, error) {
	w, err := spreadsheet.New(out, separators[l.CSVSeparator], csvHeader)
	return &csvSheet{w, l.CSVSeparator == ","}, err
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
			reversedAt = spreadsheet.Time(r.At, time.Local)
		}
		reversalNSUs = append(reversalNSUs, r.NSU)
	}
	record := httpapi.RecordOf(t)
	return s.Row(
		strconv.FormatInt(t.ID, 10), spreadsheet.Time(t.CreatedAt, time.Local), ledgertext.Status(t), kindCell(t), strconv.Itoa(t.Installments()), brand,
		s.amount(t.Request.Amount), t.Request.Reference, t.Outcome.NSU, t.Outcome.Authorization, brazil.FormatCNPJ(t.Outcome.AcquirerCNPJ),
		t.Outcome.TxID, t.Outcome.EndToEndID, reversedAt, strings.Join(reversalNSUs, " "), record.Message, spreadsheet.Time(t.UpdatedAt, time.Local), reversed,
	)
}

func (s *csvSheet) end() error { return s.End() }

// kindCell names the type; of a choice nobody made yet there is none.
func kindCell(t payment.Transaction) string {
	if t.Method() == payment.AnyMethod {
		return "A escolher"
	}
	return closing.KindOf(t).Name()
}

func (s *csvSheet) amount(d money.Decimal) string {
	if s.point {
		return d.Cents()
	}
	return d.Reais()
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
