package cielo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/payment"
)

const ordersPath = "/orders"

func orderPath(id string) string { return ordersPath + "/" + id }

// newOrder is the body that makes a draft.
type newOrder struct {
	Number    string      `json:"number"`
	Reference string      `json:"reference"`
	Kind      string      `json:"payment_code,omitempty"`
	Status    state       `json:"status"`
	Items     []newItem   `json:"items"`
	Notes     string      `json:"notes,omitempty"`
	Price     json.Number `json:"price"`
}

type newItem struct {
	SKU      string      `json:"sku"`
	Name     string      `json:"name"`
	Price    json.Number `json:"unit_price"`
	Quantity int         `json:"quantity"`
	Unit     string      `json:"unit_of_measure"`
}

// creation is the request that makes the attempt's draft.
func (a *Acquirer) creation(t payment.Transaction) remote.Request {
	price := cents(t.Request.Amount)
	body := newOrder{
		Number: a.Number(t), Reference: "Venda " + strconv.FormatInt(t.ID, 10), Status: draft, Price: price,
		Items: []newItem{{SKU: "venda", Name: "Venda", Price: price, Quantity: 1, Unit: "EACH"}},
	}
	if !a.config.LIO {
		body.Kind = kindOf(t.Request)
	}
	if t.Request.Installments > 1 { // which no field has: whoever holds the device reads it there
		body.Notes = fmt.Sprintf("%d parcelas", t.Request.Installments)
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // texts and numbers
	}
	return remote.Request{Key: body.Number, Path: ordersPath, Body: text, At: time.Now()}
}

// kindOf fixes how a Smart takes the payment; empty: it is chosen there.
func kindOf(r payment.Request) string {
	switch {
	case r.Method == payment.Debit:
		return "DEBITO_AVISTA"
	case r.Method != payment.Credit:
		return ""
	case r.Installments == 1:
		return "CREDITO_AVISTA"
	case r.Plan == payment.Buyer:
		return "CREDITO_PARCELADO_ADM"
	}
	return "CREDITO_PARCELADO_LOJA"
}

// create makes the draft, or finds the one that was made of a try whose answer is lost. Its error means that there is none to place.
func (a *Acquirer) create(ctx context.Context, q remote.Request) (id string, err error) {
	for try := 1; ; try++ {
		raw, asked := a.caller.Do(ctx, remote.Call{Method: http.MethodPost, Path: q.Path, Body: q.Body, Tries: 1})
		if asked == nil {
			var made struct {
				ID string `json:"id"`
			}
			if json.Unmarshal(raw, &made) == nil && idPattern.MatchString(made.ID) {
				return made.ID, nil
			}
			asked = errors.New("the answer names no order")
		}
		if p := remote.Complained(asked); p != nil && !p.Transient() {
			return "", asked
		}
		all, err := a.search(ctx, q.Key, 1)
		switch {
		case err != nil && !isGone(err):
			return "", asked
		case len(all) > 0:
			return all[0].id, nil
		case try >= remote.MaxTries:
			return "", asked
		}
		if err := remote.Sleep(ctx, a.config.Pace.Backoff<<try); err != nil {
			return "", err
		}
	}
}

// search are the orders of a number: several, where a draft was made twice.
func (a *Acquirer) search(ctx context.Context, number string, tries int) ([]order, error) {
	raw, err := a.caller.Do(ctx, remote.Call{Method: http.MethodGet, Path: ordersPath + "?number=" + url.QueryEscape(number), Tries: tries})
	if err != nil {
		return nil, err
	}
	return parseList(raw, number)
}

var errNoList = errors.New("the answer is no list of orders")

// parseList takes a list, or the one order that its pages show in the place of a list.
func parseList(raw []byte, number string) (found []order, err error) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 {
		return nil, nil
	}
	var list []orderJSON
	if raw[0] == '{' {
		raw = fmt.Appendf(nil, "[%s]", raw)
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoList, err)
	}
	for _, j := range list {
		if j.ID == "" && j.Number == "" {
			return nil, errNoList // of whoever is at a wrong address
		}
		if j.Number != number {
			continue
		}
		o, err := j.parse()
		if err != nil {
			return nil, err
		}
		found = append(found, o)
	}
	return found, nil
}

// see looks an order up by its id. Its transactions are read unless it says that nobody has touched it.
func (a *Acquirer) see(ctx context.Context, id string, tries int) (order, error) {
	raw, err := a.caller.Do(ctx, remote.Call{Method: http.MethodGet, Path: orderPath(id), Tries: tries})
	if err != nil {
		return order{}, err
	}
	o, untouched, err := parseOrder(raw)
	switch {
	case err != nil:
		return order{}, err
	case o.id != id:
		return order{}, fmt.Errorf("the answer is another order: %s", remote.Tidy(o.id))
	case untouched:
		return o, nil
	}
	if raw, err = a.caller.Do(ctx, remote.Call{Method: http.MethodGet, Path: orderPath(id) + "/transactions", Tries: tries}); err != nil {
		return order{}, err
	}
	o.transactions, err = parseTransactions(raw)
	return o, err
}

// change asks for a step of the order, once: whoever does looks before asking again.
func (a *Acquirer) change(ctx context.Context, id, operation string) error {
	_, err := a.caller.Do(ctx, remote.Call{Method: http.MethodPut, Path: orderPath(id) + "?operation=" + operation, Tries: 1})
	return err
}

// place has the devices show the order. A *remote.Refusal means that none does, nor will: the draft is gone.
func (a *Acquirer) place(ctx context.Context, q remote.Request) (order, error) {
	for try := 1; ; try++ {
		asked := a.change(ctx, q.ID, "PLACE")
		if asked == nil {
			return order{id: q.ID, state: entered}, nil
		}
		o, err := a.see(ctx, q.ID, remote.MaxTries)
		switch {
		case err != nil:
			return order{}, errors.Join(asked, err)
		case o.state != draft:
			return o, nil
		}
		if p := remote.Complained(asked); try >= remote.MaxTries || p != nil && !p.Transient() {
			// A try without an answer may still arrive: only a draft that is gone can't be placed.
			o, gone, err := a.discard(ctx, q)
			if err == nil && gone {
				err = refusals.Of(asked)
			}
			return o, err
		}
		if err := remote.Sleep(ctx, a.config.Pace.Backoff<<try); err != nil {
			return order{}, err
		}
	}
}
