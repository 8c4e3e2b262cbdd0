package sale

import (
	"iter"
	"slices"
)

// lines is an ordered list with unique ids: adding, finding and removing cost the same for the first line
// and the ten-thousandth.
type lines[T any] struct {
	pages     [][]row[T]     // all but the last are full; a page never moves, so that a long list is not copied as it grows
	at        map[string]int // id → position
	next      int64          // sequence number of the next line; never used twice in a sale
	count     int            // rows, removed ones included
	gone      int            // removed rows still there
	removedAt uint64         // revision at which a line was last removed
}

const pageRows = 128

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
	l.at[id] = l.count
	l.push(row[T]{seq: seq, id: id, value: value, rev: rev})
	l.next = seq + 1
}

func (l *lines[T]) push(r row[T]) {
	if l.count%pageRows == 0 {
		size := pageRows
		if l.count == 0 {
			size = 0 // most sales are short
		}
		l.pages = append(l.pages, make([]row[T], 0, size))
	}
	last := &l.pages[len(l.pages)-1]
	*last = append(*last, r)
	l.count++
}

func (l *lines[T]) row(i int) *row[T] { return &l.pages[i/pageRows][i%pageRows] }

// find returns the line itself, for reading or replacing.
func (l *lines[T]) find(id string) (*row[T], bool) {
	i, ok := l.at[id]
	if !ok {
		return nil, false
	}
	return l.row(i), true
}

func (l *lines[T]) remove(id string, rev uint64) {
	i, ok := l.at[id]
	if !ok {
		return
	}
	l.removedAt = rev
	delete(l.at, id)
	*l.row(i) = row[T]{gone: true}
	if l.gone++; l.gone > 32 && l.gone > l.count/2 {
		l.compact()
	}
}

// clear removes all lines and tells how many there were.
func (l *lines[T]) clear(rev uint64) int {
	had := l.count - l.gone
	if had > 0 {
		*l = lines[T]{next: l.next, removedAt: rev}
	}
	return had
}

func (l *lines[T]) compact() {
	kept := lines[T]{at: l.at, next: l.next, removedAt: l.removedAt}
	for r := range l.rows() {
		l.at[r.id] = kept.count
		kept.push(*r)
	}
	*l = kept
}

// rows are those that were not removed.
func (l *lines[T]) rows() iter.Seq[*row[T]] {
	return func(yield func(*row[T]) bool) {
		for _, page := range l.pages {
			for i := range page {
				if !page[i].gone && !yield(&page[i]) {
					return
				}
			}
		}
	}
}

func (l *lines[T]) values() []T {
	return slices.AppendSeq(make([]T, 0, l.count-l.gone), l.all())
}

func (l *lines[T]) all() iter.Seq[T] {
	return func(yield func(T) bool) {
		for r := range l.rows() {
			if !yield(r.value) {
				return
			}
		}
	}
}

// since are the lines that became what they are after a revision.
func (l *lines[T]) since(rev uint64) (changed []Line[T]) {
	for r := range l.rows() {
		if r.rev > rev {
			changed = append(changed, Line[T]{Seq: r.seq, Value: r.value})
		}
	}
	return changed
}
