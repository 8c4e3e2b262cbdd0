package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"syscall"

	lib "modernc.org/sqlite/lib"
)

var (
	errClosed = errors.New("store closed")
	// errLost refuses a write that builds on one that failed; it has touched nothing, so its batch goes on.
	errLost = errors.New("an earlier change was lost")
	// errUnfinished is a batch that ended in no way it should.
	errUnfinished = errors.New("the commit was cut short")
)

// committer runs the writes that wait in one transaction and commits them together. Whoever waits first does it
// for all; while the disk is busy with one batch the next one gathers, so the fsync is shared without any timer,
// and a caller alone pays for no hand-over to another goroutine.
type committer struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
	turn  chan struct{} // full while somebody commits
	last  int           // how many the last batch held; for who has the turn
	mark  *mark         // to be told of what is on the disk, for who has the turn; may be nil

	mu       sync.Mutex
	waiting  *queue // the next batch
	closed   bool
	failures uint64      // batches that did not reach the disk
	failure  error       // why the last of them did not
	damaged  func(error) // to be told, once, of a file that turns out to be damaged; may be nil
}

// queue is what gathers for one commit.
type queue struct {
	writes []*write
	done   chan struct{} // closed once each err says how it ended
}

func newQueue() *queue { return &queue{done: make(chan struct{})} }

type write struct {
	run   func(*batch) error
	reads bool // it changes nothing
	in    *queue
	err   error
}

// batch is what a write may do inside the transaction.
type batch struct {
	c     *committer
	begun bool       // the transaction is open
	added *lineTable // of the lines below
	lines []any      // new lines put off: place, text, place, text …

	step, attempt int64 // the newest of the ledger in it; 0: none
}

func newCommitter(db *sql.DB, m *mark) (*committer, error) {
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	return &committer{conn: conn, mark: m, stmts: map[string]*sql.Stmt{}, turn: make(chan struct{}, 1), waiting: newQueue()}, nil
}

// submit queues the write behind all earlier ones; wait, which must be called, tells whether it is on the disk.
func (c *committer) submit(run func(*batch) error) (wait func() error) {
	return c.queue(&write{run: run})
}

func (c *committer) queue(w *write) (wait func() error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return func() error { return errClosed }
	}
	w.in = c.waiting
	c.waiting.writes = append(c.waiting.writes, w)
	return func() error { return c.wait(w) }
}

// do is submit and wait.
func (c *committer) do(run func(*batch) error) error { return c.submit(run)() }

// read is do for what changes nothing: a failure of others in its batch is none of its own, so that who can't write
// can still read.
func (c *committer) read(run func(*batch) error) error {
	return c.queue(&write{run: run, reads: true})()
}

func (c *committer) wait(w *write) error {
	select {
	case <-w.in.done:
		return w.err
	case c.turn <- struct{}{}:
	}
	defer func() { <-c.turn }()
	select {
	case <-w.in.done: // by the one before
	default:
		c.gather()
		c.commitWaiting()
	}
	return w.err
}

// alone runs fn while nobody commits.
func (c *committer) alone(fn func() error) error {
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	return fn()
}

func (c *committer) failed() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failures
}

// close commits what came before it and lets go of the connection.
func (c *committer) close() {
	c.mu.Lock()
	already := c.closed
	c.closed = true
	c.mu.Unlock()
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	if already {
		return
	}
	c.commitWaiting()
	for _, s := range c.stmts {
		s.Close()
	}
	c.conn.Close()
}

// gather lets the callers of the last batch come back before the next one is closed: they were all answered a
// moment ago, and a commit shared by few costs as much as one shared by many. It waits by giving way, not by the
// clock, so one caller alone is never held up.
func (c *committer) gather() {
	const turns = 8
	for range turns {
		c.mu.Lock()
		enough := len(c.waiting.writes) >= c.last || c.closed
		c.mu.Unlock()
		if enough {
			return
		}
		runtime.Gosched()
	}
}

// commitWaiting answers everybody who waits. It is for who has the turn.
func (c *committer) commitWaiting() {
	c.mu.Lock()
	if len(c.waiting.writes) == 0 {
		c.mu.Unlock()
		return
	}
	writes, done := c.waiting.writes, c.waiting.done
	c.waiting = newQueue()
	c.mu.Unlock()
	c.last = len(writes)
	err, reread := errUnfinished, false // stays if the driver panics: every writer gets it then
	defer func() {
		if errors.Is(err, errUnfinished) {
			c.fail(err)
		}
		for _, w := range writes {
			if err != nil && !(w.reads && reread) {
				w.err = err
			}
		}
		close(done)
	}()
	err = explain(c.transact(writes))
	if errors.Is(err, syscall.ENOSPC) && c.makeRoom() {
		err = explain(c.transact(writes))
	}
	if err == nil {
		return
	}
	c.fail(err)
	for _, w := range writes {
		if w.reads {
			w.err = explain(c.transact([]*write{w}))
		}
	}
	reread = true
}

// transact is all or nothing: rules were checked before, so what fails here is the disk, and then nobody is
// told that anything was kept.
func (c *committer) transact(writes []*write) (err error) {
	b := &batch{c: c}
	defer func() {
		if b.begun {
			_, rollback := b.run("ROLLBACK")
			if code, ok := codeOf(rollback); !ok || code != lib.SQLITE_ERROR { // that is: it has rolled back by itself
				err = errors.Join(err, rollback)
			}
		}
	}()
	for _, w := range writes {
		if w.err = w.run(b); w.err != nil && !errors.Is(w.err, errLost) {
			return w.err
		}
	}
	if err := b.flush(); err != nil { // a statement alone is its own transaction
		return err
	}
	if b.begun {
		if _, err = b.run("COMMIT"); err == nil {
			b.begun = false
		}
	}
	if err == nil && c.mark != nil {
		_ = c.mark.advance(b.step, b.attempt) // one that stays behind tells nothing false
	}
	return err
}

// ready begins the transaction, and writes the lines put off before, so that what comes next finds the database as
// the order of writes has it.
func (b *batch) ready() error {
	if !b.begun {
		if _, err := b.run("BEGIN IMMEDIATE"); err != nil {
			return err
		}
		b.begun = true
	}
	return b.flush()
}

// stmt returns the statement, prepared once for the life of the connection.
func (b *batch) stmt(query string) (*sql.Stmt, error) {
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

// run executes a statement whatever the state of the transaction.
func (b *batch) run(query string, args ...any) (sql.Result, error) {
	s, err := b.stmt(query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(context.Background(), args...)
}

func (b *batch) exec(query string, args ...any) error {
	_, err := b.result(query, args...)
	return err
}

func (b *batch) result(query string, args ...any) (sql.Result, error) {
	if err := b.ready(); err != nil {
		return nil, err
	}
	return b.run(query, args...)
}

func (b *batch) query(query string, args ...any) (*sql.Rows, error) {
	if err := b.ready(); err != nil {
		return nil, err
	}
	s, err := b.stmt(query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(context.Background(), args...)
}

// one is query for a statement that gives one row.
func (b *batch) one(query string, args ...any) interface{ Scan(...any) error } {
	if err := b.ready(); err != nil {
		return noRow{err}
	}
	s, err := b.stmt(query)
	if err != nil {
		return noRow{err}
	}
	return s.QueryRowContext(context.Background(), args...)
}

type noRow struct{ err error }

func (n noRow) Scan(...any) error { return n.err }
