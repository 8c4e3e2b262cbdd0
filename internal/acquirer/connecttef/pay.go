package connecttef

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	domain "github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/payment"
)

// newOperation is the body of what is asked for.
type newOperation struct {
	ID           string `json:"identificacao"`
	Total        string `json:"valorTotal"`
	Kind         string `json:"tipoTransacao,omitempty"`
	Installments string `json:"quantidadeParcelas,omitempty"`
	Print        bool   `json:"imprimirComprovante"`
	Number       string `json:"numeroTransacao,omitempty"`
	Final        string `json:"finalizacao,omitempty"`
}

func (n newOperation) request(path string) remote.Request {
	text, err := json.Marshal(n)
	if err != nil {
		panic(err) // texts
	}
	return remote.Request{Key: n.ID, Path: path, Body: text, At: time.Now()}
}

// The table of codes.
const (
	creditInFull     = "10"
	creditByMerchant = "11"
	creditByIssuer   = "12"
	debit            = "20"
	pix              = "30"
)

// kindOf is the code of what is asked for; empty: the customer chooses at the device.
func kindOf(r payment.Request) string {
	switch {
	case r.Method == payment.Debit:
		return debit
	case r.Method == payment.Pix:
		return pix
	case r.Method != payment.Credit:
		return ""
	case r.Installments == 1:
		return creditInFull
	case r.Plan == payment.Buyer:
		return creditByIssuer
	}
	return creditByMerchant
}

func (a *Acquirer) sale(t payment.Transaction) remote.Request {
	return newOperation{
		ID: a.Identification(t), Total: t.Request.Amount.Cents(), Kind: kindOf(t.Request), Installments: strconv.Itoa(t.Request.Installments),
	}.request(salePath)
}

// Pay has the manager ask the customer for the payment, and waits for how it ended.
func (a *Acquirer) Pay(ctx context.Context, c payment.Charge) (payment.Outcome, error) {
	shown := payment.Prompt{Step: payment.StepProcessing, Preparing: true, Method: c.Request.Method, Agreed: c.Request.Installments}
	c.Show(shown)
	q := a.sale(c.Transaction)
	o, known, err := a.greet(ctx, q.Key)
	switch {
	case ctx.Err() != nil:
		return payment.Outcome{}, ctx.Err()
	case err != nil:
		return remote.Declined(refusals.Of(err).Message), nil
	}
	if err := a.requests.Begin(q); err != nil {
		return payment.Outcome{}, errors.Join(domain.ErrNotSaved, err)
	}
	shown.Step, shown.Preparing, shown.Committed, shown.Device = payment.StepCard, false, true, "Connect TEF" // what has left can't be called off
	c.Show(shown)
	if err := c.Sending(); err != nil {
		return payment.Outcome{}, err
	}
	if !known {
		o, known, err = a.ask(ctx, q)
	} else {
		err = a.known(q)
	}
	switch {
	case err != nil:
		return payment.Outcome{}, err
	case !known:
		return remote.Declined(o.text), nil
	}
	if !o.executed {
		waiting, stop := context.WithTimeout(ctx, a.config.Wait)
		defer stop()
		if o, known = a.follow(waiting, q.Key); !known {
			return payment.Outcome{}, errors.Join(errAtDevice, ctx.Err())
		}
	}
	return a.verdict(ctx, c.Transaction, o)
}

var errAtDevice = errors.New("the operation is still at the device")

// ask sends a payment's request. Where its answer is lost it looks for as long as the request may be on its way; one that has not
// come by then has not been made, and the text says so.
func (a *Acquirer) ask(ctx context.Context, q remote.Request) (o operation, known bool, err error) {
	o, err = a.post(ctx, q)
	switch {
	case err == nil:
		return o, true, nil
	case remote.NoEffect(err):
		return operation{text: refusals.Of(err).Message}, false, nil
	}
	for ctx.Err() == nil {
		o, known, looked := a.see(ctx, q.Key, remote.MaxTries)
		switch {
		case looked != nil:
			return operation{}, false, errors.Join(err, looked)
		case known:
			return o, true, a.known(q)
		case a.landed():
			return operation{text: sayLost}, false, nil
		}
		_ = remote.Sleep(ctx, a.config.Pace.Poll) // the loop sees that the context has ended
	}
	return operation{}, false, ctx.Err()
}

// verdict is what the end of an operation means for a payment whose caller waits.
func (a *Acquirer) verdict(ctx context.Context, t payment.Transaction, o operation) (payment.Outcome, error) {
	switch {
	case !o.approved:
		return a.refused(t, o), nil
	case o.of(t.Request.Amount):
		return a.approval(t, o), nil
	}
	// Any other sum is nothing the caller asked for.
	back, err := a.takeBack(ctx, t, o)
	if !back {
		return payment.Outcome{}, errors.Join(o.another(t.Request.Amount), err)
	}
	return a.named(t, o.another(t.Request.Amount).Returned()), nil
}
