package store

import (
	"errors"
	"fmt"
	"sync"
	"testing"
)

var errPoison = errors.New("poisoned write")

func poison(*batch) error { return errPoison }

// keep writes a setting: the simplest thing whose coming through can be seen.
func keep(name string) func(*batch) error {
	return func(b *batch) error {
		return b.exec(`INSERT OR REPLACE INTO setting (name, value) VALUES (?, 'kept')`, name)
	}
}

// hold keeps the writer busy, so that what is submitted meanwhile gathers into one batch.
func hold(t *testing.T, c *committer) (release func()) {
	t.Helper()
	gate, began := make(chan struct{}), make(chan struct{})
	wait := c.submit(func(*batch) error {
		close(began)
		<-gate
		return nil
	})
	ended := make(chan error, 1)
	go func() { ended <- wait() }()
	<-began
	return func() {
		close(gate)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestWritersShareACommit(t *testing.T) {
	s := openAt(t, t.TempDir())
	release := hold(t, s.commit)
	var waits []func() error
	for i := range 50 {
		waits = append(waits, s.commit.submit(keep(fmt.Sprint(i))))
	}
	// Seen from outside, none of the fifty is there while the last one runs: they have no commit of their own.
	seen := -1
	last := s.commit.submit(func(*batch) error {
		return s.db.reader.QueryRow(`SELECT count(*) FROM setting`).Scan(&seen)
	})
	release()
	for i, wait := range waits {
		if err := wait(); err != nil {
			t.Fatalf("write %d: %v", i, err)
		}
	}
	must(t, last())
	if seen != 0 {
		t.Errorf("%d writes were committed before the batch was", seen)
	}
	if n := count(t, s, `SELECT count(*) FROM setting`); n != 50 {
		t.Errorf("%d of 50 kept", n)
	}
	if s.commit.failed() != 0 {
		t.Error("failures counted where none were")
	}
}

func TestAnsweredMeansCommitted(t *testing.T) {
	s := openAt(t, t.TempDir())
	var all sync.WaitGroup
	for w := range 16 {
		all.Go(func() {
			for i := range 20 {
				name := fmt.Sprintf("%d-%d", w, i)
				if err := s.commit.do(keep(name)); err != nil {
					t.Error(err)
				}
				// Another connection sees only what is committed.
				if v, err := s.Setting(name); v != "kept" || err != nil {
					t.Errorf("%s was answered, but is %q (%v)", name, v, err)
				}
			}
		})
	}
	all.Wait()
}

func TestFailingBatchFailsAll(t *testing.T) {
	for name, bad := range map[string]func(*batch) error{
		"error of a write":     poison,
		"broken rule":          func(b *batch) error { return b.exec(`INSERT INTO ledger (id) VALUES (1)`) },
		"no such table":        func(b *batch) error { return b.exec(`INSERT INTO nowhere VALUES (1)`) },
		"error and gone":       func(b *batch) error { return errors.Join(b.exec(`ROLLBACK`), errPoison) },
		"rule broken at end":   func(b *batch) error { return errors.Join(b.exec(`ROLLBACK`), b.exec(`BEGIN`), errPoison) },
		"transaction in it":    func(b *batch) error { return b.exec(`BEGIN`) },
		"query with no result": func(b *batch) error { var n int; return b.one(`SELECT 1 WHERE FALSE`).Scan(&n) },
	} {
		t.Run(name, func(t *testing.T) {
			s := openAt(t, t.TempDir())
			must(t, s.commit.do(keep("before")))
			release := hold(t, s.commit)
			var waits []func() error
			for i := range 10 {
				waits = append(waits, s.commit.submit(keep(fmt.Sprint("early", i))))
			}
			waits = append(waits, s.commit.submit(bad))
			for i := range 10 {
				waits = append(waits, s.commit.submit(keep(fmt.Sprint("late", i))))
			}
			release()
			for i, wait := range waits {
				if err := wait(); err == nil {
					t.Errorf("write %d was told success", i)
				}
			}
			if n := count(t, s, `SELECT count(*) FROM setting`); n != 1 {
				t.Errorf("%d settings kept, want the one from before", n)
			}
			if n := s.commit.failed(); n != 1 {
				t.Errorf("%d failures counted", n)
			}
			must(t, s.commit.do(keep("after"))) // the writer goes on
			if n := count(t, s, `SELECT count(*) FROM setting`); n != 2 {
				t.Errorf("%d settings kept after the failure", n)
			}
		})
	}
}

// A write that was refused because of an earlier loss has touched nothing, so others in its batch are kept.
func TestLostWriteLeavesItsBatchAlone(t *testing.T) {
	s := openAt(t, t.TempDir())
	release := hold(t, s.commit)
	one := s.commit.submit(keep("one"))
	lost := s.commit.submit(func(*batch) error { return errLost })
	two := s.commit.submit(keep("two"))
	release()
	must(t, one(), two())
	if err := lost(); !errors.Is(err, errLost) {
		t.Errorf("the lost one: %v", err)
	}
	if n := count(t, s, `SELECT count(*) FROM setting`); n != 2 || s.commit.failed() != 0 {
		t.Errorf("%d kept, %d failures", n, s.commit.failed())
	}
}

func TestCloseAnswersWhatWaits(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	release := hold(t, s.commit)
	var waits []func() error
	for i := range 20 {
		waits = append(waits, s.commit.submit(keep(fmt.Sprint(i))))
	}
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	release()
	must(t, <-closed)
	for i, wait := range waits {
		if err := wait(); err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if err := s.commit.do(keep("late")); !errors.Is(err, errClosed) {
		t.Errorf("a write after Close: %v", err)
	}
	s.commit.close() // again is no harm
	again := openAt(t, dir)
	if n := count(t, again, `SELECT count(*) FROM setting`); n != 20 {
		t.Errorf("%d of 20 kept", n)
	}
}

// Writers and Close race: whoever is told success is on the disk, everybody is told something.
func TestCloseRacesWithWriters(t *testing.T) {
	for range 10 {
		dir := t.TempDir()
		s := openAt(t, dir)
		var mu sync.Mutex
		var kept []string
		var all sync.WaitGroup
		begun := make(chan struct{}, 8)
		for w := range 8 {
			all.Go(func() {
				for i := 0; ; i++ {
					name := fmt.Sprintf("%d-%d", w, i)
					if err := s.commit.do(keep(name)); err != nil {
						if !errors.Is(err, errClosed) {
							t.Errorf("%s: %v", name, err)
						}
						return
					}
					mu.Lock()
					kept = append(kept, name)
					mu.Unlock()
					if i == 2 {
						begun <- struct{}{}
					}
				}
			})
		}
		<-begun
		must(t, s.Close())
		all.Wait()
		again := openAt(t, dir)
		for _, name := range kept {
			if v, err := again.Setting(name); v != "kept" || err != nil {
				t.Errorf("%s was answered and is %q (%v)", name, v, err)
			}
		}
		must(t, again.Close())
	}
}

// A panic goes to whoever committed; the others must not take it for success, and the next batch must work.
func TestPanicIsNobodysSuccess(t *testing.T) {
	s := openAt(t, t.TempDir())
	release := hold(t, s.commit)
	before := s.commit.submit(keep("before"))
	bad := s.commit.submit(func(b *batch) error {
		if err := b.exec(`INSERT INTO setting (name, value) VALUES ('bad', 'x')`); err != nil {
			return err
		}
		panic("driver")
	})
	after := s.commit.submit(keep("after"))
	release()
	outcome := func(wait func() error) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v", p)
			}
		}()
		return wait()
	}
	for name, wait := range map[string]func() error{"before": before, "bad": bad, "after": after} {
		if err := outcome(wait); err == nil {
			t.Errorf("%s was told it is on the disk", name)
		}
	}
	must(t, s.commit.do(keep("next")))
	if n := count(t, s, `SELECT count(*) FROM setting`); n != 1 {
		t.Errorf("%d settings kept, want the one after the panic", n)
	}
}
