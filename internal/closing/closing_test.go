package closing

import (
	"fmt"
	"math/big"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// stand puts a transaction into the state that the caller is told as status.
func stand(t payment.Transaction, s payment.Status) payment.Transaction {
	t.State = map[payment.Status]payment.State{
		payment.Approved: payment.StateConfirmed, payment.Reversed: payment.StateReversed, payment.Refused: payment.StateRefused,
		payment.Cancelled: payment.StateUndone, payment.Pending: payment.StateUnknown,
	}[s]
	return t
}

var zone = time.FixedZone("-03", -3*60*60)

func day(n, hour, minute int) time.Time {
	return time.Date(2026, time.November, n, hour, minute, 0, 0, zone)
}

// made is a transaction that was paid as said.
func made(id int64, at time.Time, amount string, method payment.Method, installments int, brand string, s payment.Status) payment.Transaction {
	return stand(payment.Transaction{
		ID: id, CreatedAt: at, UpdatedAt: at,
		Request: payment.Request{Method: method, Amount: money.MustParse(amount), Installments: installments, Reference: fmt.Sprint("pedido-", id)},
		Outcome: payment.Outcome{Brand: brand},
	}, s)
}

// givenBack is the transaction after its reversal.
func givenBack(t payment.Transaction, at time.Time) payment.Transaction {
	t.Reversals = append(slices.Clip(t.Reversals), payment.Reversal{NSU: "9", Amount: t.Left(), At: at})
	return stand(t, payment.Reversed)
}

// partBack is the transaction after part of it went back.
func partBack(t payment.Transaction, amount string, at time.Time) payment.Transaction {
	t.Reversals = append(slices.Clip(t.Reversals), payment.Reversal{NSU: "8", Amount: money.MustParse(amount), At: at})
	t.State = payment.StateReturned
	return t
}

var genTransaction = rapid.Custom(func(t *rapid.T) payment.Transaction {
	moment := rapid.Custom(func(t *rapid.T) time.Time {
		// Around the bounds of the period below, and on them.
		return day(rapid.SampledFrom([]int{14, 15, 16, 17}).Draw(t, "day"), 0, 0).Add(time.Duration(rapid.Int64Range(-2, 2).Draw(t, "ns")))
	})
	tx := made(0, moment.Draw(t, "at"), fmt.Sprintf("%d.%02d", rapid.IntRange(0, 9_999_999).Draw(t, "reais"), rapid.IntRange(0, 99).Draw(t, "cents")),
		rapid.SampledFrom([]payment.Method{payment.Credit, payment.Debit, payment.Pix, payment.AnyMethod}).Draw(t, "method"),
		rapid.IntRange(1, 3).Draw(t, "installments"), rapid.SampledFrom([]string{"", "01", "02", "06", "77"}).Draw(t, "brand"), payment.Approved)
	tx.Outcome.PaidWith = rapid.SampledFrom([]payment.Method{"", payment.Credit, payment.Pix}).Draw(t, "paid with")
	tx.Outcome.Installments = rapid.IntRange(0, 2).Draw(t, "agreed")
	status := rapid.SampledFrom(payment.Statuses).Draw(t, "status")
	if status == payment.Refused || status == payment.Cancelled {
		return stand(tx, status)
	}
	// What goes back does so after it was paid, one after the other.
	at := tx.CreatedAt
	later := func() time.Time {
		if next := moment.Draw(t, "back at"); next.After(at) {
			at = next
		}
		return at
	}
	for range rapid.IntRange(0, 2).Draw(t, "parts") {
		if part := rapid.IntRange(1, 99).Draw(t, "part"); tx.Left().Cmp(money.MustParse("1")) > 0 {
			tx = partBack(tx, fmt.Sprintf("0.%02d", part), later())
		}
	}
	if status == payment.Reversed {
		return givenBack(tx, later())
	}
	if rapid.Bool().Draw(t, "another was begun") {
		tx.Reversals = append(tx.Reversals, payment.Reversal{Amount: tx.Left()})
	}
	return stand(tx, status)
})

func cents(d money.Decimal) *big.Rat {
	r, ok := new(big.Rat).SetString(d.String())
	if !ok {
		panic(d)
	}
	return r
}

// tally is a naive count.
type tally struct {
	n   int
	sum *big.Rat
}

func (c tally) check(t *rapid.T, what string, got Sum) {
	t.Helper()
	if got.Count != c.n || cents(got.Amount).Cmp(c.sum) != 0 {
		t.Fatalf("%s: %d of %s, counted %d of %s", what, got.Count, got.Amount, c.n, c.sum.FloatString(2))
	}
}

// Every sum against a count of the list from the start, and the groupings against each other.
func TestSumsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(genTransaction, 0, 30).Draw(t, "transactions")
		period := Period{day(15, 0, 0), day(16, 0, 0)}
		r := New(period)
		for i := range all {
			all[i].ID = int64(i + 1)
			r.Add(all[i])
		}
		tallied := func(match func(payment.Transaction) bool) tally {
			c := tally{sum: new(big.Rat)}
			for _, tx := range all {
				if match(tx) {
					c.n, c.sum = c.n+1, c.sum.Add(c.sum, cents(tx.Request.Amount))
				}
			}
			return c
		}
		in := func(tx payment.Transaction) bool {
			return !tx.CreatedAt.Before(day(15, 0, 0)) && tx.CreatedAt.Before(day(16, 0, 0))
		}
		// returned counts what went back in the period, a reversal each.
		returned := func(match func(payment.Transaction) bool) tally {
			c := tally{sum: new(big.Rat)}
			for _, tx := range all {
				for _, back := range tx.Reversals {
					if match(tx) && !back.At.Before(day(15, 0, 0)) && back.At.Before(day(16, 0, 0)) {
						c.n, c.sum = c.n+1, c.sum.Add(c.sum, cents(back.Amount))
					}
				}
			}
			return c
		}
		is := func(tx payment.Transaction, s payment.Status) bool { return tx.Status() == s }
		paid := func(tx payment.Transaction) bool {
			return is(tx, payment.Approved) || is(tx, payment.Reversed) || is(tx, payment.Pending) && len(tx.Reversals) > 0
		}
		tallied(func(tx payment.Transaction) bool { return in(tx) && paid(tx) }).check(t, "gross", r.Total.Gross)
		returned(func(payment.Transaction) bool { return true }).check(t, "reversed", r.Total.Reversed)
		returned(func(tx payment.Transaction) bool { return !in(tx) }).check(t, "of earlier", r.Earlier)
		returned(func(tx payment.Transaction) bool {
			return in(tx) && (tx.Status() != payment.Reversed || !tx.LastReversal().At.Before(day(16, 0, 0)))
		}).check(t, "in parts", r.Parts)
		for _, k := range kinds {
			of := func(tx payment.Transaction) bool { return KindOf(tx) == k }
			b := find(r.Kinds, k)
			tallied(func(tx payment.Transaction) bool { return of(tx) && in(tx) && paid(tx) }).check(t, string(k), b.Gross)
			returned(of).check(t, string(k), b.Reversed)
		}
		for _, brand := range []string{"", "01", "02", "06", "77"} {
			of := func(tx payment.Transaction) bool { return tx.Outcome.Brand == brand }
			b := find(r.Brands, brand)
			tallied(func(tx payment.Transaction) bool { return of(tx) && in(tx) && paid(tx) }).check(t, brand, b.Gross)
			returned(of).check(t, brand, b.Reversed)
		}
		total(t, r, r.Kinds)
		total(t, r, r.Brands)

		// What was made in the period has one status each, and what was paid is approved, reversed or about to be.
		every, statuses := Sum{}, r.Statuses
		for _, s := range StatusOrder {
			every = plus(every, statuses[s])
		}
		tallied(in).check(t, "attempts", every)
		if got := plus(plus(statuses[payment.Approved], statuses[payment.Reversed]), r.Reversing); got.Count != r.Total.Gross.Count || got.Amount.Cmp(r.Total.Gross.Amount) != 0 {
			t.Fatalf("gross %v, by status %v", r.Total.Gross, got)
		}
		if got := plus(plus(statuses[payment.Reversed], r.Earlier), r.Parts); got.Amount.Cmp(r.Total.Reversed.Amount) != 0 {
			t.Fatalf("reversed %v, by status %v", r.Total.Reversed, got)
		}
		if n := tallied(func(tx payment.Transaction) bool {
			return is(tx, payment.Pending) && tx.CreatedAt.Before(day(16, 0, 0))
		}).n; n != len(r.Pending) {
			t.Fatalf("%d pending, %d listed", n, len(r.Pending))
		}
		if some := slices.ContainsFunc(all, in); some != (r.First != nil) || some && r.Last.CreatedAt.Before(r.First.CreatedAt) {
			t.Fatalf("from %v to %v", r.First, r.Last)
		}
	})
}

func find[K ~string](groups []Group[K], key K) Balance {
	for _, g := range groups {
		if g.Key == key {
			return g.Balance
		}
	}
	return Balance{}
}

func plus(a, b Sum) Sum { return Sum{a.Count + b.Count, a.Amount.Add(b.Amount)} }

func total[K ~string](t *rapid.T, r *Report, groups []Group[K]) {
	t.Helper()
	var sum Balance
	for _, g := range groups {
		sum.Gross, sum.Reversed = plus(sum.Gross, g.Gross), plus(sum.Reversed, g.Reversed)
	}
	if sum.Gross.Count != r.Total.Gross.Count || sum.Reversed.Count != r.Total.Reversed.Count || sum.Net().Cmp(r.Total.Net()) != 0 ||
		sum.Gross.Amount.Cmp(r.Total.Gross.Amount) != 0 {
		t.Fatalf("groups have %v, in all %v", sum, r.Total)
	}
}

// A day's closing stays as it was when one of its payments is reversed the next day.
func TestAReversalBelongsToItsOwnDay(t *testing.T) {
	sold := made(1, day(14, 23, 59), "100.00", payment.Debit, 1, "01", payment.Approved)
	closed := func(d int, tx payment.Transaction) *Report {
		r := New(Period{day(d, 0, 0), day(d+1, 0, 0)})
		r.Add(tx)
		return r
	}
	by := Imprint{At: day(20, 12, 0)}
	before, after := closed(14, sold), closed(14, givenBack(sold, day(15, 0, 0)))
	if a, b := before.Page(by).Plain(), after.Page(by).Plain(); a != b {
		t.Errorf("the day's closing has changed from\n%s\nto\n%s", a, b)
	}
	next := closed(15, givenBack(sold, day(15, 0, 0)))
	if next.Total.Net().Cmp(money.MustParse("-100")) != 0 || next.Earlier.Count != 1 || next.First != nil {
		t.Errorf("the day of the reversal: %+v", next)
	}
}

// Parts belong to their own days too; the payment counts as reversed on the day on which the last of it went back.
func TestPartsBelongToTheirOwnDays(t *testing.T) {
	sold := made(1, day(14, 12, 0), "100.00", payment.Pix, 1, "", payment.Approved)
	tx := givenBack(partBack(partBack(sold, "10.00", day(14, 13, 0)), "20.00", day(15, 9, 0)), day(16, 9, 0))
	for d, want := range map[int][4]string{ // gross, given back, of earlier days, in parts
		14: {"100.00", "10.00", "0.00", "10.00"}, 15: {"0.00", "20.00", "20.00", "0.00"}, 16: {"0.00", "70.00", "70.00", "0.00"}, 17: {"0.00", "0.00", "0.00", "0.00"},
	} {
		r := New(Period{day(d, 0, 0), day(d+1, 0, 0)})
		r.Add(tx)
		got := [4]string{r.Total.Gross.Amount.Cents(), r.Total.Reversed.Amount.Cents(), r.Earlier.Amount.Cents(), r.Parts.Amount.Cents()}
		if got != want || r.Statuses[payment.Reversed].Count != 0 {
			t.Errorf("day %d: %v, want %v", d, got, want)
		}
	}
	r := New(Period{day(14, 0, 0), day(17, 0, 0)})
	r.Add(tx)
	if r.Total.Net().Sign() != 0 || r.Total.Reversed.Count != 3 || r.Statuses[payment.Reversed].Count != 1 || r.Parts.Count != 0 {
		t.Errorf("all days: %+v", r)
	}
}
