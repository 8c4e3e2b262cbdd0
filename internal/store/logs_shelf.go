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

	mu   sync.Mutex
	logs *Logs // nil while no file could be opened in place of a damaged one
	gone bool  // closed
}

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
	if _, err = s.renew(nil, err); err != nil {
		return nil, err
	}
	return s, nil
}

// damaged is true of a file that will not be better at the next try, nor with another version of the program.
func damaged(err error) bool { return errors.Is(err, ErrUnreadable) && !errors.Is(err, ErrNewer) }

// current is the log to use, opened first where that failed before.
func (s *Shelf) current() (*Logs, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.logs == nil && !s.gone {
		s.logs, err = OpenLogs(s.path)
	}
	if s.gone {
		err = errClosed
	}
	return s.logs, err
}

// renew puts the file aside and begins a new one, unless somebody has done so already.
func (s *Shelf) renew(bad *Logs, why error) (*Logs, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return nil, errClosed
	}
	if s.logs != bad {
		return s.logs, nil
	}
	if bad != nil {
		s.logs = nil
		bad.Close() // what it could not write is lost with it
	}
	kept, err := PutAside(s.path, time.Now())
	if err != nil {
		return nil, fmt.Errorf("putting %s aside: %w", s.path, errors.Join(err, why))
	}
	s.told(kept, why)
	s.logs, err = OpenLogs(s.path)
	return s.logs, err
}

// use runs fn on the log, and once more on a new one if it was damaged.
func (s *Shelf) use(fn func(*Logs) error) error {
	logs, err := s.current()
	if err != nil {
		return err
	}
	if err = fn(logs); !damaged(err) {
		return err
	}
	if logs, err = s.renew(logs, err); err != nil || logs == nil {
		return err
	}
	return fn(logs)
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
// new file has.
func (s *Shelf) Find(ctx context.Context, q logbook.Query, fn func(logbook.Entry) error) error {
	logs, err := s.current()
	if err != nil {
		return err
	}
	if err = logs.Find(ctx, q, fn); damaged(err) {
		_, failed := s.renew(logs, err)
		err = errors.Join(err, failed)
	}
	return err
}

// Last is the highest id stored.
func (s *Shelf) Last() (last int64, err error) {
	err = s.use(func(l *Logs) (err error) {
		last, err = l.Last()
		return err
	})
	return last, err
}

// Close closes the file. No call may be under way.
func (s *Shelf) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = true
	if s.logs == nil {
		return nil
	}
	return s.logs.Close()
}
