package sale_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/sale"
)

func TestAPatchLeavesWhatDidNotCome(t *testing.T) {
	whole := sale.Item{ID: "a", Code: "1", Description: "Café", Quantity: dec("2"), UnitPrice: dec("3"), Discount: decPtr("1"), Total: dec("5"), AdditionalInfo: ptr("x")}
	item := whole
	sale.ItemPatch{}.Apply(&item)
	if diff := cmp.Diff(whole, item, exactly); diff != "" {
		t.Errorf("an empty patch: %s", diff)
	}
	sale.ItemPatch{Quantity: sale.Set(dec("4")), Discount: sale.Set(decPtr("2")), AdditionalInfo: sale.Set[*string](nil)}.Apply(&item)
	want := whole
	want.Quantity, want.Discount, want.AdditionalInfo = dec("4"), decPtr("2"), nil
	if diff := cmp.Diff(want, item, exactly); diff != "" {
		t.Error(diff)
	}
}

func TestAPatchIsHeldToWhatCame(t *testing.T) {
	for name, c := range map[string]struct {
		patch interface{ Check() error }
		err   error
	}{
		"nothing":          {sale.ItemPatch{}, nil},
		"only a price":     {sale.ItemPatch{UnitPrice: sale.Set(dec("999999999999"))}, nil},
		"no quantity":      {sale.ItemPatch{Quantity: sale.Set(dec("0"))}, operation.ErrNotPositive},
		"no discount":      {sale.ItemPatch{Discount: sale.Set(decPtr("0"))}, nil},
		"minus a discount": {sale.ItemPatch{Discount: sale.Set(decPtr("-1"))}, sale.ErrNegative},
		"too large":        {sale.ItemPatch{Quantity: sale.Set(dec("999999999")), UnitPrice: sale.Set(dec("999999999"))}, operation.ErrTooLarge},
		"no payment":       {sale.PaymentPatch{}, nil},
		"minus a payment":  {sale.PaymentPatch{Value: sale.Set(dec("-1"))}, sale.ErrNegative},
		"minus a total":    {sale.SessionPatch{Total: sale.Set(decPtr("-1"))}, sale.ErrNegative},
		"no total":         {sale.SessionPatch{Total: sale.Set[*money.Decimal](nil)}, nil},
		"barter":           {sale.PaymentPatch{Type: sale.Set(ptr(sale.PaymentType("barter")))}, sale.ErrUnknownType},
		"type taken back":  {sale.PaymentPatch{Type: sale.Set[*sale.PaymentType](nil)}, nil},
	} {
		if err := c.patch.Check(); !errors.Is(err, c.err) {
			t.Errorf("%s: %v, want %v", name, err, c.err)
		}
	}
}
