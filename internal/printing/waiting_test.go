package printing_test

import (
	"context"
	"errors"
	"testing"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/printing"
)

// A job that fails for want of paper waits, and only a person's wish prints it; what else comes out takes its place.
func TestJobWaitsForAPerson(t *testing.T) {
	var fails error
	var printed []printing.Job
	gate := &operation.Gate{}
	desk := printing.NewDesk(gate, recorder{&fails, &printed})
	defer desk.Close()
	changes, again := 0, 0
	desk.Changed, desk.Again = func() { changes++ }, func(printing.Job) { again++ }
	waits := func() (w printing.Waiting) {
		t.Helper()
		w, ok := desk.Waiting()
		if !ok {
			t.Fatal("nothing waits")
		}
		return w
	}
	gone := func() {
		t.Helper()
		if w, ok := desk.Waiting(); ok {
			t.Errorf("%+v waits", w)
		}
	}
	coupon, text := printing.Job{Kind: printing.XML, Name: "NFC-e 1"}, printing.Job{Kind: printing.Text}

	fails = errors.New("the cable is cut")
	desk.Print(t.Context(), coupon) //nolint:errcheck // it fails
	gone()                          // nobody in the shop knows what to do
	fails = printing.ErrPaperOut
	desk.Print(t.Context(), printing.Job{Kind: printing.Drawer}) //nolint:errcheck // it fails
	gone()
	desk.Print(t.Context(), coupon) //nolint:errcheck // it fails
	w := waits()
	if w.Kind != printing.XML || w.Why != printing.PaperOut {
		t.Errorf("%+v waits", w)
	}
	fails = printing.ErrCoverOpen
	if err := desk.PrintWaiting(t.Context(), w.ID); !errors.Is(err, printing.ErrCoverOpen) || again != 1 {
		t.Errorf("printed again without paper: %v, told %d times", err, again)
	}
	if err := desk.PrintWaiting(t.Context(), w.ID+1000); err != printing.ErrNotWaiting {
		t.Errorf("a job that never was: %v", err)
	}
	fails = nil
	leave, err := gate.Enter()
	if err != nil {
		t.Fatal(err)
	}
	if err := desk.PrintWaiting(t.Context(), waits().ID); err != operation.ErrBusy || again != 1 {
		t.Errorf("while busy: %v, told %d times", err, again)
	}
	leave()
	if err := desk.PrintWaiting(t.Context(), waits().ID); err != nil || len(printed) != 1 || printed[0].Name != "NFC-e 1" {
		t.Errorf("printed %v: %v", printed, err)
	}
	gone()

	fails = printing.ErrOffline
	desk.Print(t.Context(), coupon) //nolint:errcheck // it fails
	first := waits()
	desk.Print(t.Context(), text) //nolint:errcheck // it fails
	if w := waits(); w.ID == first.ID || w.Kind != printing.Text {
		t.Errorf("%+v waits, not the newest", w)
	}
	if err := desk.PrintWaiting(t.Context(), first.ID); err != printing.ErrNotWaiting {
		t.Errorf("the one before: %v", err)
	}
	fails = nil
	desk.Print(t.Context(), printing.Job{Kind: printing.Drawer}) //nolint:errcheck // it can't fail
	waits()                                                      // a drawer is no paper
	desk.Print(t.Context(), coupon)                              //nolint:errcheck // as above
	gone()

	fails = printing.ErrPaperOut
	desk.Print(t.Context(), text) //nolint:errcheck // it fails
	before := changes
	desk.ForgetWaiting(first.ID)
	if desk.ForgetWaiting(waits().ID); changes != before+1 {
		t.Errorf("told of %d changes", changes-before)
	}
	gone()
}

// recorder prints into a list, unless it fails.
type recorder struct {
	fails   *error
	printed *[]printing.Job
}

func (r recorder) Print(_ context.Context, job printing.Job) error {
	if *r.fails == nil && job.Kind != printing.Drawer {
		*r.printed = append(*r.printed, job)
	}
	return *r.fails
}
func (recorder) State() printing.State       { return printing.Unknown }
func (recorder) Jobs() []printing.Printed    { return nil }
func (recorder) Picture(int) ([]byte, error) { return nil, printing.ErrNoJob }
