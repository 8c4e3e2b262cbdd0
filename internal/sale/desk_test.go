package sale_test

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/maquininha/maquininha/internal/sale"
)

const cashiers = 16

// Everybody adds at once; whatever was answered is on the disk, in an order all agree on.
func TestConcurrentItemsAreAllKept(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	d, err := sale.NewDesk(s.Sales(), &watched{})
	must(t, err, d.Open(sale.Session{}))
	const each = 30
	var all sync.WaitGroup
	for c := range cashiers {
		all.Go(func() {
			for n := range each {
				if _, err := d.AddItem(good(fmt.Sprintf("%02d-%02d", c, n))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	memory, err := d.Current()
	must(t, err, s.Close())

	again := openStore(t, dir)
	d, err = sale.NewDesk(again.Sales(), &watched{})
	must(t, err)
	disk, err := d.Current()
	must(t, err)
	ids := func(v sale.View) (ids []string) {
		for _, i := range v.Items {
			ids = append(ids, i.ID)
		}
		return ids
	}
	if !slices.Equal(ids(memory), ids(disk)) {
		t.Fatalf("the order changed over the restart")
	}
	if len(disk.Items) != cashiers*each {
		t.Fatalf("%d items kept of %d", len(disk.Items), cashiers*each)
	}
	last := map[string]string{}
	for _, id := range ids(disk) {
		if cashier := id[:2]; id <= last[cashier] {
			t.Fatalf("%s comes after %s", id, last[cashier])
		} else {
			last[cashier] = id
		}
	}
}

// Of many who open or add the same, one wins.
func TestOneWins(t *testing.T) {
	s := openStore(t, t.TempDir())
	d, err := sale.NewDesk(s.Sales(), &watched{})
	must(t, err)
	race := func(what string, loser error, try func() error) {
		t.Helper()
		var won sync.Map
		var all sync.WaitGroup
		for c := range cashiers {
			all.Go(func() {
				switch err := try(); {
				case err == nil:
					won.Store(c, true)
				case !errors.Is(err, loser):
					t.Errorf("%s: %v, want %v", what, err, loser)
				}
			})
		}
		all.Wait()
		winners := 0
		won.Range(func(any, any) bool { winners++; return true })
		if winners != 1 {
			t.Errorf("%s: %d winners", what, winners)
		}
	}
	race("open", sale.ErrAlreadyOpen, func() error { return d.Open(sale.Session{}) })
	race("add item", sale.ErrItemExists, func() error { _, err := d.AddItem(good("same")); return err })
	race("remove item", sale.ErrItemUnknown, func() error { return d.RemoveItem("same") })
	race("add payment", sale.ErrPaymentExists, func() error { _, err := d.AddPayment(sale.Payment{ID: "p", Value: dec("1")}); return err })
	race("finalize", sale.ErrNoneOpen, func() error { _, err := d.Finalize(sale.Ending{}); return err })
}

// What Current shows must not be undone by a power cut: every line of it is in the file already.
func TestCurrentShowsOnlyWhatIsOnDisk(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	d, err := sale.NewDesk(s.Sales(), &watched{})
	must(t, err, d.Open(sale.Session{}))
	db, err := sql.Open("sqlite", filepath.Join(dir, "maquininha.db"))
	must(t, err)
	defer db.Close()

	var adding sync.WaitGroup
	for c := range 4 {
		adding.Go(func() {
			for n := range 40 {
				if _, err := d.AddItem(good(fmt.Sprintf("%d-%d", c, n))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { adding.Wait(); close(done) }()
	for looking := true; looking; {
		select {
		case <-done:
			looking = false
		default:
		}
		v, err := d.Current()
		must(t, err)
		var kept int
		must(t, db.QueryRow(`SELECT count(*) FROM item`).Scan(&kept))
		if kept < len(v.Items) {
			t.Fatalf("shown %d items, on disk %d", len(v.Items), kept)
		}
	}
}

// The number of a sale and ids that the desk makes are never used twice, restarts included.
func TestMadeIDs(t *testing.T) {
	dir := t.TempDir()
	seen := map[string]bool{}
	for round := range 3 {
		s := openStore(t, dir)
		d, err := sale.NewDesk(s.Sales(), &watched{})
		must(t, err, d.Open(sale.Session{}))
		for range 20 {
			i := good("")
			id, err := d.AddItem(i)
			must(t, err)
			if id == "" || seen[id] {
				t.Fatalf("id %q made twice", id)
			}
			seen[id] = true
		}
		v, err := d.Finalize(sale.Ending{})
		must(t, err)
		if v.Number != int64(round+1) {
			t.Fatalf("sale number %d in round %d", v.Number, round)
		}
		must(t, s.Close())
	}
}
