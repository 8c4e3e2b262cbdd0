package screenui

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
)

// maxTouch bounds what a page sends: the longest answer is a text somebody typed.
const maxTouch = 64 << 10

// failure is what a page is told when it may not do what it wants.
type failure struct {
	status  int
	Message string `json:"message"`
	Reason  string `json:"reason,omitempty"`  // why an answer is refused, or a hub
	Field   string `json:"field,omitempty"`   // of the settings, which must be corrected
	Seconds int    `json:"seconds,omitempty"` // until the next PIN may be tried
	Turn    uint64 `json:"turn,omitempty"`    // of the terminal, which was busy in it
}

func (f failure) Error() string { return f.Message }

var errMovedOn = failure{status: http.StatusConflict, Message: "A tela já mudou"}

// reasonBusy tells a terminal in the middle of an operation from a screen that has moved on.
const reasonBusy = "busy"

// touch mounts what a person does at the page: T is what the route takes of the body.
func touch[T any](mux *http.ServeMux, pattern string, do func(T) error) {
	query(mux, pattern, func(t T) (any, error) { return nil, do(t) })
}

// query is a touch that is answered with something.
func query[T any](mux *http.ServeMux, pattern string, handle func(T) (any, error)) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		var t T
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxTouch))
		if err != nil || json.Unmarshal(text, &t) != nil {
			refuse(w, http.StatusBadRequest, "Pedido inválido")
			return
		}
		body, err := handle(t)
		respond(w, body, err)
	})
}

// respond writes what a handler returned; no body is 204.
func respond(w http.ResponseWriter, body any, err error) {
	var f failure
	switch {
	case errors.As(err, &f):
		if f.Seconds > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(f.Seconds))
		}
		writeJSON(w, f.status, f)
	case err != nil:
		refuse(w, http.StatusInternalServerError, "Erro interno")
	case body == nil:
		w.WriteHeader(http.StatusNoContent)
	default:
		writeJSON(w, http.StatusOK, body)
	}
}

func refuse(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, failure{Message: message})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body) //nolint:errcheck // the page may be gone
}

// nothing is the body of a touch that says all by its route.
type nothing struct{}

type pageTouch struct {
	Page string `json:"page"`
}

type visibleTouch struct {
	Page    string `json:"page"`
	Visible bool   `json:"visible"`
	Report  int    `json:"report"` // its number: each goes by a request of its own, and one may overtake another
}

func (ui *UI) pageVisible(t visibleTouch) error {
	return known(ui.pages.show(t.Page, t.Visible, t.Report))
}
func (ui *UI) pageBeat(t pageTouch) error { return known(ui.pages.beat(t.Page)) }

func (ui *UI) pageGone(t pageTouch) error {
	ui.pages.gone(t.Page)
	return nil
}

// known tells a page that was taken for dead to come back.
func known(page bool) error {
	if !page {
		return failure{status: http.StatusNotFound, Message: "Página desconhecida: conecte-se de novo"}
	}
	return nil
}

type answerTouch struct {
	Serial uint64 `json:"serial"`
	Index  int    `json:"index"`
	Value  string `json:"value"`
}

// checkAnswer says early what answering would say.
func (ui *UI) checkAnswer(t answerTouch) (any, error) {
	shown, ok := ui.Questions.Shown()
	if !ok || shown.Serial != t.Serial || shown.Index != t.Index {
		return nil, errMovedOn
	}
	_, err := shown.Form.Questions[shown.Index].Canonical(t.Value)
	if invalid := new(question.Invalid); errors.As(err, &invalid) {
		return object{"ok": false, "reason": invalid.Reason}, nil
	}
	return object{"ok": true, "reason": nil}, err
}

func (ui *UI) answer(t answerTouch) error {
	if t.Serial == 0 || ui.covered() {
		return errMovedOn // an answer names the question it answers, and nobody can touch what a payment covers
	}
	err := ui.Questions.Answer(t.Serial, t.Index, t.Value)
	if invalid := new(question.Invalid); errors.As(err, &invalid) {
		return failure{status: http.StatusUnprocessableEntity, Message: "Resposta recusada", Reason: string(invalid.Reason)}
	}
	return movedOn(err, question.ErrNotShown)
}

type cancelTouch struct {
	Serial uint64 `json:"serial"`
}

func (ui *UI) cancelQuestion(t cancelTouch) error {
	shown, ok := ui.Questions.Shown()
	if !ok || shown.Serial != t.Serial || ui.covered() {
		return errMovedOn
	}
	if !shown.Form.Parameters.ShowCancelButton {
		return failure{status: http.StatusForbidden, Message: "Esta pergunta não pode ser cancelada"}
	}
	return movedOn(ui.Questions.Dismiss(t.Serial), question.ErrNotShown)
}

func (ui *UI) covered() bool {
	_, paying := ui.Payments.Shown()
	return paying
}

type actTouch struct {
	Serial       uint64             `json:"serial"`
	Action       payment.ActionKind `json:"action"`
	Method       payment.Method     `json:"method"`
	Installments int                `json:"installments"`
}

func (ui *UI) act(t actTouch) error {
	err := ui.Payments.Act(t.Serial, payment.Action{Kind: t.Action, Method: t.Method, Installments: t.Installments})
	return movedOn(err, payment.ErrNotAsked)
}

func movedOn(err, late error) error {
	if errors.Is(err, late) {
		return errMovedOn
	}
	return err
}

func (ui *UI) dismissResult(nothing) error {
	ui.Payments.DismissEnded()
	return nil
}

type settledTouch struct {
	ID uint64 `json:"id"`
}

func (ui *UI) dismissSettled(t settledTouch) error {
	ui.Payments.DismissSettled(t.ID)
	return nil
}

type printTouch struct {
	Copy payment.Copy `json:"copy"`
}

// printReceipt has a copy of the shown result's receipt printed; it is answered when the copy is on paper.
func (ui *UI) printReceipt(t printTouch) error {
	turn := ui.Device.Gate.Turn()
	err := ui.Payments.PrintCopy(t.Copy)
	switch {
	case errors.Is(err, operation.ErrBusy):
		return busyIn(turn)
	case errors.Is(err, payment.ErrNotPrinted):
		return failure{status: http.StatusInternalServerError, Message: "O comprovante não pôde ser impresso"}
	}
	return movedOn(err, payment.ErrNotAsked)
}

// busyIn refuses what comes in the middle of an operation, which began in that turn or just after.
func busyIn(turn uint64) failure {
	return failure{status: http.StatusConflict, Message: "Há uma operação em andamento; tente de novo em instantes", Reason: reasonBusy, Turn: turn | 1}
}

type waitingTouch struct {
	ID uint64 `json:"id"`
}

// printWaiting prints what the printer could not print before; it is answered when that is on paper.
func (ui *UI) printWaiting(t waitingTouch) error {
	turn := ui.Device.Gate.Turn()
	err := ui.Printing.PrintWaiting(context.Background(), t.ID)
	switch {
	case errors.Is(err, operation.ErrBusy):
		return busyIn(turn)
	case errors.Is(err, printing.ErrFailed), errors.Is(err, operation.ErrStopping):
		return failure{status: http.StatusInternalServerError, Message: "A impressão não pôde ser feita"}
	}
	return movedOn(err, printing.ErrNotWaiting)
}

func (ui *UI) forgetWaiting(t waitingTouch) error {
	ui.Printing.ForgetWaiting(t.ID)
	return nil
}

func (ui *UI) dismissClosing(nothing) error {
	ui.Screen.DismissClosing()
	return nil
}

type displayTouch struct {
	ID uint64 `json:"id"`
}

func (ui *UI) closeDisplay(t displayTouch) error {
	if !ui.Screen.CloseDisplay(t.ID) {
		return errMovedOn
	}
	return nil
}
