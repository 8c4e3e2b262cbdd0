package logbook

import (
	"errors"
	"testing"

	"github.com/maquininha/maquininha/internal/waittest"
)

// What is only in memory is not stored, whoever has seen it already.
func TestStoredIsWhatTheStorageHas(t *testing.T) {
	t.Parallel()
	m := &memory{failure: errors.New("disk full")}
	b, err := Open(m, Options{First: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.Add(Info, App, "first", "")
	if b.Flush(t.Context()) == nil {
		t.Error("the storage was full")
	}
	last, more := b.Stored()
	if last != 99 {
		t.Errorf("stored up to %d", last)
	}
	m.mu.Lock()
	m.failure = nil
	m.mu.Unlock()
	waittest.Receive(t, "there is more", more)
	if last, _ = b.Stored(); last < 100 {
		t.Errorf("stored up to %d", last)
	}
	if found, err := b.After(t.Context(), 0, 1); err != nil || len(found) != 1 || found[0].ID != 100 || found[0].Message != "first" {
		t.Errorf("%+v, %v", found, err)
	}
}
