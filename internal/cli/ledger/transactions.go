package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/ledgertext"
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
	if err := commandline.OneOf("status", l.Status, "pending", "approved", "refused", "cancelled", "reversed"); err != nil && l.Status != "" {
		return err
	}
	if l.Limit < 0 {
		return errors.New("--limit não pode ser negativo")
	}
	if err := commandline.OneOf("format", l.Format, "table", "csv", "json"); err != nil {
		return err
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
func (l List) Run(ctx context.Context) error {
	filter, err := l.filter()
	if err != nil {
		return err
	}
	return read(ctx, l.Place, func(_ *store.Reader, ledger *store.Ledger) error {
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

// Resolve is maquininha transactions resolve, the last resort: somebody looked it up at the acquirer, and says how it ended.
type Resolve struct {
	options.Place `embed:""`
	Number        int64  `arg:"" name:"número" missing:"informe o número" help:"O número da transação, como a lista o mostra."`
	Made          bool   `help:"O pagamento, ou o estorno pendente, foi feito."`
	NotMade       bool   `help:"O pagamento, ou o estorno pendente, não foi feito."`
	Note          string `placeholder:"TEXTO" help:"Quem afirma isso e onde viu; fica no histórico para sempre."`
}

// Validate wants one word, and one only; kong calls it.
func (r Resolve) Validate() error {
	if r.Made == r.NotMade {
		return errors.New("informe --made ou --not-made")
	}
	if r.Note == "" {
		return errors.New("--note não pode ser vazia: o histórico precisa dizer quem decidiu")
	}
	return nil
}

// Run keeps what was said, and shows how the transaction stands now.
func (r Resolve) Run() error {
	data, err := r.Folder()
	if err != nil {
		return err
	}
	t, err := app.Resolve(app.Config{Data: data}, r.Number, r.Made, "resolvida à mão: "+r.Note)
	if err != nil {
		return options.BesideService(err, data, "service stop, antes")
	}
	fmt.Printf("Transação %d: %s. O adquirente não foi avisado.\n", t.ID, ledgertext.Status(t))
	return nil
}
