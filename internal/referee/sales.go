package referee

import (
	"fmt"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/money"
)

// charge is money known to the caller to have moved.
type charge struct {
	key    string // one charge, however often it is told of
	amount money.Decimal
	spent  bool      // on a sale
	asked  *Exchange // the payment; nil: it is only believed to have been made
}

// cashbox is what a caller may count on from sale to sale.
type cashbox struct {
	charges  []*charge
	reversed map[string]bool
	ended    *ended    // how the last sale was paid, until the next command
	replayed *Exchange // a payment of this sale that was answered with what another sale was paid with
}

// sales goes through what happened in its order: answers count from when they were ready, commands from when they came.
func (c *courtroom) sales() {
	box := cashbox{reversed: map[string]bool{}}
	cart := cartWatch{}
	var pending []*Exchange // answers that were not yet ready when the last exchange came
	for i := range c.Exchanges {
		x := &c.Exchanges[i]
		var later []*Exchange
		for _, y := range pending {
			if y.Answered.After(x.Arrived) {
				later = append(later, y)
			} else if box.learn(y, c.asking(y)); y.Route == list && y.Status == ok {
				box.believe(c.Exchanges[:i], y.Arrived)
			}
		}
		pending = later
		if !x.Answered.IsZero() && !x.Cut {
			pending = append(pending, x)
		}
		c.mixed(x, &cart)
		c.chargedAgain(x, &box)
		if x.Route == finalize && x.Status == ok && x.Sale != nil {
			c.finalized(x, &box, &cart)
		}
		if (x.Route == finalize || x.Route == cancel) && x.Status == ok {
			cart = cartWatch{}
			box.replayed = nil
			if x.Route == cancel {
				box.ended = nil
			}
		}
	}
}

// learn takes in what an answer says about money.
func (b *cashbox) learn(x, asked *Exchange) {
	switch {
	case x.Route != pay && x.Route != lookUp && x.Route != reverse || x.Status != ok:
		return
	case x.Outcome == "reversed":
		b.reversed[x.Reference] = true
		return
	case x.Outcome != "approved" || x.Amount == nil:
		return
	}
	key, left := x.Reference, x.Amount.Sub(x.Back)
	if key == "" {
		key = fmt.Sprintf("\x00%d", x.N)
	}
	for _, known := range b.charges {
		if known.key == key {
			known.amount = left
			if known.spent && x.Route == pay {
				b.replayed = x
			}
			return
		}
	}
	if x.Route != reverse {
		b.charges = append(b.charges, &charge{key: key, amount: left, asked: asked})
	}
}

// believe that who read the whole list found there what became of lost payments: nobody can tell which of them was meant.
func (b *cashbox) believe(before []Exchange, read time.Time) {
	for i := range before {
		x := &before[i]
		if when, lost := x.lost(); lost && x.Route == pay && when.Before(read) {
			found := *x
			found.Status, found.Outcome, found.Amount, found.Answered = ok, "approved", &x.Charge.Amount, read
			b.learn(&found, nil)
		}
	}
}

// spend is what was charged and not yet spent on a sale.
func (b *cashbox) spend() (sum money.Decimal) {
	for _, c := range b.charges {
		if !c.spent && !b.reversed[c.key] {
			sum = sum.Add(c.amount)
		}
		c.spent = true
	}
	return sum
}

func (c *courtroom) finalized(x *Exchange, box *cashbox, cart *cartWatch) {
	during := c.during(box, cart)
	charged := box.spend()
	s := x.Sale
	if box.ended = nil; under(during, s.Total) {
		box.ended = &ended{sale: x, charges: during}
	}
	working := c.find(func(y *Exchange) bool { return y.underway(x.Arrived) })
	switch {
	case working != nil:
		c.accuse(FinalizedDuring, x, fmt.Sprintf("a venda foi finalizada enquanto o pagamento da requisição %d estava em andamento", working.N))
	case s.Cancels:
		// Which of the others they take back, nobody says.
	case s.Electronic.Cmp(charged) > 0 && box.replayed != nil:
		c.accuse(ReferenceReused, box.replayed, fmt.Sprintf("a referência %q já tinha pago outra venda; nesta nada foi cobrado", box.replayed.Reference))
	case s.Electronic.Cmp(charged) > 0:
		c.accuse(FinalizedUnapproved, x, fmt.Sprintf("a venda registra R$ %s em crédito, débito ou PIX; aprovados: R$ %s", s.Electronic.Reais(), charged.Reais()))
	case s.Total.Cmp(charged.Add(s.Other)) > 0:
		c.accuse(FinalizedUncovered, x, fmt.Sprintf("venda de R$ %s; pagos: R$ %s", s.Total.Reais(), charged.Add(s.Other).Reais()))
	case cart.missing.Sign() > 0 && s.Other.Sign() == 0 && charged.Sub(s.Total).Cmp(cart.missing) == 0:
		c.accuse(ItemRefused, cart.refused, fmt.Sprintf("o item %q foi recusado (%d %s), não está na venda e mesmo assim foi cobrado", cart.refused.Item.Code, cart.refused.Status, cart.refused.Message))
	case len(during) > 1 && sumOf(during).Cmp(s.Total) > 0 && cart.shrunk == nil:
		last := during[len(during)-1].asked
		c.accuse(SaleOvercharged, last, fmt.Sprintf("venda de R$ %s; cobrados enquanto estava aberta: R$ %s, em %d transações", s.Total.Reais(), sumOf(during).Reais(), len(during)))
	}
}

// underway tells of a payment that the terminal was at work on, its caller still waiting for the answer.
func (x *Exchange) underway(at time.Time) bool {
	if x.Route != pay || !x.Arrived.Before(at) || !x.Left.IsZero() && x.Left.Before(at) || !x.Answered.IsZero() && !x.Answered.After(at) {
		return false
	}
	return x.Status == ok || x.Status == declined || x.says(unavailable, unknownText) || x.Status == 0
}

// cartWatch is what happened to the cart since the last sale ended.
type cartWatch struct {
	opened  time.Time     // when the caller knew that it was; zero: nobody saw it
	shrunk  *Exchange     // something that may have made the total smaller: an item taken out or changed, a discount
	filled  bool          // somebody put an item in
	ignored *Exchange     // the 409 that said so
	lost    bool          // an answer of POST /sale: who asks again is told 409
	refused *Exchange     // the first item that is not in it
	missing money.Decimal // its total, and that of others like it
	codes   map[string]money.Decimal
}

// mixed follows the cart, and finds items put into a sale that was not meant.
func (c *courtroom) mixed(x *Exchange, cart *cartWatch) {
	switch x.Route {
	case openSale:
		switch {
		case x.Cut || !x.Left.IsZero():
			cart.lost = true
		case x.Status == ok:
			cart.opened = x.Answered
		case x.says(conflict, openText) && cart.filled && !cart.lost:
			cart.ignored = x
		}
	case seeSale:
		cart.ignored = nil
	case addItem:
		if x.Status == ok && cart.ignored != nil {
			c.accuse(SalesMixed, x, fmt.Sprintf("depois do 409 da requisição %d o item foi para a venda que já estava aberta", cart.ignored.N))
			cart.ignored = nil
		}
		cart.take(x)
	default:
		if x.Status == ok && x.shrinks() {
			cart.shrunk = x
		}
	}
}

// shrinks tells of what may make a sale's total smaller.
func (x *Exchange) shrinks() bool {
	_, path, _ := strings.Cut(x.Route, " ")
	return path == clearPath || strings.HasPrefix(path, "/sale/item/") || strings.HasPrefix(path, "/sale/discount") || strings.HasPrefix(path, "/sale/addition/")
}

func (w *cartWatch) take(x *Exchange) {
	switch {
	case x.Status == ok:
		w.filled = true
		if total, was := w.codes[x.Item.Code]; was {
			w.missing = w.missing.Sub(total)
			delete(w.codes, x.Item.Code)
		}
	case x.Status == invalid && !strings.HasPrefix(x.Message, inCartText) && x.Item.Total.Sign() > 0:
		if _, twice := w.codes[x.Item.Code]; twice {
			return
		}
		if w.codes == nil {
			w.codes = map[string]money.Decimal{}
		}
		if len(w.codes) == 0 {
			w.refused = x
		}
		w.codes[x.Item.Code] = x.Item.Total
		w.missing = w.missing.Add(x.Item.Total)
	}
}
