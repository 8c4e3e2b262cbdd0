package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// SaleStatus is how a sale ended.
type SaleStatus string

// The ways.
const (
	SaleFinalized SaleStatus = "finalized"
	SaleCancelled SaleStatus = "cancelled"
)

// EndedSale is a sale that ended, without its lines.
type EndedSale struct {
	ID       string     `json:"saleId"`
	Status   SaleStatus `json:"status"`
	OpenedAt time.Time  `json:"openedAt"`
	ClosedAt time.Time  `json:"closedAt"`
	Sale     Sale       `json:"sale"`
	Summary  Summary    `json:"summary"`
}

// EndedSaleView is a sale that ended, whole.
type EndedSaleView struct {
	EndedSale
	Items     []Item        `json:"items"`
	Payments  []SalePayment `json:"payments"`
	Discounts []Adjustment  `json:"discounts"`
	Additions []Adjustment  `json:"additions"`
	// Transactions are the references of what was charged, or tried to be, while the sale was open.
	Transactions []string `json:"transactions"`
}

// SaleFilter narrows the list of ended sales; the zero value asks for the newest hundred.
type SaleFilter struct {
	Since, Until time.Time // when they ended
	Status       SaleStatus
	Limit        int
}

// EndedSales lists sales that ended, newest first.
func (c *Client) EndedSales(ctx context.Context, f SaleFilter) ([]EndedSale, error) {
	q := url.Values{}
	if !f.Since.IsZero() {
		q.Set("since", f.Since.Format(time.RFC3339Nano))
	}
	if !f.Until.IsZero() {
		q.Set("until", f.Until.Format(time.RFC3339Nano))
	}
	if f.Status != "" {
		q.Set("status", string(f.Status))
	}
	if f.Limit > 0 {
		q.Set("limit", strconv.Itoa(f.Limit))
	}
	var all []EndedSale
	err := c.send(ctx, call{method: http.MethodGet, path: "/sales", query: q}, nil, &all)
	return all, err
}

// EndedSale is one sale that ended.
func (c *Client) EndedSale(ctx context.Context, id string) (EndedSaleView, error) {
	var v EndedSaleView
	err := c.get(ctx, path("sales", id), &v)
	return v, err
}
