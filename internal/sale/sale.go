// Package sale keeps the one open sale on the terminal: its session data, items, payments, discounts and additions.
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

	ErrDiscountExists  = errors.New("discount already in the sale")
	ErrDiscountUnknown = errors.New("discount not in the sale")
	ErrAdditionExists  = errors.New("addition already in the sale")
	ErrAdditionUnknown = errors.New("addition not in the sale")

	ErrUnknownSale = errors.New("no ended sale of that number")
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
	Total            *money.Decimal // what the screen shows as the total instead of the reckoned one
}

// Check tells whether the screen can show the total.
func (s Session) Check() error { return SessionPatch{Total: Set(s.Total)}.Check() }

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

// Discrepancy is how far the total the caller sent is from what its parts add up to, unrounded.
func (i Item) Discrepancy() money.Decimal {
	product, err := i.Quantity.Product(i.UnitPrice)
	if err != nil {
		// Of so many digits that only its cents can be told. Check refuses an item without even that.
		if product, err = i.Quantity.Times(i.UnitPrice); err != nil {
			product = i.Total
		}
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

// PaymentTypes are all the values a payment entry may carry. It is kept and given back in the form that came.
var PaymentTypes = []PaymentType{
	"credit", "debit", "pix", "money", "voucher", "gift", "providerWallet", "adm", "cancel", "cancelDigitalWallet", "unknown",
	"01", "03", "04", "05", "17", "99", "veroWallet",
}

// otherForms are other ways to write a type.
var otherForms = map[PaymentType]PaymentType{
	"01": "money", "03": "credit", "04": "debit", "05": "gift", "17": "pix", "99": "unknown", "veroWallet": "providerWallet",
}

// Word is the type as a word, in whatever form it came.
func (t PaymentType) Word() PaymentType {
	if word, other := otherForms[t]; other {
		return word
	}
	return t
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

// Adjustment is a discount or an addition of the whole sale.
type Adjustment struct {
	ID             string
	Description    *string
	Value          money.Decimal // never negative
	AdditionalInfo *string
}

// Summary is what a sale adds up to; cancelled items do not count.
type Summary struct {
	Subtotal     money.Decimal // of the items' own totals
	Discount     money.Decimal // of the sale
	Surcharge    money.Decimal // of the sale
	ItemDiscount money.Decimal // is in the items' totals already
	ItemAddition money.Decimal // is in the items' totals already
	Total        money.Decimal // below zero while there are more discounts than items
	Paid         money.Decimal
	Due          money.Decimal // still to be paid
	Change       money.Decimal // never more than was paid
	ItemCount    int
}

// View is a sale as it stood at one moment.
type View struct {
	Number    int64
	OpenedAt  time.Time
	Session   Session
	Items     []Item
	Payments  []Payment
	Discounts []Adjustment
	Additions []Adjustment
}

// Summary adds the view up.
func (v View) Summary() Summary {
	return sum(slices.Values(v.Items), slices.Values(v.Payments), slices.Values(v.Discounts), slices.Values(v.Additions))
}

func sum(items iter.Seq[Item], payments iter.Seq[Payment], discounts, additions iter.Seq[Adjustment]) (s Summary) {
	for item := range items {
		if item.Canceled {
			continue
		}
		s.ItemCount++
		s.Subtotal = s.Subtotal.Add(item.Total)
		s.ItemDiscount = s.ItemDiscount.Add(orZero(item.Discount))
		s.ItemAddition = s.ItemAddition.Add(orZero(item.Addition))
	}
	for p := range payments {
		s.Paid = s.Paid.Add(p.Value)
	}
	for a := range discounts {
		s.Discount = s.Discount.Add(a.Value)
	}
	for a := range additions {
		s.Surcharge = s.Surcharge.Add(a.Value)
	}
	s.Total = s.Subtotal.Add(s.Surcharge).Sub(s.Discount)
	return s.settle()
}

// For is the summary with another total, as the screen shows it; nil: with its own.
func (s Summary) For(total *money.Decimal) Summary {
	if total == nil {
		return s
	}
	s.Total = *total
	return s.settle()
}

// settle says what is left of the total, or paid beyond it.
func (s Summary) settle() Summary {
	s.Due, s.Change = money.Zero, money.Zero
	owed := s.Total
	if owed.Sign() < 0 {
		owed = money.Zero // more discounts than items: nothing is paid out for that
	}
	if s.Paid.Cmp(owed) > 0 {
		s.Change = s.Paid.Sub(owed)
	} else {
		s.Due = owed.Sub(s.Paid)
	}
	return s
}
