package client

import (
	"context"
	"net/http"
	"time"
)

// Sale is what the terminal shows of a sale beside its items.
type Sale struct {
	CustomerDocument string `json:"customerDocument,omitempty"` // CPF or CNPJ
	CustomerName     string `json:"customerName,omitempty"`
	SellerName       string `json:"sellerName,omitempty"`
	AdditionalInfo   string `json:"additionalInfo,omitempty"`
	// Total is what the screen shows as the total instead of the reckoned one; a difference is a warning in the log.
	Total Decimal `json:"total,omitempty"`
}

// SaleChange changes the fields that are set.
type SaleChange struct {
	CustomerDocument Field[string]  `json:"customerDocument,omitzero"`
	CustomerName     Field[string]  `json:"customerName,omitzero"`
	SellerName       Field[string]  `json:"sellerName,omitzero"`
	AdditionalInfo   Field[string]  `json:"additionalInfo,omitzero"`
	Total            Field[Decimal] `json:"total,omitzero"`
}

// Item is something sold. Without an ID the terminal makes one.
type Item struct {
	ID             string  `json:"id,omitempty"`
	Code           string  `json:"code"`
	Description    string  `json:"description"`
	Canceled       bool    `json:"canceled,omitempty"`
	Quantity       Decimal `json:"quantity"`
	UnitPrice      Decimal `json:"unitPrice"`
	Discount       Decimal `json:"discount,omitempty"`
	Addition       Decimal `json:"addition,omitempty"`
	Total          Decimal `json:"total"`
	AdditionalInfo string  `json:"additionalInfo,omitempty"`
}

// ItemChange changes the fields that are set. Only Discount, Addition and AdditionalInfo can be cleared.
type ItemChange struct {
	Code           Field[string]  `json:"code,omitzero"`
	Description    Field[string]  `json:"description,omitzero"`
	Canceled       Field[bool]    `json:"canceled,omitzero"`
	Quantity       Field[Decimal] `json:"quantity,omitzero"`
	UnitPrice      Field[Decimal] `json:"unitPrice,omitzero"`
	Discount       Field[Decimal] `json:"discount,omitzero"`
	Addition       Field[Decimal] `json:"addition,omitzero"`
	Total          Field[Decimal] `json:"total,omitzero"`
	AdditionalInfo Field[string]  `json:"additionalInfo,omitzero"`
}

// PaymentType is how a part of a sale was paid. The codes "01", "03", "04", "05", "17" and "99" are taken too; it comes back in the form
// that was sent.
type PaymentType string

// The types of the interface.
const (
	TypeCredit              PaymentType = "credit"
	TypeDebit               PaymentType = "debit"
	TypePIX                 PaymentType = "pix"
	TypeMoney               PaymentType = "money"
	TypeVoucher             PaymentType = "voucher"
	TypeGift                PaymentType = "gift"
	TypeProviderWallet      PaymentType = "providerWallet"
	TypeAdministrative      PaymentType = "adm"
	TypeCancel              PaymentType = "cancel"
	TypeCancelDigitalWallet PaymentType = "cancelDigitalWallet"
	TypeUnknown             PaymentType = "unknown"
)

// SalePayment records how a sale was paid; it moves no money (see Pay). Without an ID the terminal makes one.
type SalePayment struct {
	ID             string      `json:"id,omitempty"`
	Type           PaymentType `json:"tPag,omitempty"`
	Description    string      `json:"description,omitempty"`
	Value          Decimal     `json:"value"`
	AdditionalInfo string      `json:"additionalInfo,omitempty"`
}

// SalePaymentChange changes the fields that are set. Value can't be cleared.
type SalePaymentChange struct {
	Type           Field[PaymentType] `json:"tPag,omitzero"`
	Description    Field[string]      `json:"description,omitzero"`
	Value          Field[Decimal]     `json:"value,omitzero"`
	AdditionalInfo Field[string]      `json:"additionalInfo,omitzero"`
}

// Closing is how the terminal takes leave of the customer. What is left out has the terminal's defaults: a message with a button,
// for three seconds.
type Closing struct {
	Message         string `json:"message,omitempty"`
	ShowMessage     *bool  `json:"showMessage,omitempty"`
	ShowCloseButton *bool  `json:"showCloseButton,omitempty"`
	ButtonCloseText string `json:"buttonCloseText,omitempty"`
	MessageInterval *int   `json:"messageInterval,omitempty"` // milliseconds
	// ShowResultScreen is whether anything is shown at all.
	ShowResultScreen *bool `json:"showResultScreen,omitempty"`
}

// SaleView is the active sale as the terminal holds it.
type SaleView struct {
	Sale struct {
		Sale
		OpenedAt time.Time `json:"openedAt"`
	} `json:"sale"`
	Items     []Item        `json:"items"`
	Payments  []SalePayment `json:"payments"`
	Discounts []Adjustment  `json:"discounts"`
	Additions []Adjustment  `json:"additions"`
	Summary   Summary       `json:"summary"`
}

// Summary adds the sale up; cancelled items count nowhere. Total is Subtotal, the sum of the items' totals, less the sale's Discount plus its
// Surcharge; the items' own discounts and additions are in their totals already.
type Summary struct {
	Subtotal     Decimal `json:"subtotal"`
	Discount     Decimal `json:"discount"`
	Surcharge    Decimal `json:"surcharge"`
	ItemDiscount Decimal `json:"itemDiscount"`
	ItemAddition Decimal `json:"itemAddition"`
	Total        Decimal `json:"total"`
	Paid         Decimal `json:"paid"`
	Due          Decimal `json:"due"`
	Change       Decimal `json:"change"`
	ItemCount    int     `json:"itemCount"`
}

// StartSale opens the sale; there is one at a time.
func (c *Client) StartSale(ctx context.Context, s Sale) error {
	return c.post(ctx, "/sale", s, nil)
}

// UpdateSale changes the active sale.
func (c *Client) UpdateSale(ctx context.Context, change SaleChange) error {
	return c.patch(ctx, "/sale", change)
}

// Sale is the active sale. It outlives restarts: a caller that has lost an answer or itself can go on from here.
func (c *Client) Sale(ctx context.Context) (SaleView, error) {
	var v SaleView
	err := c.get(ctx, "/sale", &v)
	return v, err
}

// AddItem returns the item's id. With an ID of the caller's own, an answer that was lost can be had by asking again: ErrInvalid then
// means that it is there.
func (c *Client) AddItem(ctx context.Context, i Item) (id string, err error) {
	return c.addLine(ctx, Items, i)
}

// UpdateItem changes an item.
func (c *Client) UpdateItem(ctx context.Context, id string, change ItemChange) error {
	return c.changeLine(ctx, Items, id, change)
}

// RemoveItem takes an item out of the sale and its fiscal document.
func (c *Client) RemoveItem(ctx context.Context, id string) error {
	return c.removeLine(ctx, Items, id)
}

// CancelItem keeps an item in sight, as cancelled.
func (c *Client) CancelItem(ctx context.Context, id string) error {
	return c.post(ctx, path("sale", "item", id, "cancel"), nil, nil)
}

// AddPayment returns the payment's id.
func (c *Client) AddPayment(ctx context.Context, p SalePayment) (id string, err error) {
	return c.addLine(ctx, Payments, p)
}

// UpdatePayment changes a payment of the sale.
func (c *Client) UpdatePayment(ctx context.Context, id string, change SalePaymentChange) error {
	return c.changeLine(ctx, Payments, id, change)
}

// RemovePayment takes a payment out of the sale.
func (c *Client) RemovePayment(ctx context.Context, id string) error {
	return c.removeLine(ctx, Payments, id)
}

// FinalizeSale ends the sale as sold, and returns its id for EndedSale.
func (c *Client) FinalizeSale(ctx context.Context, end Closing) (id string, err error) {
	return c.endSale(ctx, "/sale/finalize", end)
}

// CancelSale ends the sale as not sold, and returns its id for EndedSale.
func (c *Client) CancelSale(ctx context.Context, end Closing) (id string, err error) {
	return c.endSale(ctx, "/sale/cancel", end)
}

func (c *Client) endSale(ctx context.Context, path string, end Closing) (id string, err error) {
	var h http.Header
	err = c.send(ctx, call{method: http.MethodPost, path: path, header: &h}, end, nil)
	return h.Get("X-Sale-Id"), err
}
