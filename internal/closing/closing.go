// Package closing sums up the payments of a period: what came in, what was given back, by type, brand and status.
//
// A payment belongs to the moment it was begun, a reversal to the moment it was given back. So a day's closing does not
// change when one of its payments is reversed on another day: the reversal is in that other day's. The sums of every
// grouping are the same money, counted exactly.
package closing

import (
	"slices"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// Period is a span of time.
type Period struct {
	Since time.Time
	Until time.Time // the first moment outside; zero: no end
}

// Contains tells whether the moment is inside.
func (p Period) Contains(at time.Time) bool {
	return !at.Before(p.Since) && (p.Until.IsZero() || at.Before(p.Until))
}

// Sum is how many and how much.
type Sum struct {
	Count  int
	Amount money.Decimal
}

func (s *Sum) add(amount money.Decimal) {
	s.Count++
	s.Amount = s.Amount.Add(amount)
}

// Balance is money that came in and money that was given back.
type Balance struct{ Gross, Reversed Sum }

// Net is what remains.
func (b Balance) Net() money.Decimal { return b.Gross.Amount.Sub(b.Reversed.Amount) }

// Group is the balance of one type or brand.
type Group[K ~string] struct {
	Key K
	Balance
}

// Report is the closing of a period. New makes one, and Add fills it.
type Report struct {
	Period   Period
	Total    Balance
	Kinds    []Group[Kind]   // those there were, in the order of Kinds
	Brands   []Group[string] // by the number of the brand; "" has none
	Statuses map[payment.Status]Sum
	// Earlier are the reversals, among those of Total, of payments made before the period.
	Earlier Sum
	// Parts are those of payments made in the period of which something was left at its end.
	Parts Sum
	// Reversing are the payments of the period, pending among the Statuses, of which only the reversal is in doubt.
	Reversing Sum
	// Pending are those somebody must look at, of the period and from before it, oldest first.
	Pending     []payment.Transaction
	First, Last *payment.Transaction // made in the period
}

// New is the closing of a period in which nothing has happened.
func New(p Period) *Report { return &Report{Period: p, Statuses: map[payment.Status]Sum{}} }

// Add counts an attempt where it belongs. One of another period, given back in another too, counts nowhere; only if it is
// pending since before is it listed. Attempts come in the order of their IDs.
func (r *Report) Add(t payment.Transaction) {
	status := t.Status()
	inDoubt := status == payment.Pending
	made := r.Period.Contains(t.CreatedAt)
	if inDoubt && (made || t.CreatedAt.Before(r.Period.Since)) {
		r.Pending = append(r.Pending, t)
	}
	amount := t.Request.Amount
	reversed := status == payment.Reversed && r.Period.Contains(t.LastReversal().At)
	if made {
		r.ends(t)
		paid := status == payment.Approved || status == payment.Reversed || t.Reversing()
		switch {
		case t.Reversing():
			r.Reversing.add(amount)
		case status == payment.Reversed && !reversed:
			status = payment.Approved // when the period ended
		}
		sum := r.Statuses[status]
		sum.add(amount)
		r.Statuses[status] = sum
		if paid {
			r.each(t, func(b *Balance) { b.Gross.add(amount) })
		}
	}
	for _, back := range t.Returned() {
		if !r.Period.Contains(back.At) {
			continue
		}
		r.each(t, func(b *Balance) { b.Reversed.add(back.Amount) })
		switch {
		case !made:
			r.Earlier.add(back.Amount)
		case !reversed:
			r.Parts.add(back.Amount)
		}
	}
}

func (r *Report) ends(t payment.Transaction) {
	if r.First == nil || t.CreatedAt.Before(r.First.CreatedAt) {
		r.First = &t
	}
	if r.Last == nil || !t.CreatedAt.Before(r.Last.CreatedAt) {
		r.Last = &t
	}
}

// each reaches every balance that the transaction is part of.
func (r *Report) each(t payment.Transaction, count func(*Balance)) {
	count(&r.Total)
	count(group(&r.Kinds, KindOf(t), func(a, b Kind) int { return slices.Index(kinds, a) - slices.Index(kinds, b) }))
	count(group(&r.Brands, t.Outcome.Brand, byBrand))
}

// group finds the group of a key, making it at its place.
func group[K ~string](groups *[]Group[K], key K, order func(a, b K) int) *Balance {
	at, found := slices.BinarySearchFunc(*groups, key, func(g Group[K], key K) int { return order(g.Key, key) })
	if !found {
		*groups = slices.Insert(*groups, at, Group[K]{Key: key})
	}
	return &(*groups)[at].Balance
}
