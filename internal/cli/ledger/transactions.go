package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// Transactions is maquininha transactions.
type Transactions struct {
	List    List    `cmd:"" default:"withargs" help:"Lista as transações, da mais antiga à mais nova (padrão)."`
	Show    Show    `cmd:"" help:"Mostra tudo o que há de uma transação, pelo número ou pela referência."`
	Resolve Resolve `cmd:"" help:"Encerra à mão, com o serviço parado, uma transação pendente que o adquirente não resolve."`
}

// List is maquininha transactions list. It lists and exports what the ledger has.
type List struct {
	options.Place `embed:""`
	Period        `embed:""`
	Status        string `placeholder:"SITUAÇÃO" help:"Só as desta situação: pending (pendentes), approved (aprovadas), refused (recusadas), cancelled (canceladas) ou reversed (estornadas)."`
	Type          string `aliases:"tpag" placeholder:"TIPO" help:"Só as deste tipo: credit (ou 03), debit (04), pix (17) ou any (99, nada escolhido ainda); também --tpag."`
	Reference     string `placeholder:"TEXTO" help:"Só as tentativas desta referência (referenceId)."`
	Limit         int    `placeholder:"N" help:"Só as N mais novas."`
	Format        string `default:"table" placeholder:"FORMA" help:"table (padrão), csv ou json."`
	CSVSeparator  string `name:"csv-separator" default:";" placeholder:"SINAL" help:"Separador do CSV: ; (padrão) ou tab, com vírgula decimal, como as planilhas daqui leem; , com ponto decimal."`
	Output        string `placeholder:"ARQUIVO" help:"Arquivo do resultado; sem ele, a saída padrão."`
}

var typeNames = map[string]payment.Method{
	"": "", "credit": payment.Credit, "03": payment.Credit, "debit": payment.Debit, "04": payment.Debit, "pix": payment.Pix, "17": payment.Pix,
	"any": payment.AnyMethod, "99": payment.AnyMethod,
}

// Validate refuses what can't be meant; kong calls it.
func (l List) Validate() error {
	if _, known := typeNames[l.Type]; !known {
		return fmt.Errorf("--type deve ser um de credit, debit, pix, any, e não %q", l.Type)
	}
	if l.Status != "" && !slices.Contains(payment.Statuses, payment.Status(l.Status)) {
		return fmt.Errorf("--status deve ser um de pending, approved, refused, cancelled, reversed, e não %q", l.Status)
	}
	if l.Limit < 0 {
		return errors.New("--limit não pode ser negativo")
	}
	if sheets[l.Format] == nil {
		return fmt.Errorf("--format deve ser um de table, csv, json, e não %q", l.Format)
	}
	if _, known := separators[l.CSVSeparator]; !known {
		return fmt.Errorf("--csv-separator deve ser um de ; , tab, e não %q", l.CSVSeparator)
	}
	_, err := l.Period.of(time.Now())
	return err
}

func (l List) filter() (payment.Filter, error) {
	period, err := l.Period.of(time.Now())
	return payment.Filter{
		Limit: l.Limit, Since: period.Since, Until: period.Until, Status: payment.Status(l.Status), Method: typeNames[l.Type], Reference: l.Reference,
	}, err
}

// sheet writes transactions one by one: a year of them is never in memory.
type sheet interface {
	row(payment.Transaction) error
	end() error
}

var sheets = map[string]func(io.Writer, List) (sheet, error){"table": newTable, "csv": newCSV, "json": newJSON}

// Run lists what matches.
func (l List) Run() error {
	filter, err := l.filter()
	if err != nil {
		return err
	}
	return read(l.Place, func(ctx context.Context, _ *store.Reader, ledger *store.Ledger) error {
		return write(l.Place, l.Output, func(out io.Writer) error {
			s, err := sheets[l.Format](out, l)
			if err != nil {
				return err
			}
			if err := ledger.List(ctx, filter, s.row); err != nil {
				return err
			}
			return s.end()
		})
	})
}
