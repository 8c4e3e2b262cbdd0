package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/sale"
)

// numbers are those of the ended sales that fit, in the order they come.
func numbers(t *testing.T, a *Archive, f sale.Filter) (all []int64) {
	t.Helper()
	must(t, a.Ended(context.Background(), f, func(p sale.Past) error { all = append(all, p.Number); return nil }))
	return all
}

func TestEndedSales(t *testing.T) {
	s := openAt(t, t.TempDir())
	book, archive := s.Sales(), s.Archive()
	day := func(n int64) time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local).AddDate(0, 0, int(n)) }
	const many = 2*pageSales + 7
	for n := int64(1); n <= many; n++ {
		state := sale.Finalized
		if n%10 == 0 {
			state = sale.Cancelled
		}
		must(t, book.Append(
			sale.Opened{Sale: n, At: day(n)}, sale.ItemAdded{Sale: n, Seq: 0, Item: bread(fmt.Sprint(n))},
			sale.AdjustmentAdded{Sale: n, List: sale.Discounts, Adjustment: sale.Adjustment{ID: "d", Value: money.MustParse("1")}},
			sale.Closed{Sale: n, State: state, At: day(n).Add(time.Hour)},
		)())
	}
	must(t, book.Append(sale.Opened{Sale: many + 1, At: day(many + 1)})()) // one that is open is none that ended

	all := numbers(t, archive, sale.Filter{})
	if len(all) != many || all[0] != many || !slices.IsSortedFunc(all, func(a, b int64) int { return int(b - a) }) {
		t.Errorf("newest first: %v", all)
	}
	for name, c := range map[string]struct {
		filter sale.Filter
		want   []int64
	}{
		"the newest two":     {sale.Filter{Limit: 2}, []int64{many, many - 1}},
		"cancelled":          {sale.Filter{State: sale.Cancelled, Limit: 2}, []int64{100, 90}},
		"since":              {sale.Filter{Since: day(many).Add(time.Hour)}, []int64{many}},
		"until is exclusive": {sale.Filter{Until: day(2).Add(time.Hour)}, []int64{1}},
		"nothing":            {sale.Filter{Since: day(many + 1)}, nil},
	} {
		if got := numbers(t, archive, c.filter); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	past, _, err := archive.Find(context.Background(), 10)
	must(t, err)
	want := sale.Past{
		View: sale.View{
			Number: 10, OpenedAt: day(10), Items: []sale.Item{bread("10")},
			Discounts: []sale.Adjustment{{ID: "d", Value: money.MustParse("1")}},
		},
		State: sale.Cancelled, ClosedAt: day(10).Add(time.Hour),
	}
	if diff := cmp.Diff(want, past, exactly, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	for _, n := range []int64{0, -1, many + 1, many + 2} {
		if _, _, err := archive.Find(context.Background(), n); !errors.Is(err, sale.ErrUnknownSale) {
			t.Errorf("sale %d: %v", n, err)
		}
	}

	// A list that is taken while sales are forgotten has whole sales only.
	enough := errors.New("enough")
	if err := archive.Ended(context.Background(), sale.Filter{}, func(sale.Past) error { return enough }); !errors.Is(err, enough) {
		t.Error(err)
	}
	n, err := archive.Forget(context.Background(), day(many).Add(2*time.Hour))
	must(t, err)
	if n != many || len(numbers(t, archive, sale.Filter{})) != 0 {
		t.Errorf("%d sales forgotten", n)
	}
	for _, table := range []string{"item", "discount"} {
		if left := count(t, s, `SELECT count(*) FROM `+table); left != 0 {
			t.Errorf("%d lines of forgotten sales left in %s", left, table)
		}
	}
	if open, newest, err := book.Load(); err != nil || open == nil || newest != many+1 {
		t.Errorf("the open sale after forgetting: %v, %d, %v", open, newest, err)
	}
}

// The number of a forgotten sale is never used again, so the newest stays, however old.
func TestTheNewestSaleIsNotForgotten(t *testing.T) {
	s := openAt(t, t.TempDir())
	book, archive := s.Sales(), s.Archive()
	for n := int64(1); n <= 3; n++ {
		changes := []sale.Change{sale.Opened{Sale: n, At: time.Unix(n, 0)}}
		for seq := range int64(forgetLines/2 + 1) { // two of them are too much for one commit
			changes = append(changes, sale.ItemAdded{Sale: n, Seq: seq, Item: bread("x")})
		}
		must(t, book.Append(append(changes, sale.Closed{Sale: n, State: sale.Finalized, At: time.Unix(n, 1)})...)())
	}
	n, err := archive.Forget(context.Background(), time.Now())
	must(t, err)
	if left := numbers(t, archive, sale.Filter{}); n != 2 || !slices.Equal(left, []int64{3}) {
		t.Errorf("%d forgotten, left %v", n, left)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := archive.Forget(ended, time.Now()); !errors.Is(err, context.Canceled) {
		t.Errorf("forgetting after the end: %v", err)
	}
}

// References are those of attempts begun between opening and end, whatever the clock says; where an older version has opened the sale, by
// the clock.
func TestTransactionsMadeMeanwhile(t *testing.T) {
	dir := t.TempDir()
	old, err := openDatabase(filepath.Join(dir, MainFile), upTo(t, "main", 5))
	must(t, err)
	hour := func(n int) string { return timeText(time.Date(2026, 3, 1, n, 0, 0, 0, time.UTC)) }
	_, err = old.writer.Exec(`INSERT INTO sale (number, state, opened_at, closed_at) VALUES (1, 'finalized', ?, ?), (2, 'open', ?, NULL)`, hour(1), hour(3), hour(4))
	must(t, err)
	_, err = old.writer.Exec(`INSERT INTO item (place, line) VALUES (1 << 32, '{"id":"a","code":"1","description":"x","quantity":1,"unitPrice":1,"total":1.00}')`)
	must(t, err, old.close())

	s := openAt(t, dir) // the open sale and the ended one come through
	book, archive := s.Sales(), s.Archive()
	open, newest, err := book.Load()
	if err != nil || open == nil || open.Number != 2 || newest != 2 {
		t.Fatalf("an older version's sale: %v, %d, %v", open, newest, err)
	}
	ledger, err := s.Ledger()
	must(t, err)
	pay := func(reference string, at int) {
		when, err := parseTime(hour(at))
		must(t, err)
		_, err = ledger.Begin(payment.Transaction{
			Request: payment.Request{Reference: reference, Method: payment.Credit, Amount: money.MustParse("1"), Plan: payment.Single},
			State:   payment.StateBegun, CreatedAt: when, UpdatedAt: when,
		})
		must(t, err)
	}
	pay("during-1", 2)
	pay("between", 3)
	pay("during-2", 5)
	pay("", 5)
	must(t, book.Append(sale.Closed{Sale: 2, State: sale.Finalized, At: time.Date(2026, 3, 1, 6, 0, 0, 0, time.UTC)})())
	pay("after", 7)
	must(t, book.Append(sale.Opened{Sale: 3, At: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)})())
	pay("b", 1) // the clock was set back
	pay("a", 2)
	pay("b", 3)
	must(t, book.Append(sale.Closed{Sale: 3, State: sale.Cancelled, At: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)})())
	pay("later", 8)
	for number, want := range map[int64][]string{1: {"during-1", "between", "b", "a"}, 2: {"during-2"}, 3: {"b", "a"}} {
		_, references, err := archive.Find(context.Background(), number)
		must(t, err)
		if !slices.Equal(references, want) {
			t.Errorf("sale %d: %q, want %q", number, references, want)
		}
	}
	if past, _, err := archive.Find(context.Background(), 1); err != nil || len(past.Items) != 1 || past.Summary().Total.String() != "1.00" {
		t.Errorf("an older version's ended sale: %+v, %v", past, err)
	}
}

// upTo is a schema as an older version had it.
func upTo(t *testing.T, name string, steps int) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	names, err := fs.Glob(schema(name), "*.sql")
	must(t, err)
	for _, n := range names[:steps] {
		text, err := fs.ReadFile(schema(name), n)
		must(t, err)
		files[n] = &fstest.MapFile{Data: text}
	}
	return files
}
