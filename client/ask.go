package client

import (
	"context"
	"net/http"
)

// QuestionType is what a question takes for an answer.
type QuestionType string

// The types of the interface. Answers are canonical: digits without punctuation, dates as 2026-12-31, money as 12.34.
const (
	AskText      QuestionType = "TEXT"
	AskNumber    QuestionType = "NUMBER"
	AskPhone     QuestionType = "PHONE"
	AskCPF       QuestionType = "CPF"
	AskCNPJ      QuestionType = "CNPJ"
	AskCPFOrCNPJ QuestionType = "CPFORCNPJ"
	AskEmail     QuestionType = "EMAIL"
	AskCEP       QuestionType = "CEP"
	AskDate      QuestionType = "DATE"
	AskTime      QuestionType = "TIME"
	AskMoney     QuestionType = "MONEY"
	AskRegex     QuestionType = "REGEX"
	AskList      QuestionType = "LIST"
	AskButton    QuestionType = "BUTTON"
)

// Question is what the customer is asked. What is left out has the terminal's defaults.
type Question struct {
	ID           int          `json:"id"`
	Text         string       `json:"question,omitempty"`
	Type         QuestionType `json:"type,omitempty"`
	Required     bool         `json:"required,omitempty"`
	MinLength    int          `json:"minLength,omitempty"`
	MaxLength    int          `json:"maxLength,omitempty"`
	DefaultValue string       `json:"defaultValue,omitempty"`
	Mask         string       `json:"mask,omitempty"`
	Regex        string       `json:"regex,omitempty"`
	ErrorMessage string       `json:"errorMessage,omitempty"`
	Options      []Choice     `json:"options,omitempty"` // of AskList and AskButton
}

// Choice is one of a question's options.
type Choice struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Parameters are how a question is shown.
type Parameters struct {
	ButtonText             string `json:"buttonText,omitempty"`
	ShowCancelButton       bool   `json:"showCancelButton,omitempty"`
	ButtonCancelText       string `json:"buttonCancelText,omitempty"`
	ShowSuccessMessage     bool   `json:"showSuccessMessage,omitempty"`
	SuccessMessage         string `json:"successMessage,omitempty"`
	SuccessMessageInterval *int   `json:"successMessageInterval,omitempty"` // milliseconds
	ConfirmAnswer          bool   `json:"confirmAnswer,omitempty"`
	Timeout                int    `json:"-"` // seconds, 10 to 3600, until a question that nobody answers is ErrTimedOut; 0: never
}

// Answer is what the customer said to the question with this id.
type Answer struct {
	ID    int    `json:"id"`
	Value string `json:"value"`
}

// Ask shows a question and waits for the answer, as long as the context lets it. When the context ends, the question leaves the
// screen. A customer who cancels is ErrQuestionCancelled.
func (c *Client) Ask(ctx context.Context, p Parameters, q Question) (Answer, error) {
	body := struct {
		Parameters Parameters `json:"parameters"`
		Question   Question   `json:"question"`
		Timeout    int        `json:"timeout,omitempty"`
	}{p, q, p.Timeout}
	var a Answer
	err := c.send(ctx, call{method: http.MethodPost, path: "/ask", held: true, stoppable: true}, body, &a)
	return a, err
}

// AskForm asks questions one after the other; the answers come together, in the same order.
func (c *Client) AskForm(ctx context.Context, p Parameters, questions ...Question) ([]Answer, error) {
	body := struct {
		Parameters Parameters `json:"parameters"`
		Questions  []Question `json:"questions"`
		Timeout    int        `json:"timeout,omitempty"`
	}{p, questions, p.Timeout}
	if questions == nil {
		body.Questions = []Question{}
	}
	var all []Answer
	err := c.send(ctx, call{method: http.MethodPost, path: "/ask/form", held: true, stoppable: true}, body, &all)
	return all, err
}

// CancelAsk takes the question off the screen; whoever asked it gets ErrQuestionCancelled.
func (c *Client) CancelAsk(ctx context.Context) error {
	return c.post(ctx, "/ask/cancel", nil, nil)
}
