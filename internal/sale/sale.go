// Package sale keeps the one open sale on the terminal: its session data, items and payments.
//
// Invariants: at most one sale is open; ids are unique within their list; a change is answered only once the
// Book has it on disk. The sale records what was sold and how it was paid; it moves no money.
package sale

import (
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/money"
)

// What a change can fail with.
var (
	ErrAlreadyOpen    = errors.New("a sale is already open")
	ErrNoneOpen       = errors.New("no sale is open")
	ErrItemExists     = errors.New("item already in the sale")
	ErrItemUnknown    = errors.New("item not in the sale")
	ErrPaymentExists  = errors.New("payment already in the sale")
	ErrPaymentUnknown = errors.New("payment not in the sale")
)

// What else than operation says a field can be wrong with; an operation.FieldError says which field.
var (
	ErrNegative    = errors.New("must not be negative")
	ErrUnknownType = errors.New("not one of the payment types")
	ErrInexact     = errors.New("the sale's sum could only be kept rounded")
)

// State is where a sale stands.
type State string

// Finalized and Cancelled are final.
const (
	Open      State = "open"
	Finalized State = "finalized"
	Cancelled State = "cancelled"
)

// Session is the data a sale is opened with. Nil means not given.
type Session struct {
	CustomerDocument *string
	CustomerName     *string
	SellerName       *string
	AdditionalInfo   *string
}

// Item is one line of the cart.
type Item struct {
	ID             string
	Code           string
	Description    string
	Canceled       bool
	Quantity       money.Decimal
	UnitPrice      money.Decimal
	Discount       *money.Decimal
	Addition       *money.Decimal
	Total          money.Decimal
	AdditionalInfo *string
}

// Check tells whether the item's numbers are ones a sale can hold.
func (i Item) Check() error {
	return ItemPatch{Quantity: Set(i.Quantity), UnitPrice: Set(i.UnitPrice), Discount: Set(i.Discount), Addition: Set(i.Addition), Total: Set(i.Total)}.Check()
}

// Gross is quantity × unit price, in whole cents.
func (i Item) Gross() money.Decimal {
	gross, err := i.Quantity.Times(i.UnitPrice)
	if err != nil {
		return i.Total // Check refuses such an item before it gets into a sale
	}
	return gross
}

// Discrepancy is how far the total the caller sent is from what its parts add up to, unrounded.
func (i Item) Discrepancy() money.Decimal {
	product, err := i.Quantity.Product(i.UnitPrice)
	if err != nil {
		product = i.Gross() // of so many digits that only its cents can be told
	}
	return i.Total.Sub(product.Sub(orZero(i.Discount)).Add(orZero(i.Addition))).Abs()
}

func orZero(d *money.Decimal) money.Decimal {
	if d == nil {
		return money.Zero
	}
	return *d
}

// PaymentType says how a payment entry was paid.
type PaymentType string

// PaymentTypes are all the values a payment entry may carry.
var PaymentTypes = []PaymentType{
	"credit", "debit", "pix", "money", "voucher", "gift", "providerWallet", "adm", "cancel", "cancelDigitalWallet", "unknown",
}

// Payment is one way the customer paid, as the caller records it.
type Payment struct {
	ID             string
	Type           *PaymentType
	Description    *string
	Value          money.Decimal
	AdditionalInfo *string
}

// Check tells whether the payment is one a sale can hold.
func (p Payment) Check() error { return PaymentPatch{Type: Set(p.Type), Value: Set(p.Value)}.Check() }

// Summary is what the items and payments add up to; cancelled items do not count.
type Summary struct {
	Subtotal  money.Decimal
	Discount  money.Decimal
	Addition  money.Decimal
	Total     money.Decimal
	Paid      money.Decimal
	Due       money.Decimal // still to be paid
	Change    money.Decimal
	ItemCount int
}

// View is a sale as it stood at one moment.
type View struct {
	Number   int64
	OpenedAt time.Time
	Session  Session
	Items    []Item
	Payments []Payment
}

// Summary adds the view up.
func (v View) Summary() Summary { return sum(slices.Values(v.Items), slices.Values(v.Payments)) }

func sum(items iter.Seq[Item], payments iter.Seq[Payment]) (s Summary) {
	for item := range items {
		if item.Canceled {
			continue
		}
		s.ItemCount++
		s.Subtotal = s.Subtotal.Add(item.Gross())
		s.Discount = s.Discount.Add(orZero(item.Discount))
		s.Addition = s.Addition.Add(orZero(item.Addition))
		s.Total = s.Total.Add(item.Total)
	}
	for p := range payments {
		s.Paid = s.Paid.Add(p.Value)
	}
	if s.Paid.Cmp(s.Total) > 0 {
		s.Change = s.Paid.Sub(s.Total)
	} else {
		s.Due = s.Total.Sub(s.Paid)
	}
	return s
}
