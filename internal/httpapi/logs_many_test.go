//go:build !race || everything

package httpapi_test

import (
	"strings"
	"sync"
	"testing"
)

func TestLogsDefaultLimit(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.flood(1010, "")
	if got := len(m.entries("")); got != 1000 {
		t.Errorf("%d entries by default, want 1000", got)
	}
	if got := len(m.entries("limit=1005")); got != 1005 {
		t.Errorf("%d entries, want the 1005 asked for", got)
	}
	if got := len(m.entries("limit=100000")); got < 1010 {
		t.Errorf("%d entries in all, want 1010 or more", got)
	}
}

func TestLogArchiveHasEverything(t *testing.T) {
	t.Parallel()
	m := start(t)
	m.flood(1010, "")
	if got := len(m.unzipped("")); got < 1010 {
		t.Errorf("%d lines, want all 1010 and more", got)
	}
}

// A reader that stalls must lose nothing, though far more is logged meanwhile than sockets and memory hold.
func TestSlowLogReaderCatchesUp(t *testing.T) {
	t.Parallel()
	m := start(t)
	before := m.entries("limit=100000")
	slow := m.follow()
	long := `{"additionalInfo":"` + strings.Repeat("muito ", 200) // never closed: its beginning is logged
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() { m.flood(1500, long) })
	}
	callers.Wait()
	want := m.since(before)
	if len(want) < 6000 {
		t.Fatalf("%d entries for 6000 commands", len(want))
	}
	got := slow.take(len(want))
	for i := range got {
		if got[i].ID != want[i].ID || got[i].Message != want[i].Message {
			t.Fatalf("entry %d is %s %q, want %s %q", i, got[i].ID, got[i].Message, want[i].ID, want[i].Message)
		}
	}
}
