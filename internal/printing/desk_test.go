package printing_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/maquininha/maquininha/internal/operation"
	"github.com/maquininha/maquininha/internal/printing"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// printer prints by calling itself.
type printer func(ctx context.Context) error

func (p printer) Print(ctx context.Context, _ printing.Job) error { return p(ctx) }
func (p printer) State() printing.State                           { return printing.OK }
func (p printer) Jobs() []printing.Printed                        { return nil }
func (p printer) Picture(int) ([]byte, error)                     { return nil, printing.ErrNoJob }

// slow prints for a while unless told to stop.
func slow(d time.Duration) printer {
	return func(ctx context.Context) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func TestPrintEntersAndLeavesTheGate(t *testing.T) {
	moves := 0
	g := &operation.Gate{Changed: func() { moves++ }}
	desk := printing.NewDesk(g, printer(func(context.Context) error {
		if !g.Busy() {
			t.Error("printing outside the gate")
		}
		return nil
	}))
	defer desk.Close()
	for range 2 {
		if err := desk.Print(t.Context(), printing.Job{}); err != nil {
			t.Fatal(err)
		}
	}
	if g.Busy() || moves != 4 {
		t.Errorf("entered and left %d times, want 2 of each; inside now: %v", moves, g.Busy())
	}
}

func TestPrintReturnsTheGatesRefusalAsItIs(t *testing.T) {
	g := &operation.Gate{}
	leave, _ := g.Enter()
	defer leave()
	desk := printing.NewDesk(g, printer(func(context.Context) error {
		t.Error("printed while busy")
		return nil
	}))
	defer desk.Close()
	if err := desk.Print(t.Context(), printing.Job{}); err != operation.ErrBusy {
		t.Errorf("got %v, want the gate's own error", err)
	}
}

func TestPrintFailureKeepsItsReasonAndFreesTheGate(t *testing.T) {
	g := &operation.Gate{}
	desk := printing.NewDesk(g, printer(func(context.Context) error { return printing.ErrPaperOut }))
	defer desk.Close()
	err := desk.Print(t.Context(), printing.Job{})
	if !errors.Is(err, printing.ErrFailed) || !errors.Is(err, printing.ErrPaperOut) {
		t.Errorf("got %v, want ErrFailed with ErrPaperOut", err)
	}
	if g.Busy() {
		t.Error("the gate was not left")
	}
}

func TestPrintGoesOnWhenTheCallerHangsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		desk := printing.NewDesk(&operation.Gate{}, slow(3*time.Second))
		ctx, hangUp := context.WithTimeout(t.Context(), time.Second)
		defer hangUp()
		if err := desk.Print(ctx, printing.Job{}); err != nil {
			t.Errorf("got %v, want the job printed", err)
		}
		desk.Close()
	})
}

func TestCloseWaitsForTheJobInHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		desk := printing.NewDesk(&operation.Gate{}, slow(2*time.Second))
		result := make(chan error, 1)
		go func() { result <- desk.Print(t.Context(), printing.Job{}) }()
		synctest.Wait()
		start := time.Now()
		desk.Close()
		if err := <-result; err != nil {
			t.Errorf("the job in hand failed: %v", err)
		}
		if took := time.Since(start); took != 2*time.Second {
			t.Errorf("Close took %v, want the job's 2s", took)
		}
		if err := desk.Print(t.Context(), printing.Job{}); !errors.Is(err, operation.ErrStopping) {
			t.Errorf("after Close got %v, want ErrStopping", err)
		}
	})
}

func TestCloseEndsAJobThatTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		desk := printing.NewDesk(&operation.Gate{}, slow(time.Hour))
		result := make(chan error, 1)
		go func() { result <- desk.Print(t.Context(), printing.Job{}) }()
		synctest.Wait()
		start := time.Now()
		desk.Close()
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("Close took %v, want 3s", took)
		}
		if err := <-result; !errors.Is(err, printing.ErrFailed) || !errors.Is(err, printing.ErrStopped) || errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want ErrFailed with ErrStopped: the caller did not hang up", err)
		}
	})
}

func TestStates(t *testing.T) {
	for state, want := range map[printing.State]error{
		printing.OK: nil, printing.PaperOut: printing.ErrPaperOut,
		printing.CoverOpen: printing.ErrCoverOpen, printing.Offline: printing.ErrOffline,
	} {
		if !state.Valid() || state.Err() != want {
			t.Errorf("%s: valid %v, error %v, want %v", state, state.Valid(), state.Err(), want)
		}
	}
	for _, state := range []printing.State{"burning", printing.Unknown, printing.NoPrinter} {
		if state.Valid() {
			t.Errorf("%s counts as valid", state)
		}
	}
}

func TestTheJobInHandIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := 0
		desk := printing.NewDesk(&operation.Gate{}, slow(time.Minute))
		desk.Changed = func() { told++ }
		defer desk.Close()
		var last uint64
		for range 2 {
			if r, ok := desk.Running(); ok {
				t.Fatalf("nothing is printed, yet %+v", r)
			}
			done := make(chan error, 1)
			began := time.Now()
			go func() { done <- desk.Print(t.Context(), printing.Job{}) }()
			synctest.Wait()
			r, ok := desk.Running()
			if !ok || r.Operation <= last || !r.Since.Equal(began) {
				t.Errorf("%+v, %v", r, ok)
			}
			last = r.Operation
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
		if told != 2 {
			t.Errorf("told %d times", told)
		}
	})
}
