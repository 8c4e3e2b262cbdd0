package logbook

import (
	"cmp"
	"context"
	"slices"
)

// followBatch bounds what Next gives at once.
const followBatch = 512

// Follower reads the book as it is written. It has no goroutine and takes no
// memory for what it has not read yet, so it need not be closed. It is for one
// goroutine at a time.
type Follower struct {
	book *Book
	last int64 // the newest id given
}

// Follow starts after the newest entry.
func (b *Book) Follow() *Follower {
	b.mu.Lock()
	defer b.mu.Unlock()
	return &Follower{book: b, last: b.last}
}

// Next waits for entries after those it gave before and gives some of them, in
// order, each once. A reader that fell far behind is served from storage. The
// slice is shared: it must not be changed. After Close it gives what is left, then
// ErrClosed.
func (f *Follower) Next(ctx context.Context) ([]Entry, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		window, added, closed := f.look()
		if len(window) == 0 {
			if closed {
				return nil, ErrClosed
			}
			select {
			case <-added:
			case <-ctx.Done():
			}
			continue
		}
		found, err := f.behind(ctx, window[0].ID)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			found = window[:min(len(window), followBatch)]
		}
		f.last = found[len(found)-1].ID
		return slices.Clip(found), nil
	}
}

// look takes the entries in memory that were not given yet; when there are none,
// a channel that tells when there are.
func (f *Follower) look() (window []Entry, added <-chan struct{}, closed bool) {
	b := f.book
	b.mu.Lock()
	defer b.mu.Unlock()
	if f.last >= b.last {
		return nil, b.added.Wait(), b.closed
	}
	i, _ := slices.BinarySearchFunc(b.window, f.last+1, func(e Entry, id int64) int { return cmp.Compare(e.ID, id) })
	return b.window[i:], nil, b.closed
}

// behind reads entries from storage that come before those in memory. There are
// none when the gap was left by a drop, or trimmed away meanwhile.
func (f *Follower) behind(ctx context.Context, inMemory int64) ([]Entry, error) {
	if inMemory == f.last+1 {
		return nil, nil
	}
	found, err := f.book.storage.After(ctx, f.last, followBatch)
	if err != nil {
		return nil, err
	}
	n, _ := slices.BinarySearchFunc(found, inMemory, func(e Entry, id int64) int { return cmp.Compare(e.ID, id) })
	return found[:n], nil
}
