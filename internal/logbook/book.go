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
	// flushDelay is how long the first entry waits for company before it is written: a
	// commit costs an fsync, whether it holds one entry or hundreds. With the commit
	// itself it stays below the 100 ms an entry may lag.
	flushDelay = 50 * time.Millisecond
	// flushSize is how many entries are worth a commit at once.
	flushSize = 512
	// The most in one commit, in entries and in bytes: on a disk that is nearly full what is large as a whole finds room in
	// pieces.
	maxBatch      = 1024
	maxBatchBytes = 1 << 20

	// notifyDelay is how long an entry may wait until followers are told of it.
	notifyDelay = 5 * time.Millisecond

	// Adding waits when this much is not stored yet, in entries or in bytes.
	maxPending      = 65_536
	maxPendingBytes = 64 << 20

	// What is already in storage stays in memory up to this, for followers.
	keptEntries = 2048
	keptBytes   = 1 << 20

	maxMessage = 8 << 10
	maxDetails = 64 << 10
)

// Options says what a Book keeps. The zero value keeps everything.
type Options struct {
	Keep   int           // about how many entries; 0: all
	MaxAge time.Duration // for how long; 0: for ever
	First  int64         // the first id in a storage that never had any; 0: 1

	// Echo is told each entry as it is added, on the goroutine that added it. Optional.
	Echo func(Entry)
}

// Book is the log being written: entries go in by Add and come out by Find and
// Follow. All methods may be called from many goroutines.
type Book struct {
	storage Storage
	options Options

	mu     sync.Mutex
	last   int64 // the newest id given
	closed bool

	// window holds what is not stored yet, behind some that is. Its elements
	// are never overwritten, only left behind in an older array: who took a part of
	// it under the lock reads on without one.
	window       []Entry
	stored       int // how many of window, from the front, are in storage
	storedBytes  int
	pendingBytes int
	writing      int       // how many pending entries are being written
	since        time.Time // when the first of the others came

	failure   error         // why the newest attempt to write failed
	pause     time.Duration // until the next
	retryAt   time.Time
	flushUpTo int64 // entries up to this id are asked for now
	untrimmed int   // entries added since the last trim was asked for

	added      bell.Bell // entries came
	announcing bool      // and it will ring soon
	tried      bell.Bell // an attempt to write ended

	kept     int64     // the newest id that was written to the storage
	keptMore bell.Bell // it is a newer one

	wakeWriter  chan struct{} // tells the writer that the state changed
	wakeTrimmer chan struct{} // tells the trimmer that there is much to trim
	stop        context.CancelFunc
	writer      chan struct{} // closed when the writer is done
	trimmer     chan struct{}
}

// Open continues the book in a storage. It must be closed; the storage stays open.
func Open(storage Storage, options Options) (*Book, error) {
	last, err := storage.Last()
	if err != nil {
		return nil, fmt.Errorf("opening logbook: %w", err)
	}
	if last == 0 && options.First > 0 {
		last = options.First - 1
	}
	ctx, stop := context.WithCancel(context.Background())
	b := &Book{
		storage: storage, options: options, last: last, kept: last,
		wakeWriter: make(chan struct{}, 1), wakeTrimmer: make(chan struct{}, 1),
		stop: stop, writer: make(chan struct{}), trimmer: make(chan struct{}),
	}
	go b.write()
	go b.trim(ctx)
	return b, nil
}

// Close writes what is pending, tells followers, and says whether anything is lost.
func (b *Book) Close() error {
	b.mu.Lock()
	b.closed = true
	b.flushUpTo = b.last
	b.added.Ring()
	b.tried.Ring()
	b.mu.Unlock()
	b.stop()
	signal(b.wakeWriter)
	<-b.writer
	<-b.trimmer

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
		signal(b.wakeWriter)
	case pending == flushSize, b.full():
		signal(b.wakeWriter)
	}
	if b.untrimmed++; b.untrimmed == trimEvery {
		b.untrimmed = 0
		signal(b.wakeTrimmer)
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
	time.AfterFunc(notifyDelay, func() {
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

// Flush returns when everything added before it is in storage, or could not be
// put there.
func (b *Book) Flush(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	target := b.last
	b.flushUpTo = target
	signal(b.wakeWriter)
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

// pendingFrom is the first id that is not in storage.
func (b *Book) pendingFrom() int64 {
	if b.stored == len(b.window) {
		return b.last + 1
	}
	return b.window[b.stored].ID
}

// Find gives fn the entries that match, those just added included. When the storage
// takes no new entries it still finds the old ones: a failing disk is when
// somebody needs to read the log.
func (b *Book) Find(ctx context.Context, q Query, fn func(Entry) error) error {
	if err := b.Flush(ctx); err != nil && ctx.Err() != nil {
		return err
	}
	return b.storage.Find(ctx, q, fn)
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

// signal leaves word for a goroutine that looks for itself what there is to do.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
