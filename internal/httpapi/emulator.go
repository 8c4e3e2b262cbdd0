package httpapi

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/question"
)

// Emulator is what a test script can do to the terminal's hardware and to the bank behind it.
type Emulator interface {
	// SettlePayment ends the payment or reversal on the screen; false when none is.
	SettlePayment(AcquirerReply, payment.Method) bool
	// PresentCard gives the operation on the screen the card it waits for; false when none does.
	PresentCard(Card) bool
	// ScriptAcquirer says how the next operations end; "normal" forgets what was said before.
	ScriptAcquirer(r AcquirerReply, times int)
	SetPrinter(printing.State)
	// Jobs are what was printed, newest first.
	Jobs() []printing.Printed
	// Picture is the paper of a job as a PNG, or printing.ErrNoJob.
	Picture(n int) ([]byte, error)
	// Drawers are the cash drawers at the printer, by their numbers.
	Drawers() []printing.CashDrawer
	// CloseDrawers closes them, as a person would.
	CloseDrawers()
	// Reset brings acquirer and printer back to how they started.
	Reset()
}

// AcquirerReply is how an operation ends: approve, refuse, cancel, timeout or offline.
type AcquirerReply struct {
	Ending  string
	Message string
	Delay   time.Duration
}

// Card is one at the terminal: inserted, tapped or swiped. Reply is what its bank says, nil leaves that to the
// acquirer; Method counts where nobody has chosen yet.
type Card struct {
	Entry  string
	Reply  *AcquirerReply
	Method payment.Method
}

func (api *API) emulatorForeground(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsFault)
	if err != nil {
		return nil, err
	}
	if !f.has("active") {
		f.wrong("active", "é obrigatório: true, false ou null")
	}
	var override *bool
	if !f.null("active") {
		override = new(bool)
		f.flag("active", override, false)
	}
	if f.err() != nil {
		return nil, f.err()
	}
	api.Screen.Foreground.Override(override)
	return done("Primeiro plano alterado com sucesso")
}

func (api *API) emulatorAnswer(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsFault)
	if err != nil {
		return nil, err
	}
	var value *string
	var cancel bool
	f.optionalText("value", &value, longestText)
	values := f.array("values")
	f.flag("cancel", &cancel, false)
	inputs := make([]string, len(values))
	for i, v := range values {
		f.takeText("values["+strconv.Itoa(i)+"]", v, &inputs[i], longestText)
	}
	_, many := f.given("values")
	if ways := count(value != nil, many, cancel); ways != 1 && f.err() == nil {
		return nil, invalid("", "envie exatamente um de: value, values, cancel: true")
	}
	if f.err() != nil {
		return nil, f.err()
	}
	if _, covered := api.Payments.Shown(); covered {
		return nil, errNoQuestionShown // nobody can touch what is under a payment
	}
	switch {
	case cancel:
		err = api.Questions.Dismiss(0)
	case many:
		err = api.Questions.AnswerRest(0, inputs)
	default:
		err = api.Questions.Answer(0, 0, *value)
	}
	switch {
	case errors.Is(err, question.ErrNotShown):
		return nil, errNoQuestionShown
	case errors.Is(err, question.ErrCount):
		return nil, invalid("values", "deve ter uma resposta para cada pergunta que falta")
	case err != nil:
		return nil, refusedAnswer(err)
	}
	return done("Resposta enviada com sucesso")
}

func count(truths ...bool) (n int) {
	for _, t := range truths {
		if t {
			n++
		}
	}
	return n
}

func (api *API) emulatorPayment(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsFault)
	if err != nil {
		return nil, err
	}
	var reply AcquirerReply
	var tPag string
	choice(f, "outcome", &reply.Ending, "", "approve", "refuse", "cancel")
	f.textOr("message", &reply.Message, "", longestNote)
	choiceIfAny(f, "tPag", &tPag, "03", "04", "17")
	if f.err() != nil {
		return nil, f.err()
	}
	if !api.Emulator.SettlePayment(reply, methods[tPag]) {
		return nil, errNoPaymentShown
	}
	return done("Pagamento resolvido com sucesso")
}

func (api *API) emulatorCard(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsFault)
	if err != nil {
		return nil, err
	}
	var card Card
	var reply AcquirerReply
	var tPag string
	choice(f, "entry", &card.Entry, "", "insert", "tap", "swipe")
	choiceIfAny(f, "outcome", &reply.Ending, "approve", "refuse", "cancel", "timeout", "offline")
	f.textOr("message", &reply.Message, "", longestNote)
	choiceIfAny(f, "tPag", &tPag, "03", "04")
	if f.err() != nil {
		return nil, f.err()
	}
	card.Method = methods[tPag]
	if reply.Ending != "" {
		card.Reply = &reply
	}
	if !api.Emulator.PresentCard(card) {
		return nil, errNoPaymentShown
	}
	return done("Cartão apresentado com sucesso")
}

// choiceIfAny is choice for a field without a default.
func choiceIfAny[T ~string](f *fields, name string, to *T, all ...T) {
	if _, ok := f.given(name); ok {
		choice(f, name, to, "", all...)
	}
}

func (api *API) emulatorAcquirer(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsFault)
	if err != nil {
		return nil, err
	}
	var reply AcquirerReply
	var delay, times int
	choice(f, "next", &reply.Ending, "", "normal", "approve", "refuse", "cancel", "timeout", "offline")
	f.textOr("message", &reply.Message, "", longestNote)
	f.wholeIn("delayMs", &delay, 0, 0, 600_000)
	f.wholeIn("times", &times, 1, 1, 1000)
	if f.err() != nil {
		return nil, f.err()
	}
	reply.Delay = time.Duration(delay) * time.Millisecond
	api.Emulator.ScriptAcquirer(reply, times)
	return done("Adquirente programado com sucesso")
}

func (api *API) emulatorPrinter(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsFault)
	if err != nil {
		return nil, err
	}
	var state printing.State
	choice(f, "state", &state, "", printing.OK, printing.PaperOut, printing.CoverOpen, printing.Offline)
	if f.err() != nil {
		return nil, f.err()
	}
	api.Emulator.SetPrinter(state)
	return done("Impressora alterada com sucesso")
}

type jobBody struct {
	N          int           `json:"n"`
	Kind       printing.Kind `json:"kind"`
	CreatedAt  stamp         `json:"createdAt"`
	WidthDots  int           `json:"widthDots"`
	HeightDots int           `json:"heightDots"`
	Picture    string        `json:"picture"`
}

func (api *API) emulatorJobs(*http.Request) (any, error) {
	jobs := api.Emulator.Jobs()
	body := make([]jobBody, len(jobs))
	for i, j := range jobs {
		body[i] = jobBody{j.N, j.Kind, stampOf(j.CreatedAt), j.Width, j.Height, "/emulator/printer/jobs/" + strconv.Itoa(j.N) + ".png"}
	}
	return body, nil
}

func (api *API) emulatorPicture(w http.ResponseWriter, r *http.Request) {
	number, isPNG := strings.CutSuffix(r.PathValue("picture"), ".png")
	n, err := strconv.Atoi(number)
	if !isPNG || err != nil {
		api.fail(w, r, time.Now(), logbook.HTTP, printing.ErrNoJob)
		return
	}
	picture, err := api.Emulator.Picture(n)
	if err != nil {
		api.fail(w, r, time.Now(), logbook.HTTP, err)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Content-Length", strconv.Itoa(len(picture)))
	w.Write(picture) //nolint:errcheck // the caller may be gone
}

func (api *API) emulatorReset(*http.Request) (any, error) {
	api.Emulator.Reset()
	api.Screen.Foreground.Override(nil)
	api.Screen.Clear()
	api.Screen.ForgetNotifications()
	_ = api.Questions.Dismiss(0) // none shown is as good
	api.Payments.DismissEnded()
	api.Payments.ForgetSettled()
	api.Printing.ForgetWaiting(0)
	return done("Emulador reiniciado com sucesso")
}
