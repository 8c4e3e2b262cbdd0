package sale

// Item returns an item of the open sale by its id. As with Current, what it shows is on disk.
func (d *Desk) Item(id string) (Item, error) {
	return findLine(d, id, func(s *openSale) *lines[Item] { return &s.items }, ErrItemUnknown)
}

// Payment is Item for payments.
func (d *Desk) Payment(id string) (Payment, error) {
	return findLine(d, id, func(s *openSale) *lines[Payment] { return &s.payments }, ErrPaymentUnknown)
}

// Adjustment is Item for discounts and additions.
func (d *Desk) Adjustment(list List, id string) (Adjustment, error) {
	unknown := ErrDiscountUnknown
	if list == Additions {
		unknown = ErrAdditionUnknown
	}
	return findLine(d, id, func(s *openSale) *lines[Adjustment] { return s.adjusting(list, &s.totals).lines }, unknown)
}

func findLine[T any](d *Desk, id string, of func(*openSale) *lines[T], unknown error) (value T, err error) {
	found := false
	err = d.read(func(s *openSale) {
		if row, there := of(s).find(id); there {
			value, found = row.value, true
		}
	})
	if err == nil && !found {
		return value, unknown
	}
	return value, err
}
