package sale_test

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/sale"
)

// Whatever a sale takes, its sums are exact; and it can always be made smaller again.
func TestSumsAreExact(t *testing.T) {
	s := openStore(t, t.TempDir())
	d, err := sale.NewDesk(s.Sales(), &watched{})
	must(t, err)
	amount := rapid.Custom(func(t *rapid.T) money.Decimal {
		places := rapid.IntRange(0, 18).Draw(t, "places")
		whole := rapid.Int64Range(0, 999_999_999_999).Draw(t, "whole") / power(rapid.IntRange(max(0, places-7), 12).Draw(t, "smaller by"))
		fraction := rapid.Int64Range(0, power(places)-1).Draw(t, "fraction")
		if places == 0 {
			return dec(fmt.Sprint(whole))
		}
		return dec(fmt.Sprintf("%d.%0*d", whole, places, fraction))
	})
	rapid.Check(t, func(t *rapid.T) {
		if err := d.Open(sale.Session{}); err != nil {
			t.Fatal(err)
		}
		var items, payments []string
		adjusted := map[sale.List][]string{}
		for range rapid.IntRange(1, 12).Draw(t, "changes") {
			i := sale.Item{Quantity: dec("1"), Total: amount.Draw(t, "total")}
			if rapid.Bool().Draw(t, "discounted") {
				less := amount.Draw(t, "discount")
				i.Discount = &less
			}
			var err error
			list := rapid.SampledFrom([]sale.List{sale.Discounts, sale.Additions, ""}).Draw(t, "list")
			switch {
			case list != "" && len(adjusted[list]) > 0 && rapid.Bool().Draw(t, "edit adjustment"):
				err = d.EditAdjustment(list, rapid.SampledFrom(adjusted[list]).Draw(t, "adjustment"), sale.AdjustmentPatch{Value: sale.Set(i.Total)})
			case list != "":
				var id string
				if id, err = d.AddAdjustment(list, sale.Adjustment{Value: i.Total}); err == nil {
					adjusted[list] = append(adjusted[list], id)
				}
			case len(items) > 0 && rapid.Bool().Draw(t, "edit"):
				_, err = d.EditItem(rapid.SampledFrom(items).Draw(t, "item"), sale.ItemPatch{
					Total: sale.Set(i.Total), Discount: sale.Set(i.Discount), Canceled: sale.Set(rapid.Bool().Draw(t, "cancelled")),
				})
			case rapid.Bool().Draw(t, "item or payment"):
				var id string
				if id, err = d.AddItem(i); err == nil {
					items = append(items, id)
				}
			case len(payments) > 0 && rapid.Bool().Draw(t, "edit payment"):
				err = d.EditPayment(rapid.SampledFrom(payments).Draw(t, "payment"), sale.PaymentPatch{Value: sale.Set(i.Total)})
			default:
				var id string
				if id, err = d.AddPayment(sale.Payment{Value: i.Total}); err == nil {
					payments = append(payments, id)
				}
			}
			if err != nil && !errors.Is(err, sale.ErrInexact) {
				t.Fatal(err)
			}
			addsUp(t, d)
		}
		for list, ids := range adjusted {
			for _, id := range ids {
				if err := d.RemoveAdjustment(list, id); err != nil {
					t.Fatal(err)
				}
				addsUp(t, d)
			}
		}
		for _, id := range items {
			if err := d.RemoveItem(id); err != nil {
				t.Fatal(err)
			}
			addsUp(t, d)
		}
		for _, id := range payments {
			if err := d.RemovePayment(id); err != nil {
				t.Fatal(err)
			}
			addsUp(t, d)
		}
		if _, err := d.Cancel(sale.Ending{}); err != nil {
			t.Fatal(err)
		}
	})
}

func power(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

// addsUp compares the sale's summary with sums of rationals.
func addsUp(t *rapid.T, d *sale.Desk) {
	v, err := d.Current()
	if err != nil {
		t.Fatal(err)
	}
	var total, itemDiscount, discount, paid big.Rat
	for _, i := range v.Items {
		if i.Canceled {
			continue
		}
		total.Add(&total, ratOf(i.Total))
		if i.Discount != nil {
			itemDiscount.Add(&itemDiscount, ratOf(*i.Discount))
		}
	}
	for _, p := range v.Payments {
		paid.Add(&paid, ratOf(p.Value))
	}
	for _, a := range v.Discounts {
		discount.Add(&discount, ratOf(a.Value))
		total.Sub(&total, ratOf(a.Value))
	}
	for _, a := range v.Additions {
		total.Add(&total, ratOf(a.Value))
	}
	s := v.Summary()
	for name, c := range map[string]struct {
		got  money.Decimal
		want *big.Rat
	}{"total": {s.Total, &total}, "discount": {s.Discount, &discount}, "itemDiscount": {s.ItemDiscount, &itemDiscount}, "paid": {s.Paid, &paid}} {
		if ratOf(c.got).Cmp(c.want) != 0 {
			t.Fatalf("%s is %s, want %s", name, c.got, c.want.FloatString(19))
		}
	}
	if total.Sign() < 0 {
		total.SetInt64(0)
	}
	if left := new(big.Rat).Sub(&total, &paid); new(big.Rat).Sub(ratOf(s.Due), ratOf(s.Change)).Cmp(left) != 0 {
		t.Fatalf("due %s, change %s, want %s", s.Due, s.Change, left.FloatString(19))
	}
}

func ratOf(d money.Decimal) *big.Rat {
	r, _ := new(big.Rat).SetString(d.String())
	return r
}

func TestASumThatCannotBeKeptIsRefused(t *testing.T) {
	s := openStore(t, t.TempDir())
	d, err := sale.NewDesk(s.Sales(), &watched{})
	must(t, err, d.Open(sale.Session{}))
	large, fine := item("1", "1", "99999999999.99"), item("1", "1", "0.000000001")
	refused := func(err error, field string) {
		t.Helper()
		var wrong *operation.FieldError
		if !errors.Is(err, sale.ErrInexact) || !errors.As(err, &wrong) || wrong.Field != field {
			t.Errorf("%v, want %s: %v", err, field, sale.ErrInexact)
		}
	}
	largeID, err := d.AddItem(large)
	must(t, err)
	_, err = d.AddItem(fine)
	refused(err, "total")
	small, err := d.AddItem(item("1", "1", "1"))
	must(t, err)
	_, err = d.EditItem(small, sale.ItemPatch{Total: sale.Set(fine.Total)})
	refused(err, "total")
	_, err = d.AddPayment(sale.Payment{Value: fine.Total})
	refused(err, "value") // what is due could not be said
	must(t, d.CancelItem(largeID))
	_, err = d.AddItem(fine)
	must(t, err)
	_, err = d.EditItem(largeID, sale.ItemPatch{Canceled: sale.Set(false)})
	refused(err, "total")

	// A sale taken up again knows its sums.
	again, err := sale.NewDesk(s.Sales(), &watched{})
	must(t, err)
	_, err = again.AddItem(large)
	refused(err, "total")
}
