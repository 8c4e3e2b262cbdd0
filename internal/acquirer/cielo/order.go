package cielo

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/cardnames"
	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/money"
)

// state is where an order is.
type state string

// All of them. The devices show an order from entered on.
const (
	draft     state = "DRAFT"
	entered   state = "ENTERED"
	reEntered state = "RE-ENTERED"
	paid      state = "PAID"
	closed    state = "CLOSED"
	canceled  state = "CANCELED"
)

var states = []state{draft, entered, reEntered, paid, closed, canceled}

// order is one as Cielo tells it.
type order struct {
	id           string
	number       string
	state        state
	price        money.Decimal
	transactions []transaction
}

// transaction is a payment on an order, or the cancellation of one.
type transaction struct {
	cancellation bool
	status       string
	amount       money.Decimal
	number       string // the NSU
	code         string // the authorisation
	brand, card  string
	product      string // CREDITO, DEBITO …
	installments int
}

const (
	confirmed = "CONFIRMED"
	pending   = "PENDING"
	cancelled = "CANCELLED"
)

// standing is what was paid and not cancelled. A payment that was cancelled may be told so, or be followed by its cancellation, or both.
func (o order) standing() money.Decimal {
	stands, told := money.Zero, money.Zero
	for _, t := range o.transactions {
		switch {
		case t.cancellation && t.status == confirmed:
			told = told.Add(t.amount)
		case !t.cancellation && t.status == cancelled:
			told = told.Sub(t.amount)
		case !t.cancellation && t.status == confirmed:
			stands = stands.Add(t.amount)
		}
	}
	if told.Sign() > 0 {
		stands = stands.Sub(told)
	}
	return stands
}

// payments are the confirmed ones.
func (o order) payments() []transaction {
	return slices.DeleteFunc(slices.Clone(o.transactions), func(t transaction) bool { return t.cancellation || t.status != confirmed })
}

// lastCancellation is the newest; zero: there is none.
func (o order) lastCancellation() (last transaction) {
	for _, t := range o.transactions {
		if t.cancellation && t.status == confirmed {
			last = t
		}
	}
	return last
}

// open tells that the devices show the order.
func (o order) open() bool { return o.state == entered || o.state == reEntered }

// over tells that nothing will happen to the order by itself any more.
func (o order) over() bool {
	if slices.ContainsFunc(o.transactions, func(t transaction) bool { return t.status == pending }) {
		return false
	}
	return o.whole() || o.state == paid || o.state == closed || o.state == canceled
}

// whole tells that all of it was paid.
func (o order) whole() bool { return o.standing().Cmp(o.price) == 0 }

type orderJSON struct {
	ID           string             `json:"id"`
	Number       string             `json:"number"`
	Status       string             `json:"status"`
	Price        json.Number        `json:"price"`
	Transactions *[]json.RawMessage `json:"transactions"`
}

// idPattern also keeps an answer from choosing the path of the next request.
var idPattern = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)

// parseOrder reads an answer about an order, without its transactions. What it can't make sense of is an error: nothing is guessed
// where money is concerned.
func parseOrder(raw []byte) (o order, untouched bool, err error) {
	var j orderJSON
	if err := json.Unmarshal(raw, &j); err != nil {
		return order{}, false, fmt.Errorf("reading the order: %w", err)
	}
	if o, err = j.parse(); err != nil {
		return order{}, false, err
	}
	return o, j.Transactions != nil && len(*j.Transactions) == 0 && (o.open() || o.state == draft), nil
}

func (j orderJSON) parse() (order, error) {
	o := order{id: j.ID, number: j.Number, state: state(strings.ReplaceAll(strings.ToUpper(j.Status), "_", "-"))}
	if o.state == "CANCELLED" {
		o.state = canceled
	}
	var err error
	switch o.price, err = parseCents(j.Price); {
	case !idPattern.MatchString(o.id):
		return order{}, fmt.Errorf("an order with the id %q", remote.Tidy(o.id))
	case !slices.Contains(states, o.state):
		return order{}, fmt.Errorf("an order in the unknown state %q", remote.Tidy(j.Status))
	case err != nil:
		return order{}, fmt.Errorf("reading the price of an order: %w", err)
	}
	return o, nil
}

// transactionJSON has the kind of payment in either of two spellings.
type transactionJSON struct {
	Status string          `json:"status"`
	Type   string          `json:"transaction_type"`
	Amount json.Number     `json:"amount"`
	Number json.RawMessage `json:"number"`
	Code   json.RawMessage `json:"authorization_code"`
	Card   struct {
		Brand string          `json:"brand"`
		Mask  json.RawMessage `json:"mask"`
	} `json:"card"`
	Fields struct {
		Primary  string `json:"primary_product_name"`
		Primary2 string `json:"primaryProductName"`
		Quotas   int    `json:"number_of_quotas"`
		Quotas2  int    `json:"numberOfQuotas"`
	} `json:"payment_fields"`
}

func parseTransactions(raw []byte) (all []transaction, err error) {
	var list []transactionJSON
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("reading the transactions: %w", err)
	}
	for _, j := range list {
		t := transaction{
			cancellation: j.Type == "CANCELLATION", status: j.Status, number: word(j.Number), code: word(j.Code), brand: remote.Tidy(j.Card.Brand),
			card: word(j.Card.Mask), product: strings.ToUpper(remote.Tidy(cmp.Or(j.Fields.Primary, j.Fields.Primary2))),
			installments: max(j.Fields.Quotas, j.Fields.Quotas2, 1),
		}
		switch {
		case j.Type != "PAYMENT" && j.Type != "CANCELLATION":
			return nil, fmt.Errorf("a transaction of the unknown type %q", remote.Tidy(j.Type))
		case !slices.Contains([]string{confirmed, pending, cancelled}, t.status):
			return nil, fmt.Errorf("a transaction in the unknown state %q", remote.Tidy(t.status))
		}
		if t.amount, err = parseCents(j.Amount); err != nil {
			return nil, fmt.Errorf("reading the amount of a transaction: %w", err)
		}
		all = append(all, t)
	}
	return all, nil
}

// word is a text, or a number as one, without the card number that it might have.
func word(raw json.RawMessage) string {
	if string(raw) == "null" {
		return ""
	}
	return cardnames.Mask(remote.Tidy(strings.Trim(string(raw), `"`)))
}

var centsPattern = regexp.MustCompile(`^\d{1,11}$`)

func parseCents(n json.Number) (money.Decimal, error) {
	if !centsPattern.MatchString(string(n)) {
		return money.Zero, fmt.Errorf("%q is no amount", remote.Tidy(string(n)))
	}
	digits := fmt.Sprintf("%03s", string(n))
	return money.Parse(digits[:len(digits)-2] + "." + digits[len(digits)-2:])
}

// cents is an amount as the API has it.
func cents(amount money.Decimal) json.Number {
	return json.Number(cmp.Or(strings.TrimLeft(strings.Replace(amount.Cents(), ".", "", 1), "0"), "0"))
}
