package story

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/question"
)

// Asked tells of a form that a caller wants on the screen.
func (t *Teller) Asked(ctx context.Context, form question.Form) {
	f := of(ctx)
	f.form(form)
	f.number("venda", t.sale.Load())
	t.info("Pergunta feita: "+titleOf(form), f)
}

// Answered tells how a form ended. What a person typed is nobody else's; only choices among the caller's own options are told.
func (t *Teller) Answered(ctx context.Context, form question.Form, answers []question.Answer, asked time.Time, err error) {
	f := of(ctx)
	f.form(form)
	f.number("venda", t.sale.Load())
	f.took(asked)
	if err == nil {
		for i, a := range answers {
			if name := optionName(form.Questions[i], a.Value); name != "" {
				f.add("escolha", name)
			}
		}
		t.info("Pergunta respondida: "+titleOf(form), f)
		return
	}
	why := "cancelada"
	switch {
	case errors.Is(err, question.ErrCancelledByPerson):
		why = "cancelada por quem estava no terminal"
	case errors.Is(err, question.ErrCancelledByCaller):
		why = "cancelada pelo PDV"
	case errors.Is(err, question.ErrTimedOut):
		why = "cancelada por tempo esgotado"
	case errors.Is(err, operation.ErrStopping):
		why = "cancelada: o serviço está encerrando"
	case errors.Is(err, question.ErrShown):
		why = "recusada: já há outra na tela"
	case ctx.Err() != nil:
		why = "cancelada: o PDV desligou antes da resposta"
	}
	t.info("Pergunta "+why+": "+titleOf(form), f)
}

func (f *facts) form(form question.Form) {
	types := make([]string, len(form.Questions))
	for i, q := range form.Questions {
		types[i] = string(q.Type)
	}
	f.add("tipo", strings.Join(types, ", "))
}

// titleOf is what the person was asked first, in the caller's words.
func titleOf(form question.Form) string {
	if text := oneLine(strings.TrimSpace(form.Questions[0].Text)); text != "" {
		return text
	}
	return string(form.Questions[0].Type)
}

// optionName is the option that was chosen; empty for what was typed.
func optionName(q question.Question, value string) string {
	if q.Type != question.List && q.Type != question.Button {
		return ""
	}
	for _, o := range q.Options {
		if o.Value == value {
			return o.Name
		}
	}
	return ""
}
