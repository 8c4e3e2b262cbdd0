package fleet

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// freshFor is how long what was read is taken as it is: what another hub revokes is known here then.
	freshFor = time.Second
	// terminalsFresh is the same for terminals. Each call reads one, and whoever changes one, here or at another hub, has it forgotten
	// (Forget, Seen, SeenAfter): this is for what changes them behind the hubs' backs.
	terminalsFresh = 10 * time.Second
	// readWithin is how long a request waits for the database where something is remembered.
	readWithin = 2 * time.Second
	// awayFor is how long a database that did not answer is not asked again.
	awayFor = 5 * time.Second
)

// memory holds what the book said last. Each is read again when it is no longer fresh; while the book can't be read, what is
// remembered goes on to hold. Only what exists is remembered, so strangers can't fill it.
type memory[T any] struct {
	fresh   time.Duration
	mu      sync.Mutex
	kept    map[string]remembered[T]
	forgets int // how often something was forgotten: what was being read meanwhile may be old …
	ages    int // … and how often something was no longer fresh
}

type remembered[T any] struct {
	value T
	until time.Time // fresh
}

func newMemory[T any](fresh time.Duration) *memory[T] {
	return &memory[T]{fresh: fresh, kept: map[string]remembered[T]{}}
}

func (m *memory[T]) get(ctx context.Context, id string, read func(context.Context) (T, error)) (T, error) {
	m.mu.Lock()
	known, ok := m.kept[id]
	if ok && time.Now().Before(known.until) {
		m.mu.Unlock()
		return known.value, nil
	}
	forgets, ages := m.forgets, m.ages
	if ok { // whoever asks meanwhile takes what is remembered
		m.kept[id] = remembered[T]{known.value, time.Now().Add(readWithin)}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, readWithin)
		defer cancel()
	}
	m.mu.Unlock()

	value, err := read(ctx)
	m.mu.Lock()
	defer m.mu.Unlock()
	switch unchanged := m.forgets == forgets; {
	case errors.Is(err, ErrNotFound):
		delete(m.kept, id)
	case err != nil && ok && unchanged:
		m.kept[id] = remembered[T]{known.value, time.Now().Add(awayFor)}
		return known.value, nil
	case err == nil && unchanged && m.ages != ages:
		m.kept[id] = remembered[T]{value: value}
	case err == nil && unchanged:
		m.kept[id] = remembered[T]{value, time.Now().Add(m.fresh)}
	}
	return value, err
}

// age has these read again; what is remembered of them holds as long as that can't be done.
func (m *memory[T]) age(ids []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ages++
	for _, id := range ids {
		if known, ok := m.kept[id]; ok {
			m.kept[id] = remembered[T]{value: known.value}
		}
	}
}

// forget drops what was changed.
func (m *memory[T]) forget(is func(T) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgets++
	for id, known := range m.kept {
		if is(known.value) {
			delete(m.kept, id)
		}
	}
}

func (m *memory[T]) drop(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgets++
	delete(m.kept, id)
}
