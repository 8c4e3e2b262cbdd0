// Package ledgertext has the words for what the ledger keeps: states, types, histories and the notes in them.
package ledgertext

import (
	"fmt"
	"io"

	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/closing"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/portuguese"
	"github.com/maquininha/maquininha/internal/store"
)

// StateNames are the ledger's states in the words of the shop.
var StateNames = map[payment.State]string{
	payment.StateBegun: "iniciada", payment.StateSent: "enviada ao adquirente", payment.StateApproved: "aprovada pelo adquirente",
	payment.StateConfirmed: "vale", payment.StateRefused: "recusada", payment.StateCancelled: "cancelada", payment.StateUnknown: "sem resposta",
	payment.StateUndoing: "sendo desfeita", payment.StateUndone: "desfeita", payment.StateReversing: "estorno iniciado", payment.StateReturned: "estornada em parte",
	payment.StateReversed: "estornada",
}

// History prints each step of an attempt.
func History(out io.Writer, ledger *store.Ledger, id int64) error {
	history, err := ledger.History(id)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "  Histórico")
	for _, e := range history {
		fmt.Fprintf(out, "    %s  %-8s %s", e.At.Format("02/01/2006 15:04:05.000"), e.Operation, StateNames[e.State])
		if e.Note != "" {
			fmt.Fprintf(out, ": %s", console.Dotted(Note(e.Note)))
		}
		fmt.Fprintln(out)
	}
	return nil
}

// Briefly is the type in a word.
func Briefly(tx payment.Transaction) string {
	switch tx.Method() {
	case payment.Credit:
		if n := tx.Installments(); n > 1 {
			return fmt.Sprintf("crédito %dx", n)
		}
		return "crédito"
	case payment.Debit:
		return "débito"
	case payment.Pix:
		return "PIX"
	}
	return "a escolher"
}

// Status is how it stands.
func Status(tx payment.Transaction) string { return closing.StatusName(tx.Status(), false) }

// Note is a note of the ledger in Portuguese.
func Note(text string) string { return portuguese.Text(text) }
