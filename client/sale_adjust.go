package client

import "context"

// Adjustment is a discount or an addition of the whole sale; its description shows on the screen. Without an ID the terminal makes one. Of the
// value the absolute one counts.
type Adjustment struct {
	ID             string  `json:"id,omitempty"`
	Description    string  `json:"description,omitempty"`
	Value          Decimal `json:"value"`
	AdditionalInfo string  `json:"additionalInfo,omitempty"`
}

// AdjustmentChange changes the fields that are set. Value can't be cleared.
type AdjustmentChange struct {
	Description    Field[string]  `json:"description,omitzero"`
	Value          Field[Decimal] `json:"value,omitzero"`
	AdditionalInfo Field[string]  `json:"additionalInfo,omitzero"`
}

// AddDiscount returns the discount's id.
func (c *Client) AddDiscount(ctx context.Context, a Adjustment) (id string, err error) {
	var n named
	err = c.post(ctx, "/sale/discount", a, &n)
	return n.DiscountID, err
}

// UpdateDiscount changes a discount of the sale.
func (c *Client) UpdateDiscount(ctx context.Context, id string, change AdjustmentChange) error {
	return c.patch(ctx, path("sale", "discount", id), change)
}

// RemoveDiscount takes a discount out of the sale.
func (c *Client) RemoveDiscount(ctx context.Context, id string) error {
	return c.remove(ctx, path("sale", "discount", id))
}

// AddAddition returns the addition's id.
func (c *Client) AddAddition(ctx context.Context, a Adjustment) (id string, err error) {
	var n named
	err = c.post(ctx, "/sale/addition", a, &n)
	return n.AdditionID, err
}

// UpdateAddition changes an addition of the sale.
func (c *Client) UpdateAddition(ctx context.Context, id string, change AdjustmentChange) error {
	return c.patch(ctx, path("sale", "addition", id), change)
}

// RemoveAddition takes an addition out of the sale.
func (c *Client) RemoveAddition(ctx context.Context, id string) error {
	return c.remove(ctx, path("sale", "addition", id))
}

// List is one of a sale's lists.
type List string

// The lists.
const (
	Items     List = "item"
	Payments  List = "payment"
	Discounts List = "discount"
	Additions List = "addition"
)

// Clear empties a list of the sale. Where a line of it has the id "clear", only that one goes.
func (c *Client) Clear(ctx context.Context, list List) error {
	return c.remove(ctx, path("sale", string(list), "clear"))
}

// ClearSale empties all lists of the sale; it stays open, for the same customer.
func (c *Client) ClearSale(ctx context.Context) error {
	return c.remove(ctx, "/sale/clear")
}
