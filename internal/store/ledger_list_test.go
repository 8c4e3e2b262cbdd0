package store

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/waittest"
)

// begin keeps an attempt of a reference with so many bytes of details.
func begin(t *testing.T, l *Ledger, reference string, details int) int64 {
	t.Helper()
	id, err := l.Begin(payment.Transaction{
		Request: payment.Request{
			Method: payment.Credit, Amount: money.MustParse("1.00"), Reference: reference, Installments: 1, Plan: payment.Single,
			Extra: slices.Concat([]byte(`{"a":"`), bytes.Repeat([]byte("x"), details), []byte(`"}`)),
		},
		State: payment.States[0], CreatedAt: time.Now(), UpdatedAt: time.Now(),
	})
	must(t, err)
	return id
}

// stuckLists begins lists that nobody takes more than one attempt of, until the test ends.
func stuckLists(t *testing.T, l *Ledger, many int) {
	t.Helper()
	var lists sync.WaitGroup
	release, stuck := make(chan struct{}), make(chan struct{}, many)
	t.Cleanup(func() { close(release); lists.Wait() })
	for range many {
		lists.Go(func() {
			first := true
			err := l.List(context.Background(), payment.Filter{}, func(payment.Transaction) error {
				if first {
					first = false
					stuck <- struct{}{}
				}
				<-release
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range many {
		waittest.Receive(t, "a list to begin", stuck)
	}
}

// Callers that do not take their lists keep nobody from looking up a payment, or from another list.
func TestListsHoldNoReader(t *testing.T) {
	_, l := openLedger(t)
	for n := range 20 {
		begin(t, l, fmt.Sprint(n), 100<<10)
	}
	stuckLists(t, l, 5*readers)
	found := make(chan error, 2)
	go func() {
		_, err := l.Newest("7")
		found <- err
		n := 0
		err = l.List(context.Background(), payment.Filter{}, func(payment.Transaction) error { n++; return nil })
		if n != 20 {
			err = fmt.Errorf("%d attempts, %w", n, err)
		}
		found <- err
	}()
	must(t, waittest.Receive(t, "a payment is found", found), waittest.Receive(t, "another list is read", found))
}

// Lists that are not taken do not make the write-ahead log grow.
func TestListsLetTheLogBeCleared(t *testing.T) {
	s, l := openLedger(t)
	for n := range 10 {
		begin(t, l, fmt.Sprint(n), 100<<10)
	}
	stuckLists(t, l, 2)
	const written = 64 << 20
	for n := 0; n < written; n += 512 << 10 {
		begin(t, l, "more", 512<<10)
	}
	info, err := os.Stat(s.db.path + "-wal")
	must(t, err)
	if info.Size() > written/4 {
		t.Errorf("the write-ahead log has %d MiB after writing %d", info.Size()>>20, written>>20)
	}
}

// A list of many pages has every attempt once, in order, whatever ends the pages; what begins after it is not in it.
func TestListsOfManyPages(t *testing.T) {
	_, l := openLedger(t)
	var all []int64
	for n := range 2*pageRows + 10 {
		all = append(all, begin(t, l, fmt.Sprint(n), 0))
	}
	for n := range 12 {
		all = append(all, begin(t, l, fmt.Sprint("large ", n), pageBytes/3))
	}
	all = append(all, begin(t, l, "larger than a page", 2*pageBytes), begin(t, l, "last", 0))
	for _, limit := range []int{0, 1, 5, pageRows, len(all) - 1, len(all), len(all) + 1} {
		want := all
		if limit > 0 && limit < len(all) {
			want = all[len(all)-limit:]
		}
		var got []int64
		must(t, l.List(context.Background(), payment.Filter{Limit: limit}, func(tx payment.Transaction) error {
			if len(got) == 0 {
				begin(t, l, "begun meanwhile", 0)
			}
			got = append(got, tx.ID)
			return nil
		}))
		if !slices.Equal(got, want) {
			t.Errorf("with limit %d: %d attempts, want %d", limit, len(got), len(want))
		}
		all = append(all, all[len(all)-1]+1) // the one begun meanwhile
	}
}
