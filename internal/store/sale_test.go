package store

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/sale"
	"github.com/maquininha/maquininha/internal/waittest"
)

var exactly = cmp.Comparer(func(a, b money.Decimal) bool { return a.String() == b.String() })

// blank is a screen nobody looks at.
type blank struct{}

func (blank) Changed()                                     {}
func (blank) SaleEnded(sale.State, sale.View, sale.Ending) {}

func bread(id string) sale.Item {
	return sale.Item{ID: id, Code: "789", Description: "pão", Quantity: money.MustParse("1.500"), UnitPrice: money.MustParse("7.9"), Total: money.MustParse("11.85")}
}

func TestSalesRoundTrip(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	book := s.Sales()
	if open, newest, err := book.Load(); open != nil || newest != 0 || err != nil {
		t.Fatalf("an empty book: %v, %d, %v", open, newest, err)
	}
	text, discount, kind := "a'b\x00ç", money.MustParse("0.10"), sale.PaymentType("pix")
	full := sale.Item{
		ID: text, Code: "", Description: text, Canceled: true, Quantity: money.MustParse("0.001"), UnitPrice: money.MustParse("7.90"),
		Discount: &discount, Addition: &discount, Total: money.MustParse("1e2"), AdditionalInfo: &text,
	}
	want := &sale.Record{
		Number: 7, OpenedAt: time.Now().Round(0), Session: sale.Session{CustomerName: &text, Total: &discount},
		Items:    []sale.Line[sale.Item]{{Seq: 2, Value: full}, {Seq: 5, Value: bread("b")}},
		Payments: []sale.Line[sale.Payment]{{Seq: 1, Value: sale.Payment{ID: "p", Type: &kind, Value: money.MustParse("3.00")}}, {Seq: 4, Value: sale.Payment{ID: "q", Description: &text, AdditionalInfo: &text}}},

		Discounts: []sale.Line[sale.Adjustment]{{Seq: 3, Value: sale.Adjustment{ID: "d", Description: &text, Value: discount, AdditionalInfo: &text}}},
		Additions: []sale.Line[sale.Adjustment]{{Seq: 0, Value: sale.Adjustment{ID: "d", Value: money.MustParse("2")}}},
	}
	must(t, book.Append(
		sale.Opened{Sale: 7, At: want.OpenedAt, Session: sale.Session{SellerName: &text}},
		sale.ItemAdded{Sale: 7, Seq: 2, Item: bread("a")}, sale.ItemAdded{Sale: 7, Seq: 5, Item: bread("b")}, sale.ItemChanged{Sale: 7, Seq: 2, Item: full},
		sale.ItemAdded{Sale: 7, Seq: 6, Item: bread("gone")}, sale.ItemRemoved{Sale: 7, Seq: 6},
		sale.PaymentAdded{Sale: 7, Seq: 1, Payment: want.Payments[0].Value}, sale.PaymentAdded{Sale: 7, Seq: 4, Payment: sale.Payment{ID: "q"}},
		sale.PaymentChanged{Sale: 7, Seq: 4, Payment: want.Payments[1].Value},
		sale.PaymentAdded{Sale: 7, Seq: 9, Payment: sale.Payment{ID: "gone"}}, sale.PaymentRemoved{Sale: 7, Seq: 9},
		sale.AdjustmentAdded{Sale: 7, Seq: 2, List: sale.Discounts, Adjustment: sale.Adjustment{ID: "gone"}},
		sale.Cleared{Sale: 7, Lists: []sale.List{sale.Discounts}},
		sale.AdjustmentAdded{Sale: 7, Seq: 3, List: sale.Discounts, Adjustment: sale.Adjustment{ID: "d"}},
		sale.AdjustmentChanged{Sale: 7, Seq: 3, List: sale.Discounts, Adjustment: want.Discounts[0].Value},
		sale.AdjustmentAdded{Sale: 7, Seq: 0, List: sale.Additions, Adjustment: want.Additions[0].Value},
		sale.AdjustmentAdded{Sale: 7, Seq: 1, List: sale.Additions, Adjustment: sale.Adjustment{ID: "gone"}},
		sale.AdjustmentRemoved{Sale: 7, Seq: 1, List: sale.Additions},
		sale.Edited{Sale: 7, Session: want.Session},
	)(), s.Close())

	s = openAt(t, dir)
	book = s.Sales()
	open, newest, err := book.Load()
	must(t, err)
	if newest != 7 {
		t.Errorf("newest is %d", newest)
	}
	if diff := cmp.Diff(want, open, exactly); diff != "" {
		t.Error(diff)
	}
	must(t, book.Append(sale.Closed{Sale: 7, State: sale.Finalized, At: time.Now()})())
	if open, newest, err := book.Load(); open != nil || newest != 7 || err != nil {
		t.Errorf("after closing: %v, %d, %v", open, newest, err)
	}
	if n := count(t, s, `SELECT count(*) FROM item WHERE place >> 32 = 7`); n != 2 {
		t.Errorf("%d items of the closed sale kept", n)
	}
	must(t, book.Append()()) // nothing to write: only the wait
}

// However changes fall into one batch, what is read back is what they add up to, in order.
func TestSalesBatches(t *testing.T) {
	fewer(t, 60)
	s := openAt(t, t.TempDir())
	rapid.Check(t, func(r *rapid.T) {
		for _, table := range []string{"sale", "item", "payment", "discount"} {
			empty(r, s, table)
		}
		book := s.Sales()
		other := rapid.Int64Range(1, 8).Draw(r, "other sale") // lines of sales around it must stay out
		must(t, book.Append(sale.Opened{Sale: 9, At: time.Now()}, sale.ItemAdded{Sale: other, Seq: 1 << 31, Item: bread("x")},
			sale.ItemAdded{Sale: 10, Seq: 0, Item: bread("y")})())
		items, payments, discounts := map[int64]string{}, map[int64]string{}, map[int64]string{}
		var nextItem, nextPayment, nextDiscount int64
		anyOf := func(m map[int64]string) int64 { return rapid.SampledFrom(slices.Sorted(maps.Keys(m))).Draw(r, "line") }
		release := hold(t, s.commit)
		var waits []func() error
		for n := range rapid.IntRange(0, 80).Draw(r, "changes") {
			id := fmt.Sprint(n)
			change := sale.Change(sale.ItemAdded{Sale: 9, Seq: nextItem, Item: bread(id)})
			switch kind := rapid.IntRange(0, 13).Draw(r, "kind"); {
			case kind == 0 && len(items) > 0:
				at := anyOf(items)
				change, items[at] = sale.ItemChanged{Sale: 9, Seq: at, Item: bread(id)}, id
			case kind == 1 && len(items) > 0:
				at := anyOf(items)
				change = sale.ItemRemoved{Sale: 9, Seq: at}
				delete(items, at)
			case kind == 2:
				change, payments[nextPayment] = sale.PaymentAdded{Sale: 9, Seq: nextPayment, Payment: sale.Payment{ID: id}}, id
				nextPayment++
			case kind == 3 && len(payments) > 0:
				at := anyOf(payments)
				change, payments[at] = sale.PaymentChanged{Sale: 9, Seq: at, Payment: sale.Payment{ID: id}}, id
			case kind == 4 && len(payments) > 0:
				at := anyOf(payments)
				change = sale.PaymentRemoved{Sale: 9, Seq: at}
				delete(payments, at)
			case kind == 5:
				change, discounts[nextDiscount] = sale.AdjustmentAdded{Sale: 9, Seq: nextDiscount, List: sale.Discounts, Adjustment: sale.Adjustment{ID: id}}, id
				nextDiscount++
			case kind == 6:
				change = sale.Cleared{Sale: 9, Lists: []sale.List{sale.Items, sale.Discounts}}
				clear(items)
				clear(discounts)
			default:
				items[nextItem] = id
				nextItem++
			}
			waits = append(waits, book.Append(change))
		}
		release()
		for _, wait := range waits {
			must(t, wait())
		}
		open, _, err := book.Load()
		must(t, err)
		gotItems, gotPayments, gotDiscounts := map[int64]string{}, map[int64]string{}, map[int64]string{}
		for _, l := range open.Items {
			gotItems[l.Seq] = l.Value.ID
		}
		for _, l := range open.Payments {
			gotPayments[l.Seq] = l.Value.ID
		}
		for _, l := range open.Discounts {
			gotDiscounts[l.Seq] = l.Value.ID
		}
		if !maps.Equal(items, gotItems) || !maps.Equal(payments, gotPayments) || !maps.Equal(discounts, gotDiscounts) {
			r.Fatalf("kept %v, %v and %v, want %v, %v and %v", gotItems, gotPayments, gotDiscounts, items, payments, discounts)
		}
		if !slices.IsSortedFunc(open.Items, func(a, b sale.Line[sale.Item]) int { return int(a.Seq - b.Seq) }) {
			r.Fatalf("out of order: %v", open.Items)
		}
	})
}

func TestSecondOpenSaleIsRefusedByTheFile(t *testing.T) {
	s := openAt(t, t.TempDir())
	book := s.Sales()
	must(t, book.Append(sale.Opened{Sale: 1, At: time.Now()})())
	if err := book.Append(sale.Opened{Sale: 2, At: time.Now()})(); err == nil {
		t.Error("two sales are open")
	}
}

// After a batch was lost, every change fails until the book was read again: it may build on what was lost.
func TestLossIsNotBuiltUpon(t *testing.T) {
	s := openAt(t, t.TempDir())
	book := s.Sales()
	must(t, book.Append(sale.Opened{Sale: 1, At: time.Now()})())

	release := hold(t, s.commit)
	doomed := book.Append(sale.ItemAdded{Sale: 1, Seq: 0, Item: bread("doomed")})
	bad := s.commit.submit(poison)
	release()
	if err := doomed(); !errors.Is(err, errPoison) {
		t.Fatalf("the change beside the poison: %v", err)
	}
	if err := bad(); !errors.Is(err, errPoison) {
		t.Fatal(err)
	}

	// These were appended by somebody who had not heard of the loss yet; the other write is none of their business.
	release = hold(t, s.commit)
	first := book.Append(sale.ItemAdded{Sale: 1, Seq: 1, Item: bread("on sand")})
	other := s.commit.submit(keep("other"))
	second := book.Append(sale.Closed{Sale: 1, State: sale.Finalized, At: time.Now()})
	look := book.Append()
	release()
	for _, wait := range []func() error{first, second, look} {
		if err := wait(); !errors.Is(err, errLost) {
			t.Errorf("a change upon a loss: %v", err)
		}
	}
	must(t, other())

	open, _, err := book.Load()
	must(t, err)
	if open == nil || len(open.Items) != 0 {
		t.Fatalf("loaded %+v", open)
	}
	must(t, book.Append(sale.ItemAdded{Sale: 1, Seq: 0, Item: bread("new")})())
	if n := count(t, s, `SELECT count(*) FROM item`); n != 1 {
		t.Errorf("%d items kept", n)
	}
}

// Load comes after every change appended before it. Those it is in a batch with may be lost: then it is read without.
func TestLoadComesAfterEarlierChanges(t *testing.T) {
	s := openAt(t, t.TempDir())
	book := s.Sales()
	must(t, book.Append(sale.Opened{Sale: 1, At: time.Now()})())
	release := hold(t, s.commit)
	add := book.Append(sale.ItemAdded{Sale: 1, Seq: 0, Item: bread("a")})
	type loaded struct {
		open *sale.Record
		err  error
	}
	done := make(chan loaded)
	go func() {
		open, _, err := book.Load()
		done <- loaded{open, err}
	}()
	release()
	must(t, add())
	if l := <-done; l.err != nil || len(l.open.Items) != 1 {
		t.Errorf("loaded %+v, %v", l.open, l.err)
	}

	release = hold(t, s.commit)
	bad := s.commit.submit(poison)
	go func() {
		open, _, err := book.Load()
		done <- loaded{open, err}
	}()
	awaitQueued(t, s.commit, 2)
	release()
	if err := bad(); err == nil {
		t.Fatal("poison was kept")
	}
	if l := <-done; l.err != nil || len(l.open.Items) != 1 {
		t.Errorf("Load in a batch that was lost: %+v, %v", l.open, l.err)
	}
	must(t, book.Append(sale.ItemAdded{Sale: 1, Seq: 1, Item: bread("b")})())
}

// awaitQueued returns once so many writes wait.
func awaitQueued(t *testing.T, c *committer, n int) {
	t.Helper()
	waittest.Until(t, fmt.Sprint(n, " writes wait"), func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.waiting.writes) >= n
	})
}

// The whole of it: cashiers work while batches fail under them. What was answered is there, what was refused is
// not, and the desk tells the same as the file.
func TestDeskOnAFailingStore(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	desk, err := sale.NewDesk(s.Sales(), blank{})
	must(t, err, desk.Open(sale.Session{}))

	var mu sync.Mutex
	want := map[string]string{} // id → total, of what was answered
	refused := 0
	stop := make(chan struct{})
	var saboteur, cashiers sync.WaitGroup
	saboteur.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if rand.IntN(3) == 0 {
					_ = s.commit.do(poison)
				} else {
					_ = s.commit.do(keep("meanwhile"))
				}
			}
		}
	})
	for c := range 8 {
		cashiers.Go(func() {
			for n := range 40 {
				id := fmt.Sprintf("%d-%d", c, n)
				_, err := desk.AddItem(bread(id))
				total := "11.85"
				there := err == nil
				if there && n%4 == 1 {
					if _, err := desk.EditItem(id, sale.ItemPatch{Total: sale.Set(money.MustParse("1"))}); err == nil {
						total = "1"
					}
				}
				if there && n%4 == 2 {
					there = desk.RemoveItem(id) != nil
				}
				mu.Lock()
				if there {
					want[id] = total
				}
				if err != nil {
					refused++
					if !errors.Is(err, operation.ErrNotSaved) {
						t.Errorf("%s: %v", id, err)
					}
				}
				mu.Unlock()
			}
		})
	}
	cashiers.Wait()
	close(stop)
	saboteur.Wait()

	_, _ = desk.Current() // may be the one that hears of the last loss
	memory, err := desk.Current()
	must(t, err, s.Close())
	s = openAt(t, dir)
	fresh, err := sale.NewDesk(s.Sales(), blank{})
	must(t, err)
	disk, err := fresh.Current()
	must(t, err)
	if diff := cmp.Diff(disk, memory, exactly, cmpopts.EquateApproxTime(0)); diff != "" {
		t.Errorf("disk and memory differ: %s", diff)
	}
	got := map[string]string{}
	for _, i := range disk.Items {
		got[i.ID] = i.Total.String()
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answered and kept differ: %s", diff)
	}
	if refused == 0 || len(got) == 0 {
		t.Errorf("%d refused, %d kept: nothing was tested", refused, len(got))
	}
}

// An unknown kind of change is a fault of the program, not one to pass over.
func TestUnknownChange(t *testing.T) {
	s := openAt(t, t.TempDir())
	if err := s.Sales().Append(nil)(); err == nil {
		t.Error("a change of no kind was kept")
	}
	if s.commit.failed() != 1 {
		t.Error("and not counted as lost")
	}
}
