package leases

import (
	"context"
	"sync"
	"time"
)

// draws has those who come while a number is drawn share the next one: each is drawn after they came, and no two connections of one
// terminal begin in the same moment. Ten thousand terminals that come back would else wait for one another at one row.
type draws struct {
	draw func(context.Context) (int64, error)
	turn chan struct{} // full while somebody draws

	mu   sync.Mutex
	next *drawn // for those who come now; nil: nobody waits
}

type drawn struct {
	number int64
	err    error
	done   chan struct{}
}

func newDraws(draw func(context.Context) (int64, error)) *draws {
	return &draws{draw: draw, turn: make(chan struct{}, 1)}
}

func (d *draws) take(ctx context.Context) (int64, error) {
	d.mu.Lock()
	mine := d.next
	if mine == nil {
		mine = &drawn{done: make(chan struct{})}
		d.next = mine
		go d.serve(context.WithoutCancel(ctx), mine) // whoever came first may leave first
	}
	d.mu.Unlock()
	select {
	case <-mine.done:
		return mine.number, mine.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (d *draws) serve(ctx context.Context, waiting *drawn) {
	d.turn <- struct{}{}
	defer func() { <-d.turn }()
	d.mu.Lock()
	d.next = nil
	d.mu.Unlock()
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	waiting.number, waiting.err = d.draw(ctx)
	close(waiting.done)
}
