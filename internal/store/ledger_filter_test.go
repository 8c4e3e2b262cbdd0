package store

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/payment"
)

// Every filter against what the words of payment.Filter mean, said again without SQL.
func TestFilters(t *testing.T) {
	fewer(t, 60)
	s, l := openLedger(t)
	rapid.Check(t, func(t *rapid.T) {
		empty(t, s, "ledger", "ledger_reversal")
		var all []payment.Transaction
		var moments []time.Time
		for range rapid.IntRange(0, 12).Draw(t, "count") {
			tx := genTransaction.Draw(t, "transaction")
			tx.Outcome.PaidWith = rapid.SampledFrom([]payment.Method{"", payment.Credit, payment.Debit, payment.Pix}).Draw(t, "paid with")
			id, err := l.Begin(tx)
			if err != nil {
				t.Fatal(err)
			}
			tx.ID = id
			all = append(all, tx)
			moments = append(moments, tx.CreatedAt)
			for _, r := range tx.Returned() {
				moments = append(moments, r.At)
			}
		}
		f := payment.Filter{
			Limit: rapid.IntRange(0, 5).Draw(t, "limit"), Reversals: rapid.Bool().Draw(t, "reversals"),
			Method:    rapid.SampledFrom([]payment.Method{"", "", payment.Credit, payment.Pix, payment.AnyMethod}).Draw(t, "method"),
			Reference: rapid.SampledFrom([]string{"", "", "a", "ação/1"}).Draw(t, "reference"),
			Status:    rapid.SampledFrom(append([]payment.Status{"", ""}, payment.Statuses...)).Draw(t, "status"),
		}
		if len(moments) > 0 { // of those there are, so that the bounds themselves are asked for
			bound := rapid.OneOf(rapid.Just(time.Time{}), rapid.SampledFrom(moments))
			f.Since, f.Until = bound.Draw(t, "since"), bound.Draw(t, "until")
		}
		within := func(at time.Time) bool {
			return (f.Since.IsZero() || !at.Before(f.Since)) && (f.Until.IsZero() || at.Before(f.Until))
		}
		var want []int64
		for _, tx := range all {
			if (within(tx.CreatedAt) || f.Reversals && slices.ContainsFunc(tx.Returned(), func(r payment.Reversal) bool { return within(r.At) })) && (f.Method == "" || tx.Method() == f.Method) &&
				(f.Reference == "" || tx.Request.Reference == f.Reference) && (f.Status == "" || tx.Status() == f.Status) {
				want = append(want, tx.ID)
			}
		}
		if f.Limit > 0 && len(want) > f.Limit {
			want = want[len(want)-f.Limit:]
		}
		var got []int64
		if err := l.List(context.Background(), f, func(tx payment.Transaction) error { got = append(got, tx.ID); return nil }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(want, got) {
			t.Fatalf("%+v lists %v, want %v", f, got, want)
		}
	})
}
