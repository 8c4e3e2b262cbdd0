package sale_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/sale"
)

// exactly compares decimals by what they write: 7.50 is not 7.5 to a caller that sent 7.50.
var exactly = cmp.Comparer(func(a, b money.Decimal) bool { return a.String() == b.String() })

func dec(s string) money.Decimal { return money.MustParse(s) }

func decPtr(s string) *money.Decimal {
	d := dec(s)
	return &d
}

func ptr[T any](v T) *T { return &v }

func item(quantity, price, total string) sale.Item {
	return sale.Item{Quantity: dec(quantity), UnitPrice: dec(price), Total: dec(total)}
}

func TestItemCheck(t *testing.T) {
	with := func(change func(*sale.Item)) sale.Item {
		i := item("2", "3.50", "7.00")
		change(&i)
		return i
	}
	for name, c := range map[string]struct {
		item  sale.Item
		field string
		err   error
	}{
		"plain":                {item("2", "3.50", "7.00"), "", nil},
		"free":                 {item("0.001", "0", "0"), "", nil},
		"zero quantity":        {item("0", "1", "0"), "quantity", operation.ErrNotPositive},
		"zero with places":     {item("0.000", "1", "0"), "quantity", operation.ErrNotPositive},
		"negative quantity":    {item("-1", "1", "0"), "quantity", operation.ErrNotPositive},
		"negative price":       {item("1", "-0.01", "0"), "unitPrice", sale.ErrNegative},
		"negative total":       {item("1", "1", "-1"), "total", sale.ErrNegative},
		"negative discount":    {with(func(i *sale.Item) { i.Discount = decPtr("-0.01") }), "discount", sale.ErrNegative},
		"negative addition":    {with(func(i *sale.Item) { i.Addition = decPtr("-0.01") }), "addition", sale.ErrNegative},
		"zero discount":        {with(func(i *sale.Item) { i.Discount = decPtr("0") }), "", nil},
		"total far from gross": {item("2", "3.50", "1"), "", nil},
		"gross too large":      {item("999999999", "999999999", "1"), "quantity", operation.ErrTooLarge},
	} {
		err := c.item.Check()
		var field *operation.FieldError
		switch {
		case c.err == nil && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.err != nil && (!errors.Is(err, c.err) || !errors.As(err, &field) || field.Field != c.field):
			t.Errorf("%s: %v, want %s: %v", name, err, c.field, c.err)
		}
	}
}

func TestPaymentCheck(t *testing.T) {
	for _, kind := range sale.PaymentTypes {
		if err := (sale.Payment{Type: &kind, Value: dec("0")}).Check(); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	for form, word := range map[sale.PaymentType]sale.PaymentType{
		"01": "money", "03": "credit", "04": "debit", "05": "gift", "17": "pix", "99": "unknown", "veroWallet": "providerWallet", "voucher": "voucher",
	} {
		if got := form.Word(); got != word {
			t.Errorf("%s is %s, want %s", form, got, word)
		}
	}
	if err := (sale.Payment{Value: dec("1.50")}).Check(); err != nil {
		t.Errorf("without a type: %v", err)
	}
	var field *operation.FieldError
	if err := (sale.Payment{Value: dec("-0.01")}).Check(); !errors.Is(err, sale.ErrNegative) || !errors.As(err, &field) || field.Field != "value" {
		t.Errorf("negative value: %v", err)
	}
	for _, kind := range []sale.PaymentType{"", "Credit", "cash"} {
		if err := (sale.Payment{Type: &kind, Value: dec("1")}).Check(); !errors.Is(err, sale.ErrUnknownType) || !errors.As(err, &field) || field.Field != "tPag" {
			t.Errorf("type %q: %v", kind, err)
		}
	}
}

func TestDiscrepancy(t *testing.T) {
	for _, c := range []struct {
		quantity, price, discount, addition, total, want string
	}{
		{"2", "3.50", "", "", "7.00", "0"},
		{"2", "3.50", "1", "", "6", "0"},
		{"2", "3.50", "", "0.50", "7.50", "0"},
		{"2", "3.50", "0.10", "0.20", "7.11", "0.01"},
		{"2", "3.50", "", "", "6.98", "0.02"},
		// What a shop rounds is a difference too, but never one over a cent.
		{"0.333", "9.99", "", "", "3.33", "0.00333"},
		{"1.005", "1.00", "", "", "1.01", "0.005"},
		{"0.5", "0.01", "", "", "0.01", "0.005"},
		{"0.499", "0.01", "", "", "0.00", "0.00499"},
		{"3", "0.3333", "", "", "1.00", "0.0001"},
		{"1.235", "1.00", "", "", "1.2250", "0.01"},
		{"1.235", "1.00", "", "", "1.2249", "0.0101"},
		{"1", "1", "5", "", "0", "4"}, // a discount above the price
	} {
		i := item(c.quantity, c.price, c.total)
		if c.discount != "" {
			i.Discount = decPtr(c.discount)
		}
		if c.addition != "" {
			i.Addition = decPtr(c.addition)
		}
		if got := i.Discrepancy(); got.Cmp(dec(c.want)) != 0 {
			t.Errorf("%+v: off by %s, want %s", c, got, c.want)
		}
	}
}

func TestSummary(t *testing.T) {
	cancelled := item("10", "10", "100")
	cancelled.Canceled = true
	discounted := item("3", "0.335", "0.50")
	discounted.Discount, discounted.Addition = decPtr("0.60"), decPtr("0.09")
	v := sale.View{
		Items:    []sale.Item{item("2", "3.50", "7.00"), cancelled, discounted},
		Payments: []sale.Payment{{Value: dec("5")}, {Value: dec("2.75")}},
	}
	want := sale.Summary{
		Subtotal: dec("7.50"), ItemDiscount: dec("0.60"), ItemAddition: dec("0.09"), Total: dec("7.50"),
		Paid: dec("7.75"), Change: dec("0.25"), ItemCount: 2,
	}
	if diff := cmp.Diff(want, v.Summary(), exactly); diff != "" {
		t.Error(diff)
	}
	v.Discounts = []sale.Adjustment{{Value: dec("1.00")}, {Value: dec("0.50")}}
	v.Additions = []sale.Adjustment{{Value: dec("3")}}
	want.Discount, want.Surcharge, want.Total, want.Due, want.Change = dec("1.50"), dec("3"), dec("9.00"), dec("1.25"), money.Zero
	if diff := cmp.Diff(want, v.Summary(), exactly); diff != "" {
		t.Error(diff)
	}
	// What the caller wants shown is what is due on the screen.
	want.Total, want.Due = dec("10"), dec("2.25")
	if diff := cmp.Diff(want, v.Summary().For(decPtr("10")), exactly); diff != "" {
		t.Error(diff)
	}
	// A discount beyond everything pays nothing out.
	v.Discounts = []sale.Adjustment{{Value: dec("20.00")}}
	want.Discount, want.Total, want.Due, want.Change = dec("20.00"), dec("-9.50"), money.Zero, dec("7.75")
	if diff := cmp.Diff(want, v.Summary(), exactly); diff != "" {
		t.Error(diff)
	}
	v.Discounts, v.Additions = nil, nil
	v.Payments = v.Payments[:1]
	if s := v.Summary(); s.Change.Sign() != 0 || s.Paid.String() != "5" {
		t.Errorf("short of the total: paid %s, change %s", s.Paid, s.Change)
	}
	if diff := cmp.Diff(sale.Summary{}, sale.View{}.Summary(), exactly); diff != "" {
		t.Error(diff)
	}
}

// The summary against the same sums made of fractions.
func TestSummaryModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := sale.View{
			Items:    rapid.SliceOfN(genItem(), 0, 20).Draw(t, "items"),
			Payments: rapid.SliceOfN(genPayment(), 0, 5).Draw(t, "payments"),

			Discounts: rapid.SliceOfN(genAdjustment(), 0, 3).Draw(t, "discounts"),
			Additions: rapid.SliceOfN(genAdjustment(), 0, 3).Draw(t, "additions"),
		}
		sameSummary(t, v)
	})
}

func fraction(d money.Decimal) *big.Rat {
	r, ok := new(big.Rat).SetString(d.String())
	if !ok {
		panic("no number: " + d.String())
	}
	return r
}

func sameSummary(t *rapid.T, v sale.View) {
	t.Helper()
	sums := map[string]*big.Rat{}
	add := func(name string, d *money.Decimal) {
		if sums[name] == nil {
			sums[name] = new(big.Rat)
		}
		if d != nil {
			sums[name].Add(sums[name], fraction(*d))
		}
	}
	for _, name := range []string{"subtotal", "discount", "surcharge", "itemDiscount", "itemAddition", "paid"} {
		add(name, nil)
	}
	count := 0
	for _, i := range v.Items {
		if !i.Canceled {
			count++
			add("subtotal", &i.Total)
			add("itemDiscount", i.Discount)
			add("itemAddition", i.Addition)
		}
	}
	for _, p := range v.Payments {
		add("paid", &p.Value)
	}
	for _, a := range v.Discounts {
		add("discount", &a.Value)
	}
	for _, a := range v.Additions {
		add("surcharge", &a.Value)
	}
	total := new(big.Rat).Add(sums["subtotal"], sums["surcharge"])
	total.Sub(total, sums["discount"])
	owed, none := total, new(big.Rat)
	if owed.Sign() < 0 {
		owed = none
	}
	rest := new(big.Rat).Sub(owed, sums["paid"])
	due, change := rest, none
	if rest.Sign() < 0 {
		due, change = none, new(big.Rat).Neg(rest)
	}
	s := v.Summary()
	for name, pair := range map[string]struct {
		got  money.Decimal
		want *big.Rat
	}{
		"subtotal": {s.Subtotal, sums["subtotal"]}, "discount": {s.Discount, sums["discount"]}, "surcharge": {s.Surcharge, sums["surcharge"]},
		"itemDiscount": {s.ItemDiscount, sums["itemDiscount"]}, "itemAddition": {s.ItemAddition, sums["itemAddition"]},
		"total": {s.Total, total}, "paid": {s.Paid, sums["paid"]}, "due": {s.Due, due}, "change": {s.Change, change},
	} {
		if fraction(pair.got).Cmp(pair.want) != 0 {
			t.Fatalf("%s is %s, want %s", name, pair.got, pair.want.FloatString(6))
		}
	}
	if s.ItemCount != count {
		t.Fatalf("%d items, want %d", s.ItemCount, count)
	}
}
