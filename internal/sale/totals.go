package sale

import (
	"slices"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
)

// totals are the sums of the open sale. They are kept beside its lines so that a change that would leave one of them
// rounded is refused, at the same cost for the first line and the ten-thousandth.
type totals struct {
	subtotal, itemDiscount, itemAddition, paid tally
	discount, surcharge                        tally // of the sale
	inexact                                    bool  // taken over from a version that kept rounded sums: nothing is known of them
}

// tally is a sum and how fine its parts are. What can be held at the scale of the finest part can still be held when
// any part has gone, so taking away is never refused.
type tally struct {
	sum    money.Decimal
	places [money.Digits + 1]uint32 // how many of the parts have so many decimal places
}

func (t *tally) add(d money.Decimal) error {
	sum, err := t.sum.Plus(d)
	if err != nil {
		return err
	}
	t.sum = sum
	t.places[d.Places()]++
	if !t.exact(t.finest()) {
		return money.ErrRange
	}
	return nil
}

func (t *tally) remove(d money.Decimal) {
	t.sum = t.sum.Sub(d)
	t.places[d.Places()]--
}

func (t *tally) finest() int {
	for i := range slices.Backward(t.places[:]) {
		if t.places[i] > 0 {
			return i
		}
	}
	return 0
}

// exact tells whether the sum, and any smaller one, can be held with so many decimal places.
func (t *tally) exact(places int) bool { return t.sum.WholeDigits()+places <= money.Digits }

// changeItem is the totals after a line has become another; nil is none. An error names the field that is too large or
// too fine for its sum.
func (t totals) changeItem(before, after *Item) (totals, error) {
	if before != nil && !before.Canceled && !t.inexact {
		t.itemDiscount.remove(orZero(before.Discount))
		t.itemAddition.remove(orZero(before.Addition))
		t.subtotal.remove(before.Total)
	}
	if after == nil || after.Canceled || t.inexact {
		return t, nil
	}
	switch {
	case t.itemDiscount.add(orZero(after.Discount)) != nil:
		return t, inexact("discount")
	case t.itemAddition.add(orZero(after.Addition)) != nil:
		return t, inexact("addition")
	case t.subtotal.add(after.Total) != nil:
		return t, inexact("total")
	}
	return t, t.balanced("total")
}

// changePayment is changeItem for payments.
func (t totals) changePayment(before, after *Payment) (totals, error) {
	if before != nil && !t.inexact {
		t.paid.remove(before.Value)
	}
	if after == nil || t.inexact {
		return t, nil
	}
	if t.paid.add(after.Value) != nil {
		return t, inexact("value")
	}
	return t, t.balanced("value")
}

// changeAdjustment is changeItem for what one of the totals' own tallies counts: discounts or additions. They are changed in place.
func (t *totals) changeAdjustment(in *tally, before, after *Adjustment) error {
	if before != nil && !t.inexact {
		in.remove(before.Value)
	}
	if after == nil || t.inexact {
		return nil
	}
	if in.add(after.Value) != nil {
		return inexact("value")
	}
	return t.balanced("value")
}

func inexact(field string) error { return &operation.FieldError{Field: field, Err: ErrInexact} }

// balanced tells whether the total, what is still due and the change can be held too, whatever is taken away: none of them is
// ever beyond what the items cost with all additions, what was paid, or the discounts.
func (t *totals) balanced(field string) error {
	places := max(t.subtotal.finest(), t.surcharge.finest(), t.discount.finest(), t.paid.finest())
	most, err := t.subtotal.sum.Plus(t.surcharge.sum)
	if err != nil || !(&tally{sum: most}).exact(places) || !t.discount.exact(places) || !t.paid.exact(places) {
		return inexact(field)
	}
	return nil
}

// reckon counts all lines of a sale.
func (s *openSale) reckon() (t totals) {
	var err error
	for r := range s.items.rows() {
		if t, err = t.changeItem(nil, &r.value); err != nil {
			return totals{inexact: true}
		}
	}
	for r := range s.payments.rows() {
		if t, err = t.changePayment(nil, &r.value); err != nil {
			return totals{inexact: true}
		}
	}
	for r := range s.discounts.rows() {
		if t.changeAdjustment(&t.discount, nil, &r.value) != nil {
			return totals{inexact: true}
		}
	}
	for r := range s.additions.rows() {
		if t.changeAdjustment(&t.surcharge, nil, &r.value) != nil {
			return totals{inexact: true}
		}
	}
	return t
}
