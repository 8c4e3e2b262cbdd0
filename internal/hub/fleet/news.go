package fleet

import (
	"context"
	"time"
)

// What hubs that share a book learn of one another is in it: each change has a line in the audit log.

// LastChange is the number of the newest change.
func (d *Desk) LastChange(ctx context.Context) (int64, error) { return d.book.LastChange(ctx) }

// News are changes after a number, whoever made them, oldest first: some at a time.
func (d *Desk) News(ctx context.Context, after int64) ([]Change, error) {
	const most = 1000
	return d.book.ChangesAfter(ctx, after, most)
}

// Forget drops what is remembered of whatever has this id: another hub has changed it.
func (d *Desk) Forget(id string) {
	d.terminals.drop(id)
	d.keys.drop(id)
	d.tokens.forget(func(k Key) bool { return k.ID == id })
	d.sessions.forget(func(s Session) bool { return s.Person.ID == id })
	d.forgetLists()
}

// SeenAfter are the terminals that were seen after a moment, by whichever hub, and the latest such moment.
func (d *Desk) SeenAfter(ctx context.Context, at time.Time) ([]string, time.Time, error) {
	seen, latest, err := d.book.SeenAfter(ctx, at)
	d.terminals.age(seen)
	return seen, latest, err
}
