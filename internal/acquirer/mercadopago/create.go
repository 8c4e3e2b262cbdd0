package mercadopago

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

const ordersPath = "/v1/orders"

func orderPath(id string) string { return ordersPath + "/" + id }

// newOrder is the body that creates an order.
type newOrder struct {
	Type         string        `json:"type"`
	Reference    string        `json:"external_reference"`
	Expiry       string        `json:"expiration_time"`
	Transactions newPayments   `json:"transactions"`
	Config       newOrderRules `json:"config"`
}

type newPayments struct {
	Payments []newPayment `json:"payments"`
}

type newPayment struct {
	Amount string `json:"amount"`
}

type newOrderRules struct {
	Point struct {
		Device string `json:"terminal_id"`
		Print  string `json:"print_on_terminal"`
	} `json:"point"`
	Method *methodRules `json:"payment_method,omitempty"`
}

type methodRules struct {
	Type         string `json:"default_type,omitempty"`
	Installments int    `json:"default_installments,omitempty"`
	Cost         string `json:"installments_cost,omitempty"`
}

// creation is the request that makes the attempt's order.
func (a *Acquirer) creation(t payment.Transaction) remote.Request {
	reference := a.Reference(t)
	body := newOrder{
		Type: "point", Reference: reference, Expiry: fmt.Sprintf("PT%dS", int(a.config.Expiry/time.Second)),
		Transactions: newPayments{[]newPayment{{t.Request.Amount.Cents()}}},
	}
	body.Config.Point.Device, body.Config.Point.Print = a.config.Device, "no_ticket"
	body.Config.Method = rulesOf(t.Request)
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // texts and a number
	}
	return remote.Request{Key: reference, Path: ordersPath, Body: text, At: time.Now()}
}

// rulesOf is what the device offers; nil: all that it has.
func rulesOf(r payment.Request) *methodRules {
	switch {
	case r.Method == payment.Debit:
		return &methodRules{Type: "debit_card"}
	case r.Method != payment.Credit:
		return nil
	case r.Installments == 1:
		return &methodRules{Type: "credit_card", Installments: 1}
	case r.Plan == payment.Buyer:
		return &methodRules{Type: "credit_card", Installments: r.Installments, Cost: "buyer"}
	}
	return &methodRules{Type: "credit_card", Installments: r.Installments, Cost: "seller"}
}

// create makes the order of a kept request, or finds the one that was made of it. A *remote.Refusal means that there is none, for sure.
func (a *Acquirer) create(ctx context.Context, t payment.Transaction, q remote.Request) (order, error) {
	raw, err := a.client.post(ctx, q)
	if err != nil {
		return order{}, err
	}
	o, err := parseOrder(raw)
	if err != nil {
		return order{}, err
	}
	if err := a.fits(o, t); err != nil {
		return order{}, err
	}
	q.ID = o.id
	return o, a.requests.Keep(q) // from here on it is found by its own id
}

// fits is an error when the order under this attempt's reference is not this attempt's.
func (a *Acquirer) fits(o order, t payment.Transaction) error {
	switch {
	case o.reference != a.Reference(t):
		return fmt.Errorf("the account has the reference %q under the key of %q", remote.Tidy(o.reference), a.Reference(t))
	case !o.wasPaid() && o.payment.amount.Cmp(t.Request.Amount) != 0:
		return fmt.Errorf("the account has an order of %s under the key of one of %s", o.payment.amount, t.Request.Amount)
	}
	return nil
}

// see looks an order up by its id.
func (a *Acquirer) see(ctx context.Context, id string, tries int) (order, error) {
	raw, err := a.client.get(ctx, tries, orderPath(id))
	if err != nil {
		return order{}, err
	}
	o, err := parseOrder(raw)
	if err == nil && o.id != id {
		err = fmt.Errorf("the answer is another order: %s", remote.Tidy(o.id))
	}
	return o, err
}

// errNoOrder is the certainty that no order of the attempt was made.
var errNoOrder = errors.New("no order was made")

// find is the order of an attempt whose answer may be lost: by the id that is kept, by our reference, or by sending the same
// request again. That may make an order which was not there: whoever finds it calls it off.
func (a *Acquirer) find(ctx context.Context, t payment.Transaction) (order, error) {
	q, kept, err := a.requests.Find(a.Reference(t))
	switch {
	case err != nil:
		return order{}, err
	case !kept:
		q = a.creation(t) // lost with a part of the data; its key is the same
		q.At = t.CreatedAt
	case q.ID != "":
		return a.see(ctx, q.ID, remote.MaxTries)
	}
	id, searched := a.search(ctx, t)
	switch {
	case id != "":
		q.ID = id
		if err := a.requests.Keep(q); err != nil {
			return order{}, err
		}
		return a.see(ctx, id, remote.MaxTries)
	case time.Since(q.At) >= keyLife:
		// Sent again it would be another order. What was made then has expired, or would be in the list.
		if searched != nil {
			return order{}, searched
		}
		return order{}, errNoOrder
	}
	o, err := a.create(ctx, t, q)
	var p *problem
	if errors.As(err, &p) && remote.NoEffect(err) && p.Status == http.StatusBadRequest {
		return order{}, errNoOrder // the same bytes were not taken then either
	}
	return o, err
}

// paidOrder is the order of a payment that stands. It makes none, whatever is lost.
func (a *Acquirer) paidOrder(ctx context.Context, t payment.Transaction) (order, error) {
	if token, err := parseToken(t.Outcome.Token); err == nil {
		return a.see(ctx, token.Order, remote.MaxTries)
	}
	id, err := a.search(ctx, t)
	switch {
	case err != nil:
		return order{}, err
	case id == "":
		return order{}, errNoOrder
	}
	return a.see(ctx, id, remote.MaxTries)
}

// search looks for the order of our reference; empty: the list has none. An order that was made a moment ago may not be in it
// yet, so that only its presence proves anything.
func (a *Acquirer) search(ctx context.Context, t payment.Transaction) (id string, err error) {
	const day = 24 * time.Hour
	query := url.Values{
		"external_reference": {a.Reference(t)},
		"begin_date":         {t.CreatedAt.Add(-day).UTC().Format(time.RFC3339)}, "end_date": {t.CreatedAt.Add(2 * day).UTC().Format(time.RFC3339)},
	}
	raw, err := a.client.get(ctx, 1, ordersPath+"?"+query.Encode())
	if err != nil {
		return "", err
	}
	var list struct {
		Data *[]struct {
			ID        string `json:"id"`
			Reference string `json:"external_reference"`
		} `json:"data"`
	}
	if err := json.Unmarshal(raw, &list); err != nil || list.Data == nil {
		return "", errors.Join(errors.New("reading the list of orders"), err)
	}
	for _, o := range *list.Data {
		if o.Reference == a.Reference(t) && idPattern.MatchString(o.ID) {
			return o.ID, nil
		}
	}
	return "", nil
}
