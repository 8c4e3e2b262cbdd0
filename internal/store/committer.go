package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"sync"
)

var (
	errClosed = errors.New("store closed")
	// errLost refuses a write that builds on one that failed; it has touched nothing, so its batch goes on.
	errLost = errors.New("an earlier change was lost")
)

// committer is the one writer: it runs the writes that wait in one transaction and commits them together.
// While the disk is busy with one batch the next one gathers, so the fsync is shared without any timer.
type committer struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt

	mu       sync.Mutex
	waiting  []*write
	closed   bool
	failures uint64 // batches that did not reach the disk

	wake chan struct{}
	done chan struct{}
}

type write struct {
	run    func(*batch) error
	err    error
	result chan error
}

// batch is what a write may do inside the transaction.
type batch struct {
	c     *committer
	added lineTable // of the lines below
	lines []any     // new lines put off: place, text, place, text …
}

func newCommitter(db *sql.DB) (*committer, error) {
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	c := &committer{conn: conn, stmts: map[string]*sql.Stmt{}, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go c.loop()
	return c, nil
}

// submit queues the write behind all earlier ones; wait tells whether it is on the disk.
func (c *committer) submit(run func(*batch) error) (wait func() error) {
	w := &write{run: run, result: make(chan error, 1)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return func() error { return errClosed }
	}
	c.waiting = append(c.waiting, w)
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return func() error { return <-w.result }
}

// do is submit and wait.
func (c *committer) do(run func(*batch) error) error { return c.submit(run)() }

func (c *committer) failed() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failures
}

func (c *committer) close() {
	c.mu.Lock()
	if !c.closed {
		c.closed = true
		close(c.wake)
	}
	c.mu.Unlock()
	<-c.done
}

func (c *committer) loop() {
	defer close(c.done)
	defer c.conn.Close()
	defer func() {
		for _, s := range c.stmts {
			s.Close()
		}
	}()
	var spare []*write
	last := 0
	for range c.wake {
		c.gather(last)
		c.mu.Lock()
		writes := c.waiting
		c.waiting = spare[:0]
		c.mu.Unlock()
		if last = len(writes); last > 0 {
			c.run(writes)
		}
		clear(writes)
		spare = writes
	}
	// Closed: what came before is still owed an answer.
	if len(c.waiting) > 0 {
		c.run(c.waiting)
	}
}

// gather lets the callers of the last batch come back before the next one is closed: they were all answered a
// moment ago, and a commit shared by few costs as much as one shared by many. It waits by giving way, not by the
// clock, so one caller alone is never held up.
func (c *committer) gather(last int) {
	const turns = 8
	for range turns {
		c.mu.Lock()
		enough := len(c.waiting) >= last || c.closed
		c.mu.Unlock()
		if enough {
			return
		}
		runtime.Gosched()
	}
}

func (c *committer) run(writes []*write) {
	err := c.transact(writes)
	if err != nil {
		c.mu.Lock()
		c.failures++
		c.mu.Unlock()
	}
	for _, w := range writes {
		if err != nil {
			w.result <- err
		} else {
			w.result <- w.err
		}
	}
}

// transact is all or nothing: rules were checked before, so what fails here is the disk, and then nobody is
// told that anything was kept.
func (c *committer) transact(writes []*write) (err error) {
	b := &batch{c: c}
	if err := b.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			b.lines = nil
			err = errors.Join(err, b.exec("ROLLBACK"))
		}
	}()
	for _, w := range writes {
		if w.err = w.run(b); w.err != nil && !errors.Is(w.err, errLost) {
			return w.err
		}
	}
	return b.exec("COMMIT")
}

// stmt returns the statement, prepared once for the life of the connection. Lines put off before it are written
// first, so that it finds the database as the order of writes has it.
func (b *batch) stmt(query string) (*sql.Stmt, error) {
	if len(b.lines) > 0 {
		if err := b.flush(); err != nil {
			return nil, err
		}
	}
	if s, ok := b.c.stmts[query]; ok {
		return s, nil
	}
	s, err := b.c.conn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, fmt.Errorf("preparing %q: %w", query, err)
	}
	b.c.stmts[query] = s
	return s, nil
}

func (b *batch) exec(query string, args ...any) error {
	_, err := b.result(query, args...)
	return err
}

func (b *batch) result(query string, args ...any) (sql.Result, error) {
	s, err := b.stmt(query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(context.Background(), args...)
}

func (b *batch) query(query string, args ...any) (*sql.Rows, error) {
	s, err := b.stmt(query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(context.Background(), args...)
}
