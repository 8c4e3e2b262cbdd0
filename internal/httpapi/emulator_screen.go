package httpapi

import (
	"cmp"
	"errors"
	"net/http"
	"slices"

	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
	"github.com/maquininha/maquininha/internal/sale"
	"github.com/maquininha/maquininha/internal/screen"
)

// screenBody is what a person would see, for a script to look at.
type screenBody struct {
	View          screen.View        `json:"view"`
	Active        bool               `json:"active"`
	Foreground    foregroundBody     `json:"foreground"`
	Busy          bool               `json:"busy"`
	Sale          *saleBody          `json:"sale"`
	Closing       *closingBody       `json:"closing"`
	Printer       *waitingBody       `json:"printer"`
	Question      *questionShown     `json:"question"`
	Success       *successBody       `json:"success"`
	Payment       *paymentShown      `json:"payment"`
	Result        *resultBody        `json:"result"`
	Display       []any              `json:"display"`
	Notifications []notificationBody `json:"notifications"`
}

type foregroundBody struct {
	Override     *bool `json:"override"`
	Pages        int   `json:"pages"`
	VisiblePages int   `json:"visiblePages"`
	Autopilot    bool  `json:"autopilot"`
}

type closingBody struct {
	Outcome         sale.State `json:"outcome"`
	Message         *string    `json:"message"`
	ShowMessage     bool       `json:"showMessage"`
	ShowCloseButton bool       `json:"showCloseButton"`
	ButtonCloseText *string    `json:"buttonCloseText"`
	MessageInterval int64      `json:"messageInterval"`
}

// waitingBody is the newest of so many prints that a person may ask for again.
type waitingBody struct {
	Kind   printing.Kind  `json:"kind"`
	Reason printing.State `json:"reason"`
	Count  int            `json:"count"`
}

type successBody struct {
	Message  *string `json:"message"`
	Interval int64   `json:"interval"`
}

type notificationBody struct {
	Title   string `json:"title"`
	Text    string `json:"text"`
	Command string `json:"command"`
	At      stamp  `json:"at"`
}

func (api *API) emulatorScreen(*http.Request) (any, error) {
	fg, model := api.Screen.Foreground.State(), api.Screen.State()
	body := screenBody{
		Active:        fg.Active,
		Foreground:    foregroundBody{fg.Override, fg.Pages, fg.VisiblePages, fg.Autopilot},
		Busy:          api.Device.Gate.Busy(),
		Display:       make([]any, len(model.Stack)),
		Notifications: make([]notificationBody, len(model.Notifications)),
	}
	open, err := api.Sales.Current()
	if err == nil {
		s := saleOf(open)
		body.Sale = &s
	} else if !errors.Is(err, sale.ErrNoneOpen) {
		return nil, err
	}
	if c := model.Closing; c != nil {
		outcome := sale.Cancelled
		if c.Finalized {
			outcome = sale.Finalized
		}
		body.Closing = &closingBody{outcome, orNull(c.Message), c.ShowMessage, c.ShowCloseButton, orNull(c.ButtonCloseText), c.Interval.Milliseconds()}
	}
	if all := api.Printing.Waiting(); len(all) > 0 {
		w := all[len(all)-1]
		body.Printer = &waitingBody{w.Kind, w.Why, len(all)}
	}
	if q, ok := api.Questions.Shown(); ok {
		body.Question = questionOf(q)
	}
	if s, ok := api.Questions.Success(); ok {
		body.Success = &successBody{orNull(s.Message), s.Interval.Milliseconds()}
	}
	if p, ok := api.Payments.Shown(); ok {
		body.Payment = paymentOf(p)
	}
	if e, ok := api.Payments.Ended(); ok {
		body.Result = resultOf(e)
	}
	for i, c := range model.Stack {
		body.Display[i] = displayed(c.Content)
	}
	for i, n := range model.Notifications {
		body.Notifications[i] = notificationBody{cmp.Or(n.Title, "Comando recebido"), cmp.Or(n.Text, "Restaure o aplicativo"), n.Command, stampOf(n.At)}
	}
	body.View = screen.Presence{
		Sale: body.Sale != nil, Closing: body.Closing != nil, Printer: body.Printer != nil, Display: len(body.Display) > 0,
		Success: body.Success != nil, Result: body.Result != nil, Question: body.Question != nil, Payment: body.Payment != nil,
	}.Top()
	return body, nil
}

// displayed tells what is shown without its bytes.
func displayed(c screen.Content) any {
	switch c := c.(type) {
	case screen.Image:
		return map[string]any{"kind": "image", "contentType": c.Picture.ContentType, "width": c.Picture.Width, "height": c.Picture.Height, "showCloseButton": c.ShowCloseButton}
	case screen.Text:
		content := make([]any, len(c.Lines))
		for i, l := range c.Lines {
			content[i] = lineBody(l)
		}
		return map[string]any{"kind": "text", "content": content, "backgroundColor": c.BackgroundColor, "showCloseButton": c.ShowCloseButton}
	case screen.Carousel:
		return map[string]any{
			"kind": "carousel", "images": len(c.Pictures), "intervalMs": c.Interval.Milliseconds(), "transition": c.Transition,
			"backgroundColor": c.BackgroundColor, "showCloseButton": c.ShowCloseButton,
		}
	}
	return nil
}

// lineBody is a line of the display as a caller would write it.
func lineBody(l screen.Line) any {
	switch {
	case l.Code != nil:
		return map[string]any{l.Code.Kind: map[string]any{"content": l.Code.Text}}
	case l.Cells != nil:
		cells := make([]any, len(l.Cells))
		for i, c := range l.Cells {
			cells[i] = map[string]any{"row": map[string]any{
				"content": c.Value, "size": c.Weight,
				"customization": map[string]any{
					"font_size": c.Size, "alignment": slices.Index([]string{"left", "center", "right"}, c.Align),
					"font_style": map[string]any{"bold": c.Bold, "italic": c.Italic},
				},
			}}
		}
		return map[string]any{"line": map[string]any{"column": cells}}
	case l.Rule:
		return map[string]any{"line": map[string]any{"divider": l.Divider}}
	}
	return map[string]any{"text": map[string]any{"value": l.Value, "size": l.Size, "bold": l.Bold, "align": l.Align}}
}

type questionShown struct {
	Index      int            `json:"index"`
	Count      int            `json:"count"`
	Parameters parametersBody `json:"parameters"`
	Question   questionBody   `json:"question"`
	Answers    []answerBody   `json:"answers"`
}

type parametersBody struct {
	ButtonText             string  `json:"buttonText"`
	ShowCancelButton       bool    `json:"showCancelButton"`
	ButtonCancelText       string  `json:"buttonCancelText"`
	ShowSuccessMessage     bool    `json:"showSuccessMessage"`
	SuccessMessage         *string `json:"successMessage"`
	SuccessMessageInterval int64   `json:"successMessageInterval"`
	ConfirmAnswer          bool    `json:"confirmAnswer"`
}

type questionBody struct {
	ID           int           `json:"id"`
	Question     string        `json:"question"`
	Type         question.Type `json:"type"`
	Required     bool          `json:"required"`
	MinLength    int           `json:"minLength"`
	MaxLength    int           `json:"maxLength"`
	DefaultValue *string       `json:"defaultValue"`
	Mask         *string       `json:"mask"`
	Regex        *string       `json:"regex"`
	ErrorMessage *string       `json:"errorMessage"`
	Options      []optionBody  `json:"options"`
}

type optionBody struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

func questionOf(s question.Shown) *questionShown {
	p, q := s.Form.Parameters, s.Form.Questions[s.Index]
	body := &questionShown{
		Index: s.Index, Count: len(s.Form.Questions), Answers: answersOf(s.Form.Questions, s.Answers),
		Parameters: parametersBody{
			p.ButtonText, p.ShowCancelButton, p.ButtonCancelText, p.ShowSuccessMessage, orNull(p.SuccessMessage),
			p.SuccessMessageInterval.Milliseconds(), p.ConfirmAnswer,
		},
		Question: questionBody{
			q.ID, promptOf(q), q.Type, q.Required, q.MinLength, q.MaxLength, q.Default, orNull(q.Mask), orNull(q.Regex), orNull(q.ErrorMessage), nil,
		},
	}
	for _, o := range q.Options {
		body.Question.Options = append(body.Question.Options, optionBody(o))
	}
	return body
}
