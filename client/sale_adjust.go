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
	return c.addLine(ctx, Discounts, a)
}

// UpdateDiscount changes a discount of the sale.
func (c *Client) UpdateDiscount(ctx context.Context, id string, change AdjustmentChange) error {
	return c.changeLine(ctx, Discounts, id, change)
}

// RemoveDiscount takes a discount out of the sale.
func (c *Client) RemoveDiscount(ctx context.Context, id string) error {
	return c.removeLine(ctx, Discounts, id)
}

// AddAddition returns the addition's id.
func (c *Client) AddAddition(ctx context.Context, a Adjustment) (id string, err error) {
	return c.addLine(ctx, Additions, a)
}

// UpdateAddition changes an addition of the sale.
func (c *Client) UpdateAddition(ctx context.Context, id string, change AdjustmentChange) error {
	return c.changeLine(ctx, Additions, id, change)
}

// RemoveAddition takes an addition out of the sale.
func (c *Client) RemoveAddition(ctx context.Context, id string) error {
	return c.removeLine(ctx, Additions, id)
}
