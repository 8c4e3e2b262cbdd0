package sale_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/sale"
	"github.com/maquininha/maquininha/internal/store"
)

var errDisk = errors.New("the disk is on fire")

// flaky is a real book whose disk fails when told to: what it is given then is lost, and so is all that comes
// after, until Load.
type flaky struct {
	sale.Book

	mu       sync.Mutex
	fails    func() bool // asked at every change
	loadFail bool
	lost     bool
}

func (f *flaky) Append(changes ...sale.Change) (wait func() error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lost = f.lost || f.fails(); f.lost {
		return func() error {
			runtime.Gosched() // a disk takes its time to fail, too
			return errDisk
		}
	}
	return f.Book.Append(changes...)
}

func (f *flaky) Load() (*sale.Record, int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.loadFail {
		return nil, 0, errDisk
	}
	f.lost = false
	return f.Book.Load()
}

func (f *flaky) set(fails func() bool, loadFail bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fails, f.loadFail = fails, loadFail
}

func always() bool { return true }
func never() bool  { return false }

func openStore(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func newFlakyDesk(t *testing.T) (*store.Store, *flaky, *sale.Desk, *watched) {
	t.Helper()
	s := openStore(t, t.TempDir())
	book, screen := &flaky{Book: s.Sales(), fails: never}, &watched{}
	d, err := sale.NewDesk(book, screen)
	if err != nil {
		t.Fatal(err)
	}
	return s, book, d, screen
}

// sameAsDisk holds what the desk says against what a desk that starts now reads.
func sameAsDisk(t *testing.T, s *store.Store, d *sale.Desk) sale.View {
	t.Helper()
	fresh, err := sale.NewDesk(s.Sales(), &watched{})
	if err != nil {
		t.Fatal(err)
	}
	disk, diskErr := fresh.Current()
	memory, memoryErr := d.Current()
	if !errors.Is(memoryErr, diskErr) {
		t.Fatalf("memory: %v, disk: %v", memoryErr, diskErr)
	}
	if diff := cmp.Diff(disk, memory, exactly, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("disk and memory differ: %s", diff)
	}
	return memory
}

func good(id string) sale.Item {
	i := item("1", "2.50", "2.50")
	i.ID, i.Description = id, "pão"
	return i
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func TestChangeThatIsNotSavedIsNotMade(t *testing.T) {
	for name, change := range map[string]func(*sale.Desk) error{
		"edit":     func(d *sale.Desk) error { return d.Edit(sale.SessionPatch{CustomerName: sale.Set(ptr("Ana"))}) },
		"add item": func(d *sale.Desk) error { _, err := d.AddItem(good("new")); return err },
		"edit item": func(d *sale.Desk) error {
			_, err := d.EditItem("a", sale.ItemPatch{Total: sale.Set(dec("9"))})
			return err
		},
		"cancel item":    func(d *sale.Desk) error { return d.CancelItem("a") },
		"remove item":    func(d *sale.Desk) error { return d.RemoveItem("a") },
		"add payment":    func(d *sale.Desk) error { _, err := d.AddPayment(sale.Payment{Value: dec("1")}); return err },
		"edit payment":   func(d *sale.Desk) error { return d.EditPayment("p", sale.PaymentPatch{Value: sale.Set(dec("9"))}) },
		"remove payment": func(d *sale.Desk) error { return d.RemovePayment("p") },
		"add discount": func(d *sale.Desk) error {
			_, err := d.AddAdjustment(sale.Discounts, sale.Adjustment{Value: dec("1")})
			return err
		},
		"edit addition": func(d *sale.Desk) error {
			return d.EditAdjustment(sale.Additions, "s", sale.AdjustmentPatch{Value: sale.Set(dec("9"))})
		},
		"remove addition": func(d *sale.Desk) error { return d.RemoveAdjustment(sale.Additions, "s") },
		"clear items":     func(d *sale.Desk) error { _, err := d.Clear(sale.Items); return err },
		"clear all":       func(d *sale.Desk) error { return d.ClearAll() },
		"finalize":        func(d *sale.Desk) error { _, err := d.Finalize(sale.Ending{}); return err },
		"cancel":          func(d *sale.Desk) error { _, err := d.Cancel(sale.Ending{}); return err },
	} {
		t.Run(name, func(t *testing.T) {
			s, book, d, screen := newFlakyDesk(t)
			_, itemErr := func() (string, error) { must(t, d.Open(sale.Session{})); return d.AddItem(good("a")) }()
			_, payErr := d.AddPayment(sale.Payment{ID: "p", Value: dec("1")})
			_, addErr := d.AddAdjustment(sale.Additions, sale.Adjustment{ID: "s", Value: dec("1")})
			must(t, itemErr, payErr, addErr)
			before := sameAsDisk(t, s, d)
			changes, _ := screen.seen()

			book.set(always, false)
			for range 2 {
				if err := change(d); !errors.Is(err, operation.ErrNotSaved) || !errors.Is(err, errDisk) {
					t.Fatalf("%v, want %v", err, operation.ErrNotSaved)
				}
			}
			if after, endings := screen.seen(); after != changes || len(endings) != 0 {
				t.Errorf("the screen was told of a change that was not made: %d, %v", after-changes, endings)
			}
			book.set(never, false)
			after := sameAsDisk(t, s, d)
			if diff := cmp.Diff(before, after, exactly, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("the change was made nevertheless: %s", diff)
			}
			must(t, change(d)) // the same again, now that the disk is well
			sameAsDisk(t, s, d)
		})
	}
}

// While nothing can be saved the sale can still be read, as the disk has it.
func TestLookWhileNothingCanBeSaved(t *testing.T) {
	s, book, d, _ := newFlakyDesk(t)
	must(t, d.Open(sale.Session{}))
	before := sameAsDisk(t, s, d)
	book.set(always, false)
	for range 2 {
		if _, err := d.AddItem(good("lost")); !errors.Is(err, operation.ErrNotSaved) {
			t.Fatalf("%v, want %v", err, operation.ErrNotSaved)
		}
		for range 2 {
			now, err := d.Current()
			if diff := cmp.Diff(before, now, exactly, cmpopts.EquateEmpty()); err != nil || diff != "" {
				t.Errorf("the sale reads otherwise: %v %s", err, diff)
			}
		}
	}
}

func TestOpenThatIsNotSaved(t *testing.T) {
	s, book, d, _ := newFlakyDesk(t)
	book.set(always, false)
	if err := d.Open(sale.Session{}); !errors.Is(err, operation.ErrNotSaved) {
		t.Fatal(err)
	}
	book.set(never, false)
	if _, err := d.Current(); !errors.Is(err, sale.ErrNoneOpen) {
		t.Fatalf("a sale is open that was not saved: %v", err)
	}
	must(t, d.Open(sale.Session{SellerName: ptr("Rui")}))
	if v := sameAsDisk(t, s, d); v.Number != 1 || *v.Session.SellerName != "Rui" {
		t.Fatalf("%+v", v)
	}
}

func TestDiskThatCannotBeReadEither(t *testing.T) {
	s, book, d, _ := newFlakyDesk(t)
	must(t, d.Open(sale.Session{}))
	book.set(always, true)
	if _, err := d.AddItem(good("a")); !errors.Is(err, operation.ErrNotSaved) {
		t.Fatal(err)
	}
	// Nothing is known of the disk now: nothing may be answered, not even a refusal.
	if err := d.RemoveItem("unknown"); !errors.Is(err, operation.ErrNotSaved) {
		t.Fatalf("RemoveItem: %v", err)
	}
	if _, err := d.Current(); !errors.Is(err, operation.ErrNotSaved) {
		t.Fatalf("Current: %v", err)
	}
	book.set(never, false)
	_, err := d.AddItem(good("a"))
	must(t, err)
	if v := sameAsDisk(t, s, d); len(v.Items) != 1 {
		t.Fatalf("%+v", v)
	}
	if _, err := sale.NewDesk(&flaky{loadFail: true}, &watched{}); !errors.Is(err, errDisk) {
		t.Errorf("a desk without a book: %v", err)
	}
}

// Whatever a failing disk does to changes made at the same time, what was answered is there, what was refused
// is not, and memory tells the same as the disk.
func TestConcurrentChangesOnAFailingDisk(t *testing.T) {
	s, book, d, _ := newFlakyDesk(t)
	must(t, d.Open(sale.Session{}))
	book.set(func() bool { return rand.IntN(12) == 0 }, false)
	var mu sync.Mutex
	var acknowledged []string
	var refused int
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for n := range 40 {
				id := fmt.Sprintf("%d-%d", worker, n)
				_, err := d.AddItem(good(id))
				kept := err == nil
				if kept && n%3 == 0 {
					kept = d.RemoveItem(id) != nil
				}
				mu.Lock()
				if kept {
					acknowledged = append(acknowledged, id)
				}
				if err != nil {
					refused++
					if !errors.Is(err, operation.ErrNotSaved) {
						t.Errorf("%s: %v", id, err)
					}
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	book.set(never, false)
	if _, err := d.Current(); err != nil && !errors.Is(err, operation.ErrNotSaved) {
		t.Fatal(err)
	}
	v := sameAsDisk(t, s, d)
	var there []string
	for _, i := range v.Items {
		there = append(there, i.ID)
	}
	slices.Sort(there)
	slices.Sort(acknowledged)
	if diff := cmp.Diff(acknowledged, there); diff != "" {
		t.Errorf("answered and kept differ: %s", diff)
	}
	if refused == 0 || len(there) == 0 {
		t.Errorf("%d refused, %d kept: the test has tested nothing", refused, len(there))
	}
}
