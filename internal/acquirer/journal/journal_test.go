package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/maquininha/maquininha/internal/acquirer/journal"
)

type entry struct{ N int }

func open(t *testing.T, path string) (*journal.Book[entry], []entry) {
	t.Helper()
	var had []entry
	b, err := journal.Open(path, func(e entry) { had = append(had, e) })
	if err != nil {
		t.Fatal(err)
	}
	return b, had
}

func TestJournalOutlivesACutLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	if none, err := journal.Read[entry](path); err != nil || len(none) > 0 {
		t.Fatal(none, err)
	}
	b, _ := open(t, path)
	for n := range 3 {
		if err := b.Append(entry{n}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := journal.Open(path, func(entry) {}); !errors.Is(err, journal.ErrTaken) {
		t.Errorf("taken twice: %v", err)
	}
	if read, err := journal.Read[entry](path); err != nil || len(read) != 3 {
		t.Errorf("read while it is written: %v, %v", read, err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := appendTo(path, `{"N":3`); err != nil {
		t.Fatal(err)
	}
	b, had := open(t, path)
	if !slices.Equal(had, []entry{{0}, {1}, {2}}) {
		t.Errorf("%v", had)
	}
	if err := b.Append(entry{4}); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if read, err := journal.Read[entry](path); err != nil || len(read) != 4 || read[3].N != 4 {
		t.Errorf("%v, %v", read, err)
	}
	if err := appendTo(path, "nonsense\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Open(path, func(entry) {}); err == nil {
		t.Error("nonsense was taken for a journal")
	}
}

func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
