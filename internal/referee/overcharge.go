package referee

import (
	"fmt"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/money"
)

// Charging a sale twice is told by its own charges alone: those asked for while it was open. What a caller charges before
// it opens a sale may be for the next one, or for none.

// ended is a sale that its own charges have paid.
type ended struct {
	sale    *Exchange
	charges []*charge
}

// asking is the payment whose outcome an answer tells; nil: it was not seen.
func (c *courtroom) asking(x *Exchange) *Exchange {
	if x.Route == pay {
		if x.Reference == "" {
			return x
		}
	}
	return c.find(func(y *Exchange) bool {
		return y.Route == pay && y.Reference == x.Reference && y.Arrived.Compare(x.Arrived) <= 0 && y.Status != unavailable
	})
}

// during are the charges that were asked for while the sale was open, and not given back, then or later.
func (c *courtroom) during(b *cashbox, cart *cartWatch) (during []*charge) {
	for _, k := range b.charges {
		if !k.spent && !cart.opened.IsZero() && k.asked != nil && !k.asked.Arrived.Before(cart.opened) && !c.givenBack(k.asked) {
			during = append(during, k)
		}
	}
	slices.SortStableFunc(during, func(a, b *charge) int { return a.asked.N - b.asked.N })
	return during
}

// givenBack tells whether a payment was reversed, or might have been: an answer may have been lost.
func (c *courtroom) givenBack(x *Exchange) bool {
	return x.Reference != "" && c.find(func(y *Exchange) bool {
		return y.Reference == x.Reference && (y.Outcome == "reversed" || y.Route == reverse && (y.Cut || y.Status == 0 || y.Status == unavailable || y.Status == ok))
	}) != nil
}

func sumOf(charges []*charge) (sum money.Decimal) {
	for _, k := range charges {
		sum = sum.Add(k.amount)
	}
	return sum
}

// under tells whether charges have paid for a sale.
func under(charges []*charge, total money.Decimal) bool {
	return len(charges) > 0 && sumOf(charges).Cmp(total) >= 0
}

// chargedAgain finds a sale that its own charges had paid, charged once more right after it was finalized. Who opens a sale
// next may have charged for that one.
func (c *courtroom) chargedAgain(x *Exchange, b *cashbox) {
	e := b.ended
	if e == nil || x.N == e.sale.N || !c.isCommand(x) {
		return
	}
	b.ended = nil
	if x.Route != pay || x.Cut || x.Status != ok || x.Outcome != "approved" || x.Reference == "" || c.givenBack(x) || c.usedLater(x) || c.unfinished(x.Arrived) {
		return
	}
	for _, k := range e.charges {
		if k.key == x.Reference {
			return // the same charge, told once more
		}
	}
	if sumOf(e.charges).Cmp(x.Charge.Amount) == 0 || e.charges[len(e.charges)-1].amount.Cmp(x.Charge.Amount) == 0 {
		c.accuse(SaleOvercharged, x, fmt.Sprintf("a venda da requisição %d já estava paga e foi cobrada outra vez: R$ %s", e.sale.N, reais(x.Charge.Amount)))
	}
}

// isCommand tells what a caller does on purpose from looks, questions and prints.
func (c *courtroom) isCommand(x *Exchange) bool {
	switch x.Route {
	case pay, reverse, openSale, addItem, finalize, cancel:
		return x.Status != stranger && !x.says(unavailable, busyText)
	}
	return false
}

// usedLater tells whether a sale that was opened after the charge may be what it was for: one that never ended, or that
// its own charges do not pay for.
func (c *courtroom) usedLater(x *Exchange) bool {
	var opened time.Time
	own := money.Zero
	for i := range c.Exchanges {
		y := &c.Exchanges[i]
		switch {
		case y.N <= x.N:
		case y.Route == openSale:
			if opened.IsZero() {
				opened = y.Arrived
			}
		case opened.IsZero():
		case y.Route == pay && y.Outcome == "approved" && y.Amount != nil:
			own = own.Add(*y.Amount)
		case y.Route == finalize && y.Status == ok:
			return y.Sale == nil || y.Sale.Cancels || y.Sale.Total.Cmp(own.Add(y.Sale.Other)) > 0
		case y.Route == cancel && y.Status == ok:
			return true // whatever it was charged for, it may be given back at the counter
		}
	}
	return !opened.IsZero()
}
