package sale

// List is one of a sale's lists.
type List string

// The lists.
const (
	Items     List = "item"
	Payments  List = "payment"
	Discounts List = "discount"
	Additions List = "addition"
)

// adjusting is what the desk needs of a list of adjustments.
type adjusting struct {
	lines           *lines[Adjustment]
	tally           *tally
	exists, unknown error
}

// adjusting returns the open sale's discounts or additions; sums are the totals to be changed.
func (s *openSale) adjusting(list List, sums *totals) adjusting {
	if list == Discounts {
		return adjusting{&s.discounts, &sums.discount, ErrDiscountExists, ErrDiscountUnknown}
	}
	return adjusting{&s.additions, &sums.surcharge, ErrAdditionExists, ErrAdditionUnknown}
}

// AddAdjustment puts a discount or an addition at the end of its list and returns its id, made here when the caller gave none.
func (d *Desk) AddAdjustment(list List, a Adjustment) (string, error) {
	a.Value = a.Value.Abs()
	err := d.performOnOpen(func(s *openSale) (Change, error) {
		sums := s.totals
		to := s.adjusting(list, &sums)
		id, err := chooseID(a.ID, to.lines.has, to.exists)
		if err != nil {
			return nil, err
		}
		if err := sums.changeAdjustment(to.tally, nil, &a); err != nil {
			return nil, err
		}
		a.ID, s.totals = id, sums
		return AdjustmentAdded{Sale: s.number, Seq: to.lines.add(a.ID, a, d.revise()), List: list, Adjustment: a}, nil
	})
	return a.ID, err
}

// EditAdjustment changes a discount or an addition in place.
func (d *Desk) EditAdjustment(list List, id string, patch AdjustmentPatch) error {
	return d.performOnOpen(func(s *openSale) (Change, error) {
		sums := s.totals
		to := s.adjusting(list, &sums)
		row, ok := to.lines.find(id)
		if !ok {
			return nil, to.unknown
		}
		a := row.value
		patch.Apply(&a)
		if err := sums.changeAdjustment(to.tally, &row.value, &a); err != nil {
			return nil, err
		}
		s.totals = sums
		row.value, row.rev = a, d.revise()
		return AdjustmentChanged{Sale: s.number, Seq: row.seq, List: list, Adjustment: a}, nil
	})
}

// RemoveAdjustment takes a discount or an addition out of the sale.
func (d *Desk) RemoveAdjustment(list List, id string) error {
	return d.performOnOpen(func(s *openSale) (Change, error) { return s.removeAdjustment(list, id, d.revise()) })
}

func (s *openSale) removeAdjustment(list List, id string, rev uint64) (Change, error) {
	from := s.adjusting(list, &s.totals)
	row, ok := from.lines.find(id)
	if !ok {
		return nil, from.unknown
	}
	seq, a := row.seq, row.value
	_ = s.totals.changeAdjustment(from.tally, &row.value, nil) // taking away is never refused
	from.lines.remove(id, rev)
	return AdjustmentRemoved{Sale: s.number, Seq: seq, List: list, Adjustment: a}, nil
}

// everything is the id that means all lines of a list.
const everything = "clear"

// Clear empties a list of the open sale. Where a line's id is the word for that, the line is meant: all tells which it was.
func (d *Desk) Clear(list List) (all bool, err error) {
	err = d.performOnOpen(func(s *openSale) (Change, error) {
		all = false
		switch {
		case list == Items && s.items.has(everything):
			return s.removeItem(everything, d.revise())
		case list == Payments && s.payments.has(everything):
			return s.removePayment(everything, d.revise())
		case list == Discounts && s.discounts.has(everything), list == Additions && s.additions.has(everything):
			return s.removeAdjustment(list, everything, d.revise())
		}
		all = true
		return s.clear(d.revise(), list), nil
	})
	return all, err
}

// ClearAll empties all lists of the open sale, and forgets the total to be shown, which was theirs; who buys and who sells
// stays.
func (d *Desk) ClearAll() error {
	return d.performOnOpen(func(s *openSale) (Change, error) {
		cleared := s.clear(d.revise(), Items, Payments, Discounts, Additions)
		s.session.Total, cleared.Total = nil, true
		return cleared, nil
	})
}

func (s *openSale) clear(rev uint64, lists ...List) Cleared {
	gone := 0
	for _, list := range lists {
		switch list {
		case Items:
			gone += s.items.clear(rev)
		case Payments:
			gone += s.payments.clear(rev)
		case Discounts:
			gone += s.discounts.clear(rev)
		case Additions:
			gone += s.additions.clear(rev)
		}
	}
	s.totals = s.reckon()
	return Cleared{Sale: s.number, Lists: lists, Lines: gone}
}

// mismatch is nil unless the total to be shown is another than the reckoned one.
func (s Session) mismatch(sum Summary) *Mismatch {
	if s.Total == nil || s.Total.Cmp(sum.Total) == 0 {
		return nil
	}
	return &Mismatch{Shown: *s.Total, Reckoned: sum.Total}
}

// Mismatch is nil unless the sale had a total to be shown that was another than the reckoned one.
func (v View) Mismatch() *Mismatch { return v.Session.mismatch(v.Summary()) }
