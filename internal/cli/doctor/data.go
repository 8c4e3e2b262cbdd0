package doctor

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/maquininha/maquininha/client"
	"github.com/maquininha/maquininha/internal/app"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/ledgertext"
	"github.com/maquininha/maquininha/internal/cli/report"
	"github.com/maquininha/maquininha/internal/cli/terminal"
	"github.com/maquininha/maquininha/internal/closing"
	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// mostShown is how many unresolved transactions are shown one by one.
const mostShown = 200

// errUnreadable is why the data can't be read, said once in full by check.
func (v *visit) errUnreadable() error {
	if v.data == "" {
		return errors.New("não há pasta de dados")
	}
	return errors.New("os dados não podem ser lidos (veja conferencia.txt)")
}

func (v *visit) transactions(w io.Writer) error {
	if !v.begun {
		fmt.Fprintln(w, "Nenhuma: o serviço ainda não foi iniciado com esta pasta de dados.")
		return nil
	}
	r, err := app.Peek(v.data)
	if err != nil {
		err = v.errUnreadable()
		if v.api != nil && v.apiErr == nil {
			if failed := v.pendingAsked(w); failed == nil {
				return fmt.Errorf("só as pendentes, perguntadas ao serviço: %w", err)
			}
		}
		return err
	}
	defer r.Close()
	ledger, err := r.Ledger()
	if err != nil {
		return err
	}
	count := map[payment.State]int{}
	var newest payment.Transaction
	err = ledger.List(v.ctx, payment.Filter{}, func(t payment.Transaction) error {
		count[t.State]++
		newest = t
		return nil
	})
	if err != nil {
		err = fmt.Errorf("não podem ser lidas: %s %w", store.MainFile, app.WhyUnreadable(err))
		v.health.Wrong("Transações", "%v", err)
		return err
	}
	fmt.Fprintln(w, "Transações por situação")
	for _, s := range payment.States {
		if count[s] > 0 {
			fmt.Fprintf(w, "  %-26s %d\n", ledgertext.StateNames[s], count[s])
		}
	}
	if newest.ID == 0 {
		fmt.Fprintln(w, "  nenhuma")
	} else {
		fmt.Fprintf(w, "  a mais nova: %d, %s\n", newest.ID, newest.CreatedAt.Format("02/01/2006 15:04:05"))
	}
	open, err := ledger.Unresolved()
	if err != nil {
		return err
	}
	pending := 0
	for _, t := range open {
		if t.State.Open() {
			pending++
		}
	}
	switch {
	case pending > 0:
		v.health.Doubtful("Transações", "%s (maquininha transactions --status pending)", console.Amount(pending, "sem desfecho", "sem desfecho"))
	default:
		v.health.Good("Transações", "nenhuma sem desfecho")
	}
	fmt.Fprintf(w, "\nNão resolvidas: %d\n", len(open))
	for i, t := range open {
		if i == mostShown {
			fmt.Fprintf(w, "… e mais %d\n", len(open)-i)
			break
		}
		if err := showUnresolved(w, ledger, t); err != nil {
			return err
		}
	}
	return nil
}

// showUnresolved leaves out what the caller sent along, receipts and tokens.
func showUnresolved(w io.Writer, ledger *store.Ledger, t payment.Transaction) error {
	fmt.Fprintf(w, "\nTransação %d, %s, R$ %s, %s, adquirente %s\n", t.ID, t.CreatedAt.Format("02/01/2006 15:04:05 -07:00"), closing.Brazilian(t.Request.Amount), ledgertext.Briefly(t), cmp.Or(t.Acquirer, "nenhum"))
	fmt.Fprintf(w, "  situação %s (%s), referência %q, NSU %q, estornos pedidos %d\n", ledgertext.Status(t), ledgertext.StateNames[t.State], console.Dotted(t.Request.Reference), console.Dotted(t.Outcome.NSU), len(t.Reversals))
	if t.Unacknowledged {
		fmt.Fprintln(w, "  o adquirente ainda não acusou a confirmação")
	}
	return ledgertext.History(w, ledger, t.ID)
}

// pendingAsked is what the service tells, where its data can't be read.
func (v *visit) pendingAsked(w io.Writer) error {
	all, err := v.api.Transactions(v.ctx, client.TransactionFilter{Status: client.Pending})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Pendentes, segundo o serviço: %d\n", len(all))
	for _, t := range all[:min(len(all), mostShown)] {
		fmt.Fprintf(w, "  %s, referência %q, %s\n", t.Details.CreatedAt.Format("02/01/2006 15:04:05 -07:00"), console.Dotted(t.Details.Reference), console.Dotted(t.Message))
	}
	return nil
}

// How much of the log goes along.
const (
	troubleEntries = 2000
	recentEntries  = 5000
)

func (v *visit) troubles(w io.Writer) error {
	found, err := v.log(w, terminal.Wanted{Levels: []string{"fatal", "error", "warning"}, Limit: troubleEntries})
	if err != nil {
		v.health.Doubtful("Log", "não pode ser lido: %v", err)
		return err
	}
	day, fatal := 0, 0
	var last client.LogEntry
	for _, e := range found {
		if v.at.Sub(e.CreatedAt) < 24*time.Hour && e.Level != "warning" {
			day, last = day+1, e
		}
		if e.Level == "fatal" {
			fatal++
		}
	}
	switch {
	case fatal > 0:
		v.health.Wrong("Log", "%s entre os erros recentes (erros.log)", console.Amount(fatal, "entrada fatal", "entradas fatais"))
	case day > 0:
		message, _ := v.bundle.Mask.Entry(last.Message, "")
		v.health.Doubtful("Log", "%s nas últimas 24 horas, o último: %s", console.Amount(day, "erro", "erros"), console.Escaped(message))
	default:
		v.health.Good("Log", "nenhum erro nas últimas 24 horas")
	}
	return nil
}

func (v *visit) recent(w io.Writer) error {
	_, err := v.log(w, terminal.Wanted{Limit: recentEntries})
	return err
}

// log writes the newest of the entries that are wanted: from the service if it answers, else from the folder.
func (v *visit) log(w io.Writer, want terminal.Wanted) ([]client.LogEntry, error) {
	var found []client.LogEntry
	err := errors.New("o serviço não foi perguntado")
	if v.api != nil && v.apiErr == nil {
		found, _, err = (&terminal.Remote{Terminal: v.service}).History(v.ctx, want)
	}
	if err != nil {
		if v.data == "" {
			return nil, err
		}
		if found, _, err = (terminal.Kept{Dir: v.data}).History(v.ctx, want); err != nil {
			return nil, err
		}
	}
	out := bufio.NewWriter(w)
	var line []byte
	for _, e := range found {
		message, details := v.bundle.Mask.Entry(e.Message, e.Details)
		line = logbook.AppendLine(line[:0], logbook.Entry{Level: logbook.Level(e.Level), Source: logbook.Source(e.Source), Message: console.Escaped(message), Details: console.Escaped(details), At: e.CreatedAt})
		if _, err := out.Write(line); err != nil {
			return found, err
		}
	}
	return found, out.Flush()
}

func (v *visit) folder(w io.Writer) error {
	if v.data == "" {
		return v.errUnreadable()
	}
	fmt.Fprintln(w, v.data)
	if _, err := os.Stat(v.data); errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(w, "não existe: o serviço ainda não foi iniciado com esta pasta de dados")
		return nil
	}
	damaged, err := report.Files(w, v.data)
	if len(damaged) > 0 {
		v.health.Doubtful("Danos", "%s por danos: %s", console.Amount(len(damaged), "arquivo guardado", "arquivos guardados"), strings.Join(damaged, ", "))
		fmt.Fprintf(w, "\nGuardados por danos (pelo serviço ou por maquininha repair):\n  %s\n", strings.Join(damaged, "\n  "))
	}
	return errors.Join(err, v.integrity(w))
}

// largestChecked is how large a database may be to be looked at page by page: some seconds.
const largestChecked = 256 << 20

// integrity has the database looked through.
func (v *visit) integrity(w io.Writer) error {
	info, err := os.Stat(filepath.Join(v.data, store.MainFile))
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(w, "\n%s: não existe\n", store.MainFile)
		return nil
	}
	if err != nil {
		return v.errUnreadable()
	}
	if info.Size() > largestChecked {
		fmt.Fprintf(w, "\n%s: grande demais para ser conferido aqui; com o serviço parado, maquininha repair confere\n", store.MainFile)
		return nil
	}
	r, err := app.Peek(v.data)
	if err != nil {
		return v.errUnreadable()
	}
	defer r.Close()
	if err := r.Check(); err != nil {
		v.health.Wrong("Dados", "%s não está íntegro (dados.txt); com o serviço parado, maquininha repair guarda-o e começa outro", store.MainFile)
		return fmt.Errorf("%s %w", store.MainFile, app.WhyUnreadable(err))
	}
	fmt.Fprintf(w, "\n%s: íntegro\n", store.MainFile)
	return nil
}

// brief bounds a question to another program.
func (v *visit) brief() (context.Context, context.CancelFunc) {
	return context.WithTimeout(v.ctx, 10*time.Second)
}
