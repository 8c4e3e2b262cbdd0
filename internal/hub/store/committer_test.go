package store

import (
	"errors"
	"testing"
	"time"

	"github.com/maquininha/maquininha/internal/hub/fleet"
	"github.com/maquininha/maquininha/internal/waittest"
)

// Writes share a commit; one that fails takes back what it did, and spoils no other.
func TestWritesShareCommits(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	write := func(number int64, fails error) error {
		return s.db.write(t.Context(), func(t *tx) error {
			if err := t.insert("changes", "", [][]any{{number, "a", "", "", time.Now(), "", "", "", nil, nil}}); err != nil {
				return err
			}
			return fails
		})
	}
	bad := errors.New("bad")
	c := s.db.commits
	c.turn <- struct{}{} // somebody commits: the next ones gather
	const writes = 3 * mostAtOnce
	got := make(chan error, writes)
	for i := range writes {
		go func() {
			var fails error
			if i%3 == 0 {
				fails = bad
			}
			if err := write(int64(i), fails); !errors.Is(err, fails) {
				got <- err
				return
			}
			got <- nil
		}()
	}
	waittest.Until(t, "all wait", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.waiting) == writes
	})
	<-c.turn
	for range writes {
		if err := waittest.Receive(t, "a write's end", got); err != nil {
			t.Error(err)
		}
	}
	changes, err := s.Fleet().Changes(t.Context(), fleet.Place{Account: "a"}, fleet.AuditFilter{Limit: writes})
	if err != nil || len(changes) != 2*writes/3 {
		t.Errorf("%d lines of %d are kept, %v", len(changes), 2*writes/3, err)
	}
	for _, l := range changes {
		if l.Number%3 == 0 {
			t.Errorf("line %d was taken back, and is there", l.Number)
		}
	}
}
