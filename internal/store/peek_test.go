package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
	"github.com/maquininha/maquininha/internal/payment"
)

// folder is what is in a folder, with sizes and times of change; reading the files here would cost SQLite its locks.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		info, err := e.Info()
		must(t, err)
		all[e.Name()] = fmt.Sprint(info.ModTime().UnixNano(), info.Mode(), info.Size())
	}
	return all
}

func unchanged(t *testing.T, when string, before, after map[string]string) {
	t.Helper()
	for name := range after {
		// The index is the service's memory, which it shares with its readers: here they are one process.
		index := strings.HasPrefix(when, "beside") && strings.HasSuffix(name, "-shm")
		if before[name] != after[name] && !index {
			t.Errorf("%s: %s was made or changed", when, name)
		}
	}
	if len(before) > len(after) {
		t.Errorf("%s: something was deleted", when)
	}
}

// copied is the folder as a killed service leaves it.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	must(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

// peeked is what a look at the folder finds.
func peeked(t *testing.T, when, dir string) (references, messages []string) {
	t.Helper()
	before := folder(t, dir)
	r, err := Peek(dir)
	must(t, err)
	ledger, err := r.Ledger()
	must(t, err)
	references = listed(t, ledger, payment.Filter{})
	must(t, r.Check(), r.Close())
	logs, err := PeekLogs(dir)
	must(t, err)
	must(t, logs.Find(context.Background(), logbook.Query{Search: "linha", OldestFirst: true}, func(e logbook.Entry) error {
		messages = append(messages, e.Message)
		return nil
	}))
	after, err := logs.After(context.Background(), logs.Last()-1, 10)
	must(t, err)
	if len(after) != 1 || len(messages) == 0 || after[0].Message != messages[len(messages)-1] {
		t.Errorf("%s: after the last but one: %v", when, after)
	}
	must(t, logs.Close())
	unchanged(t, when, before, folder(t, dir))
	return references, messages
}

func TestPeekLeavesNoTrace(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	l, err := s.Ledger()
	must(t, err)
	logs, err := OpenLogs(filepath.Join(dir, LogsFile))
	must(t, err)
	write := func(n int) {
		t.Helper()
		_, err := l.Begin(attempt(time.Now(), fmt.Sprint(n)))
		must(t, err, logs.Append([]logbook.Entry{{ID: int64(n), Level: logbook.Info, Source: logbook.App, Message: fmt.Sprint("linha ", n), At: time.Now()}}))
	}
	wants := func(when, dir string, n int) {
		t.Helper()
		if references, messages := peeked(t, when, dir); len(references) != n || len(messages) != n {
			t.Errorf("%s: %q and %q, want %d", when, references, messages, n)
		}
	}
	write(1)
	write(2)
	killed := copied(t, dir)
	wants("after a kill", killed, 2)
	for n := 3; n < 40; n++ { // each time there is more in the log that the index tells of
		write(n)
		wants("beside the service", dir, n)
	}
	must(t, logs.Close(), s.Close())
	wants("after a stop", dir, 39)
}

func TestPeekAtWhatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	if _, err := Peek(dir); !errors.Is(err, ErrNoData) {
		t.Error(err)
	}
	if _, err := PeekLogs(dir); !errors.Is(err, ErrNoData) {
		t.Error(err)
	}
	must(t, os.WriteFile(filepath.Join(dir, MainFile), []byte("no database at all, but long enough to be looked at"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, LogsFile), []byte("no database at all, but long enough to be looked at"), 0o600))
	before := folder(t, dir)
	if _, err := Peek(dir); !errors.Is(err, ErrUnreadable) {
		t.Error(err)
	}
	if _, err := PeekLogs(dir); !errors.Is(err, ErrUnreadable) {
		t.Error(err)
	}
	unchanged(t, "damaged", before, folder(t, dir))
}
