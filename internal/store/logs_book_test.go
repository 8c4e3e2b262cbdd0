package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/waittest"
)

// The book on its real storage, with fifty readers, some of them slow: every entry
// to every reader, once, in order; and on the disk without the book being closed.
func TestLogsUnderABook(t *testing.T) {
	defer goleak.VerifyNone(t)
	path := filepath.Join(t.TempDir(), "logs.db")
	l := openLogs(t, path)
	book, err := logbook.Open(l, logbook.Options{Keep: 1_000_000, MaxAge: 30 * 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	const n = 20_000 / share
	var readers sync.WaitGroup
	for i := range 50 {
		f := book.Follow()
		readers.Go(func() {
			for next := int64(1); next <= n; {
				got, err := f.Next(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				for _, e := range got {
					if e.ID != next || e.Message != fmt.Sprintf("entrada %d.", next) {
						t.Errorf("reader %d: got %d %q, want %d", i, e.ID, e.Message, next)
						return
					}
					next++
				}
				if i%25 == 0 && next < 3000 {
					time.Sleep(20 * time.Millisecond)
				}
			}
		})
	}
	for i := 1; i <= n; i++ {
		book.Add(logbook.Info, logbook.HTTP, fmt.Sprintf("entrada %d.", i), "")
	}
	readers.Wait()

	if err := book.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	other := openLogs(t, path)
	if got := findLogs(t, other, logbook.Query{Search: fmt.Sprintf("entrada %d.", n)}); len(got) != 1 {
		t.Errorf("another process finds %v", got)
	}
	if err := errors.Join(other.Close(), book.Close(), l.Close()); err != nil {
		t.Error(err)
	}
}

// An entry reaches the disk without being asked for. How soon is told in virtual time, by the book's own tests.
func TestLogsAreWrittenUnasked(t *testing.T) {
	l := newLogs(t)
	book, err := logbook.Open(l, logbook.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for i := int64(1); i <= 5; i++ {
		book.Add(logbook.Info, logbook.HTTP, "POST /sale/item 200 1.4ms", "")
		waittest.Until(t, "the entry is on the disk", func() bool {
			last, err := l.Last()
			return err == nil && last == i
		})
	}
}
