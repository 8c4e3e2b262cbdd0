// Package printingtest checks that a printer does what printing.Printer asks.
// Every driver runs it against itself.
package printingtest

import (
	"context"
	"errors"
	"image"
	"sync"
	"testing"

	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// A Device is a printer under test with its hardware in the test's hands.
type Device struct {
	Printer printing.Printer
	// Break brings the hardware into a state. Nil where the device can't report
	// one; those tests are then skipped.
	Break func(printing.State)
	// Count tells how many jobs are on paper by now.
	Count func() int
}

// Conformance runs the checks, each on a new device.
func Conformance(t *testing.T, open func(t *testing.T) Device) {
	t.Run("prints every kind of element", func(t *testing.T) {
		d := open(t)
		if err := d.Printer.Print(t.Context(), everything()); err != nil {
			t.Fatal(err)
		}
		expectCount(t, d, 1)
	})
	t.Run("prints an empty page", func(t *testing.T) {
		d := open(t)
		if err := d.Printer.Print(t.Context(), printing.Job{Kind: printing.Text}); err != nil {
			t.Fatal(err)
		}
		expectCount(t, d, 1)
	})
	t.Run("prints from several goroutines", func(t *testing.T) {
		d := open(t)
		const jobs = 8
		var all sync.WaitGroup
		for range jobs {
			all.Go(func() {
				if err := d.Printer.Print(t.Context(), everything()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		expectCount(t, d, jobs)
	})
	t.Run("gives up when the context has ended", func(t *testing.T) {
		d := open(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := d.Printer.Print(ctx, everything()); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
		expectCount(t, d, 0)
	})
	t.Run("refuses a page longer than the roll", func(t *testing.T) {
		d := open(t)
		var page receipt.Page
		for range 2000 {
			page.Add(receipt.Blank{Size: receipt.MaxSize})
		}
		if err := d.Printer.Print(t.Context(), printing.Job{Kind: printing.Text, Page: page}); !errors.Is(err, receipt.ErrTooLong) {
			t.Errorf("got %v, want receipt.ErrTooLong", err)
		}
		expectCount(t, d, 0)
	})
	for _, state := range []printing.State{printing.PaperOut, printing.CoverOpen, printing.Offline} {
		t.Run("fails and recovers: "+string(state), func(t *testing.T) {
			d := open(t)
			if d.Break == nil {
				t.Skip("the device can't report its state")
			}
			d.Break(state)
			if err := d.Printer.Print(t.Context(), everything()); !errors.Is(err, state.Err()) {
				t.Errorf("got %v, want %v", err, state.Err())
			}
			expectCount(t, d, 0)
			d.Break(printing.OK)
			if err := d.Printer.Print(t.Context(), everything()); err != nil {
				t.Errorf("after mending: %v", err)
			}
			expectCount(t, d, 1)
		})
	}
}

func expectCount(t *testing.T, d Device, want int) {
	t.Helper()
	if got := d.Count(); got != want {
		t.Errorf("%d jobs on paper, want %d", got, want)
	}
}

func everything() printing.Job {
	var page receipt.Page
	page.Add(
		receipt.Text{Value: "Padaria São João", Bold: true, Align: receipt.Center},
		receipt.Rule{},
		receipt.Pair{Left: "Pão de queijo", Right: "7,50"},
		receipt.Blank{},
		receipt.Image{Picture: image.NewGray(image.Rect(0, 0, 50, 50))},
	)
	return printing.Job{Kind: printing.Text, Page: page}
}
