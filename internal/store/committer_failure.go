package store

import (
	"context"
	"errors"
	"fmt"
)

// makeRoom brings what is in the write-ahead log into the database, which mostly has its pages already, so that the
// log can begin again at its first byte. It tells whether that is done; readers in the log are not waited for.
func (c *committer) makeRoom() bool {
	var busy, pages, moved int
	err := c.conn.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &moved)
	return err == nil && busy == 0 && pages > 0 && moved == pages
}

// fail counts a batch that did not reach the disk.
func (c *committer) fail(err error) {
	c.mu.Lock()
	c.failures++
	c.failure = err
	c.mu.Unlock()
	if errors.Is(err, ErrUnreadable) {
		c.onDamage(nil)(err)
	}
}

// onDamage has fn told of damage from now on, and returns who was to be told so far.
func (c *committer) onDamage(fn func(error)) (before func(error)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if before = c.damaged; before == nil {
		before = func(error) {}
	}
	c.damaged = fn
	return before
}

// lost is errLost with what it was lost to.
func (c *committer) lost() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return fmt.Errorf("%w: %w", errLost, c.failure)
}
