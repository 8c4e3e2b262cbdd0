package logbook

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/maquininha/maquininha/internal/bell"
)

const (
	// linger is how long the first entry waits for company before it is written: a
	// commit costs an fsync, whether it holds one entry or hundreds. With the commit
	// itself it stays below the 100 ms an entry may lag.
	linger = 50 * time.Millisecond
	// crowd is how many entries are worth a commit at once.
	crowd = 512
	// The most in one commit, in entries and in bytes: on a disk that is nearly full what is large as a whole finds room in
	// pieces.
	heap      = 1024
	heapBytes = 1 << 20

	// chime is how long an entry may wait until followers are told of it.
	chime = 5 * time.Millisecond

	// Adding waits when this much is not on the shelf yet, in entries or in bytes.
	maxPending      = 65_536
	maxPendingBytes = 64 << 20

	// What is already on the shelf stays in memory up to this, for followers.
	recall      = 2048
	recallBytes = 1 << 20

	maxMessage = 8 << 10
	maxDetails = 64 << 10
)

// Options says what a Book keeps. The zero value keeps everything.
type Options struct {
	Keep   int           // about how many entries; 0: all
	MaxAge time.Duration // for how long; 0: for ever

	// Echo is told each entry as it is added, on the goroutine that added it. Optional.
	Echo func(Entry)
}

// Book is the log being written: entries go in by Add and come out by Find and
// Follow. All methods may be called from many goroutines.
type Book struct {
	shelf   Shelf
	options Options

	mu     sync.Mutex
	last   int64 // the newest id given
	closed bool

	// window holds what is not on the shelf yet, behind some that is. Its elements
	// are never overwritten, only left behind in an older array: who took a part of
	// it under the lock reads on without one.
	window       []Entry
	stored       int // how many of window, from the front, are on the shelf
	storedBytes  int
	pendingBytes int
	writing      int       // how many pending entries are being written
	since        time.Time // when the first of the others came

	failure   error         // why the newest attempt to write failed
	pause     time.Duration // until the next
	retryAt   time.Time
	hurry     int64 // entries up to this id are asked for now
	untrimmed int   // entries added since the last trim was asked for

	added      bell.Bell // entries came
	announcing bool      // and it will ring soon
	tried      bell.Bell // an attempt to write ended

	poke    chan struct{} // tells the writer that the state changed
	grown   chan struct{} // tells the janitor that there is much to trim
	stop    context.CancelFunc
	writer  chan struct{} // closed when the writer is done
	janitor chan struct{}
}

// Open continues the book on a shelf. It must be closed; the shelf stays open.
func Open(shelf Shelf, options Options) (*Book, error) {
	last, err := shelf.Last()
	if err != nil {
		return nil, fmt.Errorf("opening logbook: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	b := &Book{
		shelf: shelf, options: options, last: last,
		poke: make(chan struct{}, 1), grown: make(chan struct{}, 1),
		stop: stop, writer: make(chan struct{}), janitor: make(chan struct{}),
	}
	go b.write()
	go b.trim(ctx)
	return b, nil
}

// Close writes what is pending, tells followers, and says whether anything is lost.
func (b *Book) Close() error {
	b.mu.Lock()
	b.closed = true
	b.hurry = b.last
	b.added.Ring()
	b.tried.Ring()
	b.mu.Unlock()
	b.stop()
	nudge(b.poke)
	<-b.writer
	<-b.janitor

	b.mu.Lock()
	defer b.mu.Unlock()
	if lost := len(b.window) - b.stored; lost > 0 {
		return fmt.Errorf("%d log entries not stored: %w", lost, b.failure)
	}
	return nil
}

// Add logs. It does not wait for the disk, save when the disk is far behind. After
// Close it only echoes.
func (b *Book) Add(level Level, source Source, message, details string) {
	if !level.Known() {
		level = Info
	}
	if !source.Known() {
		source = App
	}
	message, details = clean(message, maxMessage), clean(details, maxDetails)

	b.mu.Lock()
	for b.full() && !b.closed {
		room := b.tried.Wait()
		b.mu.Unlock()
		<-room
		b.mu.Lock()
	}
	e := b.add(level, source, message, details)
	b.mu.Unlock()
	b.echo(e)
}

// add does Add's work under the lock, without waiting for room.
func (b *Book) add(level Level, source Source, message, details string) Entry {
	now := time.Now()
	e := Entry{
		Level: level, Source: source, Message: message, Details: details,
		At: now.Truncate(time.Millisecond),
	}
	if b.closed {
		return e
	}
	b.last++
	e.ID = b.last
	b.window = append(b.window, e)
	b.pendingBytes += weight(e)
	switch pending := len(b.window) - b.stored; {
	case pending == b.writing+1:
		b.since = now
		nudge(b.poke)
	case pending == crowd, b.full():
		nudge(b.poke)
	}
	if b.untrimmed++; b.untrimmed == trimEvery {
		b.untrimmed = 0
		nudge(b.grown)
	}
	b.announce()
	return e
}

// announce wakes the followers, though not at each entry and not on the goroutine
// that adds: waking fifty readers takes longer than adding.
func (b *Book) announce() {
	if b.announcing || b.added.Idle() {
		return
	}
	b.announcing = true
	time.AfterFunc(chime, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.announcing = false
		b.added.Ring()
	})
}

func (b *Book) full() bool {
	return len(b.window)-b.stored >= maxPending || b.pendingBytes >= maxPendingBytes
}

func (b *Book) echo(e Entry) {
	if b.options.Echo != nil {
		b.options.Echo(e)
	}
}

// Flush returns when everything added before it is on the shelf, or could not be
// put there.
func (b *Book) Flush(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	target := b.last
	b.hurry = target
	nudge(b.poke)
	for b.pendingFrom() <= target {
		tried := b.tried.Wait()
		b.mu.Unlock()
		var err error
		select {
		case <-tried:
		case <-b.writer:
			err = ErrClosed
		case <-ctx.Done():
			err = ctx.Err()
		}
		b.mu.Lock()
		if b.failure != nil {
			err = b.failure
		}
		if err != nil && b.pendingFrom() <= target {
			return err
		}
	}
	return nil
}

// pendingFrom is the first id that is not on the shelf.
func (b *Book) pendingFrom() int64 {
	if b.stored == len(b.window) {
		return b.last + 1
	}
	return b.window[b.stored].ID
}

// Find gives fn the entries that match, those just added included. When the shelf
// takes no new entries it still finds the old ones: a failing disk is when
// somebody needs to read the log.
func (b *Book) Find(ctx context.Context, q Query, fn func(Entry) error) error {
	if err := b.Flush(ctx); err != nil && ctx.Err() != nil {
		return err
	}
	return b.shelf.Find(ctx, q, fn)
}

// clean makes a text fit to be kept: without card numbers, of bounded length, and
// valid UTF-8, so that it reads the same wherever it is shown.
func clean(s string, limit int) string {
	s = Redact(s)
	if len(s) > limit {
		cut := limit
		for !utf8.RuneStart(s[cut]) && cut > limit-utf8.UTFMax {
			cut--
		}
		s = s[:cut] + "…"
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// weight is about what an entry takes in memory.
func weight(e Entry) int { return 96 + len(e.Message) + len(e.Details) }

// nudge leaves word for a goroutine that looks for itself what there is to do.
func nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
