package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
	"github.com/maquininha/maquininha/internal/sale"
)

func begun(reference string, state payment.State) payment.Transaction {
	return payment.Transaction{
		Acquirer: "bank", State: state, CreatedAt: time.Now(), UpdatedAt: time.Now(),
		Request: payment.Request{Method: payment.Credit, Amount: money.MustParse("10"), Reference: reference, Installments: 1, Plan: payment.Single},
	}
}

// killed is what a service leaves that is killed after the work: its files as they are then.
func killed(t *testing.T, dir string, work func(*Store)) (left string) {
	t.Helper()
	s := openAt(t, dir)
	work(s)
	left = t.TempDir()
	for _, suffix := range []string{"", "-wal", markSuffix} {
		data, err := os.ReadFile(filepath.Join(dir, MainFile+suffix))
		must(t, err, os.WriteFile(filepath.Join(left, MainFile+suffix), data, 0o600))
	}
	must(t, s.Close())
	return left
}

// pays puts attempts into the ledger.
func pays(t *testing.T, s *Store, state payment.State, references ...string) {
	t.Helper()
	l, err := s.Ledger()
	must(t, err)
	for _, r := range references {
		_, err := l.Begin(begun(r, state))
		must(t, err)
	}
}

// lost tells whether a start, and every reader, says that data are missing.
func isLost(t *testing.T, dir string) bool {
	t.Helper()
	said := map[string]bool{}
	r, err := OpenReader(dir)
	said["reader"] = errors.Is(err, ErrLost)
	if err == nil {
		must(t, r.Close())
	}
	r, err = Peek(dir)
	said["peek"] = errors.Is(err, ErrLost)
	if err == nil {
		must(t, r.Close())
	}
	_, err = CheckMain(dir)
	said["start"] = errors.Is(err, ErrLost)
	for name, lost := range said {
		if lost != said["start"] {
			t.Errorf("%s: lost is %t, the start says %t", name, lost, said["start"])
		}
	}
	if err != nil && !errors.Is(err, ErrLost) {
		t.Error(err)
	}
	return said["start"]
}

func TestALostLogIsNoticed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		work func(*testing.T, *Store)
		lose func(t *testing.T, path string)
		lost bool
	}{
		"killed": {
			func(t *testing.T, s *Store) { pays(t, s, payment.StateSent, "a") },
			func(*testing.T, string) {}, false,
		},
		"the log is gone, with payments": {
			func(t *testing.T, s *Store) { pays(t, s, payment.StateSent, "a") },
			func(t *testing.T, path string) { must(t, os.Remove(path+"-wal")) }, true,
		},
		"the log is gone, with an item": {
			func(t *testing.T, s *Store) {
				must(t, s.Sales().Append(sale.Opened{Sale: 1, At: time.Now()})())
			},
			func(t *testing.T, path string) { must(t, os.Remove(path+"-wal")) }, true,
		},
		"the log is cut off": {
			func(t *testing.T, s *Store) { pays(t, s, payment.StateSent, "a", "b", "c") },
			func(t *testing.T, path string) { must(t, os.Truncate(path+"-wal", size(path+"-wal")-1)) }, true,
		},
		"the log is cut off, with many items": { // one of the last may go unnoticed: the mark lags behind them
			func(t *testing.T, s *Store) {
				must(t, s.Sales().Append(sale.Opened{Sale: 1, At: time.Now()})())
				for n := range 3 * longestLag {
					must(t, s.Sales().Append(sale.ItemAdded{Sale: 1, Seq: int64(n), Item: sale.Item{ID: strconv.Itoa(n)}})())
				}
			},
			func(t *testing.T, path string) { must(t, os.Truncate(path+"-wal", size(path+"-wal")/2)) }, true,
		},
		"the mark is torn": {
			func(t *testing.T, s *Store) { pays(t, s, payment.StateSent, "a") },
			func(t *testing.T, path string) { must(t, os.Truncate(path+markSuffix, 20)) }, false,
		},
		"the mark is gone": {
			func(t *testing.T, s *Store) { pays(t, s, payment.StateSent, "a") },
			func(t *testing.T, path string) { must(t, os.Remove(path+markSuffix), os.Remove(path+"-wal")) }, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			left := killed(t, t.TempDir(), func(s *Store) { c.work(t, s) })
			c.lose(t, filepath.Join(left, MainFile))
			for range 2 { // a start that fails leaves all as it was
				if got := isLost(t, left); got != c.lost {
					t.Fatalf("lost: %t, want %t", got, c.lost)
				}
			}
		})
	}
}

func TestAnOlderDatabaseIsNoticed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openAt(t, dir)
	pays(t, s, payment.StateConfirmed, "a")
	must(t, s.Close())
	path := filepath.Join(dir, MainFile)
	older, err := os.ReadFile(path)
	must(t, err)
	s = openAt(t, dir)
	pays(t, s, payment.StateConfirmed, "b")
	must(t, s.Close())
	if isLost(t, dir) {
		t.Error("nothing is lost")
	}
	must(t, os.WriteFile(path, older, 0o600))
	for range 2 { // a start that fails leaves all as it was
		if !isLost(t, dir) {
			t.Error("nobody noticed")
		}
	}
	// A folder restored as a whole is as it was then.
	must(t, os.Remove(path+markSuffix), os.Remove(path))
	if err := os.WriteFile(filepath.Join(dir, "other"), nil, 0o600); err != nil || isLost(t, dir) {
		t.Error("a folder without data", err)
	}
}

// What was open when data were lost may have come to its end in what is gone: it waits for a person.
func TestAnAcceptedLossLeavesOpenAttemptsInDoubt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openAt(t, dir)
	pays(t, s, payment.StateBegun, "begun")
	pays(t, s, payment.StateSent, "sent")
	pays(t, s, payment.StateApproved, "approved")
	pays(t, s, payment.StateConfirmed, "confirmed")
	must(t, s.Close())
	left := killed(t, dir, func(s *Store) { pays(t, s, payment.StateConfirmed, "lost 1", "lost 2") })
	must(t, os.Remove(filepath.Join(left, MainFile+"-wal")))
	if !isLost(t, left) {
		t.Fatal("nobody noticed")
	}
	if n, err := AcceptLoss(left); n != 3 || err != nil {
		t.Fatalf("%d in doubt, %v", n, err)
	}
	if isLost(t, left) {
		t.Fatal("it was accepted")
	}
	s = openAt(t, left)
	l, err := s.Ledger()
	must(t, err)
	for reference, doubted := range map[string]bool{"begun": true, "sent": true, "approved": true, "confirmed": false} {
		kept, err := l.Newest(reference)
		must(t, err)
		if kept.InDoubt != doubted || doubted && kept.State != payment.StateUnknown || kept.Status() == payment.Cancelled {
			t.Errorf("%s: %s, in doubt %t", reference, kept.State, kept.InDoubt)
		}
		events, err := l.History(kept.ID)
		must(t, err)
		if last := events[len(events)-1]; doubted != (last.Note == payment.NoteLost) {
			t.Errorf("%s: %+v", reference, last)
		}
	}
	if id, err := l.Begin(begun("next", payment.StateBegun)); err != nil || id <= 6 {
		t.Errorf("number %d was used before (%v)", id, err)
	}
	kept, err := l.Newest("begun")
	must(t, err)
	if kept, err = payment.Resolve(l, kept.ID, true, "extrato"); err != nil || kept.Status() != payment.Approved || kept.InDoubt {
		t.Errorf("by a person's word: %s, %v", kept.State, err)
	}
}

func TestAFileThatIsCutOffIsDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openAt(t, dir)
	pays(t, s, payment.StateConfirmed, "a")
	must(t, s.Close())
	path := filepath.Join(dir, MainFile)
	must(t, os.Truncate(path, size(path)-1))
	for name, open := range map[string]func() error{
		"start":  func() error { _, err := Open(dir); return err },
		"reader": func() error { _, err := OpenReader(dir); return err },
		"peek":   func() error { _, err := Peek(dir); return err },
	} {
		if err := open(); !errors.Is(err, ErrUnreadable) || errors.Is(err, ErrLost) {
			t.Errorf("%s: %v", name, err)
		}
	}
	logs := filepath.Join(dir, LogsFile)
	l, err := OpenLogs(logs)
	must(t, err, l.Close(), os.Truncate(logs, size(logs)-1))
	if _, err := OpenLogs(logs); !errors.Is(err, ErrUnreadable) {
		t.Errorf("logs: %v", err)
	}
}

func TestTheMarkGoesWithItsDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openAt(t, dir)
	pays(t, s, payment.StateConfirmed, "a")
	must(t, s.Close())
	path := filepath.Join(dir, MainFile)
	must(t, os.Remove(path))
	if _, err := Open(dir); !errors.Is(err, ErrMissing) {
		t.Errorf("the database is gone: %v", err)
	}
	_, err := PutAside(path, time.Now())
	must(t, err, Begin(dir, time.Now()))
	if _, err := os.Stat(path + markSuffix); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the mark: %v", err)
	}
	must(t, openAt(t, dir).Close())
}
