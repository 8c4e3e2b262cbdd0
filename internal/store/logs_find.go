package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"time"

	"github.com/maquininha/maquininha/internal/fold"
	"github.com/maquininha/maquininha/internal/logbook"
)

// logSearch is a query made ready to be compared with rows.
type logSearch struct {
	kinds    uint32
	from, to int64 // milliseconds; to is excluded
	needle   []byte
	grams    []uint16
	first    int64 // entries before this one are not asked for
	last     int64 // entries after this one were appended later
	limit    int   // what is left of it
	oldest   bool

	folded []byte // scratch
}

func newLogSearch(q logbook.Query) *logSearch {
	needle := logbook.Needle(q.Search)
	s := &logSearch{
		kinds: kindsOf(q.Level, q.Source),
		from:  math.MinInt64, to: math.MaxInt64,
		needle: []byte(needle), grams: grams(needle),
		first: q.FromID, limit: q.Limit, oldest: q.OldestFirst,
	}
	if q.Limit <= 0 {
		s.limit = math.MaxInt
	}
	// Entries are kept to the millisecond: rounding both ends up leaves out what
	// lies before From and takes in what lies before To.
	if !q.From.IsZero() {
		s.from = millisUp(q.From)
	}
	if !q.To.IsZero() {
		s.to = millisUp(q.To)
	}
	return s
}

func millisUp(t time.Time) int64 {
	ms := t.UnixMilli()
	if time.UnixMilli(ms).Before(t) {
		ms++
	}
	return ms
}

func (s *logSearch) matches(e *logbook.Entry, kind int) bool {
	if e.ID < s.first {
		return false
	}
	if at := e.At.UnixMilli(); s.kinds&(1<<kind) == 0 || at < s.from || at >= s.to {
		return false
	}
	return len(s.needle) == 0 || s.has(e.Message) || s.has(e.Details)
}

func (s *logSearch) has(text string) bool {
	s.folded = fold.Append(s.folded[:0], text)
	return bytes.Contains(s.folded, s.needle)
}

// Find walks the volumes, asks of each which chunks can matter, and reads those.
// No connection is held while fn runs: a slow reader of a large answer keeps
// nothing from anyone.
func (l *Logs) Find(ctx context.Context, q logbook.Query, fn func(logbook.Entry) error) error {
	if <-l.restored; l.lost != nil {
		return l.lost
	}
	s := newLogSearch(q)
	l.mu.Lock()
	s.last = l.last
	open := part{l.open.number, l.open.chunks(s)}
	for _, g := range s.grams {
		open.chunks &= l.open.signature[g]
	}
	l.mu.Unlock()

	// The open volume was asked above; should it be finished meanwhile, what was
	// answered still holds for the entries up to s.last.
	var err error
	if s.oldest {
		if err = l.findFinished(ctx, s, open.number, fn); err == nil {
			err = l.findIn(ctx, s, open, fn)
		}
	} else {
		if err = l.findIn(ctx, s, open, fn); err == nil {
			err = l.findFinished(ctx, s, open.number, fn)
		}
	}
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// findFinished searches the volumes below one.
func (l *Logs) findFinished(ctx context.Context, s *logSearch, below int64, fn func(logbook.Entry) error) error {
	above := volumeOf(s.first) - 1
	for {
		parts, err := l.candidates(s, above, below)
		if err != nil {
			return fmt.Errorf("searching logs: %w", explain(err))
		}
		if len(parts) == 0 {
			return nil
		}
		for _, p := range parts {
			if err := l.findIn(ctx, s, p, fn); err != nil {
				return err
			}
		}
		if reached := parts[len(parts)-1].number; s.oldest {
			above = reached
		} else {
			below = reached
		}
	}
}

// part is some chunks of a volume.
type part struct {
	number int64
	chunks uint64
}

// errEnough ends a search that reached its limit.
var errEnough = errors.New("enough found")

// findIn gives fn the entries in some chunks of a volume that match.
func (l *Logs) findIn(ctx context.Context, s *logSearch, p part, fn func(logbook.Entry) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	order := l.descending
	if s.oldest {
		order = l.ascending
	}
	var found []logbook.Entry
	for p.chunks != 0 {
		chunk := bits.Len64(p.chunks) - 1
		if s.oldest {
			chunk = bits.TrailingZeros64(p.chunks)
		}
		p.chunks &^= 1 << chunk
		first := p.number<<volumeBits + int64(chunk)<<chunkBits
		found = found[:0]
		err := l.read(context.Background(), order, first, min(first+chunkSize-1, s.last), chunkSize,
			func(e logbook.Entry, kind int) bool {
				if s.matches(&e, kind) {
					found = append(found, e)
				}
				return len(found) < s.limit
			})
		if err != nil {
			return fmt.Errorf("searching logs: %w", explain(err))
		}
		for _, e := range found {
			if err := fn(e); err != nil {
				return err
			}
		}
		if s.limit -= len(found); s.limit == 0 {
			return errEnough
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
