package client

import "context"

// List is one of a sale's lists.
type List string

// The lists.
const (
	Items     List = "item"
	Payments  List = "payment"
	Discounts List = "discount"
	Additions List = "addition"
)

// addLine returns the line's id, which the terminal calls by its list: itemId, paymentId and so on.
func (c *Client) addLine(ctx context.Context, list List, line any) (id string, err error) {
	var answer map[string]any
	err = c.post(ctx, path("sale", string(list)), line, &answer)
	id, _ = answer[string(list)+"Id"].(string)
	return id, err
}

func (c *Client) changeLine(ctx context.Context, list List, id string, change any) error {
	return c.patch(ctx, path("sale", string(list), id), change)
}

func (c *Client) removeLine(ctx context.Context, list List, id string) error {
	return c.remove(ctx, path("sale", string(list), id))
}

// Clear empties a list of the sale. Where a line of it has the id "clear", only that one goes.
func (c *Client) Clear(ctx context.Context, list List) error {
	return c.removeLine(ctx, list, "clear")
}

// ClearSale empties all lists of the sale; it stays open, for the same customer.
func (c *Client) ClearSale(ctx context.Context) error {
	return c.remove(ctx, "/sale/clear")
}
