package logbook

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestFollowStartsAtThePresent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := openBook(t, &memory{}, Options{})
		b.Add(Info, App, "antes", "")
		f := b.Follow()
		go func() {
			time.Sleep(time.Minute)
			b.Add(Info, App, "depois", "")
		}()
		start := time.Now()
		got, err := f.Next(t.Context())
		if err != nil || len(got) != 1 || got[0].Message != "depois" {
			t.Errorf("Next = %v, %v", got, err)
		}
		if waited := time.Since(start); waited > time.Minute+notifyDelay {
			t.Errorf("told after %v", waited)
		}
		b.Add(Info, App, "última", "")
		closeBook(t, b)
		if got, err := f.Next(t.Context()); err != nil || len(got) != 1 || got[0].Message != "última" {
			t.Errorf("after Close: %v, %v", got, err)
		}
		if _, err := f.Next(t.Context()); !errors.Is(err, ErrClosed) {
			t.Errorf("at the end: %v", err)
		}
	})
}

func TestNextEndsWithItsContextAndWithTheBook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := openBook(t, &memory{}, Options{})
		ctx, cancel := context.WithCancel(t.Context())
		hungUp, closed := make(chan error), make(chan error)
		go func() { _, err := b.Follow().Next(ctx); hungUp <- err }()
		go func() { _, err := b.Follow().Next(t.Context()); closed <- err }()
		synctest.Wait()
		cancel()
		if err := <-hungUp; !errors.Is(err, context.Canceled) {
			t.Errorf("Next = %v", err)
		}
		go closeBook(t, b)
		if err := <-closed; !errors.Is(err, ErrClosed) {
			t.Errorf("Next = %v", err)
		}
		synctest.Wait()
	})
}

func TestFollowerCatchesUpFromTheStorage(t *testing.T) {
	b := openBook(t, &memory{}, Options{})
	defer closeBook(t, b)
	f := b.Follow()
	const n = 5 * keptEntries
	for i := range n {
		b.Add(Info, App, fmt.Sprint(i), "")
	}
	if err := b.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(b.window) > 3*keptEntries {
		t.Errorf("%d entries stay in memory", len(b.window))
	}
	expect(t, f, 1, n)
}

// While the storage fails, a follower gets what is still to be written from memory.
func TestFollowerDoesNotNeedTheStorage(t *testing.T) {
	b := openBook(t, &memory{failure: errors.New("disk full")}, Options{})
	f := b.Follow()
	const n = 3 * keptEntries
	for i := range n {
		b.Add(Info, App, fmt.Sprint(i), "")
	}
	expect(t, f, 1, n)
	if err := b.Close(); err == nil {
		t.Error("Close says that nothing is lost")
	}
}

func TestFollowerPassesOverWhatWasDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := openBook(t, &memory{failure: errors.New("disk full")}, Options{})
		f := b.Follow()
		for range maxPending + 10 {
			b.Add(Info, App, "x", "")
		}
		synctest.Wait()
		last := int64(0)
		for last < b.last {
			got, err := f.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range got {
				if e.ID <= last {
					t.Fatalf("id %d after %d", e.ID, last)
				}
				last = e.ID
			}
		}
		b.Close()
	})
}

func TestFiftyFollowersOfAFastWriter(t *testing.T) {
	b := openBook(t, &memory{}, Options{})
	const n = 20_000
	var readers sync.WaitGroup
	for i := range 50 {
		f := b.Follow()
		readers.Go(func() {
			if i%10 == 0 { // slow enough to be left behind
				time.Sleep(20 * time.Millisecond)
			}
			expect(t, f, 1, n)
		})
	}
	for i := range n {
		b.Add(Info, HTTP, fmt.Sprint(i), "")
	}
	readers.Wait()
	closeBook(t, b)
}

// expect reads the ids from first to last: each one, once, in order.
func expect(t *testing.T, f *Follower, first, last int64) {
	for next := first; next <= last; {
		got, err := f.Next(t.Context())
		if err != nil {
			t.Errorf("waiting for %d: %v", next, err)
			return
		}
		for _, e := range got {
			if e.ID != next && next <= last {
				t.Errorf("got %d, want %d", e.ID, next)
				return
			}
			next++
		}
	}
}
