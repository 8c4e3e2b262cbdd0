package screenui

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/question"
)

// maxTouch bounds what a page sends: the longest answer is a text somebody typed.
const maxTouch = 64 << 10

// touched is all that people do at the terminal; each handler reads its own part.
type touched struct {
	Page         string             `json:"page"`
	Visible      bool               `json:"visible"`
	Serial       uint64             `json:"serial"`
	Index        int                `json:"index"`
	Value        string             `json:"value"`
	Action       payment.ActionKind `json:"action"`
	Method       payment.Method     `json:"method"`
	Installments int                `json:"installments"`
	Copy         payment.Copy       `json:"copy"`
	ID           uint64             `json:"id"`
	N            int                `json:"n"`
}

// said is what a page is told when it may not do what it wants.
type said struct {
	status  int
	message string
	reason  question.Reason
}

// reasonBusy tells a terminal that has its hands full from a screen that has moved on.
const reasonBusy question.Reason = "busy"

func (s said) Error() string { return s.message }

func (s said) body() object {
	if s.reason == "" {
		return object{"message": s.message}
	}
	return object{"message": s.message, "reason": s.reason}
}

var errMovedOn = said{status: http.StatusConflict, message: "A tela já mudou"}

// touch mounts what a person does. Nothing to say is 204.
func (ui *UI) touch(pattern string, handle func(touched) (any, error)) {
	ui.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		var t touched
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxTouch))
		if err != nil || json.Unmarshal(text, &t) != nil {
			refuse(w, http.StatusBadRequest, "Pedido inválido")
			return
		}
		body, err := handle(t)
		var no said
		switch {
		case errors.As(err, &no):
			answer(w, no.status, no.body())
		case err != nil:
			refuse(w, http.StatusInternalServerError, "Erro interno")
		case body == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			answer(w, http.StatusOK, body)
		}
	})
}

func refuse(w http.ResponseWriter, status int, message string) {
	answer(w, status, object{"message": message})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body) //nolint:errcheck // the page may be gone
}

func (ui *UI) pageVisible(t touched) (any, error) { return known(ui.pages.show(t.Page, t.Visible)) }
func (ui *UI) pageBeat(t touched) (any, error)    { return known(ui.pages.beat(t.Page)) }

func (ui *UI) pageGone(t touched) (any, error) {
	ui.pages.gone(t.Page)
	return nil, nil
}

// known tells a page that was taken for dead to come back.
func known(page bool) (any, error) {
	if !page {
		return nil, said{status: http.StatusNotFound, message: "Página desconhecida: conecte-se de novo"}
	}
	return nil, nil
}

// checkAnswer says early what answering would say.
func (ui *UI) checkAnswer(t touched) (any, error) {
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

func (ui *UI) answer(t touched) (any, error) {
	if t.Serial == 0 || ui.covered() {
		return nil, errMovedOn // an answer names the question it answers, and nobody can touch what a payment covers
	}
	err := ui.Questions.Answer(t.Serial, t.Index, t.Value)
	if invalid := new(question.Invalid); errors.As(err, &invalid) {
		return nil, said{http.StatusUnprocessableEntity, "Resposta recusada", invalid.Reason}
	}
	return nil, movedOn(err, question.ErrNotShown)
}

func (ui *UI) cancelQuestion(t touched) (any, error) {
	shown, ok := ui.Questions.Shown()
	if !ok || shown.Serial != t.Serial || ui.covered() {
		return nil, errMovedOn
	}
	if !shown.Form.Parameters.ShowCancelButton {
		return nil, said{status: http.StatusForbidden, message: "Esta pergunta não pode ser cancelada"}
	}
	return nil, movedOn(ui.Questions.Dismiss(t.Serial), question.ErrNotShown)
}

func (ui *UI) covered() bool {
	_, paying := ui.Payments.Shown()
	return paying
}

func (ui *UI) act(t touched) (any, error) {
	err := ui.Payments.Act(t.Serial, payment.Action{Kind: t.Action, Method: t.Method, Installments: t.Installments})
	return nil, movedOn(err, payment.ErrNotAsked)
}

func movedOn(err, late error) error {
	if errors.Is(err, late) {
		return errMovedOn
	}
	return err
}

func (ui *UI) dismissResult(touched) (any, error) {
	ui.Payments.DismissEnded()
	return nil, nil
}

// printReceipt has a copy of the shown result's receipt printed; it is answered when the copy is on paper.
func (ui *UI) printReceipt(t touched) (any, error) {
	err := ui.Payments.PrintCopy(t.Copy)
	switch {
	case errors.Is(err, operation.ErrBusy):
		return nil, said{http.StatusConflict, "Há uma operação em andamento; tente de novo em instantes", reasonBusy}
	case errors.Is(err, payment.ErrNotPrinted):
		return nil, said{status: http.StatusInternalServerError, message: "O comprovante não pôde ser impresso"}
	}
	return nil, movedOn(err, payment.ErrNotAsked)
}

func (ui *UI) dismissClosing(touched) (any, error) {
	ui.Screen.DismissClosing()
	return nil, nil
}

func (ui *UI) closeDisplay(t touched) (any, error) {
	if !ui.Screen.CloseDisplay(t.ID) {
		return nil, errMovedOn
	}
	return nil, nil
}
