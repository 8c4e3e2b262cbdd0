package fleet

import (
	"context"
	"maps"
	"sync"
	"time"
)

// uses are when keys were used last, as far as nobody has written it down.
type uses struct {
	mu sync.Mutex
	of map[string]time.Time
}

func (u *uses) note(key string) {
	at := Now()
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.of == nil {
		u.of = map[string]time.Time{}
	}
	u.of[key] = at
}

func (u *uses) all() map[string]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	return maps.Clone(u.of)
}

// written forgets what was not noted anew meanwhile.
func (u *uses) written(some map[string]time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	maps.DeleteFunc(u.of, func(key string, at time.Time) bool { return at.Equal(some[key]) })
}

// WriteUses writes down when keys were used last. A request does not wait for it: whoever runs the hub calls it now and then, and at the end.
func (d *Desk) WriteUses(ctx context.Context) error {
	some := d.uses.all()
	if len(some) == 0 {
		return nil
	}
	if err := d.book.KeysUsed(ctx, some); err != nil {
		return err
	}
	d.uses.written(some)
	return nil
}
