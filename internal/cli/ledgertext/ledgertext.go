// Package ledgertext has the words for what the ledger keeps: states, types, histories and the notes in them.
package ledgertext

import (
	"fmt"
	"io"
	"strings"

	"github.com/maquininha/maquininha/internal/cli/console"
	"github.com/maquininha/maquininha/internal/closing"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/store"
)

// StateNames are the ledger's states in the words of the shop.
var StateNames = map[payment.State]string{
	payment.StateBegun: "iniciada", payment.StateSent: "enviada ao adquirente", payment.StateApproved: "aprovada pelo adquirente",
	payment.StateConfirmed: "vale", payment.StateRefused: "recusada", payment.StateCancelled: "cancelada", payment.StateUnknown: "sem resposta",
	payment.StateUndoing: "sendo desfeita", payment.StateUndone: "desfeita", payment.StateReversing: "estorno iniciado", payment.StateReversed: "estornada",
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
func Note(text string) string { return noteWords.Replace(text) }

// noteWords are what drivers and the payment desk note of failures, for who reads a transaction's history. The ledger keeps the notes
// as they were made; longer ones stand before those that they hold.
var noteWords = strings.NewReplacer(
	"the acquirer does not answer", "o adquirente não responde",
	"the acquirer of this transaction is not configured", "o adquirente desta transação não está configurado",
	"no acquirer configured", "nenhum adquirente configurado",
	"no acquirer takes this method", "nenhum adquirente aceita esta forma de pagamento",
	"no operation waits for a person", "nenhuma operação espera uma pessoa",

	"the TEF manager is not running", "o gerenciador de TEF não está aberto",
	"the TEF folders can't be used", "as pastas do TEF não podem ser usadas",
	"the request was taken back before the TEF manager took it up", "o pedido foi retirado antes de o gerenciador de TEF o pegar",
	"called off by the caller", "cancelada pelo PDV",
	"the TEF manager took the request without saying so", "o gerenciador de TEF pegou o pedido sem acusar",
	"an exchange is under way in the TEF folders", "há uma troca em andamento nas pastas do TEF",
	"the file is held by another program", "o arquivo está preso por outro programa",
	"writing the request: ", "gravando o pedido: ",
	"withdrawing the request: ", "retirando o pedido: ",
	"looking up what was decided: ", "procurando o que foi decidido: ",
	"reading what was kept of the operation: ", "lendo o que foi guardado da operação: ",
	"does not fit in the ten digits of TEF", "não cabe nos dez dígitos do TEF",
	"operation ", "operação ",

	"the reversal may still be on its way", "o estorno ainda pode estar a caminho",
	"the refund is still being made", "a devolução ainda está em processamento",
	"the charge could not be withdrawn", "a cobrança não pôde ser retirada",
	"the screen answered what was not asked", "a tela respondeu o que não foi perguntado",
	"the PSP's answer is too long", "a resposta do PSP é longa demais",
	"the PSP answered with another charge: ", "o PSP respondeu com outra cobrança: ",
	"the PSP answered with another refund: ", "o PSP respondeu com outra devolução: ",
	"the PSP did not give back: ", "o PSP não devolveu: ",
	"the PSP answered ", "o PSP respondeu ",
	"the PSP has a charge of ", "o PSP tem uma cobrança de ",
	" under the id of one of ", " com o txid de uma de ",
	"asking for a token: ", "pedindo o token: ",
	"reading the token: not the JSON of RFC 6749", "lendo o token: não é o JSON da RFC 6749",
	"reading the token: there is none", "lendo o token: não há nenhum",
	"reading the token: not a bearer token", "lendo o token: não é do tipo bearer",
	"reading the charge: ", "lendo a cobrança: ",
	"reading the refund: ", "lendo a devolução: ",
	"reading valor.original: ", "lendo valor.original: ",
	"reading the valor of a payment: ", "lendo o valor de um pagamento: ",
	"reading the valor of a refund: ", "lendo o valor de uma devolução: ",
	"a charge in the unknown status ", "uma cobrança na situação desconhecida ",
	"a refund in the unknown status ", "uma devolução na situação desconhecida ",
	"a payment with the endToEndId ", "um pagamento com o endToEndId ",
	"is no amount", "não é um valor",
	"the charge has ", "a cobrança tem ", " payments", " pagamentos",
	"giving back: ", "devolvendo: ",

	"the terminal stayed in the background", "o terminal ficou em segundo plano",
	"outcome unknown", "desfecho desconhecido",
	"saving the outcome: ", "gravando o desfecho: ",
	"no transaction of this reference", "nenhuma transação com esta referência",
	"reference used for another transaction", "referência usada em outra transação",
	"already reversed", "já estornada",
	"only an approved transaction can be reversed", "só uma transação aprovada pode ser estornada",
	"an earlier attempt is still without an outcome", "uma tentativa anterior ainda está sem desfecho",
	"the service is stopping", "o serviço está parando",
	"the attempt could not be saved", "a tentativa não pôde ser gravada",
	"the screen does not ask for this", "a tela não pergunta isto",
	"the receipt was not printed", "o comprovante não foi impresso",
	"already resolved", "já resolvida",
	"another process has it", "está com outro processo",
	"panic: ", "falha do programa: ",

	"context deadline exceeded", "o tempo acabou",
	"context canceled", "interrompido",
	"connection refused", "conexão recusada",
	"connection reset by peer", "a conexão caiu",
	"i/o timeout", "sem resposta a tempo",
	"no such host", "endereço desconhecido",
	"unexpected EOF", "a conexão caiu",
	"no such file or directory", "não existe",
	"permission denied", "sem permissão",
	"no space left on device", "não há espaço no disco",
)
