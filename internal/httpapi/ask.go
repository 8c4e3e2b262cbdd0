package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/question"
)

type answerBody struct {
	ID    int    `json:"id"`
	Value string `json:"value"`

	to question.Question
}

func (api *API) ask(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsObject)
	if err != nil {
		return nil, err
	}
	if _, given := f.given("question"); !given {
		return nil, question.ErrNoQuestions
	}
	q := readQuestion(f.object("question"))
	answers, err := api.askPerson(r, f, []question.Question{q}, func(int) string { return "question" })
	if err != nil {
		return nil, err
	}
	return answersOf([]question.Question{q}, answers)[0], nil
}

func (api *API) askForm(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsObject)
	if err != nil {
		return nil, err
	}
	var questions []question.Question
	for i, v := range f.array("questions") {
		questions = append(questions, readQuestion(f.element("questions", i, v)))
	}
	answers, err := api.askPerson(r, f, questions, func(i int) string { return fmt.Sprintf("questions[%d]", i) })
	if err != nil {
		return nil, err
	}
	return answersOf(questions, answers), nil
}

// answersOf are the answers to the first questions, or to all.
func answersOf(questions []question.Question, answers []question.Answer) []answerBody {
	body := make([]answerBody, len(answers))
	for i, a := range answers {
		body[i] = answerBody{a.ID, a.Value, questions[i]}
	}
	return body
}

// askPerson holds the request until the person has answered everything.
func (api *API) askPerson(r *http.Request, f *fields, questions []question.Question, path func(int) string) ([]question.Answer, error) {
	parameters := readParameters(f.object("parameters"))
	var patience time.Duration
	api.timeout(f, &patience)
	if f.err() != nil {
		return nil, f.err()
	}
	form, err := question.NewForm(parameters, questions)
	if err != nil {
		return nil, formFault(err, path)
	}
	if _, asked := api.Questions.Shown(); !asked {
		api.Payments.YieldEnded() // whoever asks now is not kept waiting by how the last payment ended
	}
	asked := time.Now()
	api.Story.Asked(r.Context(), form)
	ctx := r.Context()
	if patience > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, patience, question.ErrTimedOut)
		defer stop()
	}
	answers, err := api.Questions.Ask(ctx, form)
	api.Story.Answered(r.Context(), form, answers, asked, err)
	api.counters.asked(err)
	return answers, err
}

func readParameters(f *fields) question.Parameters {
	p, otherwise := question.Parameters{}, question.DefaultParameters()
	f.textOr("buttonText", &p.ButtonText, otherwise.ButtonText, longestLabel)
	f.flag("showCancelButton", &p.ShowCancelButton, otherwise.ShowCancelButton)
	f.textOr("buttonCancelText", &p.ButtonCancelText, otherwise.ButtonCancelText, longestLabel)
	f.flag("showSuccessMessage", &p.ShowSuccessMessage, otherwise.ShowSuccessMessage)
	f.textOr("successMessage", &p.SuccessMessage, otherwise.SuccessMessage, longestNote)
	f.milliseconds("successMessageInterval", &p.SuccessMessageInterval, otherwise.SuccessMessageInterval)
	f.flag("confirmAnswer", &p.ConfirmAnswer, otherwise.ConfirmAnswer)
	return p
}

func readQuestion(f *fields) question.Question {
	q, otherwise := question.Question{}, question.DefaultQuestion()
	var kind string
	f.whole("id", &q.ID, otherwise.ID)
	f.textOr("question", &q.Text, otherwise.Text, longestNote)
	f.textOr("type", &kind, string(otherwise.Type), longestLabel)
	q.Type = question.Type(kind)
	f.flag("required", &q.Required, otherwise.Required)
	f.whole("minLength", &q.MinLength, otherwise.MinLength)
	f.whole("maxLength", &q.MaxLength, otherwise.MaxLength)
	f.optionalText("defaultValue", &q.Default, longestNote)
	f.textOr("mask", &q.Mask, otherwise.Mask, longestLabel)
	f.textOr("regex", &q.Regex, otherwise.Regex, question.LongestRegex)
	f.textOr("errorMessage", &q.ErrorMessage, otherwise.ErrorMessage, longestNote)
	for i, v := range f.array("options") {
		o := f.element("options", i, v)
		var option question.Option
		o.whole("id", &option.ID, 0)
		if _, given := o.given("id"); !given {
			o.wrong("id", "é obrigatório")
		}
		o.label("name", &option.Name)
		o.text("value", &option.Value, longestNote)
		q.Options = append(q.Options, option)
	}
	return q
}

// problems are the words for what a form can be wrong with.
var problems = map[question.Problem]string{
	question.Missing:   "é obrigatório",
	question.Unknown:   "não é um dos valores aceitos",
	question.Duplicate: "está repetido",
	question.Negative:  "não pode ser negativo",
	question.TooSmall:  "deve ser maior que zero",
	question.TooLarge:  "não pode ser maior que maxLength",
	question.Malformed: "não é válido",

	question.TooComplex: "é complexo demais",
}

func formFault(err error, path func(int) string) error {
	var field *question.FieldError
	if !errors.As(err, &field) {
		return err
	}
	at := "parameters"
	if field.Index != question.InParameters {
		at = path(field.Index)
	}
	problem := problems[field.Problem]
	if field.Field == "type" {
		problem = oneOf(question.Types)
	}
	return invalid(at+"."+field.Field, problem)
}

func (api *API) cancelAsk(*http.Request) (any, error) {
	api.Questions.Cancel()
	return done("Pergunta cancelada com sucesso")
}

// reasons are what a person is told of an answer that does not pass, unless the question has its own words.
var reasons = map[question.Reason]string{
	question.Required:     "Resposta obrigatória",
	question.TooShort:     "Resposta curta demais",
	question.TooLong:      "Resposta longa demais",
	question.BadText:      "Texto inválido",
	question.BadMask:      "Resposta incompleta",
	question.NotDigits:    "Digite apenas números",
	question.BadPhone:     "Telefone inválido",
	question.BadCPF:       "CPF inválido",
	question.BadCNPJ:      "CNPJ inválido",
	question.BadCPFOrCNPJ: "CPF ou CNPJ inválido",
	question.BadEmail:     "E-mail inválido",
	question.BadCEP:       "CEP inválido",
	question.BadDate:      "Data inválida",
	question.BadTime:      "Hora inválida",
	question.BadMoney:     "Valor inválido",
	question.NoMatch:      "Resposta fora do formato",
	question.NotAnOption:  "Escolha uma das opções",
}

// refusedAnswer is the validation message as the person would read it.
func refusedAnswer(err error) error {
	var answer *question.AnswerError
	var why *question.Invalid
	if !errors.As(err, &answer) || !errors.As(err, &why) {
		return err
	}
	text := answer.Question.ErrorMessage
	if text == "" {
		text = reasons[why.Reason]
	}
	return &requestError{status: http.StatusUnprocessableEntity, message: text}
}

// prompts are what is asked when the caller leaves the words to the terminal.
var prompts = map[question.Type]string{
	question.Text:      "Digite a resposta",
	question.Number:    "Digite o número",
	question.Phone:     "Digite o telefone com DDD",
	question.CPF:       "Digite o CPF",
	question.CNPJ:      "Digite o CNPJ",
	question.CPFOrCNPJ: "Digite o CPF ou o CNPJ",
	question.Email:     "Digite o e-mail",
	question.CEP:       "Digite o CEP",
	question.Date:      "Digite a data",
	question.Time:      "Digite a hora",
	question.Money:     "Digite o valor",
	question.Regex:     "Digite a resposta",
	question.List:      "Escolha uma opção",
	question.Button:    "Escolha uma opção",
}

func promptOf(q question.Question) string {
	if strings.TrimSpace(q.Text) != "" {
		return q.Text
	}
	return prompts[q.Type]
}
