package ordersim

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/maquininha/maquininha/internal/acquirer/httpsim"
	"github.com/maquininha/maquininha/internal/money"
)

// The states of the API.
const (
	draft     = "DRAFT"
	entered   = "ENTERED"
	reEntered = "RE-ENTERED"
	paidUp    = "PAID"
	closed    = "CLOSED"
	canceled  = "CANCELED"

	confirmed = "CONFIRMED"
	pending   = "PENDING"
)

type order struct {
	made     Event
	status   string
	placed   bool
	deleted  bool
	payments []*Event
	voids    []Event
}

// apply is an event that is in the ledger.
func (a *Account) apply(e Event) {
	o := a.orders[e.Order]
	switch e.Kind {
	case Made:
		o = &order{made: e, status: draft}
		a.orders[e.Order], a.inTurn = o, append(a.inTurn, o)
	case Moved:
		o.status = e.Status
		o.placed = o.placed || e.Status == entered
	case Deleted:
		o.deleted, o.status = true, "deleted"
	case Paid:
		if i := slices.IndexFunc(o.payments, func(p *Event) bool { return p.ID == e.ID }); i >= 0 {
			*o.payments[i] = e
			return
		}
		o.payments = append(o.payments, &e)
	case Voided:
		o.voids = append(o.voids, e)
	case Violated:
		a.Violated(e.Note)
	}
}

func (a *Account) happen(e Event) error {
	e.At = time.Now()
	return a.Record(e)
}

func (a *Account) move(o *order, status string) error {
	return a.happen(Event{Kind: Moved, Order: o.made.Order, Status: status})
}

// open tells that the devices show it.
func (o *order) open() bool { return o.status == entered || o.status == reEntered }

func (o *order) paid() (sum int64) {
	for _, p := range o.payments {
		if p.Status == confirmed {
			sum += p.Cents
		}
	}
	return sum
}

func (o *order) back() (sum int64) {
	for _, v := range o.voids {
		sum += v.Cents
	}
	return sum
}

// remaining is what is left to pay, what is under way counted as paid.
func (o *order) remaining() int64 {
	left := o.made.Cents - o.paid() + o.back()
	for _, p := range o.payments {
		if p.Status == pending {
			left -= p.Cents
		}
	}
	return left
}

// mature brings an order to where time has taken it.
func (a *Account) mature(o *order) error {
	for _, p := range o.payments {
		if p.Status != pending || time.Now().Before(p.Until) {
			continue
		}
		done := *p
		done.Status, done.Until = confirmed, time.Time{}
		if err := a.happen(done); err != nil {
			return err
		}
	}
	if o.open() && o.paid()-o.back() >= o.made.Cents {
		return a.move(o, paidUp)
	}
	return nil
}

// pay is a card that pays part of an order, or all of it.
func (a *Account) pay(o *order, cents int64, until time.Time) error {
	e := Event{Kind: Paid, Order: o.made.Order, ID: uuid.NewString(), Cents: cents, Status: confirmed, NSU: httpsim.Digits(6), Auth: httpsim.Digits(6), Until: until}
	if !until.IsZero() {
		e.Status = pending
	}
	if err := a.happen(e); err != nil {
		return err
	}
	return a.mature(o)
}

// void is the supervisor at the device, who cancels every payment of an order.
func (a *Account) void(o *order) error {
	standing := o.paid() - o.back()
	if standing <= 0 {
		return ErrNotPaid
	}
	if err := a.happen(Event{Kind: Voided, Order: o.made.Order, ID: uuid.NewString(), Cents: standing, NSU: httpsim.Digits(6), Auth: httpsim.Digits(6)}); err != nil {
		return err
	}
	if o.open() {
		return a.move(o, reEntered)
	}
	return nil
}

// json is an order as the API tells it.
func (o *order) json() map[string]any {
	return map[string]any{
		"id": o.made.Order, "number": o.made.Number, "reference": o.made.Ref, "status": o.status, "price": o.made.Cents, "remaining": max(o.remaining(), 0),
		"created_at": stamp(o.made.At), "updated_at": stamp(o.made.At), "order_type": "PAYMENT", "transactions": o.transactions(),
	}
}

func (o *order) transactions() []map[string]any {
	all := []map[string]any{}
	for _, v := range o.voids {
		all = append(all, o.transaction(v, "CANCELLATION", confirmed))
	}
	for _, p := range o.payments {
		all = append(all, o.transaction(*p, "PAYMENT", p.Status))
	}
	return all
}

func (o *order) transaction(e Event, kind, status string) map[string]any {
	product, way, quotas := "CREDITO", "A VISTA", 0
	switch {
	case strings.HasPrefix(o.made.Code, "DEBITO"):
		product = "DEBITO"
	case strings.HasPrefix(o.made.Code, "CREDITO_PARCELADO"):
		way, quotas = "PARCELADO LOJA", 3
	}
	return map[string]any{
		"id": e.ID, "external_id": e.ID, "status": status, "terminal_number": "77102648", "authorization_code": e.Auth, "number": e.NSU, "amount": e.Cents,
		"transaction_type": kind, "card": map[string]any{"brand": "MASTERCARD", "mask": "************3542"},
		"payment_fields": map[string]any{"primary_product_name": product, "secondary_product_name": way, "number_of_quotas": quotas},
	}
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// reais is an amount of cents.
func reais(cents int64) money.Decimal {
	return money.MustParse(fmt.Sprintf("%d.%02d", cents/100, cents%100))
}
