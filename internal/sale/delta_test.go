//go:build !race || everything

package sale_test

import (
	"errors"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/maquininha/maquininha/internal/sale"
)

// follower builds a cart from deltas alone, as a screen page does.
type follower struct {
	number   int64
	revision uint64
	items    map[int64]sale.Item
	payments map[int64]sale.Payment
	adjusted map[sale.List]map[int64]sale.Adjustment
	sent     int // lines it was told of
}

func (f *follower) look(d *sale.Desk) (sale.Delta, error) {
	delta, err := d.Since(f.number, f.revision)
	if err != nil {
		*f = follower{sent: f.sent}
		return delta, err
	}
	if delta.Whole {
		f.items, f.payments = map[int64]sale.Item{}, map[int64]sale.Payment{}
		f.adjusted = map[sale.List]map[int64]sale.Adjustment{sale.Discounts: {}, sale.Additions: {}}
	}
	f.number, f.revision = delta.Number, delta.Revision
	f.sent += delta.Lines()
	for _, l := range delta.Items {
		f.items[l.Seq] = l.Value
	}
	for _, l := range delta.Payments {
		f.payments[l.Seq] = l.Value
	}
	for _, l := range delta.Discounts {
		f.adjusted[sale.Discounts][l.Seq] = l.Value
	}
	for _, l := range delta.Additions {
		f.adjusted[sale.Additions][l.Seq] = l.Value
	}
	return delta, nil
}

func inOrder[T any](lines map[int64]T) (values []T) {
	for _, seq := range slices.Sorted(maps.Keys(lines)) {
		values = append(values, lines[seq])
	}
	return values
}

func TestFollowingGivesWhatReadingGives(t *testing.T) {
	root := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(root, "")
		if err != nil {
			t.Fatal(err)
		}
		m := newDeskModel(t, dir)
		t.Cleanup(func() {
			m.store.Close()
			os.RemoveAll(dir)
		})
		var f follower
		actions := rapid.StateMachineActions(m)
		restart := actions["Restart"]
		actions["Restart"] = func(t *rapid.T) {
			restart(t)
			f = follower{} // its feed ended with the service
		}
		check := actions[""]
		actions[""] = func(t *rapid.T) {
			check(t)
			if rapid.Bool().Draw(t, "looks away") {
				return
			}
			now, want := m.desk.Current()
			delta, got := f.look(m.desk)
			if !errors.Is(got, want) {
				t.Fatalf("Since: %v, Current: %v", got, want)
			}
			if got != nil {
				return
			}
			seen := sale.View{
				Number: f.number, OpenedAt: delta.OpenedAt, Session: delta.Session, Items: inOrder(f.items), Payments: inOrder(f.payments),
				Discounts: inOrder(f.adjusted[sale.Discounts]), Additions: inOrder(f.adjusted[sale.Additions]),
			}
			if diff := cmp.Diff(now, seen, exactly, cmpopts.EquateEmpty()); diff != "" {
				t.Fatal(diff)
			}
			if diff := cmp.Diff(now.Summary(), delta.Summary, exactly); diff != "" {
				t.Fatal(diff)
			}
		}
		t.Repeat(actions)
	})
}

func TestFollowingALongCartTellsOnlyWhatIsNew(t *testing.T) {
	_, book, desk, _ := newFlakyDesk(t)
	must(t, desk.Open(sale.Session{}))
	var f follower
	for range 100 {
		if _, err := desk.AddItem(good("")); err != nil {
			t.Fatal(err)
		}
		if _, err := f.look(desk); err != nil {
			t.Fatal(err)
		}
	}
	if f.sent != 100 || len(f.items) != 100 {
		t.Fatalf("told of %d lines for %d items", f.sent, len(f.items))
	}
	// A disk that lost a change takes the screen back to what the disk has.
	book.set(always, false)
	if _, err := desk.AddItem(good("lost")); err == nil {
		t.Fatal("saved on a failing disk")
	}
	book.set(never, false)
	if _, err := f.look(desk); err != nil || len(f.items) != 100 {
		t.Fatalf("%d items after a lost one: %v", len(f.items), err)
	}
}
