package referee

import (
	"fmt"
	"slices"
	"time"
)

// settled are the words for a transaction that will not change by itself any more.
var settled = []string{"approved", "refused", "cancelled", "reversed"}

func (c *courtroom) references() {
	for i := range c.Exchanges {
		x := &c.Exchanges[i]
		if x.Route != pay || x.Answered.IsZero() && x.Left.IsZero() || x.Charge.TPag == "" {
			continue // it has not come whole
		}
		switch x.Status {
		case invalid, stranger, tooLarge, compressed:
			continue // it is not known what it was
		}
		switch {
		case x.Reference == "":
			c.accuse(NoReference, x, fmt.Sprintf("pagamento de R$ %s sem referenceId", x.Charge.Amount.Reais()))
		case x.says(conflict, usedText):
			c.accuse(ReferenceReused, x, fmt.Sprintf("a referência %q já era de outra cobrança; nada foi cobrado", x.Reference))
		}
	}
}

// lost is when the caller lost the answer of a payment or a reversal; false: it did not.
func (x *Exchange) lost() (time.Time, bool) {
	switch {
	case x.Route != pay && x.Route != reverse:
		return time.Time{}, false
	case x.Cut:
		return x.Answered, true
	case !x.Left.IsZero():
		return x.Left, true
	case x.says(unavailable, unknownText), x.says(unavailable, stoppingText):
		return x.Answered, true
	}
	return time.Time{}, false
}

func (c *courtroom) lostAnswers() {
	for i := range c.Exchanges {
		x := &c.Exchanges[i]
		when, lost := x.lost()
		if !lost {
			continue
		}
		looked := c.after(when, x.isLookedUpBy)
		knew := c.after(when, func(y *Exchange) bool { return x.isLookedUpBy(y) && y.tells() })
		next := c.after(when, func(y *Exchange) bool {
			// After the end of a sale the same price is the next customer's.
			return x.Route == pay && y.Route == pay && c.together(x, y) && y.Charge.Amount.Cmp(x.Charge.Amount) == 0 && (y.Reference == "" || y.Reference != x.Reference)
		})
		part := c.after(when, x.isGivenBackAgainBy)
		switch {
		case part != nil && (knew == nil || knew.Answered.After(part.Arrived)):
			c.accuse(DoubleReversal, part, fmt.Sprintf("outro estorno de R$ %s sem saber o que foi da requisição %d, cuja resposta se perdeu", part.Part.Reais(), x.N))
		case next != nil && (knew == nil || knew.Answered.After(next.Arrived)):
			c.accuse(DoubleCharge, next, fmt.Sprintf("nova cobrança de R$ %s sem saber o que foi da requisição %d, cuja resposta se perdeu", next.Charge.Amount.Reais(), x.N))
		case looked == nil && !c.unfinished(when):
			c.accuse(LostNotLookedUp, x, fmt.Sprintf("a resposta de %s%s se perdeu e ninguém perguntou por ela", x.sentence(), x.named()))
		}
	}
}

// isLookedUpBy tells whether an exchange could say what became of this one. Sending it again under its reference does.
func (x *Exchange) isLookedUpBy(y *Exchange) bool {
	if y.Status == stranger {
		return false
	}
	unread := x.Route == pay && x.Charge.TPag == "" // refused before its body came: whose it was is not known
	switch y.Route {
	case list:
		return true
	case lookUp:
		return y.Reference == x.Reference || unread
	case pay:
		return unread || x.Route == pay && x.Reference != "" && y.Reference == x.Reference && y.Charge.same(x.Charge)
	case reverse:
		return x.Route == reverse && y.Reference == x.Reference && (x.Part == nil || y.Part == nil || x.PartID != "" && x.PartID == y.PartID)
	}
	return false
}

// tells whether the answer settles what became of a payment.
func (x *Exchange) tells() bool {
	switch x.Route {
	case list:
		return x.Status == ok
	case lookUp:
		return x.Status == notFound || slices.Contains(settled, x.Outcome)
	}
	return x.Status == ok && !x.Cut || x.Status == declined
}

func (x *Exchange) named() string {
	if x.Reference == "" || x.Route != pay {
		return ""
	}
	return fmt.Sprintf(" (referência %q)", x.Reference)
}
