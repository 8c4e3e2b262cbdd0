package logbook

import "context"

// What is read here is read for good by somebody elsewhere: an entry that is only in memory may be lost, and its id be another's.

// Stored is the newest id in storage, and more is closed when there is a newer one. It never goes back, not even where the storage has
// begun anew.
func (b *Book) Stored() (last int64, more <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.kept, b.keptMore.Wait()
}

// After gives up to limit entries from storage whose ids are above id, ascending.
func (b *Book) After(ctx context.Context, id int64, limit int) ([]Entry, error) {
	return b.storage.After(ctx, id, limit)
}
