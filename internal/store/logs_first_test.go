package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/maquininha/maquininha/internal/logbook"
)

// A terminal that was killed before its first entry begins with 1 all the same: a hub took what lay before for a gap. One whose log is
// gone begins above all that was before.
func TestFirstEntryOfALog(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), LogsFile)
	const later = 27_000_000_000
	first := func(fresh bool) int64 {
		t.Helper()
		l, err := OpenReplaceableLogs(path, func(string, error) {})
		must(t, err)
		defer l.Close()
		n, err := l.First(fresh, later)
		must(t, err)
		return n
	}
	if n := first(false); n != later {
		t.Errorf("beside data in use: %d", n)
	}
	if n := first(true); n != 1 {
		t.Errorf("beside new data: %d", n)
	}
	if n := first(false); n != 1 {
		t.Errorf("after a start that wrote nothing: %d", n)
	}
	must(t, os.Remove(path))
	if n := first(false); n != later {
		t.Errorf("after the file was lost: %d", n)
	}
}

// A log that was replaced while the terminal ran says nothing of 1.
func TestFirstEntryOfAReplacedLog(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), LogsFile)
	l, err := OpenReplaceableLogs(path, func(string, error) {})
	must(t, err)
	defer l.Close()
	_, err = l.First(true, 9)
	must(t, err)
	must(t, l.Append([]logbook.Entry{{ID: 1, Level: logbook.Info, Source: logbook.App}}))
	must(t, l.replace(l.logs, ErrUnreadable))
	if n, err := l.First(false, 9); n != 9 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
