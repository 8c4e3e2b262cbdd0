package store_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/hub/records"
)

const (
	epochA = "0b54be40-1111-4222-8333-444444444444"
	epochB = "0b54be40-5555-4666-8777-888888888888"
)

var (
	noon  = time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	home  = fleet.Place{Account: "a", Tenant: "t", Shop: "s"}
	whole = fleet.Scope{Place: fleet.Place{Account: "a"}, Role: fleet.Reads}
)

// payment is a step, and the transaction it leaves.
func payment(number, attempt int64, status string) (records.Step, records.Transaction) {
	at := noon.Add(time.Duration(number) * time.Second)
	return records.Step{Number: number, Attempt: attempt, At: at, Operation: "payment", State: status, Note: "nota"}, records.Transaction{
		Place: home, Terminal: "m1", Epoch: epochA, Attempt: attempt, Reference: fmt.Sprintf("r%d", attempt), Method: "03", Amount: "10.50", Status: status, NSU: "7",
		CreatedAt: at, UpdatedAt: at, Answer: []byte(`{"nsu":"7"}`),
	}
}

// ledger is a batch of steps, each of an attempt of its own.
func ledger(before int64, count int) records.Batch {
	b := records.Batch{Place: home, Before: records.Cursor{Terminal: "m1", Epoch: epochA, Kind: records.Ledger, Number: before}, After: before + int64(count)}
	for n := before + 1; n <= b.After; n++ {
		s, x := payment(n, n, "approved")
		b.Steps, b.Transactions = append(b.Steps, s), append(b.Transactions, x)
	}
	return b
}

// logs is a batch of entries of these numbers.
func logs(before, after int64, ids ...int64) records.Batch {
	b := records.Batch{Place: home, Before: records.Cursor{Terminal: "m1", Epoch: epochA, Kind: records.Log, Number: before}, After: after}
	for _, id := range ids {
		b.Entries = append(b.Entries, records.Entry{
			Place: home, Terminal: "m1", Epoch: epochA, ID: id, At: noon.Add(time.Duration(id) * time.Second), Level: "info", Source: "api", Message: fmt.Sprintf("Impressão %d", id),
		})
	}
	return b
}

// own is an epoch of a terminal: no two have the same.
func own(terminal, epoch string) string { return epoch[:35] + terminal[1:] }

// at moves a batch to another terminal and place.
func at(b records.Batch, terminal, epoch string, p fleet.Place) records.Batch {
	b.Place, b.Before.Terminal, b.Before.Epoch = p, terminal, epoch
	for i := range b.Transactions {
		x := &b.Transactions[i]
		x.Place, x.Terminal, x.Epoch = p, terminal, epoch
	}
	for i := range b.Entries {
		e := &b.Entries[i]
		e.Place, e.Terminal, e.Epoch = p, terminal, epoch
	}
	return b
}

func (h *hub) commit(t *testing.T, b records.Batch) records.Cursor {
	t.Helper()
	c, err := h.records.Commit(t.Context(), b)
	ok(t, err)
	return c
}

func (h *hub) transactions(t *testing.T, f records.TransactionFilter) []records.Transaction {
	t.Helper()
	var all []records.Transaction
	ok(t, h.records.EachTransaction(t.Context(), whole, f, func(x records.Transaction) error {
		all = append(all, x)
		return nil
	}))
	return all
}

func (h *hub) entries(t *testing.T, f records.EntryFilter) []records.Entry {
	t.Helper()
	var all []records.Entry
	ok(t, h.records.EachEntry(t.Context(), whole, f, func(e records.Entry) error {
		all = append(all, e)
		return nil
	}))
	return all
}

func testCommit(t *testing.T, h *hub) {
	c, err := h.records.Cursor(t.Context(), "m1", epochA, records.Ledger)
	ok(t, err)
	same(t, "a cursor before anything", c, records.Cursor{Terminal: "m1", Epoch: epochA, Kind: records.Ledger})

	// One page: an attempt begins and is approved, another begins.
	b := records.Batch{Place: home, Before: c, After: 3}
	for _, p := range []struct {
		number, attempt int64
		status          string
	}{{1, 1, "pending"}, {2, 1, "approved"}, {3, 2, "pending"}} {
		s, x := payment(p.number, p.attempt, p.status)
		b.Steps, b.Transactions = append(b.Steps, s), append(b.Transactions, x)
	}
	c = h.commit(t, b)
	same(t, "the cursor", c.Number, 3)
	kept, err := h.records.Cursor(t.Context(), "m1", epochA, records.Ledger)
	ok(t, err)
	same(t, "the cursor as it is kept", kept, c)
	same(t, "the same page again", h.commit(t, b), c)
	late := b
	late.Before.Number, late.After, late.Steps, late.Transactions = 2, 3, b.Steps[2:], b.Transactions[2:]
	same(t, "a part of it again", h.commit(t, late), c)

	// The next page ends the second, and gives part of the first back.
	s4, x2 := payment(4, 2, "refused")
	s5, x1 := payment(5, 1, "approved")
	x1.Returns = []records.Return{{At: s5.At, Amount: "0.50"}}
	c = h.commit(t, records.Batch{Place: home, Before: c, After: 5, Steps: []records.Step{s4, s5}, Transactions: []records.Transaction{x2, x1}})
	same(t, "the cursor", c.Number, 5)

	x1.CreatedAt, x2.CreatedAt = b.Steps[0].At, b.Steps[2].At
	found, err := h.records.Find(t.Context(), whole, "m1", "r1")
	ok(t, err)
	same(t, "the first", found, x1)
	x1.Returns = nil
	same(t, "both", h.transactions(t, records.TransactionFilter{}), []records.Transaction{x2, x1})
	_, err = h.records.Find(t.Context(), whole, "m1", "r3")
	is(t, err, records.ErrNotFound)
	_, err = h.records.Find(t.Context(), whole, "m2", "r1")
	is(t, err, records.ErrNotFound)
	history, err := h.records.History(t.Context(), whole, "m1", epochA, 1)
	ok(t, err)
	same(t, "the first's history", history, []records.Step{b.Steps[0], b.Steps[1], s5})
}

// Whoever reads the same page twice, side by side, doubles nothing.
func testCommitAtOnce(t *testing.T, h *hub) {
	const pages, each = 5, 20
	for _, err := range atOnce(4, func(int) error {
		for c := (records.Cursor{}); c.Number < pages*each; {
			var err error
			if c, err = h.records.Commit(t.Context(), ledger(c.Number, each)); err != nil {
				return err
			}
		}
		return nil
	}) {
		ok(t, err)
	}
	same(t, "transactions", len(h.transactions(t, records.TransactionFilter{})), pages*each)
	for n := int64(1); n <= pages*each; n++ {
		steps, err := h.records.History(t.Context(), whole, "m1", epochA, n)
		ok(t, err)
		same(t, "steps", len(steps), 1)
	}
}

func testEpochsAndGaps(t *testing.T, h *hub) {
	h.commit(t, ledger(0, 2))
	wiped := at(ledger(0, 1), "m1", epochB, home) // it counts from 1 again
	wiped.Transactions[0].CreatedAt = noon.Add(time.Hour)
	h.commit(t, wiped)
	same(t, "transactions of both epochs", len(h.transactions(t, records.TransactionFilter{Terminal: "m1"})), 3)
	cursors, err := h.records.Cursors(t.Context(), "m1")
	ok(t, err)
	same(t, "cursors", len(cursors), 2)
	same(t, "the one that moved last", cursors[1].Epoch, epochB)

	h.commit(t, logs(0, 12, 4, 5, 9, 10))
	h.commit(t, logs(12, 20)) // all of it was trimmed
	gaps, _, err := h.records.Gaps(t.Context(), whole, "m1", records.Mark{}, 0)
	ok(t, err)
	var spans []string
	for _, g := range gaps {
		if g.FoundAt.IsZero() || g.Place != home || g.Epoch != epochA || g.Kind != records.Log {
			t.Errorf("the gap %+v", g)
		}
		spans = append(spans, fmt.Sprintf("%d-%d", g.First, g.Last))
	}
	same(t, "gaps", spans, []string{"13-20", "11-12", "6-8", "1-3"})
	others, _, err := h.records.Gaps(t.Context(), fleet.Scope{Place: fleet.Place{Account: "other"}}, "m1", records.Mark{}, 0)
	ok(t, err)
	same(t, "another account's gaps", len(others), 0)

	h.commit(t, at(logs(0, 12, 4, 5, 9, 10), "m2", own("m2", epochA), home)) // three that were found at once
	all, _, err := h.records.Gaps(t.Context(), whole, "", records.Mark{}, 0)
	ok(t, err)
	same(t, "gaps of both terminals", len(all), 7)
	for terminal, want := range map[string][]records.Gap{"": all, "m1": gaps} {
		for size := 1; size <= len(want)+1; size++ {
			var got []records.Gap
			for after := (records.Mark{}); ; {
				page, next, err := h.records.Gaps(t.Context(), whole, terminal, after, size)
				ok(t, err)
				if got = append(got, page...); next.IsZero() {
					break
				}
				same(t, "the page's size", len(page), size)
				after, err = records.ParseMark(next.String())
				ok(t, err)
			}
			same(t, fmt.Sprintf("pages of %d gaps", size), got, want)
		}
	}
}

// A restored ledger comes again under its new epoch. Each payment counts once, as it was read last, and those that the restoring
// lost go on to count.
func testRestored(t *testing.T, h *hub) {
	h.commit(t, ledger(0, 3))
	restored := at(ledger(0, 2), "m1", epochB, home)
	h.commit(t, restored)
	s, x := payment(3, 2, "reversed")
	x.Epoch, x.Returns = epochB, []records.Return{{At: noon.Add(time.Minute), Amount: "10.50"}}
	s4, x3 := payment(4, 3, "approved") // the number of one that was lost
	x3.Epoch = epochB
	next := records.Batch{Place: home, Before: restored.Before, After: 4, Steps: []records.Step{s, s4}, Transactions: []records.Transaction{x, x3}}
	next.Before.Number = 2
	h.commit(t, next)
	h.commit(t, at(ledger(0, 1), "m2", own("m2", epochB), home)) // another terminal's is another payment
	var got []string
	for _, x := range h.transactions(t, records.TransactionFilter{}) {
		got = append(got, fmt.Sprintf("%s %s/%d %s", x.Terminal, x.Epoch[9:13], x.Attempt, x.Status))
	}
	same(t, "transactions", got, []string{"m1 5555/3 approved", "m1 1111/3 approved", "m1 5555/2 reversed", "m2 5555/1 approved", "m1 5555/1 approved"})
	found, err := h.records.Find(t.Context(), whole, "m1", "r2")
	ok(t, err)
	same(t, "the one that was given back", found.Status, "reversed")
	rows, err := h.records.Closings(t.Context(), whole, records.ClosingFilter{Terminal: "m1"})
	ok(t, err)
	same(t, "sums", fmt.Sprint(rows[0].Gross, rows[0].Reversed), "{4 42.00} {1 10.50}")
	steps, err := h.records.History(t.Context(), whole, "m1", epochA, 2)
	ok(t, err)
	same(t, "the history of both epochs is kept", len(steps), 1)
}

func testBadBatches(t *testing.T, h *hub) {
	for name, spoil := range map[string]func(*records.Batch){
		"nobody's":              func(b *records.Batch) { b.Before.Terminal = "" },
		"no shop":               func(b *records.Batch) { b.Shop = "" },
		"no epoch":              func(b *records.Batch) { b.Before.Epoch = "" },
		"epoch of another form": func(b *records.Batch) { b.Before.Epoch = strings.ToUpper(epochB) },
		"a long epoch":          func(b *records.Batch) { b.Before.Epoch = strings.Repeat("a", 9000) },
		"no kind":               func(b *records.Batch) { b.Before.Kind = "x" },
		"of the other kind":     func(b *records.Batch) { b.Before.Kind = records.Log },
		"going back":            func(b *records.Batch) { b.Before.Number, b.After = 3, 2 },
		"a cursor without end":  func(b *records.Batch) { b.After = math.MaxInt64 },
		"negative":              func(b *records.Batch) { b.Before.Number = -1 },
		"out of order":          func(b *records.Batch) { b.Steps[0], b.Steps[1] = b.Steps[1], b.Steps[0] },
		"twice the same":        func(b *records.Batch) { b.Steps[1] = b.Steps[0] },
		"behind the end":        func(b *records.Batch) { b.After = 1 },
		"before the start":      func(b *records.Batch) { b.Before.Number = 1 },
		"no step":               func(b *records.Batch) { b.Transactions[0].Attempt = 9 },
		"no amount":             func(b *records.Batch) { b.Transactions[0].Amount = "dez" },
		"no amount given back":  func(b *records.Batch) { b.Transactions[0].Returns = []records.Return{{}} },
		"another terminal's":    func(b *records.Batch) { b.Transactions[0].Terminal = "m2" },
		"another account's":     func(b *records.Batch) { b.Transactions[0].Account = "b" },
	} {
		b := ledger(0, 2)
		spoil(&b)
		if _, err := h.records.Commit(t.Context(), b); err == nil {
			t.Errorf("%s: it was taken", name)
		} else {
			is(t, err, records.ErrBadBatch)
		}
	}
	same(t, "transactions", len(h.transactions(t, records.TransactionFilter{})), 0)
}

// A stolen terminal may send any text. None may keep the cursor from going on, in either database.
func testHostileTexts(t *testing.T, h *hub) {
	long := strings.Repeat("á", 20_000)
	b := ledger(0, 3)
	b.Steps[0].Note, b.Steps[1].State = "a\x00b", "\xff\xfe"
	b.Steps[0].At, b.Steps[1].At = time.Time{}, time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	b.Transactions[0].Reference, b.Transactions[1].Reference, b.Transactions[2].Reference = "a\x00b", long, long+"x"
	b.Transactions[1].CreatedAt = time.Time{}
	b.Transactions[0].Answer = []byte("\x00\xff")
	b.Transactions[2].NSU = long
	h.commit(t, b)
	for i, ref := range []string{"a\x00b", long, long + "x"} {
		found, err := h.records.Find(t.Context(), whole, "m1", ref)
		ok(t, err)
		same(t, "the attempt", found.Attempt, int64(i+1))
		same(t, "its answer", found.Answer, b.Transactions[i].Answer)
	}
	l := logs(0, 1, 1)
	e := &l.Entries[0]
	e.Message, e.Details, e.Level, e.Source, e.At = "nul \x00, bytes \xff, 'quotes' \"\\ ? $1", long, long, long, time.Time{}
	h.commit(t, l)
	got := h.entries(t, records.EntryFilter{Words: "QUOTES' \"\\ ? $1"})
	same(t, "entries", len(got), 1)
	same(t, "the message", got[0].Message, "nul \uFFFD, bytes \uFFFD, 'quotes' \"\\ ? $1")
}

func testLargeBatch(t *testing.T, h *hub) {
	b := ledger(0, 500)
	for i := range b.Transactions {
		b.Transactions[i].Returns = []records.Return{{At: noon, Amount: "0.01"}, {At: noon, Amount: "0.02"}}
	}
	h.commit(t, b)
	var ids []int64
	for i := range int64(1000) {
		ids = append(ids, i+1)
	}
	h.commit(t, logs(0, 1000, ids...))
	same(t, "transactions", len(h.transactions(t, records.TransactionFilter{})), 500)
	same(t, "entries", len(h.entries(t, records.EntryFilter{})), 1000)
	gaps, _, err := h.records.Gaps(t.Context(), whole, "", records.Mark{}, 0)
	ok(t, err)
	same(t, "gaps", len(gaps), 0)
}
