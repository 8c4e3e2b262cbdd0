package sale

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestLinesKeepOrderAndNumbers(t *testing.T) {
	var l lines[string]
	for i := range 5 {
		if seq := l.add(fmt.Sprint(i), fmt.Sprint("v", i), 0); seq != int64(i) {
			t.Fatalf("line %d has number %d", i, seq)
		}
	}
	l.remove("4", 0)
	l.remove("1", 0)
	l.remove("1", 0) // gone already: nothing more to take
	if got := l.values(); !slices.Equal(got, []string{"v0", "v2", "v3"}) {
		t.Fatalf("left: %v", got)
	}
	if seq := l.add("1", "again", 0); seq != 5 {
		t.Fatalf("a number was used twice: %d", seq)
	}
	if row, ok := l.find("1"); !ok || row.value != "again" || row.seq != 5 {
		t.Fatalf("found %+v, %v", row, ok)
	}
	if got := l.values(); !slices.Equal(got, []string{"v0", "v2", "v3", "again"}) {
		t.Fatalf("at the end: %v", got)
	}
}

func TestLinesCompact(t *testing.T) {
	var l lines[int]
	for i := range 1000 {
		l.add(fmt.Sprint(i), i, 0)
	}
	for i := range 1000 {
		if i%10 != 0 {
			l.remove(fmt.Sprint(i), 0)
		}
		if l.count > 2*(len(l.at)+1)+64 {
			t.Fatalf("%d rows kept for %d lines", l.count, len(l.at))
		}
	}
	if len(l.at) != 100 || len(l.values()) != 100 {
		t.Fatalf("%d ids, %d values", len(l.at), len(l.values()))
	}
	for i := 0; i < 1000; i += 10 {
		if row, ok := l.find(fmt.Sprint(i)); !ok || row.value != i || row.seq != int64(i) {
			t.Fatalf("line %d: %+v, %v", i, row, ok)
		}
	}
	if seq := l.add("new", 1, 0); seq != 1000 {
		t.Fatalf("number %d after compaction", seq)
	}
}

// A cart that empties and fills all day must not grow.
func TestLinesDoNotGrowWithTheRemoved(t *testing.T) {
	var l lines[int]
	for i := range 10_000 {
		l.add(fmt.Sprint(i), i, 0)
		l.remove(fmt.Sprint(i), 0)
	}
	if l.count > 64 || len(l.at) != 0 {
		t.Fatalf("%d rows and %d ids kept of an empty cart", l.count, len(l.at))
	}
}

func TestLinesModel(t *testing.T) {
	type line struct {
		id    string
		seq   int64
		value int
	}
	rapid.Check(t, func(t *rapid.T) {
		var l lines[int]
		var model []line
		next := int64(0)
		at := func(id string) int { return slices.IndexFunc(model, func(m line) bool { return m.id == id }) }
		id := rapid.Custom(func(t *rapid.T) string { return fmt.Sprint(rapid.IntRange(0, 120).Draw(t, "n")) })
		// Enough steps to cross the threshold of compaction many times.
		for i := range rapid.IntRange(1, 600).Draw(t, "steps") {
			key := id.Draw(t, "id")
			where := at(key)
			if l.has(key) != (where >= 0) {
				t.Fatalf("has(%s) is %v", key, where < 0)
			}
			switch row, ok := l.find(key); {
			case !ok:
				if seq := l.add(key, i, 0); seq != next {
					t.Fatalf("number %d, want %d", seq, next)
				}
				model, next = append(model, line{key, next, i}), next+1
			case row.seq != model[where].seq || row.value != model[where].value:
				t.Fatalf("found %+v, want %+v", *row, model[where])
			case rapid.IntRange(0, 3).Draw(t, "edit") == 0:
				row.value, model[where].value = i, i
			default:
				l.remove(key, 0)
				model = slices.Delete(model, where, where+1)
			}
		}
		var want []int
		for _, m := range model {
			want = append(want, m.value)
		}
		if got := l.values(); !slices.Equal(got, want) {
			t.Fatalf("values %v, want %v", got, want)
		}
	})
}
