package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
)

// Shelf is Logs that begin anew when their file turns out to be damaged, at start or later: logs are not money, and
// a terminal must sell without them. The damaged file is kept beside the new one.
type Shelf struct {
	path string
	told func(kept string, why error)

	mu   sync.RWMutex // held for reading by whoever uses the file, for writing by who opens or closes it
	logs *Logs        // nil while no file could be opened in place of a damaged one
	gone bool         // closed
}

// errBegunAnew ends a search whose file was put aside before its end.
var errBegunAnew = errors.New("the log was begun anew")

var _ logbook.Shelf = (*Shelf)(nil)

// OpenShelf opens the log database. told hears of each file that was put aside; it must not wait for the log.
func OpenShelf(path string, told func(kept string, why error)) (*Shelf, error) {
	s := &Shelf{path: path, told: told}
	var err error
	if s.logs, err = OpenLogs(path); err == nil {
		return s, nil
	}
	if !damaged(err) {
		return nil, err
	}
	if err = s.renew(nil, err); err != nil {
		return nil, err
	}
	return s, nil
}

// damaged is true of a file that will not be better at the next try, nor with another version of the program.
func damaged(err error) bool { return errors.Is(err, ErrUnreadable) && !errors.Is(err, ErrNewer) }

// hold is the log to use, until release: nobody closes it meanwhile. One that could not be opened before is tried again.
func (s *Shelf) hold() (*Logs, error) {
	for {
		s.mu.RLock()
		switch {
		case s.gone:
			s.mu.RUnlock()
			return nil, errClosed
		case s.logs != nil:
			return s.logs, nil
		}
		s.mu.RUnlock()
		if err := s.reopen(); err != nil {
			return nil, err
		}
	}
}

func (s *Shelf) release() { s.mu.RUnlock() }

func (s *Shelf) reopen() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.logs == nil && !s.gone {
		s.logs, err = OpenLogs(s.path)
	}
	return err
}

// renew puts the file aside and begins a new one, unless somebody has done so already. It waits for those who use the file.
func (s *Shelf) renew(bad *Logs, why error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return errClosed
	}
	if s.logs != bad {
		return nil
	}
	if bad != nil {
		s.logs = nil
		bad.Close() // what it could not write is lost with it
	}
	kept, err := PutAside(s.path, time.Now())
	if err != nil {
		return fmt.Errorf("putting %s aside: %w", s.path, errors.Join(err, why))
	}
	s.told(kept, why)
	s.logs, err = OpenLogs(s.path)
	return err
}

// use runs fn on the log, and once more on a new one if it was damaged.
func (s *Shelf) use(fn func(*Logs) error) error {
	logs, err := s.with(fn)
	if !damaged(err) {
		return err
	}
	if err = s.renew(logs, err); err != nil {
		return err
	}
	_, err = s.with(fn)
	return err
}

func (s *Shelf) with(fn func(*Logs) error) (*Logs, error) {
	logs, err := s.hold()
	if err != nil {
		return nil, err
	}
	defer s.release()
	return logs, fn(logs)
}

// Append stores entries in one transaction.
func (s *Shelf) Append(entries []logbook.Entry) error {
	return s.use(func(l *Logs) error { return l.Append(entries) })
}

// After reads what follows an id.
func (s *Shelf) After(ctx context.Context, id int64, limit int) (found []logbook.Entry, err error) {
	err = s.use(func(l *Logs) (err error) {
		found, err = l.After(ctx, id, limit)
		return err
	})
	return found, err
}

// Trim deletes what is too old or too much.
func (s *Shelf) Trim(ctx context.Context, before time.Time, keep int) error {
	return s.use(func(l *Logs) error { return l.Trim(ctx, before, keep) })
}

// Find searches. One that meets damage fails, for it may have given some entries already; the next finds what the
// new file has. The file is not held while fn runs: it may be as slow as a caller who does not read.
func (s *Shelf) Find(ctx context.Context, q logbook.Query, fn func(logbook.Entry) error) error {
	logs, err := s.with(func(logs *Logs) error {
		return logs.Find(ctx, q, func(e logbook.Entry) error {
			if err := s.apart(func() error { return fn(e) }); err != nil {
				return err
			}
			if s.logs != logs {
				return errBegunAnew
			}
			return nil
		})
	})
	if damaged(err) {
		err = errors.Join(err, s.renew(logs, err))
	}
	return err
}

// apart runs fn without the hold that its caller has.
func (s *Shelf) apart(fn func() error) error {
	s.release()
	defer s.mu.RLock()
	return fn()
}

// Last is the highest id stored.
func (s *Shelf) Last() (last int64, err error) {
	err = s.use(func(l *Logs) (err error) {
		last, err = l.Last()
		return err
	})
	return last, err
}

// Close closes the file, after those who use it. A search that is under way ends with its next entry.
func (s *Shelf) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = true
	if s.logs == nil {
		return nil
	}
	logs := s.logs
	s.logs = nil
	return logs.Close()
}
