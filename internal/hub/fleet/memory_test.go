package fleet

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

var errAway = errors.New("the database is away")

// shelf is a book that has one terminal, and may be away or silent.
type shelf struct {
	Book
	terminal Terminal
	err      error
	silent   bool
	reads    int

	meanwhile func() // happens while a terminal is being read
}

func (s *shelf) Terminal(ctx context.Context, id string) (Terminal, error) {
	s.reads++
	t, err := s.terminal, s.err
	if s.meanwhile != nil {
		s.meanwhile()
	}
	if s.silent {
		<-ctx.Done()
		return Terminal{}, ctx.Err()
	}
	if err == nil && id != t.ID {
		err = ErrNotFound
	}
	return t, err
}

func (s *shelf) Terminals(_ context.Context, within Place, each func(Terminal) error) error {
	if !(Scope{Place: within}).Holds(s.terminal.Place) {
		return nil
	}
	return each(s.terminal)
}

func (s *shelf) RevokeTerminal(_ context.Context, _ string, c Change) error {
	s.terminal.RevokedAt = c.At
	return nil
}

func (s *shelf) Seen(context.Context, []Sighting) error { return s.err }

func (s *shelf) SeenAfter(_ context.Context, at time.Time) ([]string, time.Time, error) {
	return []string{s.terminal.ID}, at, s.err
}

func newShelf() (*shelf, *Desk) {
	s := &shelf{terminal: Terminal{ID: "m1", Place: Place{Account: "a"}}}
	return s, NewDesk(s, nil)
}

func TestRequestsGoOnWhileTheDatabaseIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, d := newShelf()
		if _, err := d.Admit(t.Context(), "m1"); err != nil {
			t.Fatal(err)
		}
		for name, away := range map[string]func(){"refused": func() { s.err = errAway }, "silent": func() { s.silent = true }} {
			s.err, s.silent = nil, false
			time.Sleep(time.Minute)
			away()
			begun := time.Now()
			for range 100 {
				if _, err := d.Admit(t.Context(), "m1"); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			if took := time.Since(begun); took > readWithin {
				t.Errorf("%s: a hundred requests waited %v for the database", name, took)
			}
		}
		s.silent, s.err = false, errAway
		if _, err := d.Admit(t.Context(), "m2"); !errors.Is(err, errAway) {
			t.Errorf("what was never known: %v", err)
		}
	})
}

func TestWhatIsRememberedIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, d := newShelf()
		look := func() error {
			_, err := d.Admit(t.Context(), "m1")
			return err
		}
		for range 1000 {
			if err := look(); err != nil {
				t.Fatal(err)
			}
		}
		if s.reads != 1 {
			t.Errorf("%d reads for requests of one moment", s.reads)
		}
		s.terminal.RevokedAt = time.Now() // behind this hub's back
		time.Sleep(terminalsFresh)
		if err := look(); !errors.Is(err, ErrRevoked) {
			t.Errorf("revoked a while ago: %v", err)
		}
		s.terminal.ID = "gone"
		time.Sleep(terminalsFresh)
		if err := look(); !errors.Is(err, ErrNotFound) {
			t.Errorf("gone a while ago: %v", err)
		}
	})
}

// Who is heard of is read again, whichever hub heard, also when it was being read just then; while that can't be done, what is
// remembered holds.
func TestWhatIsHeardOfATerminalIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, d := newShelf()
		version := func() string {
			known, err := d.Known(t.Context(), "m1")
			if err != nil {
				t.Fatal(err)
			}
			return known.Version
		}
		version()
		for _, hear := range []func(){
			func() { _ = d.Seen(t.Context(), Sighting{Terminal: "m1", Version: s.terminal.Version}) },
			func() { _, _, _ = d.SeenAfter(t.Context(), time.Time{}) },
		} {
			s.terminal.Version += "+"
			hear()
			if got := version(); got != s.terminal.Version {
				t.Errorf("version %q, heard of %q", got, s.terminal.Version)
			}
			hear()
			s.meanwhile = func() { s.meanwhile = nil; s.terminal.Version += "+"; hear() }
			version()
			if got := version(); got != s.terminal.Version {
				t.Errorf("version %q, heard of %q while it was being read", got, s.terminal.Version)
			}
			hear()
			s.err = errAway
			version()
			s.err = nil
			time.Sleep(awayFor)
		}
	})
}

func TestRevokingHereHoldsAtOnce(t *testing.T) {
	s, d := newShelf()
	a := Actor{Scope: Scope{Place{Account: "a"}, Administers}}
	if _, err := d.Admit(t.Context(), "m1"); err != nil {
		t.Fatal(err)
	}
	if err := d.RevokeTerminal(t.Context(), a, "m1"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Admit(t.Context(), "m1"); !errors.Is(err, ErrRevoked) {
		t.Errorf("revoked just now: %v", err)
	}
	// What was being read while it was revoked must not be remembered.
	s.terminal.RevokedAt = time.Time{}
	d.terminals.drop("m1")
	old, err := d.terminals.get(t.Context(), "m1", func(ctx context.Context) (Terminal, error) {
		read, err := s.Terminal(ctx, "m1")
		s.terminal.RevokedAt = time.Now()
		d.terminals.drop("m1")
		return read, err
	})
	if err != nil || !old.RevokedAt.IsZero() {
		t.Fatal(old, err)
	}
	if _, err := d.Admit(t.Context(), "m1"); !errors.Is(err, ErrRevoked) {
		t.Errorf("revoked while it was being read: %v", err)
	}
}

// What is another's takes as many looks into the book as what does not exist: the time that they take tells nothing.
func TestWhatIsAnothersTakesAsLong(t *testing.T) {
	s, d := newShelf()
	own, other := Scope{Place{Account: "a"}, Reads}, Scope{Place{Account: "b"}, Administers}
	for range 2 { // not remembered, and remembered
		for _, id := range []string{"m1", "unknown"} {
			before := s.reads
			if _, err := d.Terminal(t.Context(), other, id); !errors.Is(err, ErrNotFound) || s.reads != before+1 {
				t.Errorf("%s: %v after %d looks", id, err, s.reads-before)
			}
		}
		if _, err := d.Terminal(t.Context(), own, "m1"); err != nil {
			t.Error(err)
		}
	}
}

// Lists of places that are not there are not remembered: who asks for one after the other must not fill the memory.
func TestPlacesThatAreNotThereFillNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, d := newShelf()
		scope := Scope{Place: Place{Account: "a"}, Role: Reads}
		for _, shop := range []string{"s1", "s2", "s3"} {
			if all, _, err := d.Terminals(t.Context(), scope, TerminalFilter{Within: Place{Shop: shop}}); err != nil || len(all) != 0 {
				t.Fatalf("%s has %v, %v", shop, all, err)
			}
		}
		if all, _, err := d.Terminals(t.Context(), scope, TerminalFilter{}); err != nil || len(all) != 1 {
			t.Fatalf("all are %v, %v", all, err)
		}
		if n := len(d.lists.kept); n != 1 {
			t.Errorf("%d lists are remembered", n)
		}
	})
}
