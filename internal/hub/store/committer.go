package store

import (
	"context"
	"errors"
	"sync"
)

var errClosed = errors.New("store closed")

// committer runs the writes that wait in one transaction of SQLite: while the disk is busy with one commit the next one gathers, so
// that ten thousand terminals that come back share their fsyncs. Each write is undone by itself when it fails.
type committer struct {
	db   *database
	turn chan struct{} // full while somebody commits

	mu      sync.Mutex
	waiting []*pending
	closed  bool
}

type pending struct {
	run  func(*tx) error
	err  error
	done chan struct{}
}

func newCommitter(db *database) *committer { return &committer{db: db, turn: make(chan struct{}, 1)} }

// do commits one write together with those that wait: whoever waits first does it for all.
func (c *committer) do(run func(*tx) error) error {
	p := &pending{run: run, done: make(chan struct{})}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return errClosed
	}
	c.waiting = append(c.waiting, p)
	c.mu.Unlock()
	select {
	case <-p.done:
		return p.err
	case c.turn <- struct{}{}:
	}
	defer func() { <-c.turn }()
	for {
		select {
		case <-p.done:
			return p.err
		default:
			c.commitNext()
		}
	}
}

// close commits what came before it.
func (c *committer) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	for c.commitNext() {
	}
}

// mostAtOnce bounds a transaction: who comes first must not wait for a thousand others.
const mostAtOnce = 200

// commitNext answers those who have waited longest; false: nobody waits. It is for who has the turn.
func (c *committer) commitNext() bool {
	c.mu.Lock()
	n := min(len(c.waiting), mostAtOnce)
	batch := c.waiting[:n:n]
	c.waiting = c.waiting[n:]
	c.mu.Unlock()
	if n == 0 {
		return false
	}
	c.commit(batch)
	return true
}

func (c *committer) commit(batch []*pending) {
	err := errors.New("the commit was cut short") // stays when the driver panics
	defer func() {
		for _, p := range batch {
			if err != nil {
				p.err = err
			}
			close(p.done)
		}
	}()
	err = c.db.transact(context.Background(), func(t *tx) error {
		for _, p := range batch {
			if err := t.alone(p); err != nil {
				return err
			}
		}
		return nil
	})
}

// alone runs one write of several: what it did goes when it fails, and no more. An error of its own means that the transaction
// is no longer what it was.
func (t *tx) alone(p *pending) error {
	if _, err := t.exec("SAVEPOINT one"); err != nil {
		return err
	}
	if p.err = p.run(t); p.err != nil {
		if _, err := t.exec("ROLLBACK TO one"); err != nil {
			return errors.Join(p.err, err)
		}
	}
	_, err := t.exec("RELEASE one")
	return err
}
