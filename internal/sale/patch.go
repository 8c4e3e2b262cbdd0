package sale

import (
	"slices"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
)

// Field is a field of a patch: whether it came, and with what.
type Field[T any] struct {
	Given bool
	Value T
}

// Set is a field that came.
func Set[T any](value T) Field[T] { return Field[T]{Given: true, Value: value} }

func (f Field[T]) apply(to *T) {
	if f.Given {
		*to = f.Value
	}
}

// SessionPatch is what a caller changes of a sale's session data.
type SessionPatch struct {
	CustomerDocument, CustomerName, SellerName, AdditionalInfo Field[*string]
	Total                                                      Field[*money.Decimal]
}

// Apply changes what came and leaves the rest.
func (p SessionPatch) Apply(s *Session) {
	p.CustomerDocument.apply(&s.CustomerDocument)
	p.CustomerName.apply(&s.CustomerName)
	p.SellerName.apply(&s.SellerName)
	p.AdditionalInfo.apply(&s.AdditionalInfo)
	p.Total.apply(&s.Total)
}

// Check tells whether the screen can show the total that came.
func (p SessionPatch) Check() error {
	if orZero(p.Total.Value).Sign() < 0 {
		return &operation.FieldError{Field: "total", Err: ErrNegative}
	}
	return nil
}

// ItemPatch is what a caller changes of an item; its id never changes.
type ItemPatch struct {
	Code, Description   Field[string]
	Canceled            Field[bool]
	Quantity, UnitPrice Field[money.Decimal]
	Discount, Addition  Field[*money.Decimal]
	Total               Field[money.Decimal]
	AdditionalInfo      Field[*string]
}

// Apply changes what came and leaves the rest.
func (p ItemPatch) Apply(i *Item) {
	p.Code.apply(&i.Code)
	p.Description.apply(&i.Description)
	p.Canceled.apply(&i.Canceled)
	p.Quantity.apply(&i.Quantity)
	p.UnitPrice.apply(&i.UnitPrice)
	p.Discount.apply(&i.Discount)
	p.Addition.apply(&i.Addition)
	p.Total.apply(&i.Total)
	p.AdditionalInfo.apply(&i.AdditionalInfo)
}

// Check tells whether a sale can hold the numbers that came, whatever item they are for.
func (p ItemPatch) Check() error {
	if p.Quantity.Given && p.Quantity.Value.Sign() <= 0 {
		return &operation.FieldError{Field: "quantity", Err: operation.ErrNotPositive}
	}
	// What did not come is zero, which breaks no rule below.
	for _, f := range [...]struct {
		name  string
		value money.Decimal
	}{{"unitPrice", p.UnitPrice.Value}, {"discount", orZero(p.Discount.Value)}, {"addition", orZero(p.Addition.Value)}, {"total", p.Total.Value}} {
		if f.value.Sign() < 0 {
			return &operation.FieldError{Field: f.name, Err: ErrNegative}
		}
	}
	if _, err := p.Quantity.Value.Times(p.UnitPrice.Value); err != nil {
		return &operation.FieldError{Field: "quantity", Err: operation.ErrTooLarge}
	}
	return nil
}

// PaymentPatch is what a caller changes of a payment; its id never changes.
type PaymentPatch struct {
	Type           Field[*PaymentType]
	Description    Field[*string]
	Value          Field[money.Decimal]
	AdditionalInfo Field[*string]
}

// Apply changes what came and leaves the rest.
func (p PaymentPatch) Apply(to *Payment) {
	p.Type.apply(&to.Type)
	p.Description.apply(&to.Description)
	p.Value.apply(&to.Value)
	p.AdditionalInfo.apply(&to.AdditionalInfo)
}

// Check tells whether a sale can hold what came, whatever payment it is for.
func (p PaymentPatch) Check() error {
	if p.Value.Value.Sign() < 0 {
		return &operation.FieldError{Field: "value", Err: ErrNegative}
	}
	if p.Type.Value != nil && !slices.Contains(PaymentTypes, *p.Type.Value) {
		return &operation.FieldError{Field: "tPag", Err: ErrUnknownType}
	}
	return nil
}

// AdjustmentPatch is what a caller changes of a discount or an addition; its id never changes.
type AdjustmentPatch struct {
	Description    Field[*string]
	Value          Field[money.Decimal] // its absolute value counts
	AdditionalInfo Field[*string]
}

// Apply changes what came and leaves the rest.
func (p AdjustmentPatch) Apply(to *Adjustment) {
	p.Description.apply(&to.Description)
	p.Value.apply(&to.Value)
	to.Value = to.Value.Abs()
	p.AdditionalInfo.apply(&to.AdditionalInfo)
}
