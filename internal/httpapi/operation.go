package httpapi

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/fiscal"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/question"
)

// runningBody is what holds the terminal, or null.
type runningBody struct {
	Operation *operationBody `json:"operation"`
}

type operationBody struct {
	OperationID string         `json:"operationId"`
	Kind        string         `json:"kind"`
	ReferenceID *string        `json:"referenceId"`
	TPag        *string        `json:"tPag"`
	Amount      *money.Decimal `json:"amount"`
	Step        string         `json:"step"`
	Message     string         `json:"message"`
	Since       stamp          `json:"since"`
	Cancellable bool           `json:"cancellable"`
	Pix         *pixBody       `json:"pix"`
	Answered    *int           `json:"answered"`
	Of          *int           `json:"of"`
}

type pixBody struct {
	Code      string `json:"code"`
	ExpiresAt *stamp `json:"expiresAt"`
}

func (api *API) getOperation(*http.Request) (any, error) { return api.running(), nil }

// running is what the caller sees: a payment covers a question, as on the screen. What is displayed does not hold the terminal.
func (api *API) running() runningBody {
	if p, ok := api.Payments.Running(); ok {
		return runningBody{operationOf(p)}
	}
	if q, ok := api.Questions.Shown(); ok {
		return runningBody{askingOf(q)}
	}
	if p, ok := api.Printing.Running(); ok {
		return runningBody{&operationBody{OperationID: operationID(p.Operation), Kind: "print", Step: "printing", Message: "Imprimindo…", Since: stampOf(p.Since)}}
	}
	return runningBody{}
}

// Running is the kind of operation that holds the terminal; empty: none does.
func (api *API) Running() string {
	if o := api.running().Operation; o != nil {
		return o.Kind
	}
	return ""
}

func operationID(id uint64) string { return strconv.FormatUint(id, 10) }

// stepNames are the steps of a payment or a reversal as callers know them.
var stepNames = map[payment.Step]string{
	payment.StepWaiting: "waiting", payment.StepResolving: "settling", payment.StepChoose: "choosing", payment.StepInstallments: "installments",
	payment.StepCard: "card", payment.StepPIN: "pin", payment.StepPix: "pix", payment.StepConfirm: "confirming", payment.StepProcessing: "processing",
	payment.StepMenu:    "menu",
	payment.StepReceipt: "receipt",
}

// stepWords are what the customer reads at a step, where it is the same for a payment and a reversal.
var stepWords = map[payment.Step]string{
	payment.StepWaiting: "Abra o aplicativo", payment.StepResolving: "Resolvendo o pagamento anterior…", payment.StepChoose: "Como deseja pagar?",
	payment.StepInstallments: "Em quantas vezes?", payment.StepCard: "Insira, aproxime ou passe o cartão", payment.StepPIN: "Digite a senha",
	payment.StepPix: "Aponte a câmera do celular", payment.StepProcessing: "Processando…", payment.StepReceipt: "Imprimindo o comprovante…",
	payment.StepMenu: "Use o menu no gerenciador de pagamentos",
}

// read is what the customer reads.
func read(r payment.Running) string {
	sum := "R$ " + fiscal.Decimal(r.Amount.String()).Brazilian(2)
	switch step, back := r.Prompt.Step, r.Kind == payment.Refund; {
	case step == payment.StepConfirm && back:
		return "Estornar " + sum + "?"
	case step == payment.StepConfirm:
		return "Pagar " + sum + "?"
	case step == payment.StepCard && r.Prompt.Device != "":
		return "Siga na maquininha: " + r.Prompt.Device
	case step == payment.StepCard && back:
		return "Insira, aproxime ou passe o cartão do estorno"
	case step == payment.StepProcessing && back:
		return "Estornando…"
	default:
		return stepWords[step]
	}
}

func operationOf(r payment.Running) *operationBody {
	body := &operationBody{
		OperationID: operationID(r.Operation), Kind: string(r.Kind), ReferenceID: orNull(r.Request.Reference), TPag: orNull(methodCodes[r.Method]),
		Step: stepNames[r.Prompt.Step], Message: read(r), Since: stampOf(r.Since), Cancellable: r.Cancellable,
	}
	if r.Amount.Sign() > 0 { // that of a payment to be given back is not known before it is found
		body.Amount = &r.Amount
	}
	if p := r.Prompt; p.BRCode != "" {
		body.Pix = &pixBody{Code: p.BRCode}
		if !p.ExpiresAt.IsZero() {
			at := stampOf(p.ExpiresAt)
			body.Pix.ExpiresAt = &at
		}
	}
	return body
}

func askingOf(s question.Shown) *operationBody {
	of := len(s.Form.Questions)
	return &operationBody{
		OperationID: operationID(s.Serial), Kind: "question", Step: "asking", Message: promptOf(s.Form.Questions[s.Index]),
		Since: stampOf(s.Since), Cancellable: true, Answered: &s.Index, Of: &of,
	}
}

// accepted is a wish that was taken: what becomes of it, the held request says.
type accepted message

func (api *API) cancelOperation(r *http.Request) (any, error) {
	f, err := api.readFields(r, emptyIsObject)
	if err != nil {
		return nil, err
	}
	wish, err := readWish(f)
	if err != nil {
		return nil, err
	}
	wish.Taken = func() { api.Story.CalledOff(r.Context(), wish) }
	if err := api.cancel(wish); err != nil {
		return nil, err
	}
	return accepted{"Cancelamento solicitado"}, nil
}

func readWish(f *fields) (w operation.Wish, err error) {
	var id string
	f.textOr("referenceId", &w.Reference, "", longestReference)
	f.textOr("operationId", &id, "", longestLabel)
	if id != "" {
		w.ID, err = strconv.ParseUint(id, 10, 64)
		w.Unknown = err != nil || operationID(w.ID) != id
	}
	return w, f.err()
}

// cancel makes the wish where it belongs. Each desk decides for itself whether what it runs is meant, and whether it is too late.
func (api *API) cancel(w operation.Wish) error {
	if err := api.Payments.Cancel(w); !errors.Is(err, operation.ErrNone) {
		return err
	}
	if err := api.Questions.CancelThis(w); !errors.Is(err, operation.ErrNone) {
		return err
	}
	switch p, printing := api.Printing.Running(); {
	case !printing:
		return operation.ErrNone
	case w.ID == p.Operation && w.Reference == "":
		return operation.ErrCommitted
	}
	return operation.ErrOther
}

// streamOperation sends what runs, and every change of it.
func (api *API) streamOperation(w http.ResponseWriter, r *http.Request) {
	out, ok := beginEvents(w, r)
	if !ok {
		return
	}
	ctx, cancel := mergeContexts(r.Context(), api.stopping)
	defer cancel()
	quiet := time.NewTimer(api.Timeouts.KeepAlive)
	defer quiet.Stop()
	e := newEncoder()
	var last []byte
	for {
		changed := api.Screen.Changes() // before it is read: what changes meanwhile is read again
		e.Reset()
		if err := e.Encode(api.running()); err != nil {
			return
		}
		if !bytes.Equal(last, e.Bytes()) {
			last = append(last[:0], e.Bytes()...)
			// What was encoded ends with a line feed of its own.
			if _, err := w.Write(append(append([]byte("data: "), last...), '\n')); err != nil || out.Flush() != nil {
				return
			}
			quiet.Reset(api.Timeouts.KeepAlive)
		}
		select {
		case <-changed:
		case <-quiet.C:
			if _, err := w.Write([]byte(": \n\n")); err != nil || out.Flush() != nil {
				return
			}
			quiet.Reset(api.Timeouts.KeepAlive)
		case <-ctx.Done():
			return
		}
	}
}
