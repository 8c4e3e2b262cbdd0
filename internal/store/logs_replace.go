package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/logbook"
)

// ReplaceableLogs are Logs whose file is replaced by a new one when it turns out to be damaged, at start or later: logs are not
// money, and a terminal must sell without them. The damaged file is kept beside the new one.
type ReplaceableLogs struct {
	path string
	told func(kept string, why error)

	mu     sync.RWMutex // held for reading by whoever uses the file, for writing by who opens or closes it
	logs   *Logs        // nil while no file could be opened in place of a damaged one
	closed bool
}

// errReplaced ends a search whose file was put aside before its end.
var errReplaced = errors.New("the log was replaced")

var _ logbook.Storage = (*ReplaceableLogs)(nil)

// OpenReplaceableLogs opens the log database. told hears of each file that was put aside; it must not wait for the log.
func OpenReplaceableLogs(path string, told func(kept string, why error)) (*ReplaceableLogs, error) {
	r := &ReplaceableLogs{path: path, told: told}
	var err error
	if r.logs, err = OpenLogs(path); err == nil {
		return r, nil
	}
	if !damaged(err) {
		return nil, err
	}
	if err = r.replace(nil, err); err != nil {
		return nil, err
	}
	return r, nil
}

// damaged is true of a file that will not be better at the next try, nor with another version of the program.
func damaged(err error) bool { return errors.Is(err, ErrUnreadable) && !errors.Is(err, ErrNewer) }

// acquire is the log to use, until release: nobody closes it meanwhile. One that could not be opened before is tried again.
func (r *ReplaceableLogs) acquire() (*Logs, error) {
	for {
		r.mu.RLock()
		switch {
		case r.closed:
			r.mu.RUnlock()
			return nil, errClosed
		case r.logs != nil:
			return r.logs, nil
		}
		r.mu.RUnlock()
		if err := r.reopen(); err != nil {
			return nil, err
		}
	}
}

func (r *ReplaceableLogs) release() { r.mu.RUnlock() }

func (r *ReplaceableLogs) reopen() (err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.logs == nil && !r.closed {
		r.logs, err = OpenLogs(r.path)
	}
	return err
}

// replace puts the file aside and begins a new one, unless somebody has done so already. It waits for those who use the file.
func (r *ReplaceableLogs) replace(bad *Logs, why error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return errClosed
	}
	if r.logs != bad {
		return nil
	}
	if bad != nil {
		r.logs = nil
		bad.Close() // what it could not write is lost with it
	}
	kept, err := PutAside(r.path, time.Now())
	if err != nil {
		return fmt.Errorf("putting %s aside: %w", r.path, errors.Join(err, why))
	}
	r.told(kept, why)
	r.logs, err = OpenLogs(r.path)
	return err
}

// use runs fn on the log, and once more on a new one if it was damaged.
func (r *ReplaceableLogs) use(fn func(*Logs) error) error {
	logs, err := r.with(fn)
	if !damaged(err) {
		return err
	}
	if err = r.replace(logs, err); err != nil {
		return err
	}
	_, err = r.with(fn)
	return err
}

func (r *ReplaceableLogs) with(fn func(*Logs) error) (*Logs, error) {
	logs, err := r.acquire()
	if err != nil {
		return nil, err
	}
	defer r.release()
	return logs, fn(logs)
}

// Append stores entries in one transaction.
func (r *ReplaceableLogs) Append(entries []logbook.Entry) error {
	return r.use(func(l *Logs) error { return l.Append(entries) })
}

// After reads what follows an id.
func (r *ReplaceableLogs) After(ctx context.Context, id int64, limit int) (found []logbook.Entry, err error) {
	err = r.use(func(l *Logs) (err error) {
		found, err = l.After(ctx, id, limit)
		return err
	})
	return found, err
}

// Trim deletes what is too old or too much.
func (r *ReplaceableLogs) Trim(ctx context.Context, before time.Time, keep int) error {
	return r.use(func(l *Logs) error { return l.Trim(ctx, before, keep) })
}

// Find searches. One that meets damage fails, for it may have given some entries already; the next finds what the
// new file has. The file is not held while fn runs: it may be as slow as a caller who does not read.
func (r *ReplaceableLogs) Find(ctx context.Context, q logbook.Query, fn func(logbook.Entry) error) error {
	logs, err := r.with(func(logs *Logs) error {
		return logs.Find(ctx, q, func(e logbook.Entry) error {
			if err := r.unlocked(func() error { return fn(e) }); err != nil {
				return err
			}
			if r.logs != logs {
				return errReplaced
			}
			return nil
		})
	})
	if damaged(err) {
		err = errors.Join(err, r.replace(logs, err))
	}
	return err
}

// unlocked runs fn without the lock that its caller has.
func (r *ReplaceableLogs) unlocked(fn func() error) error {
	r.release()
	defer r.mu.RLock()
	return fn()
}

// Last is the highest id stored.
func (r *ReplaceableLogs) Last() (last int64, err error) {
	err = r.use(func(l *Logs) (err error) {
		last, err = l.Last()
		return err
	})
	return last, err
}

// Close closes the file, after those who use it. A search that is under way ends with its next entry.
func (r *ReplaceableLogs) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.logs == nil {
		return nil
	}
	logs := r.logs
	r.logs = nil
	return logs.Close()
}
