package records

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/money"
)

// ClosingFilter is what is summed up: a period, and where.
type ClosingFilter struct {
	Within   fleet.Place
	Terminal string
	Since    time.Time
	Until    time.Time // the first moment outside; zero: no end
}

// Sum is how many and how much.
type Sum struct {
	Count  int64
	Amount money.Decimal
}

// Balance is money that came in and money that was given back.
type Balance struct{ Gross, Reversed Sum }

// Net is what remains.
func (b Balance) Net() money.Decimal { return b.Gross.Amount.Sub(b.Reversed.Amount) }

// Closing is the balance of one method at one terminal.
type Closing struct {
	fleet.Place
	Terminal string
	Method   string
	Balance
	Pending Sum // payments of the period nobody knows the end of: in neither sum
}

// The statuses that closings ask for; others moved no money.
const (
	approved = "approved"
	reversed = "reversed"
	pending  = "pending"
)

// Closings sum a period up, a row a terminal and method, by place. As in a terminal's own closing, a payment belongs to the
// moment it was begun and a reversal to the moment it was given back.
func (d *Desk) Closings(ctx context.Context, s fleet.Scope, f ClosingFilter) ([]Closing, error) {
	within, ok := s.Narrow(f.Within)
	if !ok {
		return nil, nil
	}
	type group struct {
		place            fleet.Place
		terminal, method string
	}
	rows := map[group]*Closing{}
	count := func(t Tally, of func(*Closing) *Sum) error {
		key := group{t.Place, t.Terminal, t.Method}
		if rows[key] == nil {
			rows[key] = &Closing{Place: t.Place, Terminal: t.Terminal, Method: t.Method}
		}
		return of(rows[key]).add(t)
	}
	err := d.book.Paid(ctx, within, f, func(t Tally) error {
		switch t.Status {
		case approved, reversed:
			return count(t, func(c *Closing) *Sum { return &c.Gross })
		case pending:
			return count(t, func(c *Closing) *Sum { return &c.Pending })
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = d.book.Returned(ctx, within, f, func(t Tally) error { return count(t, func(c *Closing) *Sum { return &c.Reversed }) })
	if err != nil {
		return nil, err
	}
	all := make([]Closing, 0, len(rows))
	for _, row := range rows {
		all = append(all, *row)
	}
	slices.SortFunc(all, func(a, b Closing) int {
		return cmp.Or(strings.Compare(a.Tenant, b.Tenant), strings.Compare(a.Shop, b.Shop), strings.Compare(a.Terminal, b.Terminal), strings.Compare(a.Method, b.Method))
	})
	return all, nil
}

// add counts a tally, exactly.
func (s *Sum) add(t Tally) error {
	amount, err := money.Parse(t.Amount)
	if err != nil {
		return err
	}
	count, err := money.Parse(strconv.FormatInt(t.Count, 10))
	if err != nil {
		return err
	}
	times, err := amount.Product(count)
	if err != nil {
		return err
	}
	if s.Amount, err = s.Amount.Plus(times); err != nil {
		return err
	}
	s.Count += t.Count
	return nil
}
