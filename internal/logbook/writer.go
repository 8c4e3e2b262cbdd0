package logbook

import (
	"context"
	"fmt"
	"time"

	"github.com/maquininha/maquininha/internal/portuguese"
)

const (
	// Between attempts to write on failing storage.
	firstPause = 50 * time.Millisecond
	maxPause   = time.Second

	// dropBatch is how many entries failing storage costs at once when memory for
	// more has run out: in bulk, so that the log is not a list of drops.
	dropBatch = maxPending / 8

	trimInterval = time.Hour
	trimEvery    = 10_000 // entries
)

// write is the one goroutine that appends to the storage.
func (b *Book) write() {
	defer close(b.writer)
	for {
		batch, wait, done := b.next()
		switch {
		case done:
			return
		case batch != nil:
			b.settle(len(batch), b.storage.Append(batch))
		case wait < 0:
			<-b.wakeWriter
		default:
			timer := time.NewTimer(wait)
			select {
			case <-b.wakeWriter:
			case <-timer.C:
			}
			timer.Stop()
		}
	}
}

// next says what to do now: write a batch, wait (for ever when negative), or end.
func (b *Book) next() (batch []Entry, wait time.Duration, done bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failure != nil && b.full() && !b.closed {
		b.drop()
	}
	pending := b.window[b.stored:]
	if len(pending) == 0 {
		return nil, -1, b.closed
	}
	due := b.since.Add(flushDelay)
	if b.failure != nil {
		due = b.retryAt
	}
	wait = time.Until(due)
	switch {
	case b.flushUpTo >= pending[0].ID, wait <= 0, b.failure == nil && (b.closed || len(pending) >= flushSize):
		b.writing = batchOf(pending)
		return pending[:b.writing:b.writing], 0, false
	case b.closed: // and failing: it was tried once more after closing
		return nil, 0, true
	}
	return nil, wait, false
}

// batchOf is how many of the pending entries go into one commit: at least one.
func batchOf(pending []Entry) int {
	n, bytes := 1, weight(pending[0])
	for ; n < min(len(pending), maxBatch); n++ {
		if bytes += weight(pending[n]); bytes > maxBatchBytes {
			break
		}
	}
	return n
}

// settle notes what became of the first n pending entries.
func (b *Book) settle(n int, err error) {
	b.mu.Lock()
	var note Entry
	b.writing = 0
	if err == nil {
		for _, e := range b.window[b.stored : b.stored+n] {
			b.pendingBytes -= weight(e)
			b.storedBytes += weight(e)
		}
		b.stored += n
		b.kept = b.window[b.stored-1].ID
		b.keptMore.Ring()
		b.forget()
		if b.failure != nil {
			note = b.add(Info, App, "Gravação dos logs restabelecida", "")
		}
		b.failure, b.pause = nil, 0
	} else {
		if b.failure == nil { // once, not at each attempt
			note = b.add(Error, App, "Não foi possível gravar os logs; novas tentativas seguem", clean(portuguese.Error(err), maxDetails))
		}
		b.failure = err
		b.pause = min(max(2*b.pause, firstPause), maxPause)
		b.retryAt = time.Now().Add(b.pause)
		b.flushUpTo = 0
	}
	b.tried.Ring()
	b.mu.Unlock()
	if note.Message != "" {
		b.echo(note)
	}
}

// forget lets go of entries that are in storage, but for the newest.
func (b *Book) forget() {
	if b.stored <= 2*keptEntries && b.storedBytes <= 2*keptBytes {
		return
	}
	cut := 0
	for b.stored-cut > keptEntries || b.storedBytes > keptBytes {
		b.storedBytes -= weight(b.window[cut])
		cut++
	}
	b.stored -= cut
	b.window = append(make([]Entry, 0, len(b.window)-cut+keptEntries), b.window[cut:]...)
}

// drop makes room on failing storage by losing the oldest pending entries: a
// terminal that can't log must still sell.
func (b *Book) drop() {
	pending := b.window[b.stored:]
	n := 0
	for len(pending)-n > maxPending-dropBatch || b.pendingBytes > maxPendingBytes/8*7 {
		b.pendingBytes -= weight(pending[n])
		n++
	}
	window := make([]Entry, 0, len(b.window)-n+keptEntries)
	window = append(window, b.window[:b.stored]...)
	b.window = append(window, pending[n:]...)
	b.add(Warning, App, fmt.Sprintf("%d registros de log descartados: a gravação está falhando", n), "")
	b.tried.Ring()
}

// trim keeps the storage within what the options allow, without holding up the start.
func (b *Book) trim(ctx context.Context) {
	defer close(b.trimmer)
	tick := time.NewTicker(trimInterval)
	defer tick.Stop()
	for {
		var before time.Time
		if b.options.MaxAge > 0 {
			before = time.Now().Add(-b.options.MaxAge)
		}
		if err := b.storage.Trim(ctx, before, b.options.Keep); err != nil && ctx.Err() == nil {
			b.Add(Warning, App, "Não foi possível descartar logs antigos", portuguese.Error(err))
		}
		select {
		case <-tick.C:
		case <-b.wakeTrimmer:
		case <-ctx.Done():
			return
		}
	}
}
