package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/payment"
)

func openReader(t *testing.T, dir string) (*Reader, *Ledger) {
	t.Helper()
	r, err := OpenReader(dir)
	must(t, err)
	t.Cleanup(func() { r.Close() })
	l, err := r.Ledger()
	must(t, err)
	return r, l
}

// attempt is one that any version of the ledger keeps.
func attempt(at time.Time, reference string) payment.Transaction {
	t := payment.Transaction{Request: payment.Request{Method: payment.Credit, Installments: 1, Plan: payment.Single, Reference: reference}, CreatedAt: at, UpdatedAt: at}
	t.State = payment.StateConfirmed
	return t
}

func listed(t *testing.T, l *Ledger, f payment.Filter) (references []string) {
	t.Helper()
	must(t, l.List(context.Background(), f, func(tx payment.Transaction) error {
		references = append(references, tx.Request.Reference)
		return nil
	}))
	return references
}

func TestReaderBesideTheWriter(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	l, err := s.Ledger()
	must(t, err, s.SetSettings(map[string]string{"shop_name": "Padaria"}))
	_, err = l.Begin(attempt(time.Now(), "a"))
	must(t, err)

	r, read := openReader(t, dir)
	if got := listed(t, read, payment.Filter{}); len(got) != 1 {
		t.Errorf("listed %q", got)
	}
	// What is written while it reads is not in this listing, and is in the next.
	seen := 0
	must(t, read.List(context.Background(), payment.Filter{}, func(payment.Transaction) error {
		seen++
		_, err := l.Begin(attempt(time.Now(), "b"))
		return err
	}))
	if got := listed(t, read, payment.Filter{}); seen != 1 || len(got) != 2 {
		t.Errorf("%d listed while writing, then %q", seen, got)
	}
	if name, err := r.Setting("shop_name"); name != "Padaria" || err != nil {
		t.Errorf("%q, %v", name, err)
	}
	if _, err := read.Begin(attempt(time.Now(), "c")); !errors.Is(err, errClosed) {
		t.Errorf("a reader has written: %v", err)
	}
	if _, err := r.store.db.reader.Exec(`DELETE FROM ledger`); err == nil {
		t.Error("the file can be written through a reader")
	}
	must(t, s.Close()) // the service ends while it reads
	if got := listed(t, read, payment.Filter{}); len(got) != 2 {
		t.Errorf("listed %q after the writer has gone", got)
	}
}

func TestReaderLeavesTheFileAlone(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	l, err := s.Ledger()
	must(t, err)
	_, err = l.Begin(attempt(time.Now(), "a"))
	must(t, err, s.Close())
	before := sum(t, dir)
	r, read := openReader(t, dir)
	if got := listed(t, read, payment.Filter{}); len(got) != 1 {
		t.Errorf("listed %q", got)
	}
	must(t, r.Close())
	if sum(t, dir) != before {
		t.Error("the file has changed")
	}
	// And the service opens it as ever.
	s = openAt(t, dir)
	l, err = s.Ledger()
	must(t, err)
	_, err = l.Begin(attempt(time.Now(), "b"))
	must(t, err)
}

func sum(t *testing.T, dir string) [sha256.Size]byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "maquininha.db"))
	must(t, err)
	return sha256.Sum256(data)
}

func TestReaderRefuses(t *testing.T) {
	version := func(pragma string) func(string) {
		return func(dir string) {
			s := openAt(t, dir)
			must(t, s.commit.do(func(b *batch) error { return b.exec(pragma) }), s.Close())
		}
	}
	write := func(data string) func(string) {
		return func(dir string) { must(t, os.WriteFile(filepath.Join(dir, "maquininha.db"), []byte(data), 0o600)) }
	}
	for name, c := range map[string]struct {
		prepare func(dir string)
		want    error
	}{
		"nothing there":   {func(string) {}, ErrNoData},
		"an empty file":   {write(""), ErrNoData},
		"no database":     {write("this is a text, and one long enough to hold what a header would be if it was one: not a database"), ErrUnreadable},
		"a newer version": {version("PRAGMA user_version = 999"), ErrNewer},
		"an older one":    {version("PRAGMA user_version = 1"), ErrOlder},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c.prepare(dir)
			if _, err := OpenReader(dir); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if name == "nothing there" {
				if entries, err := os.ReadDir(dir); len(entries) != 0 || err != nil {
					t.Errorf("the reader has made %v (%v)", entries, err)
				}
			}
		})
	}
	if _, err := OpenReader(filepath.Join(t.TempDir(), "falta")); !errors.Is(err, ErrNoData) {
		t.Errorf("no folder: %v", err)
	}
}

func TestReaderChecksTheFile(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	l, err := s.Ledger()
	must(t, err)
	for range 200 {
		_, err := l.Begin(attempt(time.Now(), "x"))
		must(t, err)
	}
	must(t, s.Close())
	check := func() error {
		r, err := OpenReader(dir)
		must(t, err)
		defer r.Close()
		return r.Check()
	}
	must(t, check())
	path := filepath.Join(dir, "maquininha.db")
	data, err := os.ReadFile(path)
	must(t, err)
	clear(data[len(data)-8192:])
	must(t, os.WriteFile(path, data, 0o600))
	if err := check(); !errors.Is(err, ErrUnreadable) {
		t.Errorf("a file with its end wiped out: %v", err)
	}
}
