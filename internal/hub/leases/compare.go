package leases

import (
	"context"
	"time"
)

// compare looks at what was held before a renewal, and at what the book had then. A connection that the book does not have is closed: the
// terminal hangs elsewhere, or a standby was promoted that did not know of it yet. What the book has and nobody holds is released.
func (d *Desk) compare(before map[string]held, mine []Location) {
	written := make(map[string]int64, len(mine))
	for _, l := range mine {
		written[l.Terminal] = l.Number
	}
	var elsewhere []func()
	d.mu.Lock()
	for terminal, h := range before {
		if number, is := written[terminal]; is && number == h.number || d.held[terminal].number != h.number {
			continue
		}
		delete(d.held, terminal)
		elsewhere = append(elsewhere, h.drop)
	}
	for _, l := range mine {
		if _, is := d.held[l.Terminal]; !is {
			d.release(l)
		}
	}
	d.mu.Unlock()
	for _, drop := range elsewhere {
		drop()
	}
}

// atOnce are released in one transaction, so that the renewal need not wait for ten thousand.
const atOnce = 500

// writeReleased writes down what is over. What can't be written is found at a renewal.
func (d *Desk) writeReleased(ctx context.Context) {
	select { // many go at once, when a network breaks
	case <-time.After(20 * time.Millisecond):
	case <-ctx.Done():
		return
	}
	d.mu.Lock()
	n := min(len(d.released), atOnce)
	some := d.released[:n:n]
	d.released = d.released[n:]
	if len(d.released) > 0 {
		d.release()
	}
	until := d.until
	d.mu.Unlock()
	trying, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	d.book.Release(trying, some) //nolint:errcheck // as above
}

// dropAll closes every connection: the lease is over.
func (d *Desk) dropAll() {
	d.mu.Lock()
	all := d.held
	d.run, d.held, d.released = "", map[string]held{}, nil
	d.mu.Unlock()
	for _, h := range all {
		h.drop()
	}
}

// again takes another lease, as soon as one can be had.
func (d *Desk) again(ctx context.Context) {
	for {
		trying, cancel := context.WithTimeout(ctx, d.timing.Lasts-d.timing.Margin)
		err := d.Take(trying)
		cancel()
		if err == nil || ctx.Err() != nil {
			return
		}
		d.failed(err)
		select {
		case <-time.After(d.timing.Renew / 2):
		case <-ctx.Done():
			return
		}
	}
}

// Close ends the lease. Whoever stops the hub has ended its connections before; Keep has returned.
func (d *Desk) Close(ctx context.Context) error {
	d.mu.Lock()
	run := d.run
	d.closed, d.run = true, ""
	d.mu.Unlock()
	if run == "" {
		return nil
	}
	return d.book.Leave(ctx, run)
}
