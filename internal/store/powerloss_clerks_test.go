//go:build !race || everything

package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/sale"
)

// text is of any length up to more than a page, so that rows are torn apart too.
func text(rng *rand.Rand) string {
	return strings.Repeat(fmt.Sprintf("%x ", rng.Uint64()), rng.IntN(10)*rng.IntN(50))
}

// ledgerClerk begins attempts and saves what becomes of them.
type ledgerClerk struct {
	name   string
	ledger *Ledger
	begun  int
	kept   map[int64]payment.Transaction
	doubt  *payment.Transaction // without an ID: an attempt that was perhaps begun
}

func newLedgerClerk(name string) *ledgerClerk {
	return &ledgerClerk{name: name, kept: map[int64]payment.Transaction{}}
}

func (c *ledgerClerk) open(s *Store, _ *Logs) (err error) {
	c.ledger, err = s.Ledger()
	return err
}

func (c *ledgerClerk) work(rng *rand.Rand) (err error) {
	t := payment.Transaction{
		Request: payment.Request{Method: payment.Credit, Amount: money.MustParse("1.00"), Installments: 1, Plan: payment.Single},
		State:   payment.StateBegun, CreatedAt: time.Unix(rng.Int64N(4e9), 0), UpdatedAt: time.Unix(rng.Int64N(4e9), 0),
	}
	for id := range c.kept {
		if rng.IntN(2) == 0 {
			t = c.kept[id]
			break
		}
	}
	t.Outcome.Receipt = payment.Receipt{Customer: text(rng), Merchant: text(rng)}
	if t.ID == 0 {
		c.begun++
		t.Request.Reference = fmt.Sprint(c.name, c.begun)
		c.doubt = &t
		t.ID, err = c.ledger.Begin(t)
	} else {
		t.State = payment.StateConfirmed
		c.doubt = &t
		err = c.ledger.Append(t, text(rng))
	}
	if err == nil {
		c.kept[t.ID], c.doubt = t, nil
	}
	return err
}

func (c *ledgerClerk) check() error {
	if d := c.doubt; d != nil {
		switch t, err := c.ledger.Newest(d.Request.Reference); {
		case errors.Is(err, payment.ErrNotFound) && c.kept[d.ID].ID == 0: // it was not begun
		case err != nil:
			return fmt.Errorf("%s: %w", d.Request.Reference, err)
		default:
			if d.ID == 0 {
				d.ID = t.ID
			}
			if cmp.Equal(t, *d, asKept) {
				c.kept[d.ID] = t
			}
		}
		c.doubt = nil
	}
	for id, want := range c.kept {
		got, err := c.ledger.Get(id)
		if err != nil {
			return fmt.Errorf("attempt %d: %w", id, err)
		}
		if diff := cmp.Diff(want, got, asKept); diff != "" {
			return fmt.Errorf("attempt %d: %s", id, diff)
		}
	}
	return nil
}

// settingClerk changes two settings that belong together, as a user and a password.
type settingClerk struct {
	pair        string
	store       *Store
	kept, doubt int
}

func (c *settingClerk) open(s *Store, _ *Logs) error {
	c.store = s
	return nil
}

func (c *settingClerk) work(*rand.Rand) error {
	c.doubt++
	value := strconv.Itoa(c.doubt)
	err := c.store.SetSettings(map[string]string{c.pair + ".user": value, c.pair + ".password": value})
	if err == nil {
		c.kept = c.doubt
	}
	return err
}

func (c *settingClerk) check() error {
	user, err := c.store.Setting(c.pair + ".user")
	if err != nil {
		return err
	}
	password, err := c.store.Setting(c.pair + ".password")
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(user) // "" where there was none yet
	if user != password || n != c.kept && n != c.doubt {
		return fmt.Errorf("settings are %q and %q, want %d or %d", user, password, c.kept, c.doubt)
	}
	c.kept, c.doubt = n, n
	return nil
}

// saleClerk scans items, each with a payment, and begins a new sale now and then.
type saleClerk struct {
	sales  *Sales
	states []cart // from the last that was kept
}

// cart is a sale with so many items.
type cart struct {
	number int64
	lines  int64
}

func (c *saleClerk) open(s *Store, _ *Logs) error {
	if c.states == nil {
		c.states = []cart{{}}
	}
	c.sales = s.Sales()
	_, _, err := c.sales.Load()
	return err
}

func (c *saleClerk) work(rng *rand.Rand) error {
	// Several are under way at once, and only waiting for the last says that all are kept.
	var wait func() error
	for range 1 + rng.IntN(3) {
		now := c.states[len(c.states)-1]
		var changes []sale.Change
		if now.number == 0 || rng.IntN(8) == 0 {
			if now.number > 0 {
				changes = append(changes, sale.Closed{Sale: now.number, State: sale.Finalized, At: time.Unix(1, 0)})
			}
			now = cart{number: now.number + 1}
			changes = append(changes, sale.Opened{Sale: now.number, At: time.Unix(now.number, 0)})
		} else {
			now.lines++
			changes = append(
				changes, sale.ItemAdded{Sale: now.number, Seq: now.lines, Item: now.item()},
				sale.PaymentAdded{Sale: now.number, Seq: now.lines, Payment: sale.Payment{ID: "p", Value: money.MustParse("1")}},
				sale.Cleared{Sale: now.number, Lists: []sale.List{sale.Discounts}}, // it is one change with what follows
				sale.AdjustmentAdded{Sale: now.number, Seq: now.lines, List: sale.Discounts, Adjustment: sale.Adjustment{ID: "d", Value: money.MustParse("1")}},
			)
		}
		c.states = append(c.states, now)
		wait = c.sales.Append(changes...)
	}
	err := wait()
	if err == nil {
		c.states = c.states[len(c.states)-1:]
	}
	return err
}

// item is the newest of the cart.
func (c cart) item() sale.Item {
	one := money.MustParse("1")
	return sale.Item{ID: fmt.Sprint(c.number, "/", c.lines), Description: strings.Repeat("x", int(c.lines*97%900)), Quantity: one, UnitPrice: one, Total: one}
}

func (c *saleClerk) check() error {
	open, newest, err := c.sales.Load()
	if err != nil {
		return err
	}
	found := cart{number: newest}
	if open != nil {
		found = cart{number: open.Number, lines: int64(len(open.Items))}
		if n := len(open.Discounts); n > 1 || n == 0 && found.lines > 0 || n == 1 && open.Discounts[0].Seq != found.lines {
			return fmt.Errorf("sale %d with %d lines has discounts %v", open.Number, found.lines, open.Discounts)
		}
		if len(open.Payments) != len(open.Items) || open.Number != newest {
			return fmt.Errorf("sale %d of %d has %d items and %d payments", open.Number, newest, len(open.Items), len(open.Payments))
		}
		for i, line := range open.Items {
			if want := (cart{found.number, int64(i + 1)}).item(); line.Seq != int64(i+1) || !cmp.Equal(line.Value, want, exactly) {
				return fmt.Errorf("line %d is %d: %+v", i+1, line.Seq, line.Value)
			}
		}
	}
	for i, s := range c.states {
		if s == found && (open != nil) == (s.number > 0) {
			c.states = c.states[i:][:1:1]
			return nil
		}
	}
	return fmt.Errorf("sale %d with %d lines (open: %t), want one of %v", found.number, found.lines, open != nil, c.states)
}

// logClerk writes the log. The service keeps only what its writer has got to, but that whole and without gaps.
type logClerk struct {
	logs        *Logs
	kept, doubt int64
}

func (c *logClerk) open(_ *Store, l *Logs) error {
	c.logs = l
	return nil
}

func (c *logClerk) work(rng *rand.Rand) error {
	entries := make([]logbook.Entry, 1+rng.IntN(20))
	for i := range entries {
		c.doubt++
		entries[i] = logbook.Entry{ID: c.doubt, Level: logbook.Info, Source: logbook.App, Message: fmt.Sprint("entry ", c.doubt), At: time.UnixMilli(c.doubt)}
	}
	err := c.logs.Append(entries)
	if err == nil {
		c.kept = c.doubt
	}
	return err
}

func (c *logClerk) check() error {
	last, err := c.logs.Last()
	if err != nil {
		return err
	}
	if last != c.kept && last != c.doubt {
		return fmt.Errorf("the log ends with %d, want %d or %d", last, c.kept, c.doubt)
	}
	found, err := c.logs.After(context.Background(), 0, int(last)+1)
	if err != nil || int64(len(found)) != last {
		return fmt.Errorf("%d of %d log entries, %w", len(found), last, err)
	}
	for i, e := range found {
		if e.ID != int64(i+1) || e.Message != fmt.Sprint("entry ", i+1) {
			return fmt.Errorf("log entry %d is %+v", i+1, e)
		}
	}
	c.kept, c.doubt = last, last
	return nil
}
