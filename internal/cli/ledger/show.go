package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/brazil"
	"github.com/maquininha/maquininha/internal/cli/commandline"
	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/cli/ledgertext"
	"github.com/maquininha/maquininha/internal/cli/options"
	"github.com/maquininha/maquininha/internal/cli/output"
	"github.com/maquininha/maquininha/internal/closing"
	"github.com/maquininha/maquininha/internal/httpapi"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// Show is maquininha transactions show. It is for the support desk: all that is known of an attempt.
type Show struct {
	options.Place `embed:""`
	Which         string `arg:"" name:"número|referência" missing:"informe o número ou a referência" help:"O número da lista, ou a referência (referenceId): todas as tentativas dela."`
	Format        string `default:"text" placeholder:"FORMA" help:"text (padrão) ou json."`
}

// Validate refuses what can't be meant; kong calls it.
func (s Show) Validate() error {
	return commandline.OneOf("format", s.Format, "text", "json")
}

// Run shows every attempt that may be meant: a reference can be a number too, and can have been tried more than once.
func (s Show) Run(ctx context.Context) error {
	return read(ctx, s.Place, func(_ *store.Reader, ledger *store.Ledger) error {
		found, err := s.find(ctx, ledger)
		switch {
		case err != nil:
			return err
		case len(found) == 0:
			return fmt.Errorf("nenhuma transação tem o número ou a referência %q", s.Which)
		}
		return output.Buffered(os.Stdout, func(out io.Writer) error {
			if s.Format == "json" {
				return showJSON(out, ledger, found)
			}
			for i, t := range found {
				if i > 0 {
					fmt.Fprintln(out)
				}
				showAttempt(out, t)
				if err := ledgertext.History(out, ledger, t.ID); err != nil {
					return err
				}
				showReceipts(out, t)
			}
			return nil
		})
	})
}

func (s Show) find(ctx context.Context, ledger *store.Ledger) (found []payment.Transaction, err error) {
	if id, err := strconv.ParseInt(s.Which, 10, 64); err == nil {
		switch t, err := ledger.Get(id); {
		case err == nil && t.Request.Reference != s.Which:
			found = append(found, t)
		case err != nil && !errors.Is(err, payment.ErrNotFound):
			return nil, err
		}
	}
	err = ledger.List(ctx, payment.Filter{Reference: s.Which}, func(t payment.Transaction) error {
		found = append(found, t)
		return nil
	})
	return found, err
}

// step is a line of an attempt's history, as it is exported.
type step struct {
	At        time.Time     `json:"at"`
	Operation string        `json:"operation"`
	State     payment.State `json:"state"`
	Note      string        `json:"note,omitempty"`
}

func showJSON(out io.Writer, ledger *store.Ledger, found []payment.Transaction) error {
	type whole struct {
		httpapi.Record
		Acquirer string `json:"acquirer"`
		History  []step `json:"history"`
	}
	all := make([]whole, 0, len(found))
	for _, t := range found {
		history, err := ledger.History(t.ID)
		if err != nil {
			return err
		}
		w := whole{Record: httpapi.RecordOf(t), Acquirer: t.Acquirer}
		for _, e := range history {
			e.Note = ledgertext.Note(e.Note)
			w.History = append(w.History, step(e))
		}
		all = append(all, w)
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(all)
}

// exactForm is how the attempt's times are written.
const exactForm = "02/01/2006 15:04:05.000 -07:00"

// showAttempt prints what is kept of an attempt, leaving out what it does not have.
func showAttempt(out io.Writer, t payment.Transaction) {
	r, o := t.Request, t.Outcome
	fmt.Fprintf(out, "Transação %d\n", t.ID)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(out, "  %-16s %s\n", name, console.Dotted(value))
		}
	}
	line("Situação", ledgertext.Status(t)+" – "+httpapi.RecordOf(t).Message)
	line("Referência", r.Reference)
	line("Valor", "R$ "+closing.Brazilian(r.Amount))
	line("Tipo", paidAs(t))
	if asked := asked(r); o.PaidWith != "" && o.PaidWith != r.Method || t.Installments() != r.Installments {
		line("Pedido como", asked)
	}
	if o.Brand != "" {
		line("Bandeira", closing.BrandName(o.Brand)+" ("+o.Brand+")")
	}
	line("Adquirente", t.Acquirer)
	if t.Unacknowledged {
		line("A fazer", "o adquirente ainda não acusou a confirmação; o serviço continua tentando")
	}
	line("NSU", o.NSU)
	line("Autorização", o.Authorization)
	line("Adquirente", brazil.FormatCNPJ(o.AcquirerCNPJ))
	line("txid", o.TxID)
	line("endToEndId", o.EndToEndID)
	line("Resposta", o.Message)
	showLate(line, t.Late)
	line("Operação", t.Operation())
	line("Iniciada", t.CreatedAt.Format(exactForm))
	line("Atualizada", t.UpdatedAt.Format(exactForm))
	showReversals(line, t)
	line("Detalhes", string(r.Extra))
}

// showLate says what came in after the end.
func showLate(line func(name, value string), l payment.Late) {
	if !l.Came() {
		return
	}
	text := fmt.Sprintf("R$ %s em %s", closing.Brazilian(l.Amount), l.At.Format(exactForm))
	if l.EndToEndID != "" {
		text += ", " + l.EndToEndID
	}
	if l.Kept() {
		line("Pago depois do fim", text+"; ainda não devolvido")
		return
	}
	line("Pago depois do fim", text+"; devolvido em "+l.ReturnedAt.Format(exactForm))
}

// showReversals says what went back, and what is left where that was not all.
func showReversals(line func(name, value string), t payment.Transaction) {
	if n := len(t.Reversals); n > 0 {
		line("Estornos pedidos", strconv.Itoa(n))
	}
	for _, r := range t.Returned() {
		line("Estornada", r.At.Format(exactForm))
		line("Valor do estorno", "R$ "+closing.Brazilian(r.Amount))
		line("reversalId", r.ID)
		line("NSU do estorno", r.NSU)
	}
	if t.Status() != payment.Reversed && len(t.Returned()) > 0 {
		line("Resta", "R$ "+closing.Brazilian(t.Left()))
	}
}

func paidAs(t payment.Transaction) string {
	done := t.Request
	done.Method, done.Installments = t.Method(), t.Installments()
	return asked(done)
}

// asked is a way to pay in full.
func asked(r payment.Request) string {
	t := payment.Transaction{Request: r}
	name := kindCell(t)
	if r.Installments > 1 {
		name += fmt.Sprintf(", %d parcelas", r.Installments)
		switch r.Plan {
		case payment.Seller:
			name += " sem juros (loja)"
		case payment.Buyer:
			name += " com juros (emissor)"
		}
	}
	return name
}

// showReceipts prints what the acquirer gave for paper.
func showReceipts(out io.Writer, t payment.Transaction) {
	for _, slip := range []struct{ name, text string }{{"Via do cliente", t.Outcome.Receipt.Customer}, {"Via da loja", t.Outcome.Receipt.Merchant}} {
		if slip.text == "" {
			continue
		}
		fmt.Fprintf(out, "  %s\n", slip.name)
		for l := range strings.Lines(strings.ReplaceAll(slip.text, "\r\n", "\n")) {
			fmt.Fprintf(out, "    | %s\n", console.Dotted(strings.TrimRight(l, "\n")))
		}
	}
}
