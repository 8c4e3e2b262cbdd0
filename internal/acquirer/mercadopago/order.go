package mercadopago

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/money"
)

// state is where an order is.
type state string

// All of them. actionRequired comes when the device has lost touch: how it ended is on its screen, and here once it is back.
const (
	created        state = "created"
	atTerminal     state = "at_terminal"
	processing     state = "processing"
	actionRequired state = "action_required"
	processed      state = "processed"
	failed         state = "failed"
	canceled       state = "canceled"
	expired        state = "expired"
	refunded       state = "refunded"
)

var states = []state{created, atTerminal, processing, actionRequired, processed, failed, canceled, expired, refunded}

// order is one as Mercado Pago tells it.
type order struct {
	id        string
	reference string
	state     state
	detail    string
	payment   paid
	refunds   []refund
}

// paid is the order's one payment.
type paid struct {
	id           string
	number       string // at Mercado Pago
	amount       money.Decimal
	method, kind string // like master, credit_card
	detail       string
	installments int
}

type refund struct {
	id, number string
	state      string
	amount     money.Decimal
}

// The states of a refund.
const (
	refundMade    = "processed"
	refundMaking  = "processing"
	refundNotMade = "failed"
)

// final tells that nothing will happen to the order by itself any more.
func (o order) final() bool {
	return slices.Contains([]state{processed, failed, canceled, expired, refunded}, o.state)
}

// paid tells that money came in.
func (o order) wasPaid() bool { return o.state == processed || o.state == refunded }

type orderJSON struct {
	ID           string `json:"id"`
	Reference    string `json:"external_reference"`
	Status       string `json:"status"`
	Detail       string `json:"status_detail"`
	Transactions struct {
		Payments []paymentJSON `json:"payments"`
		Refunds  []refundJSON  `json:"refunds"`
	} `json:"transactions"`
}

type paymentJSON struct {
	ID          string      `json:"id"`
	ReferenceID string      `json:"reference_id"`
	Amount      json.Number `json:"amount"`
	Detail      string      `json:"status_detail"`
	Method      struct {
		ID           string `json:"id"`
		Type         string `json:"type"`
		Installments int    `json:"installments"`
	} `json:"payment_method"`
}

type refundJSON struct {
	ID          string      `json:"id"`
	ReferenceID string      `json:"reference_id"`
	Amount      json.Number `json:"amount"`
	Status      string      `json:"status"`
}

// idPattern also keeps an answer from choosing the path of the next request.
var idPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// parseOrder reads an answer about an order. What it can't make sense of is an error: nothing is guessed where money is
// concerned.
func parseOrder(raw []byte) (order, error) {
	var j orderJSON
	if err := json.Unmarshal(raw, &j); err != nil {
		return order{}, fmt.Errorf("reading the order: %w", err)
	}
	return j.parse()
}

func (j orderJSON) parse() (order, error) {
	o := order{id: j.ID, reference: j.Reference, state: state(j.Status), detail: remote.Words(j.Detail)}
	if j.Status == "cancelled" { // as some of its pages spell it
		o.state = canceled
	}
	switch {
	case !idPattern.MatchString(o.id):
		return order{}, fmt.Errorf("an order with the id %q", remote.Tidy(o.id))
	case !slices.Contains(states, o.state):
		return order{}, fmt.Errorf("an order in the unknown state %q", remote.Tidy(j.Status))
	case len(j.Transactions.Payments) != 1:
		return order{}, fmt.Errorf("an order with %d payments", len(j.Transactions.Payments))
	}
	var err error
	if o.payment, err = j.Transactions.Payments[0].parse(); err != nil {
		return order{}, err
	}
	for _, r := range j.Transactions.Refunds {
		back, err := r.parse()
		if err != nil {
			return order{}, err
		}
		o.refunds = append(o.refunds, back)
	}
	return o, nil
}

func (j paymentJSON) parse() (paid, error) {
	p := paid{
		id: j.ID, number: remote.Tidy(j.ReferenceID), method: j.Method.ID, kind: j.Method.Type, installments: j.Method.Installments,
		detail: remote.Words(j.Detail),
	}
	if !idPattern.MatchString(p.id) {
		return p, fmt.Errorf("a payment with the id %q", remote.Tidy(p.id))
	}
	var err error
	if p.amount, err = parseAmount(j.Amount); err != nil {
		return p, fmt.Errorf("reading the amount of a payment: %w", err)
	}
	return p, nil
}

func (j refundJSON) parse() (refund, error) {
	r := refund{id: j.ID, number: remote.Tidy(j.ReferenceID), state: j.Status}
	switch r.state {
	case refundMade, refundMaking, refundNotMade:
	case "refunded":
		r.state = refundMade
	default:
		return r, fmt.Errorf("a refund in the unknown state %q", remote.Tidy(j.Status))
	}
	if !idPattern.MatchString(r.id) {
		return r, fmt.Errorf("a refund with the id %q", remote.Tidy(r.id))
	}
	var err error
	if r.amount, err = parseAmount(j.Amount); err != nil {
		return r, fmt.Errorf("reading the amount of a refund: %w", err)
	}
	return r, nil
}

var amountPattern = regexp.MustCompile(`^\d{1,10}(\.\d{1,2})?$`)

func parseAmount(n json.Number) (money.Decimal, error) {
	if !amountPattern.MatchString(string(n)) {
		return money.Zero, fmt.Errorf("%q is no amount", remote.Tidy(string(n)))
	}
	return money.Parse(string(n))
}
