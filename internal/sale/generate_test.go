package sale_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/sale"
)

// genDecimal writes a number the way callers do, trailing zeros included.
func genDecimal(minimum, maximum int64, places int) *rapid.Generator[money.Decimal] {
	return rapid.Custom(func(t *rapid.T) money.Decimal {
		n, p := rapid.Int64Range(minimum, maximum).Draw(t, "digits"), rapid.IntRange(0, places).Draw(t, "places")
		sign := ""
		if n < 0 {
			sign, n = "-", -n
		}
		digits := fmt.Sprintf("%0*d", p+1, n)
		text := digits[:len(digits)-p]
		if p > 0 {
			text += "." + digits[len(digits)-p:]
		}
		return money.MustParse(sign + text)
	})
}

// Texts callers send: empty, with accents, quotes, line breaks, and what a database could stumble over.
var genText = rapid.OneOf(
	rapid.SampledFrom([]string{"", "Café", "'; DROP TABLE item; --", "linha\nlinha", "\x00nul\x00", "🛒", "null", "1e5"}),
	rapid.StringN(0, 12, -1),
)

func genOptional[T any](g *rapid.Generator[T]) *rapid.Generator[*T] { return rapid.Ptr(g, true) }

func genSession() *rapid.Generator[sale.Session] {
	return rapid.Custom(func(t *rapid.T) sale.Session {
		text := genOptional(genText)
		return sale.Session{
			CustomerDocument: text.Draw(t, "document"), CustomerName: text.Draw(t, "customer"),
			SellerName: text.Draw(t, "seller"), AdditionalInfo: text.Draw(t, "info"),
			Total: genOptional(genDecimal(0, 1_000_000, 3)).Draw(t, "total"),
		}
	})
}

// genItem makes items a sale can hold, without an id.
func genItem() *rapid.Generator[sale.Item] {
	return rapid.Custom(func(t *rapid.T) sale.Item {
		amount := genDecimal(0, 1_000_000, 3)
		return sale.Item{
			Code: genText.Draw(t, "code"), Description: genText.Draw(t, "description"), Canceled: rapid.Bool().Draw(t, "canceled"),
			Quantity: genDecimal(1, 100_000, 4).Draw(t, "quantity"), UnitPrice: amount.Draw(t, "price"),
			Discount: genOptional(amount).Draw(t, "discount"), Addition: genOptional(amount).Draw(t, "addition"),
			Total: amount.Draw(t, "total"), AdditionalInfo: genOptional(genText).Draw(t, "info"),
		}
	})
}

func genPayment() *rapid.Generator[sale.Payment] {
	return rapid.Custom(func(t *rapid.T) sale.Payment {
		return sale.Payment{
			Type: genOptional(rapid.SampledFrom(sale.PaymentTypes)).Draw(t, "type"), Description: genOptional(genText).Draw(t, "description"),
			Value: genDecimal(0, 1_000_000, 3).Draw(t, "value"), AdditionalInfo: genOptional(genText).Draw(t, "info"),
		}
	})
}

// genAdjustment makes discounts and additions without an id.
func genAdjustment() *rapid.Generator[sale.Adjustment] {
	return rapid.Custom(func(t *rapid.T) sale.Adjustment {
		return sale.Adjustment{
			Description: genOptional(genText).Draw(t, "description"), Value: genDecimal(0, 1_000_000, 3).Draw(t, "value"),
			AdditionalInfo: genOptional(genText).Draw(t, "info"),
		}
	})
}

// pool has few ids, so that they meet; some are what a path or a database would have to escape.
var pool = strings.Fields("a b ação a/b %2F ' clear \U0001F6D2")
