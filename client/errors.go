package client

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// Names for what can go wrong, for errors.Is.
var (
	// ErrBusy: the terminal works on another operation, and did so until the patience ended. Nothing was done.
	ErrBusy = errors.New("terminal ocupado")
	// ErrBackground: the terminal's application stayed in the background. Nothing was done; a person must open it.
	ErrBackground = errors.New("aplicativo do terminal em segundo plano")
	// ErrStopping: the terminal is being stopped or restarted.
	ErrStopping = errors.New("terminal encerrando")
	// ErrUnauthorized: wrong user or password.
	ErrUnauthorized = errors.New("usuário ou senha errados")
	// ErrRefused: the acquirer has refused the payment or the reversal; the message says why.
	ErrRefused = errors.New("transação negada")
	// ErrCancelled: the payment or reversal was cancelled: at the terminal, by CancelOperation, or by its Timeout.
	ErrCancelled = errors.New("transação cancelada")
	// ErrQuestionCancelled: the person at the terminal, CancelAsk or CancelOperation ended the question.
	ErrQuestionCancelled = errors.New("pergunta cancelada")
	// ErrTimedOut: nobody answered the question within its Timeout.
	ErrTimedOut = errors.New("tempo esgotado")
	// ErrNotPrinted: the printer or what was to be printed is at fault; Error.Reason says which.
	ErrNotPrinted = errors.New("erro ao imprimir")
	// ErrInvalid: the request itself is at fault (400, 413).
	ErrInvalid = errors.New("requisição inválida")
	// ErrNotFound: no such item, payment or reference.
	ErrNotFound = errors.New("não encontrado")
	// ErrConflict: it does not fit how things stand: no active sale, a second one, a reference used before.
	ErrConflict = errors.New("conflito")

	// ErrUnreachable: there was no connection, so that nothing was sent.
	ErrUnreachable = errors.New("terminal fora de alcance")
	// ErrNoAnswer: the request was sent, at least in part, and no whole answer came. It may have been carried out.
	ErrNoAnswer = errors.New("o terminal não respondeu")
	// ErrWrongKey: the terminal's key is not the pinned one.
	ErrWrongKey = errors.New("a chave do terminal não é a fixada")
	// ErrWrongCertificate: the terminal's certificate is not the one of the fingerprint.
	ErrWrongCertificate = errors.New("o certificado do terminal não é o indicado")
	// ErrUnknownOutcome: nobody can tell yet whether money has moved.
	ErrUnknownOutcome = errors.New("desfecho da transação desconhecido")
)

// Texts of the interface that tell one 503 from another, and other answers that share a status.
const (
	busyText         = "Aplicativo ocupado"
	crowdedText      = "Muitos documentos grandes"
	unresolvedText   = "Uma transação anterior ainda está sem resposta"
	backgroundText   = "Aplicativo em segundo plano"
	unknownText      = "Situação da transação desconhecida"
	stoppingText     = "Serviço encerrando"
	cancelledText    = "Transação cancelada"
	cancelledRevText = "Estorno cancelado"
	questionText     = "Pergunta cancelada"
	timedOutText     = "Tempo esgotado"
	notPrintedText   = "Erro ao imprimir"
	noAcquirerText   = "Nenhum adquirente configurado"
	notSavedText     = "Não foi possível gravar os dados"
)

// Error is an answer of the terminal that is not a success.
type Error struct {
	Status  int    // of HTTP
	Code    int    // of the body; the same, but for two cases of the interface
	Message string // Portuguese
	Reason  string // why something was not printed (X-Motivo), else empty
	Method  string // of the request
	Path    string
}

func (e *Error) Error() string {
	if e.Reason != "" {
		return fmt.Sprintf("%s (%s)", e.Message, e.Reason)
	}
	return e.Message
}

// Is answers errors.Is for the names above.
func (e *Error) Is(target error) bool {
	says := func(text string) bool { return strings.HasPrefix(e.Message, text) }
	unavailable := e.Status == http.StatusServiceUnavailable
	judged := e.Status == http.StatusForbidden && strings.HasPrefix(e.Path, "/transaction")
	cancelled := e.Message == cancelledText || e.Message == cancelledRevText
	switch target {
	case ErrBusy:
		return unavailable && (says(busyText) || says(crowdedText) || says(unresolvedText))
	case ErrBackground:
		return unavailable && says(backgroundText)
	case ErrStopping:
		return unavailable && says(stoppingText)
	case ErrUnknownOutcome:
		return unavailable && says(unknownText)
	case ErrUnauthorized:
		return e.Status == http.StatusUnauthorized
	case ErrRefused:
		return judged && !cancelled
	case ErrCancelled:
		return judged && cancelled
	case ErrQuestionCancelled:
		return e.Status == http.StatusConflict && says(questionText)
	case ErrTimedOut:
		return e.Status == http.StatusConflict && says(timedOutText)
	case ErrNotPrinted:
		return e.Status == http.StatusInternalServerError && says(notPrintedText)
	case ErrInvalid:
		return e.Status == http.StatusBadRequest || e.Status == http.StatusRequestEntityTooLarge
	case ErrNotFound:
		return e.Status == http.StatusNotFound
	case ErrConflict:
		return e.Status == http.StatusConflict
	}
	return false
}

// harmless 5xx are the terminal's own word that no money has moved. Any other may come from a proxy that lost patience, or from a fault
// in the middle of the payment.
func (e *Error) harmless() bool {
	for _, text := range []string{busyText, unresolvedText, backgroundText, noAcquirerText, notSavedText} {
		if strings.HasPrefix(e.Message, text) {
			return true
		}
	}
	return false
}

// UnknownOutcomeError is a payment or reversal of which nobody can tell yet how it ended. Do not charge again under another
// reference: ask for Transaction, or call Pay with the same Payment once more, which charges only if it was not charged.
type UnknownOutcomeError struct {
	Reference string // empty: the payment had none, and only a person can find it in the list
	Err       error  // what was in the way
}

func (e *UnknownOutcomeError) Error() string {
	if e.Reference == "" {
		return fmt.Sprintf("%v (sem referência: confira na lista de transações): %v", ErrUnknownOutcome, e.Err)
	}
	return fmt.Sprintf("%v (referência %s): %v", ErrUnknownOutcome, e.Reference, e.Err)
}

func (e *UnknownOutcomeError) Unwrap() error { return e.Err }

// Is makes it ErrUnknownOutcome.
func (e *UnknownOutcomeError) Is(target error) bool { return target == ErrUnknownOutcome }
