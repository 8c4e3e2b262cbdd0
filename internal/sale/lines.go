package sale

import (
	"iter"
	"slices"
)

// lines is an ordered list with unique ids: adding, finding and removing cost the same for the first line
// and the ten-thousandth.
type lines[T any] struct {
	rows []row[T]
	at   map[string]int // id → position in rows
	next int64          // sequence number of the next line; never used twice in a sale
	gone int            // removed rows still in rows
	lost uint64         // revision at which the last line was removed
}

type row[T any] struct {
	seq   int64
	id    string
	value T
	rev   uint64 // at which it became what it is
	gone  bool
}

func (l *lines[T]) has(id string) bool {
	_, ok := l.at[id]
	return ok
}

func (l *lines[T]) add(id string, value T, rev uint64) (seq int64) {
	seq = l.next
	l.restore(seq, id, value, rev)
	return seq
}

// restore puts a line back under the number it had; numbers must come in ascending order.
func (l *lines[T]) restore(seq int64, id string, value T, rev uint64) {
	if l.at == nil {
		l.at = make(map[string]int)
	}
	l.at[id] = len(l.rows)
	l.rows = append(l.rows, row[T]{seq: seq, id: id, value: value, rev: rev})
	l.next = seq + 1
}

// find returns the line itself, for reading or replacing.
func (l *lines[T]) find(id string) (*row[T], bool) {
	i, ok := l.at[id]
	if !ok {
		return nil, false
	}
	return &l.rows[i], true
}

func (l *lines[T]) remove(id string, rev uint64) {
	i, ok := l.at[id]
	if !ok {
		return
	}
	l.lost = rev
	delete(l.at, id)
	l.rows[i] = row[T]{gone: true}
	if l.gone++; l.gone > 32 && l.gone > len(l.rows)/2 {
		l.compact()
	}
}

func (l *lines[T]) compact() {
	kept := l.rows[:0]
	for _, r := range l.rows {
		if !r.gone {
			l.at[r.id] = len(kept)
			kept = append(kept, r)
		}
	}
	clear(l.rows[len(kept):])
	l.rows, l.gone = kept, 0
}

func (l *lines[T]) values() []T {
	return slices.AppendSeq(make([]T, 0, len(l.rows)-l.gone), l.all())
}

func (l *lines[T]) all() iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range l.rows {
			if !l.rows[i].gone && !yield(l.rows[i].value) {
				return
			}
		}
	}
}

// since are the lines that became what they are after a revision.
func (l *lines[T]) since(rev uint64) (changed []Line[T]) {
	for i := range l.rows {
		if r := &l.rows[i]; !r.gone && r.rev > rev {
			changed = append(changed, Line[T]{Seq: r.seq, Value: r.value})
		}
	}
	return changed
}
